import type { VNode } from "preact";
import type { ClassHour } from "../../enrich/reading-ports.ts";
import { Link } from "../frame/parts.tsx";
import { counted, cut, grouped, shown } from "../frame/text.ts";

const HOURS = 24;
const HOUR_MS = 3_600_000;
const CLASSES_SHOWN = 8;

interface Course {
  readonly errorClass: string | undefined;
  readonly hours: readonly number[];
  readonly total: number;
}

/** The classes of the last day, most episodes first, each as 24 bars of an hour. */
export function ClassPlots(props: { counts: readonly ClassHour[]; nowMs: number }): VNode {
  const courses = coursesOf(props.counts, Math.floor(props.nowMs / HOUR_MS));
  const shownCourses = courses.slice(0, CLASSES_SHOWN);
  const highest = Math.max(1, ...shownCourses.flatMap(({ hours }) => hours));
  return (
    <ul class="plain">
      {shownCourses.map((course) => (
        <li key={course.errorClass ?? ""}>
          <div class="block-head">
            <span>
              <ClassName errorClass={course.errorClass} />
            </span>
            <span class="number">{grouped(course.total)}</span>
          </div>
          <Plot course={course} highest={highest} />
        </li>
      ))}
      {courses.length > CLASSES_SHOWN ? (
        <li class="soft">
          and {counted(courses.length - CLASSES_SHOWN, "more class", "more classes")}
        </li>
      ) : null}
    </ul>
  );
}

function ClassName({ errorClass }: { errorClass: string | undefined }): VNode {
  if (errorClass === undefined) {
    return <Link to="episodes?since=24h&outcome=no_match">nothing recognised</Link>;
  }
  const query = new URLSearchParams({ class: errorClass, since: "24h" });
  return <Link to={`episodes?${query.toString()}`}>{shown(cut(errorClass, 80))}</Link>;
}

function coursesOf(counts: readonly ClassHour[], lastHour: number): readonly Course[] {
  const byClass = new Map<string | undefined, number[]>();
  for (const { errorClass, hour, episodes } of counts) {
    const at = HOURS - 1 - (lastHour - hour);
    if (at < 0 || at >= HOURS) continue;
    const hours = byClass.get(errorClass) ?? Array<number>(HOURS).fill(0);
    hours[at] = (hours[at] ?? 0) + episodes;
    byClass.set(errorClass, hours);
  }
  return [...byClass]
    .map(([errorClass, hours]) => ({
      ...{ errorClass, hours },
      total: hours.reduce((sum, count) => sum + count, 0),
    }))
    .sort((one, other) => other.total - one.total);
}

const HEIGHT = 24;

function Plot({ course, highest }: { course: Course; highest: number }): VNode {
  const { hours, total } = course;
  const peak = Math.max(...hours);
  const hoursAgo = HOURS - 1 - hours.lastIndexOf(peak);
  const when = hoursAgo === 0 ? "in this hour" : `${hoursAgo} h ago`;
  const label = `${counted(total, "episode")} in 24 hours, at most ${grouped(peak)} in one, ${when}`;
  return (
    <svg
      class="plot"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${HOURS * 4} ${HEIGHT + 1}`}
      preserveAspectRatio="none"
    >
      <title>{label}</title>
      {hours.map((count, hour) => {
        const height = count === 0 ? 0 : Math.max(1, (count / highest) * HEIGHT);
        return <rect key={hour} x={hour * 4} width={3} y={HEIGHT - height} height={height} />;
      })}
      <line class="axis" x1={0} x2={HOURS * 4} y1={HEIGHT + 0.5} y2={HEIGHT + 0.5} />
    </svg>
  );
}
