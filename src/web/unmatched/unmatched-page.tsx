import type { VNode } from "preact";
import { useContext } from "preact/hooks";
import type { UnmatchedCluster } from "../../enrich/reading-ports.ts";
import { Around, Block, Code, Empty, Link, When } from "../frame/parts.tsx";
import { counted, shown } from "../frame/text.ts";
import type { ParameterFault } from "../json/problem.ts";

/** Lists texts in which nothing was recognised, those of most episodes first. */
export function UnmatchedPage(props: {
  clusters: readonly UnmatchedCluster[];
  /** Number of the next page; `undefined` on the last. */
  next: number | undefined;
}): VNode {
  const { clusters, next } = props;
  return (
    <>
      <h1>Unmatched</h1>
      <p class="soft">
        Lines of alerts in which no known error was found, those of one shape together. Make a
        record of what comes often.
      </p>
      {clusters.length === 0 ? (
        <Empty title="Every alert with log lines was recognised.">
          Alerts that had no lines to read are under{" "}
          <Link to="episodes?outcome=no_logs">episodes without log lines</Link>.
        </Empty>
      ) : (
        <ul class="rows" aria-label="Shapes">
          {clusters.map((cluster) => (
            <Cluster key={cluster.id} cluster={cluster} />
          ))}
        </ul>
      )}
      {next === undefined ? null : <Link to={`unmatched?page=${next}`}>Rarer ones</Link>}
    </>
  );
}

function Cluster({ cluster }: { cluster: UnmatchedCluster }): VNode {
  const { id, shape, episodes, lastMs, lastEpisodeId } = cluster;
  return (
    <li>
      <div class="row-main">
        <Link to={`unmatched/${id}`} class="row-title">
          <Code text={shape} />
        </Link>
      </div>
      <div>{counted(episodes, "episode")}</div>
      <div>
        <Link to={`episodes/${lastEpisodeId}`}>Last episode</Link>
      </div>
      <div class="row-when">
        <When ms={lastMs} />
      </div>
    </li>
  );
}

/** Shows one shape with its lines, and the form that makes a draft of a record. */
export function ClusterPage(props: {
  cluster: UnmatchedCluster;
  /** What was filled in before; empty at first. */
  query: URLSearchParams;
  faults: readonly ParameterFault[];
}): VNode {
  const { cluster, query, faults } = props;
  return (
    <>
      <h1>Unmatched text</h1>
      <p>
        <Code text={cluster.shape} />
      </p>
      <p class="soft">
        {counted(cluster.episodes, "episode")}, first <When ms={cluster.firstMs} />, last{" "}
        <When ms={cluster.lastMs} />.{" "}
        <Link to={`episodes/${cluster.lastEpisodeId}`}>Last episode</Link>
      </p>
      <Block id="samples" title="Lines">
        <div class="samples">
          {cluster.samples.map((sample) => (
            <Code key={sample} text={sample} />
          ))}
        </div>
      </Block>
      <Block id="draft" title="Make a record of it">
        {faults.length === 0 ? null : (
          <div class="fault" role="alert">
            {faults.map(({ field, message }) => (
              <p key={field}>
                <strong>{field}</strong> {message}
              </p>
            ))}
          </div>
        )}
        <DraftForm cluster={cluster} query={query} />
      </Block>
    </>
  );
}

const SEVERITIES = ["critical", "error", "warning", "info"];

function DraftForm({
  cluster,
  query,
}: {
  cluster: UnmatchedCluster;
  query: URLSearchParams;
}): VNode {
  const { root } = useContext(Around);
  const severity = query.get("severity") ?? "error";
  return (
    <form class="draft" method="get" action={`${root}unmatched/${cluster.id}/draft`}>
      <label>
        Program that prints it, owner/name
        <input name="repo" required value={query.get("repo") ?? ""} placeholder="acme/shop" />
      </label>
      <label>
        Message; what varies is {"{}"}
        <textarea name="message" rows={3} required>
          {shown(query.get("message") ?? cluster.shape)}
        </textarea>
      </label>
      <label>
        Severity
        <select name="severity">
          {SEVERITIES.map((name) => (
            <option key={name} value={name} selected={name === severity}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        What it means in operation
        <textarea name="meaning" rows={3}>
          {query.get("meaning") ?? ""}
        </textarea>
      </label>
      <label>
        Steps, one a line
        <textarea name="steps" rows={4}>
          {query.get("steps") ?? ""}
        </textarea>
      </label>
      <div>
        <button type="submit">Download the draft</button>
      </div>
      <p class="soft small">
        Check it with <code>alertlore records check draft.json</code>, then put it into a folder of{" "}
        <code>records.sources</code>.
      </p>
    </form>
  );
}
