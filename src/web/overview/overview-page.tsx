import type { VNode } from "preact";
import type { ClassHour, FiringError } from "../../enrich/reading-ports.ts";
import { countTroubles } from "../status/records-health.ts";
import type { ServiceStatus } from "../status/service-status.ts";
import { OUTCOME_WORDS } from "../episodes/episode-words.ts";
import { DecisionBadge } from "../frame/badges.tsx";
import { Block, Empty, Link, When } from "../frame/parts.tsx";
import { counted, cut, grouped, shown } from "../frame/text.ts";
import { ClassPlots } from "./plots.tsx";

/** What the overview shows. */
export interface OverviewFacts {
  readonly status: ServiceStatus;
  readonly firing: readonly FiringError[];
  readonly counts: readonly ClassHour[];
  readonly outbox: { readonly pending: number; readonly dead: number };
  /** What a record says first; `undefined` when it is not loaded. */
  readonly messageOf: (recordId: string) => string | undefined;
}

/** Shows what fires now, the classes of the last day, and how the service is. */
export function OverviewPage({ facts, nowMs }: { facts: OverviewFacts; nowMs: number }): VNode {
  const { firing, counts, messageOf } = facts;
  return (
    <>
      <h1>Overview</h1>
      <Tiles facts={facts} />
      <div class="columns">
        <Block
          id="firing"
          title="Firing now"
          aside={<Link to="episodes?status=open">All firing episodes</Link>}
        >
          {firing.length === 0 ? (
            <Empty title="Nothing fires.">
              What fired before is under <Link to="episodes">Episodes</Link>. If alerts should be
              here, look at <Link to="status">Status</Link> and at the receiver in Alertmanager.
            </Empty>
          ) : (
            <ul class="plain">
              {firing.map((error, index) => (
                <Firing key={index} error={error} messageOf={messageOf} />
              ))}
            </ul>
          )}
        </Block>
        <Block id="day" title="Classes of the last day">
          {counts.length === 0 ? (
            <Empty title="No episode was opened in the last day.">
              <Link to="episodes">Look at older ones.</Link>
            </Empty>
          ) : (
            <ClassPlots counts={counts} nowMs={nowMs} />
          )}
        </Block>
      </div>
      <p class="soft small no-print">
        For programs: <Link to="metrics">metrics</Link>, <Link to="-/healthy">health</Link>,{" "}
        <Link to="-/ready">readiness</Link>. Alertmanager posts to <code>/webhook</code>.
      </p>
    </>
  );
}

function Firing(props: { error: FiringError; messageOf: OverviewFacts["messageOf"] }): VNode {
  const { recordId, errorClass, decision, outcome, episodes, firstMs, lastEpisodeId } = props.error;
  const title = errorClass ?? OUTCOME_WORDS[outcome ?? "pending"].title;
  const message = recordId === undefined ? undefined : props.messageOf(recordId);
  const all =
    recordId === undefined
      ? `episodes?status=open${outcome === undefined ? "" : `&outcome=${outcome}`}`
      : `episodes?status=open&record=${encodeURIComponent(recordId)}`;
  return (
    <li class="firing">
      <div>
        <Link to={`episodes/${lastEpisodeId}`} class="row-title">
          {shown(cut(title, 120))}
        </Link>{" "}
        {decision === undefined ? null : <DecisionBadge decision={decision} />}
      </div>
      {message === undefined ? null : <code>{shown(cut(message, 160))}</code>}
      <div class="small">
        <Link to={all}>{counted(episodes, "episode")}</Link>
        <span class="soft"> since </span>
        <When ms={firstMs} />
      </div>
    </li>
  );
}

function Tiles({ facts }: { facts: OverviewFacts }): VNode {
  const { status, firing, outbox } = facts;
  const open = firing.reduce((sum, { episodes }) => sum + episodes, 0);
  return (
    <ul class="tiles">
      <Tile name="Firing" value={grouped(open)} note={counted(firing.length, "kind")} />
      <Tile {...lokiTile(status.loki)} />
      <Tile {...recordsTile(status.records)} />
      <Tile
        name="Outbox"
        value={`${grouped(outbox.pending)} waiting`}
        note={
          outbox.dead === 0 ? (
            "✓ no dead letters"
          ) : (
            <Link to="deliveries">✕ {counted(outbox.dead, "dead letter")}</Link>
          )
        }
        tone={outbox.dead > 0 ? "bad" : undefined}
      />
    </ul>
  );
}

function recordsTile(records: ServiceStatus["records"]): Parameters<typeof Tile>[0] {
  const { count, datasetVersion, health } = records;
  const value = grouped(count);
  const troubles = countTroubles(health);
  if (troubles > 0) {
    const note = <Link to="status#records">✕ {counted(troubles, "source")} not up to date</Link>;
    return { name: "Records", value, note, tone: "bad" };
  }
  const note = datasetVersion === "" ? "no dataset" : `dataset ${datasetVersion}`;
  return { name: "Records", value, note };
}

function lokiTile(loki: ServiceStatus["loki"]): Parameters<typeof Tile>[0] {
  if (loki === undefined) {
    return { name: "Loki", value: "not set", note: "alerts are explained by what they carry" };
  }
  return loki === "available"
    ? { name: "Loki", value: "✓ available", note: "questions are asked", tone: "good" }
    : { name: "Loki", value: "✕ unavailable", note: "no questions for a while", tone: "bad" };
}

function Tile(props: {
  name: string;
  value: string;
  note: string | VNode;
  tone?: "good" | "bad" | undefined;
}): VNode {
  return (
    <li>
      <span class="label">{props.name}</span>
      <span class={`tile-value ${props.tone ?? ""}`}>{props.value}</span>
      <span class="soft small">{props.note}</span>
    </li>
  );
}
