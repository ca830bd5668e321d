import type { Kysely, Transaction } from "kysely";
import type { Schema } from "./schema.ts";

/** Which of the two databases it is. */
export type DatabaseKind = "sqlite" | "postgres";

/** A transaction of the store. */
export type Tx = Transaction<Schema>;

/** An open database with its schema up to date. */
export interface Database {
  readonly kind: DatabaseKind;
  readonly kysely: Kysely<Schema>;
  /**
   * Runs a unit of work in a transaction and resolves when it is durable. A unit may run more than
   * once, so it changes nothing but the database. What it throws undoes it and nothing else.
   */
  write<T>(unit: (tx: Tx) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
