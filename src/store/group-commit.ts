import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Database, Tx } from "./database.ts";
import type { Schema } from "./schema.ts";

/** A unit of work that waits for its commit. */
interface Waiting {
  /** Does the work; what it returns tells the caller, once the commit is durable. */
  run(tx: Tx): Promise<() => void>;
  reject(error: unknown): void;
}

/** Units in one commit; more would let the first of them wait too long. */
const UNITS_MAX = 64;

/**
 * Commits all units of work that wait at a moment in one transaction, each behind a savepoint, so
 * that they share the one disk flush that makes them durable.
 */
export function createGroupCommit(kysely: Kysely<Schema>): Database["write"] {
  const queue: Waiting[] = [];
  let isDraining = false;

  const drain = async (): Promise<void> => {
    while (queue.length > 0) {
      // Whoever arrives within this turn of the event loop comes along.
      await new Promise((resolve) => setImmediate(resolve));
      await commit(kysely, queue.splice(0, UNITS_MAX));
    }
    isDraining = false;
  };

  return (unit) =>
    new Promise((resolve, reject) => {
      queue.push({
        run: async (tx) => {
          const result = await unit(tx);
          return () => {
            resolve(result);
          };
        },
        reject,
      });
      if (isDraining) return;
      isDraining = true;
      void drain();
    });
}

async function commit(kysely: Kysely<Schema>, batch: readonly Waiting[]): Promise<void> {
  try {
    const tellers = await kysely.transaction().execute(async (tx) => {
      const done: (() => void)[] = [];
      for (const waiting of batch) {
        const tell = await runBehindSavepoint(tx, waiting);
        if (tell !== undefined) done.push(tell);
      }
      return done;
    });
    for (const tell of tellers) tell();
  } catch (error) {
    // Nothing of the batch is durable. Units that were already refused are not changed by this.
    for (const waiting of batch) waiting.reject(error);
  }
}

async function runBehindSavepoint(tx: Tx, waiting: Waiting): Promise<(() => void) | undefined> {
  await sql`savepoint unit`.execute(tx);
  try {
    const tell = await waiting.run(tx);
    await sql`release unit`.execute(tx);
    return tell;
  } catch (error) {
    await sql`rollback to unit`.execute(tx);
    await sql`release unit`.execute(tx);
    waiting.reject(error);
    return undefined;
  }
}
