import { sql } from "kysely";
import type { Migration } from "kysely";

/** Finds the retries that were advised before on an error. */
export function histories(): Migration {
  return {
    async up(db) {
      for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
    },
  };
}

const STATEMENTS = [
  `create index episodes_by_retry on episodes (record_id, retry_ms) where retry_ms is not null`,
];
