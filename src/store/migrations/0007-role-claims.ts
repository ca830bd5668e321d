import type { Migration } from "kysely";

/** Who does what only one replica is to do. */
export function roleClaims(): Migration {
  return {
    async up(db) {
      await db.schema
        .createTable("role_claims")
        .addColumn("role", "text", (column) => column.primaryKey())
        .addColumn("owner", "text", (column) => column.notNull())
        .addColumn("until_ms", "bigint", (column) => column.notNull())
        .execute();
    },
  };
}
