import type { VNode } from "preact";
import { Block, When } from "../frame/parts.tsx";
import { cut, shown } from "../frame/text.ts";
import type { RecordsHealth, SyncState } from "./records-health.ts";

const TEXT_CHARACTERS_MAX = 400;

/** Shows whether records are what their sources hold, and if not, why and what is used instead. */
export function RecordsBlock({ health }: { health: RecordsHealth }): VNode {
  const { faults, syncs } = health;
  return (
    <Block id="records" title="Records">
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
    </Block>
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
