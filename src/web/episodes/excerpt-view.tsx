import { Fragment } from "preact";
import type { VNode } from "preact";
import type { KeptExcerpt, KeptLine } from "../../enrich/enrichment.ts";
import type { Match } from "../../record/match.ts";
import { shown } from "../frame/text.ts";
import { absoluteWords } from "../frame/time-words.ts";
import { PROVENANCE_WORDS } from "./episode-words.ts";
import { markLine } from "./mark-line.ts";

/** From so many characters on a line is folded. */
const FOLDED_FROM = 600;

/** The kept lines of an excerpt: what templates say and what stood in their places is marked. */
export function ExcerptView(props: {
  excerpt: KeptExcerpt;
  matches: readonly Match[];
  /** Where the lines come from, where no alert came with them. */
  origin?: string;
}): VNode {
  const { lines, linesTotal, provenance, cut } = props.excerpt;
  return (
    <>
      <p class="soft small">
        {`${lines.length} of ${linesTotal} lines${cut ? " (of more)" : ""}, from ${props.origin ?? PROVENANCE_WORDS[provenance]}. `}
        {props.matches.length > 0 ? (
          <>
            Marked: <mark class="literal">text of the record</mark>{" "}
            <mark class="capture">what stood in its places</mark>
          </>
        ) : null}
      </p>
      <ol class="log">
        {lines.map((line, index) => {
          const gap = line.line - (lines[index - 1]?.line ?? line.line - 1) - 1;
          return (
            <Fragment key={line.line}>
              {gap > 0 ? <li class="gap soft">{`${gap} more`}</li> : null}
              <Line line={line} matches={props.matches} />
            </Fragment>
          );
        })}
      </ol>
    </>
  );
}

function Line({ line, matches }: { line: KeptLine; matches: readonly Match[] }): VNode {
  const segments = markLine(line, matches);
  const isMarked = segments.some(({ kind }) => kind !== "plain");
  const time = line.timeMs === undefined ? "" : absoluteWords(line.timeMs).slice(11, 19);
  const text = (
    <code>
      {line.column > 0 ? "…" : ""}
      {segments.map(({ kind, text: part }, index) =>
        kind === "plain" ? (
          shown(part)
        ) : (
          <mark key={index} class={kind}>
            {shown(part)}
          </mark>
        ),
      )}
    </code>
  );
  return (
    <li class={isMarked ? "hit" : undefined}>
      <span class="line-number soft">{line.line + 1}</span>
      {time === "" ? null : <span class="line-time soft">{time}</span>}
      {line.text.length > FOLDED_FROM && !isMarked ? (
        <details>
          <summary>
            <code>{`${shown(line.text.slice(0, 160))}…`}</code>
          </summary>
          {text}
        </details>
      ) : (
        text
      )}
    </li>
  );
}
