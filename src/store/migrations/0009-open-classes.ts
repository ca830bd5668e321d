import { sql } from "kysely";
import type { Migration } from "kysely";

/** Finds how many episodes of one class are open, for every alert that is advised on. */
export function openClasses(): Migration {
  return {
    async up(db) {
      await sql
        .raw(
          `create index episodes_by_class on episodes (error_class) where status = 'open' and error_class is not null`,
        )
        .execute(db);
    },
  };
}
