import type { Alert, Annotations } from "../alert/alert.ts";
import { renderAnnotations } from "../annotate/render-annotations.ts";
import type { Recommendation } from "../record/recommendation.ts";
import { reconsider } from "../recommend/reconsider.ts";
import type { AnnotationProfile, Enrichment } from "./enrichment.ts";
import type { Clock, History, RecordStore } from "./ports.ts";
import { readSpread } from "./read-history.ts";
import type { EnrichSettings } from "./settings.ts";

/** What looking again needs. */
export interface AdviceKit {
  readonly settings: Pick<EnrichSettings, "rules" | "annotate">;
  readonly records: RecordStore;
  readonly history: History;
  readonly clock: Clock;
}

/**
 * Looks again at the advice of an episode that has one: the decision is frozen, but an error that has
 * become widespread since must not be answered with many retries at once.
 *
 * The end of the validity changes no notification: it is said in the advice.
 */
export async function escalateKept(
  kit: AdviceKit,
  alert: Alert,
  stored: Enrichment,
): Promise<{ readonly enrichment: Enrichment; readonly isFresh: boolean }> {
  const advice = stored.recommendation;
  const recordId = stored.matches[0]?.recordId;
  if (advice === undefined || recordId === undefined || !maySoften(advice)) {
    return { enrichment: stored, isFresh: false };
  }
  const { widespreadFrom } = kit.settings.rules;
  const wish = { recordId, entry: kit.records.get(recordId), widespreadFrom };
  const history = await readSpread(kit.history, wish);
  const nowMs = Math.min(kit.clock.nowMs(), advice.validUntilMs - 1);
  const now = reconsider(advice, { status: alert.status, history, widespreadFrom, nowMs });
  if (now === advice) return { enrichment: stored, isFresh: false };
  const annotations = annotateAgain(kit, alert, { ...stored, recommendation: now });
  return { enrichment: { ...stored, recommendation: now, annotations }, isFresh: true };
}

function maySoften({ decision }: Recommendation): boolean {
  return decision === "retry" || decision === "retry_after_fix";
}

/** Lines and links stay as they were: the excerpt is not kept whole. */
function annotateAgain(
  { settings, records }: AdviceKit,
  alert: Alert,
  stored: Enrichment,
): Readonly<Record<AnnotationProfile, Annotations>> {
  const rendered = renderAnnotations({
    outcome: "matched",
    matches: stored.matches,
    recordOf: (id) => records.get(id),
    recommendation: stored.recommendation,
    labels: alert.labels,
    annotations: alert.annotations,
    logLines: [],
    lastSeenNs: undefined,
    links: {},
    settings: settings.annotate,
  });
  return {
    compact: { ...stored.annotations.compact, ...rendered.compact },
    full: { ...stored.annotations.full, ...rendered.full },
  };
}
