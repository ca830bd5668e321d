import { sql } from "kysely";
import type { Migration } from "kysely";

/** Looks that are due later, who is told what they find, and what a group looks like elsewhere. */
export function lateLooksAndThreads(): Migration {
  return {
    async up(db) {
      for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
    },
  };
}

const STATEMENTS = [
  `create table late_looks (
    episode_id text primary key,
    alert text not null,
    tenant text not null,
    attempt integer not null,
    first_ms bigint not null,
    due_ms bigint not null,
    lease_ms bigint not null
  )`,
  `create index late_looks_due on late_looks (due_ms)`,
  `create table awaited_episodes (
    episode_id text not null,
    stream text not null,
    group_id bigint not null,
    until_ms bigint not null,
    primary key (episode_id, stream)
  )`,
  `create index awaited_episodes_by_stream on awaited_episodes (stream)`,
  `create index awaited_episodes_by_group on awaited_episodes (group_id)`,
  `create index awaited_episodes_by_age on awaited_episodes (until_ms)`,
  `create table stream_members (
    stream text primary key,
    members text not null,
    changed_ms bigint not null
  )`,
  `create index stream_members_by_age on stream_members (changed_ms)`,
  `create table message_threads (
    destination text not null,
    stream text not null,
    thread text not null,
    used_ms bigint not null,
    primary key (destination, stream)
  )`,
  `create index message_threads_by_age on message_threads (used_ms)`,
  `alter table deliveries add column late integer not null default 0`,
];
