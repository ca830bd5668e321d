import { sql } from "kysely";
import type { Enrichment } from "../enrich/enrichment.ts";
import { encodeEnrichment } from "./group-text.ts";
import { jsonRows } from "./json-rows.ts";
import type { DatabaseKind, Tx } from "./database.ts";
import { writeUnmatched } from "./unmatched-table.ts";

const ENRICHED = {
  id: "text",
  enrichment: "text",
  outcome: "text",
  record_id: "text",
  retry_ms: "bigint",
  error_class: "text",
  decision: "text",
} as const;

/**
 * Keeps enrichments with the lines that are shown of their excerpts; a match that is there stays, so that
 * the advice on an episode is frozen. Texts without a match are counted at an episode's first enrichment.
 */
export async function writeEnrichments(
  tx: Tx,
  kind: DatabaseKind,
  { enrichments, nowMs }: { enrichments: readonly Enrichment[]; nowMs: number },
): Promise<void> {
  const kept = enrichments.filter((enrichment) => enrichment.episodeId !== "");
  if (kept.length === 0) return;
  await writeUnmatched(tx, kind, { enrichments: kept, nowMs });
  const rows = jsonRows(
    kind,
    ENRICHED,
    kept.map((enrichment) => ({
      id: enrichment.episodeId,
      enrichment: encodeEnrichment(enrichment),
      outcome: enrichment.outcome,
      record_id: enrichment.matches[0]?.recordId ?? null,
      retry_ms: enrichment.recommendation?.decision === "retry" ? nowMs : null,
      error_class: enrichment.errorClass ?? null,
      decision: enrichment.recommendation?.decision ?? null,
    })),
  );
  const { rows: changed } = await sql<{ id: string }>`update episodes
    set enrichment = input.enrichment, outcome = input.outcome,
      record_id = input.record_id, retry_ms = input.retry_ms, error_class = input.error_class,
      decision = input.decision, enriched_ms = ${nowMs}
    from ${rows} as input
    where episodes.id = input.id and (episodes.outcome is null or episodes.outcome <> 'matched')
    returning episodes.id as id`.execute(tx);
  const ids = new Set(changed.map(({ id }) => id));
  await writeExcerpts(
    tx,
    kind,
    kept.filter(({ episodeId }) => ids.has(episodeId)),
  );
}

async function writeExcerpts(
  tx: Tx,
  kind: DatabaseKind,
  enrichments: readonly Enrichment[],
): Promise<void> {
  const bodies = enrichments.flatMap(({ episodeId, kept }) =>
    kept === undefined || kept.lines.length === 0
      ? []
      : [{ episode_id: episodeId, body: JSON.stringify(kept) }],
  );
  if (bodies.length === 0) return;
  const rows = jsonRows(kind, { episode_id: "text", body: "text" }, bodies);
  await sql`insert into excerpts (episode_id, body) select episode_id, body from ${rows} as input where true
    on conflict (episode_id) do update set body = excluded.body`.execute(tx);
}
