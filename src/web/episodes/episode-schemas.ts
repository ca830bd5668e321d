import { z } from "zod";
import { OUTCOMES } from "../../enrich/outcome.ts";
import type {
  AlertDelivery,
  EpisodeDetail,
  EpisodePage,
  EpisodeSummary,
} from "../../enrich/reading-ports.ts";
import { DECISIONS } from "../../record/recommendation.ts";
import { isoTime } from "../frame/time-words.ts";
import { cursorText } from "./read-filter.ts";

const time = z.iso.datetime();

/** An episode in a list. Absent fields are not known (yet). */
const episodeSummaryJson = z.object({
  id: z.string().regex(/^[0-9a-f]{64}$/u),
  source: z.string(),
  tenant: z.string(),
  status: z.enum(["open", "resolved", "stale"]),
  labels: z.record(z.string(), z.string()),
  startsAt: time,
  endsAt: time.optional(),
  openedAt: time.describe("When its first notification came in"),
  seenAt: time.describe("When the last one came in"),
  outcome: z.enum([...OUTCOMES, "pending"]),
  errorClass: z.string().optional(),
  recordId: z.string().optional(),
  decision: z.enum(DECISIONS as [string, ...string[]]).optional(),
});

/** `GET /api/v1/episodes`. */
export const episodePageJson = z.object({
  episodes: z.array(episodeSummaryJson),
  next: z.string().optional().describe("`after` of the next page; absent on the last one"),
});

/** A record found in lines. */
export const matchJson = z.object({
  recordId: z.string(),
  repo: z.string(),
  errorMessage: z.string(),
  filePath: z.string(),
  score: z.number().min(0).max(1),
  kind: z.enum(["exact", "truncated", "similar"]),
  confidence: z.enum(["high", "medium", "low"]),
  role: z.enum(["single", "wrapper", "cause"]),
  captures: z.array(z.string()),
  line: z.int().min(0),
  spans: z.array(z.object({ line: z.int(), start: z.int(), end: z.int() })),
  occurrences: z.int().min(1),
  alternatives: z.array(z.object({ id: z.string(), repo: z.string(), filePath: z.string() })),
  evidence: z.array(z.object({ name: z.string(), points: z.number(), detail: z.string() })),
});

/** What may be done about an error. */
export const recommendationJson = z.object({
  decision: z.enum(DECISIONS as [string, ...string[]]),
  maxAttempts: z.int().optional(),
  backoff: z
    .object({
      initialMs: z.number(),
      factor: z.number(),
      maxMs: z.number(),
      jitter: z.number(),
    })
    .optional(),
  steps: z.array(z.string()),
  reason: z.string(),
  validUntil: time,
  basedOn: z.object({
    recordId: z.string().optional(),
    rule: z.string(),
    curated: z.boolean(),
  }),
});

const excerptJson = z.object({
  provenance: z.enum(["excerpt", "query", "rule", "pinned", "widened", "prose"]),
  linesTotal: z.int(),
  cut: z.boolean(),
  lines: z.array(
    z.object({
      line: z.int().describe("Index from 0 in the excerpt, as in matches"),
      column: z.int().describe("Where in that line the text begins"),
      time: time.optional(),
      text: z.string().describe("Redacted"),
    }),
  ),
});

const deliveryJson = z.object({
  destination: z.string(),
  state: z.enum(["told", "waiting", "dead"]),
  firing: z.boolean().describe("Whether the body says that the alert fires"),
  at: time,
  attempts: z.int(),
  reason: z.string(),
});

/** `GET /api/v1/episodes/:id`. */
export const episodeJson = episodeSummaryJson.extend({
  fingerprint: z.string(),
  enrichedAt: time.optional(),
  matches: z.array(matchJson).describe("Best first"),
  recommendation: recommendationJson.optional(),
  excerpt: excerptJson.optional(),
  deliveries: z.array(deliveryJson),
});

/** An episode as JSON of a list. */
function summaryJson(episode: EpisodeSummary): z.infer<typeof episodeSummaryJson> {
  const { id, source, tenant, status, labels, endsMs, errorClass, recordId, decision } = episode;
  return {
    ...{ id, source, tenant, status, labels },
    startsAt: isoTime(episode.startsMs),
    ...(endsMs !== undefined && { endsAt: isoTime(endsMs) }),
    openedAt: isoTime(episode.openedMs),
    seenAt: isoTime(episode.seenMs),
    outcome: episode.outcome ?? "pending",
    ...(errorClass !== undefined && { errorClass }),
    ...(recordId !== undefined && { recordId }),
    ...(decision !== undefined && { decision }),
  };
}

/** A page of episodes as JSON. */
export function pageJson({ episodes, next }: EpisodePage): z.infer<typeof episodePageJson> {
  return { episodes: episodes.map(summaryJson), ...(next && { next: cursorText(next) }) };
}

/** One episode as JSON. */
export function detailJson(
  episode: EpisodeDetail,
  deliveries: readonly AlertDelivery[],
): z.input<typeof episodeJson> {
  const { enrichment, excerpt, enrichedMs } = episode;
  const { recommendation, matches = [] } = enrichment ?? {};
  return structuredClone({
    ...summaryJson(episode),
    fingerprint: episode.fingerprint,
    ...(enrichedMs !== undefined && { enrichedAt: isoTime(enrichedMs) }),
    matches,
    ...(recommendation && { recommendation: adviceJson(recommendation) }),
    ...(excerpt && {
      excerpt: {
        ...excerpt,
        lines: excerpt.lines.map(({ timeMs, ...line }) => ({
          ...line,
          ...(timeMs !== undefined && { time: isoTime(timeMs) }),
        })),
      },
    }),
    deliveries: deliveries.map(({ isFiring, atMs, ...delivery }) => ({
      ...delivery,
      firing: isFiring,
      at: isoTime(atMs),
    })),
  }) as z.input<typeof episodeJson>;
}

type Advice = NonNullable<NonNullable<EpisodeDetail["enrichment"]>["recommendation"]>;

function adviceJson({ validUntilMs, ...advice }: Advice): object {
  return { ...advice, validUntil: isoTime(validUntilMs) };
}

/** A recommendation as JSON. */
export function recommendationAsJson(advice: Advice): z.input<typeof recommendationJson> {
  return structuredClone(adviceJson(advice)) as z.input<typeof recommendationJson>;
}
