import { Fragment } from "preact";
import type { VNode } from "preact";
import type { AlertDelivery, EpisodeDetail, EpisodeSummary } from "../../enrich/reading-ports.ts";
import type { CatalogueRecord } from "../../record/known-error.ts";
import { StatusBadge } from "../frame/badges.tsx";
import { Block, Code, Empty, Link, OutLink, When } from "../frame/parts.tsx";
import { cut, shown } from "../frame/text.ts";
import { durationWords } from "../frame/time-words.ts";
import { AdviceView, ChainView, EvidenceView, RecordProse } from "./advice-view.tsx";
import { EpisodeTable } from "./episode-table.tsx";
import { nameOf, placeOf, traceWords } from "./episode-words.ts";
import { ExcerptView } from "./excerpt-view.tsx";
import { matcherText } from "./read-filter.ts";
import { Timeline } from "./timeline.tsx";
import { Verdict } from "./verdict.tsx";

/** All that the page of an episode shows. */
export interface EpisodeFacts {
  readonly episode: EpisodeDetail;
  /** Of the best match; `undefined` without one, and when the record is not loaded any more. */
  readonly entry: CatalogueRecord | undefined;
  readonly deliveries: readonly AlertDelivery[];
  /** Other episodes of the same error, the latest first. */
  readonly history: readonly EpisodeSummary[];
  /** Explore link to the log lines. */
  readonly logsUrl: string | undefined;
}

/** Shows one episode: cause and next step first, then what they rest on. */
export function EpisodePage({ facts }: { facts: EpisodeFacts }): VNode {
  const { episode, entry } = facts;
  const place = placeOf(episode.labels);
  return (
    <>
      <h1>{shown(cut(nameOf(episode.labels), 200))}</h1>
      <p class="subtitle">
        <StatusBadge status={episode.status} />{" "}
        {place === "" ? null : <>{shown(cut(place, 300))} · </>}
        since <When ms={episode.startsMs} />
        {episode.endsMs === undefined
          ? null
          : `, for ${durationWords(episode.endsMs - episode.startsMs)}`}
      </p>
      <Verdict episode={episode} entry={entry} />
      <div class="columns">
        <div>
          <Advice episode={episode} />
          <Lines facts={facts} />
          <Findings facts={facts} />
        </div>
        <div>
          <Around facts={facts} />
        </div>
      </div>
      <History facts={facts} />
    </>
  );
}

function Advice({ episode }: { episode: EpisodeDetail }): VNode | null {
  const advice = episode.enrichment?.recommendation;
  if (advice === undefined) return null;
  return (
    <Block id="steps" title="What to do">
      <AdviceView advice={advice} />
    </Block>
  );
}

function Lines({ facts: { episode, logsUrl } }: { facts: EpisodeFacts }): VNode {
  const trace = episode.enrichment?.logs;
  const aside = logsUrl === undefined ? null : <OutLink href={logsUrl}>Open in Explore</OutLink>;
  return (
    <Block id="lines" title="Log lines" aside={aside}>
      {episode.excerpt === undefined ? (
        <Empty title="No lines are kept of this episode.">
          {trace === undefined
            ? "Nothing was asked of Loki, and no annotation held log lines."
            : traceWords(trace)}
        </Empty>
      ) : (
        <ExcerptView excerpt={episode.excerpt} matches={episode.enrichment?.matches ?? []} />
      )}
      {trace === undefined || trace.queries.length === 0 ? null : (
        <details>
          <summary>What was asked of Loki</summary>
          <p class="small">{traceWords(trace)}</p>
          {trace.queries.map((query) => (
            <pre key={query}>
              <Code text={cut(query, 2000)} />
            </pre>
          ))}
          <p class="small">
            From <When ms={trace.startMs} /> to <When ms={trace.endMs} />
          </p>
        </details>
      )}
    </Block>
  );
}

function Findings({ facts: { episode, entry } }: { facts: EpisodeFacts }): VNode | null {
  const matches = episode.enrichment?.matches ?? [];
  const best = matches[0];
  if (best === undefined) return null;
  return (
    <>
      {matches.length > 1 ? (
        <Block id="chain" title="Chain of causes">
          <ChainView matches={matches} />
        </Block>
      ) : null}
      {entry === undefined ? null : (
        <Block id="record" title="What the record says">
          <RecordProse entry={entry} />
        </Block>
      )}
      <Block id="evidence" title="Why this record">
        <EvidenceView match={best} />
      </Block>
    </>
  );
}

function Around({ facts: { episode, deliveries } }: { facts: EpisodeFacts }): VNode {
  return (
    <>
      <Block id="timeline" title="Timeline">
        <Timeline episode={episode} deliveries={deliveries} />
      </Block>
      <Block id="deliveries" title="Deliveries">
        <Deliveries deliveries={deliveries} />
      </Block>
      <Block id="labels" title="Labels">
        <dl class="facts labels">
          {Object.entries(episode.labels).map(([name, value]) => (
            <Fragment key={name}>
              <dt>{shown(name)}</dt>
              <dd>
                <Link
                  to={`episodes?${new URLSearchParams({ label: matcherText(name, value) }).toString()}`}
                >
                  {shown(cut(value, 300)) || "(empty)"}
                </Link>
              </dd>
            </Fragment>
          ))}
        </dl>
        <p class="soft small">
          Source {shown(episode.source)}
          {episode.tenant === "" ? "" : `, tenant ${shown(episode.tenant)}`}, fingerprint{" "}
          <Code text={episode.fingerprint} />
        </p>
      </Block>
    </>
  );
}

const DELIVERY_WORDS: Readonly<Record<AlertDelivery["state"], string>> = {
  told: "✓ told",
  waiting: "… waiting",
  dead: "✕ given up",
};

function Deliveries({ deliveries }: { deliveries: readonly AlertDelivery[] }): VNode {
  if (deliveries.length === 0) {
    return (
      <Empty title="Nothing was delivered.">
        No destination is configured, or the alert came in through the proxy or with
        ?respond=enriched.
      </Empty>
    );
  }
  return (
    <ul class="plain">
      {deliveries.map(({ destination, state, isFiring, atMs, attempts, reason }, index) => (
        <li key={index}>
          <strong>{shown(destination)}</strong>{" "}
          <span class={`delivery-${state}`}>{DELIVERY_WORDS[state]}</span>{" "}
          {isFiring ? "firing" : "resolved"}, <When ms={atMs} />
          {attempts > 0 ? ` · ${attempts} tries` : ""}
          {reason === "" ? null : <div class="soft small">{shown(cut(reason, 300))}</div>}
        </li>
      ))}
      {deliveries.some(({ state }) => state === "dead") ? (
        <li>
          <Link to="deliveries">Look at dead letters</Link>
        </li>
      ) : null}
    </ul>
  );
}

function History({ facts: { episode, history } }: { facts: EpisodeFacts }): VNode | null {
  if (episode.recordId === undefined) return null;
  const link = (
    <Link to={`episodes?${new URLSearchParams({ record: episode.recordId }).toString()}`}>
      All episodes of it
    </Link>
  );
  return (
    <Block id="history" title="The same error before" aside={link}>
      {history.length === 0 ? (
        <Empty title="This is the first time.">Nothing else that is kept showed this error.</Empty>
      ) : (
        <EpisodeTable label="Episodes of the same error" episodes={history} />
      )}
    </Block>
  );
}
