import type { VNode } from "preact";
import { Block } from "../frame/parts.tsx";
import { grouped } from "../frame/text.ts";
import { RecordsBlock } from "./records-block.tsx";
import type { RecordsHealth } from "./records-health.ts";

/** What the service says of itself; nothing secret. */
export interface ServiceStatus {
  readonly version: string;
  /** `on`, `shadow` or `off`. */
  readonly mode: string;
  readonly records: {
    readonly count: number;
    readonly datasetVersion: string;
    readonly health: RecordsHealth;
  };
  /** `undefined`: no Loki is configured. */
  readonly loki: "available" | "unavailable" | undefined;
  /** Names of the configured destinations. */
  readonly destinations: readonly string[];
}

/** Shows what is in force. */
export function StatusPage({ status }: { status: ServiceStatus }): VNode {
  const { version, mode, records, loki, destinations } = status;
  return (
    <>
      <h1>Status</h1>
      <Block id="service" title="Service">
        <dl class="facts">
          <dt>Version</dt>
          <dd>{version}</dd>
          <dt>Mode</dt>
          <dd>{mode}</dd>
          <dt>Records</dt>
          <dd>{grouped(records.count)}</dd>
          <dt>Dataset</dt>
          <dd>{records.datasetVersion === "" ? "none" : records.datasetVersion}</dd>
          <dt>Loki</dt>
          <dd>{loki ?? "not configured"}</dd>
          <dt>Destinations</dt>
          <dd>{destinations.length === 0 ? "none" : destinations.join(", ")}</dd>
        </dl>
      </Block>
      <RecordsBlock health={records.health} />
    </>
  );
}
