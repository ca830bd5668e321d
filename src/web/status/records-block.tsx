import type { VNode } from "preact";
import { Block, Code, When } from "../frame/parts.tsx";
import { counted, cut, grouped, shown } from "../frame/text.ts";
import { ORIGIN_WORDS } from "../records/record-words.tsx";
import type { RecordsHealth, SyncState } from "./records-health.ts";
import type { RecordFates, RecordsSource, ServiceStatus } from "./service-status.ts";

const TEXT_CHARACTERS_MAX = 400;
const LISTED_MAX = 50;

/** Shows where records come from, what became of them, and whether all is as the sources hold it. */
export function RecordsBlock({ records }: { records: ServiceStatus["records"] }): VNode {
  const { counts, digest, sources, health } = records;
  return (
    <Block id="records" title="Records">
      <Health health={health} />
      <dl class="facts">
        <dt>Sources</dt>
        <dd>
          {sources.length === 0 ? "none" : null}
          {sources.slice(0, LISTED_MAX).map((source, index) => (
            <Source key={index} source={source} />
          ))}
          {sources.length > LISTED_MAX ? (
            <div class="soft">{counted(sources.length - LISTED_MAX, "more source")}</div>
          ) : null}
        </dd>
        <dt>Loaded</dt>
        <dd>{fateWords(counts)}</dd>
        <dt>Digest</dt>
        <dd>
          <Code text={cut(digest, 16)} />
        </dd>
      </dl>
    </Block>
  );
}

function Source({ source: { place, origin } }: { source: RecordsSource }): VNode {
  return (
    <div>
      {place === "" ? null : <Code text={cut(place, TEXT_CHARACTERS_MAX)} />}{" "}
      <span class={place === "" ? undefined : "soft"}>{ORIGIN_WORDS[origin]}</span>
    </div>
  );
}

function fateWords({ used, vague, muted, overridden, skipped }: RecordFates): string {
  const others = [
    [vague, "too vague to be looked for"],
    [muted, "muted"],
    [overridden, "overridden by a later source"],
    [skipped, "not valid"],
  ] as const;
  return [
    `${grouped(used)} looked for`,
    ...others.flatMap(([count, words]) => (count === 0 ? [] : `${grouped(count)} ${words}`)),
  ].join(", ");
}

function Health({ health: { faults, syncs } }: { health: RecordsHealth }): VNode {
  return (
    <>
      {faults.length === 0 ? (
        <p>✓ Files of records, mutes and overlays are in force as they lie there.</p>
      ) : (
        <div class="fault">
          <p>✕ Files could not be read. What was in force before stays.</p>
          <ul>
            {faults.map((fault) => (
              <li key={fault}>{shown(cut(fault, TEXT_CHARACTERS_MAX))}</li>
            ))}
          </ul>
        </div>
      )}
      {syncs.length === 0 ? null : (
        <ul class="plain">
          {syncs.map((sync) => (
            <Sync key={sync.url} sync={sync} />
          ))}
        </ul>
      )}
    </>
  );
}

function Sync({ sync: { url, askedMs, failure } }: { sync: SyncState }): VNode {
  const name = <code>{shown(cut(url, TEXT_CHARACTERS_MAX))}</code>;
  if (askedMs === undefined) return <li>{name} is being asked for the first time.</li>;
  if (failure === undefined) {
    return (
      <li>
        ✓ {name} answered well, asked <When ms={askedMs} />.
      </li>
    );
  }
  const { reason, message, hasCopy } = failure;
  return (
    <li class="fault">
      ✕ {name} gave nothing new (<code>{reason}</code>): {shown(cut(message, TEXT_CHARACTERS_MAX))}.{" "}
      {hasCopy ? "The last good copy stays." : "There is no earlier copy, so it adds no records."}{" "}
      Asked <When ms={askedMs} />.
    </li>
  );
}
