import type { Kysely } from "kysely";
import type { Database } from "./database.ts";
import type { Schema } from "./schema.ts";

/** Serialization failure, deadlock, unique violation of a concurrent insert. */
const WORTH_ANOTHER_TRY = new Set(["40001", "40P01", "23505"]);
const TRIES_MAX = 5;

/**
 * Runs each unit of work in a transaction of its own; PostgreSQL commits concurrent ones together. A
 * unit that lost against a concurrent one runs again.
 */
export function createTransactions(kysely: Kysely<Schema>): Database["write"] {
  return async (unit) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await kysely.transaction().execute(unit);
      } catch (error) {
        if (attempt === TRIES_MAX || !WORTH_ANOTHER_TRY.has(codeOf(error))) throw error;
      }
    }
  };
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}
