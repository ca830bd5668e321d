import { Migrator } from "kysely";
import type { Kysely, MigrationProvider } from "kysely";
import type { DatabaseKind } from "./database.ts";
import { episodesGroupsDeliveries } from "./migrations/0001-episodes-groups-deliveries.ts";
import { lateLooksAndThreads } from "./migrations/0002-late-looks-and-threads.ts";
import { histories } from "./migrations/0003-histories.ts";
import { pages } from "./migrations/0006-pages.ts";
import { roleClaims } from "./migrations/0007-role-claims.ts";
import { regions } from "./migrations/0008-regions.ts";
import { openClasses } from "./migrations/0009-open-classes.ts";
import type { Schema } from "./schema.ts";

/**
 * Brings the schema up to date. Kysely takes a lock on PostgreSQL, so that replicas that start
 * together do it once; SQLite has one process.
 *
 * @throws {Error} When a step fails; the schema is then as it was.
 */
export async function migrate(kysely: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  const migrator = new Migrator({
    db: kysely,
    provider: providerOf(kind),
    // Steps do not build on one another beyond 0001, so one that came later may have a lower number.
    allowUnorderedMigrations: true,
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    throw error instanceof Error ? error : new Error("the schema could not be brought up to date");
  }
}

function providerOf(kind: DatabaseKind): MigrationProvider {
  return {
    // In the order of their names.
    getMigrations: () =>
      Promise.resolve({
        "0001-episodes-groups-deliveries": episodesGroupsDeliveries(kind),
        "0002-late-looks-and-threads": lateLooksAndThreads(),
        "0003-histories": histories(),
        "0006-pages": pages(kind),
        "0007-role-claims": roleClaims(),
        "0008-regions": regions(),
        "0009-open-classes": openClasses(),
      }),
  };
}
