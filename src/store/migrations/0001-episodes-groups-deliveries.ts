import { sql } from "kysely";
import type { Migration } from "kysely";
import type { DatabaseKind } from "../database.ts";

/** Episodes, groups that were accepted, and what destinations are owed. */
export function episodesGroupsDeliveries(kind: DatabaseKind): Migration {
  const identity =
    kind === "sqlite" ? "integer primary key autoincrement" : "bigserial primary key";
  return {
    async up(db) {
      for (const statement of statementsOf(identity)) await sql.raw(statement).execute(db);
    },
  };
}

const statementsOf = (identity: string): readonly string[] => [
  ...EPISODES,
  ...groupsWith(identity),
  ...DELIVERIES,
];

const EPISODES = [
  `create table secrets (name text primary key, value text not null)`,
  `create table episodes (
    id text primary key,
    source text not null,
    tenant text not null,
    fingerprint text not null,
    starts_at text not null,
    ends_at text,
    labels text not null,
    status text not null,
    opened_ms bigint not null,
    seen_ms bigint not null,
    enrichment text,
    outcome text,
    record_id text,
    retry_ms bigint,
    counted integer not null default 0
  )`,
  `create index episodes_by_alert on episodes (source, tenant, fingerprint, opened_ms)`,
  `create index episodes_by_age on episodes (status, seen_ms)`,
  `create index episodes_by_record on episodes (record_id, status) where record_id is not null`,
];

const groupsWith = (identity: string): readonly string[] => [
  `create table groups (
    id ${identity},
    source text not null,
    tenant text not null,
    stream text not null,
    body text not null,
    sightings text not null,
    received_ms bigint not null,
    state text not null,
    owner text not null,
    lease_ms bigint not null,
    attempts integer not null
  )`,
  `create index groups_queued on groups (stream, id) where state = 'queued'`,
];

const DELIVERIES = [
  `create table deliveries (
    id text primary key,
    destination text not null,
    stream text not null,
    state text not null,
    group_id bigint not null,
    version integer not null,
    firing text not null,
    resolved text not null,
    carried text not null,
    plain integer not null,
    attempts integer not null,
    due_ms bigint not null,
    owner text not null,
    lease_ms bigint not null,
    maybe_taken integer not null,
    created_ms bigint not null,
    expires_ms bigint not null,
    reason text not null
  )`,
  `create unique index deliveries_pending on deliveries (destination, stream) where state = 'pending'`,
  `create index deliveries_due on deliveries (destination, due_ms) where state = 'pending'`,
  `create index deliveries_by_group on deliveries (group_id)`,
  `create table notification_log (
    destination text not null,
    stream text not null,
    firing text not null,
    resolved text not null,
    sent_ms bigint not null,
    primary key (destination, stream)
  )`,
  `create index notification_log_by_age on notification_log (sent_ms)`,
];
