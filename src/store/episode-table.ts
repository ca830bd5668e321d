import { createHmac } from "node:crypto";
import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Alert, Labels } from "../alert/alert.ts";
import { placeOf } from "../alert/grafana-place.ts";
import type { EpisodeId, EpisodeKey, Source } from "../alert/episode.ts";
import type { EpisodeSighting, EpisodeState } from "../enrich/ports.ts";
import { overlaps, rangeOf } from "./episode-range.ts";
import type { FiringRange } from "./episode-range.ts";
import { decodeEnrichment } from "./group-text.ts";
import { jsonRows } from "./json-rows.ts";
import type { DatabaseKind, Tx } from "./database.ts";
import type { EpisodeTable, Schema } from "./schema.ts";

/** What reading and writing episodes depends on. */
export interface EpisodeSettings {
  readonly kind: DatabaseKind;
  /** Of this store; keys the ids. */
  readonly secret: string;
  /** An open episode that was not seen for so long is stale. */
  readonly staleAfterMs: number;
}

interface Episode {
  readonly row: EpisodeTable;
  range: FiringRange;
  /** What the transaction owes the database. */
  change: "none" | "insert" | "update";
}

/** Earlier firings of one fingerprint that a late resolve may still belong to. */
const FIRINGS_READ = 4;
const NS_PER_MS = 1_000_000n;
const CHANGED = { id: "text", status: "text", ends_at: "text", seen_ms: "bigint" } as const;
const INSERTED = {
  id: "text",
  source: "text",
  tenant: "text",
  fingerprint: "text",
  starts_at: "text",
  labels: "text",
  status: "text",
  opened_ms: "bigint",
  seen_ms: "bigint",
  place: "text",
} as const;

/** Finds or opens the episodes of alerts, all in one read and at most two writes. */
export async function observeAlerts(
  tx: Tx,
  settings: EpisodeSettings,
  { source, alerts, nowMs }: { source: Source; alerts: readonly Alert[]; nowMs: number },
): Promise<(EpisodeSighting | undefined)[]> {
  const known = await readFirings(tx, settings, { source, alerts, nowMs });
  const sightings = alerts.map((alert) => {
    const firings = known.get(alert.fingerprint) ?? [];
    known.set(alert.fingerprint, firings);
    const post = rangeOf(alert, nowMs);
    const found = firings.find((episode) => overlaps(episode.range, post));
    if (found !== undefined) return observeAgain(found, post, nowMs);
    if (post.endNs !== undefined) return undefined;
    const opened = openEpisode(settings, source, { alert, nowMs });
    firings.unshift(opened);
    return { ...stateOf(opened.row), repeat: false };
  });
  await writeEpisodes(tx, settings.kind, [...known.values()].flat());
  return sightings;
}

async function readFirings(
  tx: Tx,
  { kind, staleAfterMs }: EpisodeSettings,
  { source, alerts, nowMs }: { source: Source; alerts: readonly Alert[]; nowMs: number },
): Promise<Map<string, Episode[]>> {
  const fingerprints = [...new Set(alerts.map((alert) => alert.fingerprint))];
  const wanted = jsonRows(
    kind,
    { fingerprint: "text" },
    fingerprints.map((fingerprint) => ({ fingerprint })),
  );
  const { rows } = await sql<EpisodeTable>`
    select * from (
      select e.*, row_number() over (partition by e.fingerprint order by e.opened_ms desc, e.id) as nth
      from episodes e
      where e.source = ${source.name} and e.tenant = ${source.tenant}
        and e.fingerprint in (select wanted.fingerprint from ${wanted} as wanted)
    ) as firings where nth <= ${sql.lit(FIRINGS_READ)} order by nth
  `.execute(tx);
  const firings = new Map<string, Episode[]>();
  for (const row of rows) {
    const episode = closeIfStale(episodeOf(row), staleAfterMs, nowMs);
    const others = firings.get(row.fingerprint);
    if (others === undefined) firings.set(row.fingerprint, [episode]);
    else others.push(episode);
  }
  return firings;
}

function episodeOf(row: EpisodeTable): Episode {
  const endNs = row.ends_at === null ? undefined : BigInt(row.ends_at);
  return { row, range: { startNs: BigInt(row.starts_at), endNs }, change: "none" };
}

function closeIfStale(episode: Episode, staleAfterMs: number, nowMs: number): Episode {
  const { row } = episode;
  if (row.status !== "open" || nowMs - row.seen_ms <= staleAfterMs) return episode;
  row.status = "stale";
  episode.range = { ...episode.range, endNs: BigInt(row.seen_ms) * NS_PER_MS };
  episode.change = "update";
  return episode;
}

function observeAgain(episode: Episode, post: FiringRange, nowMs: number): EpisodeSighting {
  const { row, range } = episode;
  const wasOpen = row.status === "open";
  const isOpen = post.endNs === undefined;
  row.seen_ms = nowMs;
  row.status = isOpen ? "open" : "resolved";
  // Peers resolve at slightly different times; the latest end keeps their echoes in this episode.
  const isLater = range.endNs === undefined || (post.endNs ?? 0n) > range.endNs;
  episode.range = { ...range, endNs: isOpen || isLater ? post.endNs : range.endNs };
  if (episode.change === "none") episode.change = "update";
  return { ...stateOf(row), repeat: wasOpen === isOpen };
}

