import { Migrator } from "kysely";
import type { Kysely, MigrationProvider } from "kysely";
import type { DatabaseKind } from "./database.ts";
import { episodesGroupsDeliveries } from "./migrations/0001-episodes-groups-deliveries.ts";
import { lateLooksAndThreads } from "./migrations/0002-late-looks-and-threads.ts";
import { pages } from "./migrations/0006-pages.ts";
import type { Schema } from "./schema.ts";

/**
 * Brings the schema up to date. Kysely takes a lock on PostgreSQL, so that replicas that start
 * together do it once; SQLite has one process.
 *
 * @throws {Error} When a step fails; the schema is then as it was.
 */
export async function migrate(kysely: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  const migrator = new Migrator({ db: kysely, provider: providerOf(kind) });
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
        "0006-pages": pages(kind),
      }),
  };
}
