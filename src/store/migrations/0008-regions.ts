import { sql } from "kysely";
import type { Migration } from "kysely";

/** Which episodes have a region in Grafana, and where. */
export function regions(): Migration {
  return {
    async up(db) {
      for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
    },
  };
}

const STATEMENTS = [
  `alter table episodes add column place text`,
  `create index episodes_matched on episodes (enriched_ms) where outcome = 'matched'`,
  `create table regions (
    key text primary key,
    kind text not null,
    org_id bigint not null,
    state text not null,
    storm text,
    annotation text,
    told text not null,
    attempts integer not null,
    start_ms bigint not null,
    due_ms bigint not null,
    over_at text,
    created_ms bigint not null
  )`,
  `create index regions_by_state on regions (state, created_ms)`,
  `create index regions_by_age on regions (created_ms)`,
  `create index regions_by_storm on regions (storm) where storm is not null`,
  `create table region_requests (key text not null, sent_ms bigint not null)`,
  `create index region_requests_sent on region_requests (sent_ms)`,
];
