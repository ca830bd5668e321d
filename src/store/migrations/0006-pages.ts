import { sql } from "kysely";
import type { Migration } from "kysely";
import type { DatabaseKind } from "../database.ts";

/** What pages show and search by: class and decision of episodes, lines of their excerpts, unmatched texts. */
export function pages(kind: DatabaseKind): Migration {
  return {
    async up(db) {
      for (const statement of [...COLUMNS, ...excerptsOf(kind), ...UNMATCHED]) {
        await sql.raw(statement).execute(db);
      }
    },
  };
}

const COLUMNS = [
  `alter table episodes add column error_class text`,
  `alter table episodes add column decision text`,
  `alter table episodes add column enriched_ms bigint`,
  // Holds all that a list is filtered by but labels, so that only the rows shown are read.
  `create index episodes_by_opening on episodes (opened_ms, id, status, outcome, decision, error_class, record_id)`,
  `create index episodes_firing on episodes (record_id, error_class, decision, outcome, opened_ms) where status = 'open'`,
  `create index deliveries_by_age on deliveries (created_ms)`,
];

/** The lines go with their episode, whoever removes it. */
function excerptsOf(kind: DatabaseKind): readonly string[] {
  if (kind === "postgres") {
    return [
      `create table excerpts (
        episode_id text primary key references episodes (id) on delete cascade,
        body text not null
      )`,
    ];
  }
  return [
    `create table excerpts (episode_id text primary key, body text not null)`,
    `create trigger excerpts_of_removed after delete on episodes begin
      delete from excerpts where episode_id = old.id;
    end`,
  ];
}

const UNMATCHED = [
  `create table unmatched (
    id text primary key,
    shape text not null,
    samples text not null,
    episodes bigint not null,
    first_ms bigint not null,
    last_ms bigint not null,
    last_episode text not null
  )`,
  `create index unmatched_by_age on unmatched (last_ms)`,
];