function openEpisode(
  { secret }: EpisodeSettings,
  source: Source,
  { alert, nowMs }: { alert: Alert; nowMs: number },
): Episode {
  const { fingerprint, startsAtNs } = alert;
  const place = placeOf(alert);
  const row: EpisodeTable = {
    id: episodeIdOf(secret, { source, fingerprint, canonicalStartsAtNs: startsAtNs }),
    source: source.name,
    tenant: source.tenant,
    fingerprint,
    starts_at: String(startsAtNs),
    ends_at: null,
    labels: labelsText(alert.labels),
    status: "open",
    opened_ms: nowMs,
    seen_ms: nowMs,
    enrichment: null,
    outcome: null,
    record_id: null,
    retry_ms: null,
    counted: 0,
    error_class: null,
    decision: null,
    enriched_ms: null,
    place: place === undefined ? null : JSON.stringify(place),
  };
  return { row, range: { startNs: startsAtNs, endNs: undefined }, change: "insert" };
}

function episodeIdOf(secret: string, key: EpisodeKey): EpisodeId {
  const { source, fingerprint, canonicalStartsAtNs } = key;
  return createHmac("sha256", secret)
    .update(JSON.stringify([source.name, source.tenant, fingerprint, String(canonicalStartsAtNs)]))
    .digest("hex");
}

/** Labels as text that is equal for equal labels. */
export function labelsText(labels: Labels): string {
  const names = Object.keys(labels).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${JSON.stringify(labels[name])}`).join(",")}}`;
}

async function writeEpisodes(tx: Tx, kind: DatabaseKind, episodes: Episode[]): Promise<void> {
  const rowsOf = (change: Episode["change"]) =>
    episodes
      .filter((episode) => episode.change === change)
      .map(({ row, range }) => ({
        ...row,
        ends_at: range.endNs === undefined ? null : String(range.endNs),
      }));
  const inserted = rowsOf("insert");
  if (inserted.length > 0) {
    const names = sql.join(Object.keys(INSERTED).map((name) => sql.ref(name)));
    const rows = jsonRows(
      kind,
      INSERTED,
      inserted.map((row) => pick(row, Object.keys(INSERTED))),
    );
    // An episode of one alert with an equal start was closed longer ago than is read back.
    await sql`insert into episodes (${names}) select ${names} from ${rows} as input where true
      on conflict (id) do update set status = 'open', ends_at = null, seen_ms = excluded.seen_ms`.execute(
      tx,
    );
  }
  const updated = rowsOf("update");
  if (updated.length === 0) return;
  const rows = jsonRows(
    kind,
    CHANGED,
    updated.map((row) => pick(row, Object.keys(CHANGED))),
  );
  await sql`update episodes set status = input.status, ends_at = input.ends_at, seen_ms = input.seen_ms
    from ${rows} as input where episodes.id = input.id`.execute(tx);
}

type Cell = string | number | null;

function pick(row: EpisodeTable, names: readonly string[]): Record<string, Cell> {
  const cells = row as unknown as Readonly<Record<string, Cell>>;
  return Object.fromEntries(names.map((name) => [name, cells[name] ?? null]));
}

/** Claims the count of episodes; gives those that nobody counted before. */
export async function claimCounts(
  tx: Tx,
  kind: DatabaseKind,
  ids: readonly EpisodeId[],
): Promise<readonly EpisodeId[]> {
  if (ids.length === 0) return [];
  const wanted = jsonRows(
    kind,
    { id: "text" },
    ids.map((id) => ({ id })),
  );
  const { rows } = await sql<{ id: string }>`update episodes set counted = 1
    where counted = 0 and id in (select wanted.id from ${wanted} as wanted) returning id`.execute(
    tx,
  );
  return rows.map((row) => row.id);
}

/** Reads episodes by id, in no order; those that were swept are missing. */
export async function readEpisodes(
  db: Kysely<Schema>,
  kind: DatabaseKind,
  ids: readonly EpisodeId[],
): Promise<readonly EpisodeState[]> {
  if (ids.length === 0) return [];
  const wanted = jsonRows(
    kind,
    { id: "text" },
    ids.map((id) => ({ id })),
  );
  const { rows } = await sql<EpisodeTable>`select * from episodes
    where id in (select wanted.id from ${wanted} as wanted)`.execute(db);
  return rows.map(stateOf);
}

/** An episode as it is told to the rest. */
export function stateOf(row: EpisodeTable): EpisodeState {
  return {
    id: row.id,
    key: {
      source: { name: row.source, tenant: row.tenant },
      fingerprint: row.fingerprint,
      canonicalStartsAtNs: BigInt(row.starts_at),
    },
    status: row.status === "open" || row.status === "stale" ? row.status : "resolved",
    labels: JSON.parse(row.labels) as Labels,
    enrichment: row.enrichment === null ? undefined : decodeEnrichment(row.enrichment),
  };
}
