import { sql } from "kysely";
import type { Kysely, RawBuilder } from "kysely";
import type { GrafanaPlace } from "../alert/grafana-place.ts";
import type { RegionWish, RegionWork } from "../enrich/region-ports.ts";
import type { Database } from "./database.ts";
import { stateOf } from "./episode-table.ts";
import { regionMsOf } from "./region-times.ts";
import type { EpisodeTable, RegionTable, Schema } from "./schema.ts";

/** What of an episode Grafana shows: a new match or advice, and its end. */
const VERSION = sql.raw(
  `cast(coalesce(e.enriched_ms, 0) as text) || ':' || coalesce(e.ends_at, '')`,
);

/** Lists what Grafana is to be told. */
export async function listDueRegions(
  { kysely }: Database,
  wish: RegionWish,
): Promise<readonly RegionWork[]> {
  const { changesMax, makesMax } = wish;
  const storms = await listStorms(kysely, wish);
  const made = await listMade(kysely, wish);
  const wanted = makesMax > 0 ? await listWanted(kysely, wish) : [];
  const toChange = [...storms.filter((work) => work.annotation !== undefined), ...made];
  const toMake = [...storms.filter((work) => work.annotation === undefined), ...wanted];
  return [...toChange.slice(0, changesMax), ...toMake.slice(0, makesMax)];
}

function isReachable({ withoutOrgs }: RegionWish): RawBuilder<unknown> {
  return withoutOrgs.length === 0
    ? sql`1 = 1`
    : sql`r.org_id not in (${sql.join([...withoutOrgs])})`;
}

type StormRow = RegionTable & { episodes: number; firing: number; last_end: string | null };

async function listStorms(kysely: Kysely<Schema>, wish: RegionWish): Promise<RegionWork[]> {
  const { nowMs } = wish;
  const { rows } = await sql<StormRow>`select r.*,
      (select count(*) from regions m where m.storm = r.key) as episodes,
      (select count(*) from regions m join episodes e on e.id = m.key
        where m.storm = r.key and e.status = 'open') as firing,
      (select e.ends_at from regions m join episodes e on e.id = m.key
        where m.storm = r.key and e.ends_at is not null
        order by length(e.ends_at) desc, e.ends_at desc limit 1) as last_end
    from regions r where r.kind = 'storm' and r.state in ('wanted', 'open') and r.due_ms <= ${nowMs}
      and ${isReachable(wish)}
    order by r.created_ms`.execute(kysely);
  return rows
    .map((row) => {
      const endMs = row.last_end === null ? nowMs : regionMsOf(row.last_end);
      const isOver = row.firing === 0;
      return {
        ...workOf(row),
        endMs: isOver ? Math.max(endMs, row.start_ms) : undefined,
        version: `${row.episodes}:${isOver ? "over" : ""}`,
        about: { episodes: row.episodes },
        told: row.told,
      };
    })
    .filter(({ told, version }) => told !== version)
    .map(({ told: _told, ...work }) => work);
}

type EpisodeRow = RegionTable &
  Omit<EpisodeTable, "id"> & { id: string | null; version: string | null };

async function listMade(kysely: Kysely<Schema>, wish: RegionWish): Promise<readonly RegionWork[]> {
  const { nowMs, changesMax } = wish;
  const { rows } = await sql<EpisodeRow>`select e.*, r.*, ${VERSION} as version
    from regions r left join episodes e on e.id = r.key
    where r.kind = 'episode' and ((r.state = 'open' and r.due_ms <= ${nowMs})
      or (r.state = 'closed' and r.due_ms > ${nowMs} and e.id is not null))
      and (e.id is null or r.told <> ${VERSION}) and ${isReachable(wish)}
    order by r.created_ms, r.key limit ${changesMax}`.execute(kysely);
  return rows.map((row) => episodeWork(row, nowMs));
}

async function listWanted(
  kysely: Kysely<Schema>,
  wish: RegionWish,
): Promise<readonly RegionWork[]> {
  const { nowMs, makesMax } = wish;
  const { rows } = await sql<EpisodeRow>`select e.*, r.*, ${VERSION} as version
    from regions r left join episodes e on e.id = r.key
    where r.kind = 'episode' and r.state = 'wanted' and r.due_ms <= ${nowMs} and ${isReachable(wish)}
    order by r.created_ms, r.start_ms, r.key limit ${makesMax}`.execute(kysely);
  return rows.map((row) => episodeWork(row, nowMs));
}

function episodeWork(row: EpisodeRow, nowMs: number): RegionWork {
  // A region outlives an episode that was removed early; only its end is known then.
  if (row.id === null) {
    const endMs = row.over_at === null ? nowMs : regionMsOf(row.over_at);
    return {
      ...workOf(row),
      endMs: Math.max(endMs, row.start_ms),
      version: "gone",
      about: undefined,
    };
  }
  const place = row.place === null ? undefined : (JSON.parse(row.place) as GrafanaPlace).dashboard;
  const isOver = row.status !== "open" && row.ends_at !== null;
  return {
    ...workOf(row),
    endMs: isOver ? Math.max(regionMsOf(row.ends_at ?? ""), row.start_ms) : undefined,
    version: row.version ?? "",
    about: { episode: stateOf({ ...row, id: row.id }), place },
  };
}

function workOf(row: RegionTable) {
  const { key, org_id: orgId, annotation, attempts, start_ms: startMs } = row;
  return { key, orgId, annotation: annotation ?? undefined, attempts, startMs };
}
