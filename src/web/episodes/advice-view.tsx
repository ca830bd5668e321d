import type { VNode } from "preact";
import type { CatalogueRecord } from "../../record/known-error.ts";
import type { Match } from "../../record/match.ts";
import type { Recommendation } from "../../record/recommendation.ts";
import { DecisionBadge } from "../frame/badges.tsx";
import { Code, Link, OutLink, Prose, When } from "../frame/parts.tsx";
import { cut, shown } from "../frame/text.ts";
import { backoffWords } from "./episode-words.ts";

/** The recommendation: steps in order, then whether and how to retry, and what that rests on. */
export function AdviceView({ advice }: { advice: Recommendation }): VNode {
  const { decision, backoff, maxAttempts, steps, reason, validUntilMs, basedOn } = advice;
  const retries = backoffWords(backoff, maxAttempts);
  return (
    <>
      {steps.length > 0 ? (
        <ol class="steps">
          {steps.map((step, index) => (
            <li key={index}>
              <Prose text={step} />
            </li>
          ))}
        </ol>
      ) : null}
      <dl class="facts">
        <dt>Decision</dt>
        <dd>
          <DecisionBadge decision={decision} />
        </dd>
        <dt>Why</dt>
        <dd>{shown(reason)}</dd>
        {retries === "" ? null : (
          <>
            <dt>Retries</dt>
            <dd>{retries}</dd>
          </>
        )}
        <dt>Valid until</dt>
        <dd>
          <When ms={validUntilMs} />
        </dd>
        <dt>Rests on</dt>
        <dd>
          rule <code>{shown(basedOn.rule)}</code>
          {basedOn.recordId === undefined ? null : (
            <>
              {" and record "}
              <RecordLink id={basedOn.recordId} />
              {basedOn.curated ? " (curated)" : " (written by a model upstream, not curated)"}
            </>
          )}
        </dd>
      </dl>
    </>
  );
}

/** The id of a record, which leads to its page. */
function RecordLink({ id }: { id: string }): VNode {
  return (
    <Link to={`records/${encodeURIComponent(id)}`}>
      <Code text={id} />
    </Link>
  );
}

const ROLE_WORDS: Readonly<Record<Match["role"], string>> = {
  wrapper: "passes on",
  cause: "cause",
  single: "also found",
};

/** The errors of a chain from the outermost to its cause. */
export function ChainView({ matches }: { matches: readonly Match[] }): VNode {
  const chain = matches.toSorted(
    (one, other) =>
      Number(one.role === "single") - Number(other.role === "single") ||
      one.line - other.line ||
      (one.spans[0]?.start ?? 0) - (other.spans[0]?.start ?? 0),
  );
  return (
    <ol class="chain">
      {chain.map((match) => (
        <li key={match.recordId} class={match.role}>
          <span class="label">{ROLE_WORDS[match.role]}</span>{" "}
          <Code text={cut(match.errorMessage, 240)} />
          <div class="soft small">
            {shown(match.repo)} · <RecordLink id={match.recordId} />
            {` · score ${match.score.toFixed(2)}${match.occurrences > 1 ? ` · ${match.occurrences} times` : ""}`}
          </div>
        </li>
      ))}
    </ol>
  );
}

/** Why the best match is believed: each reason with its points. */
export function EvidenceView({ match }: { match: Match }): VNode {
  return (
    <>
      <p>
        {`Score ${match.score.toFixed(2)} of 1: ${match.confidence} confidence, ${match.kind} match.`}
      </p>
      <ul class="evidence">
        {match.evidence.map(({ name, points, detail }, index) => (
          <li key={index}>
            <span class="number">{signed(points)}</span>
            <span>
              <strong>{shown(name.replaceAll("_", " "))}</strong> {shown(cut(detail, 300))}
            </span>
          </li>
        ))}
      </ul>
      {match.captures.length > 0 ? (
        <p class="small">
          Captured:{" "}
          {match.captures.map((capture, index) => (
            <span key={index}>
              {index > 0 ? ", " : ""}
              <Code class="capture" text={cut(capture, 200)} />
            </span>
          ))}
        </p>
      ) : null}
      {match.alternatives.length > 0 ? (
        <p class="small">
          Nothing in the lines tells it apart from{" "}
          {match.alternatives.map(({ id, repo }, index) => (
            <span key={id}>
              {index > 0 ? ", " : ""}
              {shown(repo)} <RecordLink id={id} />
            </span>
          ))}
          .
        </p>
      ) : null}
    </>
  );
}

function signed(points: number): string {
  if (points === 0) return "±0";
  return `${points > 0 ? "+" : "−"}${Math.abs(points).toFixed(2)}`;
}

/** What the record says beyond the verdict. */
export function RecordProse({ entry }: { entry: CatalogueRecord }): VNode {
  const { record, runbookUrl } = entry;
  return (
    <>
      <dl class="prose">
        <dt>Meaning</dt>
        <dd>
          <Prose text={record.documentation} />
        </dd>
        <dt>Printed when</dt>
        <dd>
          <Prose text={record.triggerScenarios} />
        </dd>
        <dt>Common situations</dt>
        <dd>
          <Prose text={record.commonSituations} />
        </dd>
      </dl>
      <p class="small">
        Record <RecordLink id={record.id} /> of <Code text={record.repo} /> ·{" "}
        <OutLink href={record.githubUrl}>{shown(cut(record.filePath, 120))}</OutLink>
        {runbookUrl === null ? null : (
          <>
            {" · "}
            <OutLink href={runbookUrl}>Runbook</OutLink>
          </>
        )}
      </p>
    </>
  );
}
