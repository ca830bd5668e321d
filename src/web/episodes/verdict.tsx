import type { VNode } from "preact";
import type { EpisodeDetail } from "../../enrich/reading-ports.ts";
import type { CatalogueRecord } from "../../record/known-error.ts";
import { classOf } from "../../record/known-error.ts";
import type { Match } from "../../record/match.ts";
import { DECISION_WORDS } from "../frame/badges.tsx";
import { Code, Prose } from "../frame/parts.tsx";
import { cut, shown } from "../frame/text.ts";
import { OUTCOME_WORDS } from "./episode-words.ts";
import { markLine } from "./mark-line.ts";

const MESSAGE_LENGTH_MAX = 400;
const CAUSE_LENGTH_MAX = 320;
const STEP_LENGTH_MAX = 400;

/** Cause and next step, before anything else: what is read in the first five seconds. */
export function Verdict(props: {
  episode: EpisodeDetail;
  entry: CatalogueRecord | undefined;
}): VNode {
  const match = props.episode.enrichment?.matches[0];
  if (match === undefined) return <NoVerdict episode={props.episode} />;
  const recommendation = props.episode.enrichment?.recommendation;
  const decision = recommendation?.decision ?? "investigate";
  const words = DECISION_WORDS[decision];
  const step = recommendation?.steps[0];
  return (
    <section class={`verdict ${decision}`} aria-label="Cause and next step">
      <div class="verdict-part">
        <h2 class="label">{openingOf(match)}</h2>
        <p class="verdict-title">{shown(cut(classNameOf(match, props), 120))}</p>
        <p>
          <Prose text={cut(causeOf(match, props.entry), CAUSE_LENGTH_MAX)} />
        </p>
        <Code class="message" text={cut(messageOf(match, props.episode), MESSAGE_LENGTH_MAX)} />
      </div>
      <div class="verdict-part">
        <h2 class="label">Next step</h2>
        <p class="verdict-title decision">
          <span aria-hidden="true">{words.sign}</span> {words.name}
        </p>
        {step === undefined ? null : (
          <p class="first-step">
            <Prose text={cut(step, STEP_LENGTH_MAX)} />
          </p>
        )}
        <p class="soft small">{words.meaning}</p>
      </div>
    </section>
  );
}

function openingOf({ kind, confidence }: Match): string {
  if (kind === "similar") return "Resembles a known error";
  return confidence === "high" ? "Known error" : "Possibly a known error";
}

function classNameOf(
  match: Match,
  { entry, episode }: { entry: CatalogueRecord | undefined; episode: EpisodeDetail },
): string {
  const name = entry ? classOf(entry.record) : (episode.errorClass ?? match.recordId);
  return `${name} · ${match.repo}`;
}

/** What was printed, as far as the line is kept; else the template. */
function messageOf(match: Match, { excerpt }: EpisodeDetail): string {
  const line = excerpt?.lines.find((kept) => kept.line === match.line);
  const isOneLine = match.spans.every((span) => span.line === match.line);
  if (line === undefined || !isOneLine) return match.errorMessage;
  const segments = markLine(line, [match]);
  const from = segments.findIndex(({ kind }) => kind !== "plain");
  const until = segments.findLastIndex(({ kind }) => kind !== "plain");
  const printed = segments.slice(from, until + 1).map(({ text }) => text);
  return from < 0 ? match.errorMessage : printed.join("");
}

/** The first sentences of the record's explanation. */
function causeOf(match: Match, entry: CatalogueRecord | undefined): string {
  if (entry === undefined) {
    return `The record ${match.recordId} is not loaded any more; what it said when the alert came is below.`;
  }
  return entry.record.documentation;
}

function NoVerdict({ episode }: { episode: EpisodeDetail }): VNode {
  const { title, next } = OUTCOME_WORDS[episode.outcome ?? "pending"];
  return (
    <section class="verdict none" aria-label="Cause and next step">
      <div class="verdict-part">
        <h2 class="label">Cause</h2>
        <p class="verdict-title">{title}</p>
      </div>
      <div class="verdict-part">
        <h2 class="label">Next step</h2>
        <p class="first-step">{next}</p>
      </div>
    </section>
  );
}
