import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestContext } from "vitest";
import { afterAll } from "vitest";
import { openSqlStore } from "../../src/store/sql-store.ts";
import type { SqlStore, SqlStoreOptions } from "../../src/store/sql-store.ts";
import { requirePostgres, startPostgres } from "./start-postgres.ts";
import type { RunningPostgres } from "./start-postgres.ts";

/** The two databases that the store's tests run against. */
export const STORE_KINDS = ["sqlite", "postgres"] as const;
/** One of them. */
export type StoreKind = (typeof STORE_KINDS)[number];

/** Gives stores to the tests of one file; the PostgreSQL is started once, with a database for each test. */
export function provideStores() {
  let running: Promise<RunningPostgres> | undefined;
  afterAll(async () => {
    await (await running)?.stop();
  });

  const urlFor = async (context: TestContext, kind: StoreKind): Promise<string> => {
    if (kind === "postgres") {
      running ??= startPostgres(requirePostgres(context));
      return (await running).createDatabase();
    }
    const folder = await mkdtemp(path.join(tmpdir(), "alertlore-store-"));
    context.onTestFinished(() => rm(folder, { recursive: true, force: true }));
    return `sqlite:${path.join(folder, "test.db")}`;
  };
  const open = async (
    context: TestContext,
    url: string,
    wishes: Partial<SqlStoreOptions> = {},
  ): Promise<SqlStore> => {
    const store = await openSqlStore({
      url,
      staleAfterMs: 5 * 3_600_000,
      copyWindowMs: 45_000,
      retentionMs: 15 * 86_400_000,
      episodesMax: 1_000_000,
      ...wishes,
    });
    let isClosed = false;
    const close = async () => {
      if (isClosed) return;
      isClosed = true;
      await store.close();
    };
    context.onTestFinished(close);
    return { ...store, close };
  };
  return { urlFor, open };
}
