import type { VNode } from "preact";
import { Block, Code, Link } from "../frame/parts.tsx";
import { cut, grouped, shown } from "../frame/text.ts";
import { ConfigurationBlock } from "./configuration-block.tsx";
import { RecordsBlock } from "./records-block.tsx";
import type { ServiceStatus } from "./service-status.ts";

/** Shows what is in force. */
export function StatusPage({ status }: { status: ServiceStatus }): VNode {
  return (
    <>
      <h1>Status</h1>
      <ServiceBlock status={status} />
      <RecordsBlock records={status.records} />
      <ConfigurationBlock settings={status.configuration} />
    </>
  );
}

const NAME_CHARACTERS_MAX = 128;
const NAMES_SHOWN = 100;

function ServiceBlock({ status }: { status: ServiceStatus }): VNode {
  const { version, revision, node, mode, store, records, loki, destinations } = status;
  const names = destinations.slice(0, NAMES_SHOWN).map((name) => cut(name, NAME_CHARACTERS_MAX));
  return (
    <Block id="service" title="Service" aside={<Link to="api/v1/status">JSON</Link>}>
      <dl class="facts">
        <dt>Version</dt>
        <dd>{version}</dd>
        <dt>Revision</dt>
        <dd>
          <Code text={cut(revision, NAME_CHARACTERS_MAX)} />
        </dd>
        <dt>Node.js</dt>
        <dd>{node}</dd>
        <dt>Mode</dt>
        <dd>{mode}</dd>
        <dt>Store</dt>
        <dd>{store}</dd>
        <dt>Records</dt>
        <dd>{grouped(records.count)}</dd>
        <dt>Dataset</dt>
        <dd>{records.datasetVersion === "" ? "none" : records.datasetVersion}</dd>
        <dt>Loki</dt>
        <dd>{loki ?? "not configured"}</dd>
        <dt>Destinations</dt>
        <dd>{names.length === 0 ? "none" : shown(names.join(", "))}</dd>
      </dl>
    </Block>
  );
}
