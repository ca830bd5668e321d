import { mkdirSync } from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { Kysely, PostgresDialect, SqliteDialect } from "kysely";
import type { SqliteDatabase } from "kysely";
import pg from "pg";
import type { Database } from "./database.ts";
import { createGroupCommit } from "./group-commit.ts";
import { migrate } from "./migrations.ts";
import type { Schema } from "./schema.ts";
import { createTransactions } from "./transactions.ts";

/** A second process waits so long for the file before it gives up with "database is locked". */
const BUSY_MS = 5000;
const POOL_CONNECTIONS = 10;
/** A database that does not answer must not hold a notification longer than its sender waits. */
const STATEMENT_MS = 10_000;

/**
 * Opens `sqlite:PATH`, `postgres://…` or `memory` (SQLite without a file, gone at the end), and
 * brings its schema up to date.
 *
 * @throws {Error} When it cannot be opened or its schema cannot be brought up to date.
 */
export async function openDatabase(
  url: string,
  onFault: (error: Error) => void = () => undefined,
): Promise<Database> {
  const database = /^postgres(?:ql)?:\/\//u.test(url)
    ? openPostgres(url, onFault)
    : openSqlite(url === "memory" ? ":memory:" : url.replace(/^sqlite:/u, ""));
  try {
    await migrate(database.kysely, database.kind);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

function openSqlite(file: string): Database {
  if (file !== ":memory:") mkdirSync(path.dirname(file), { recursive: true });
  const connection = new Sqlite(file, { timeout: BUSY_MS });
  // One process owns the file: its leases are taken back at the next start.
  connection.pragma("locking_mode = EXCLUSIVE");
  connection.pragma("journal_mode = WAL");
  connection.pragma("synchronous = FULL");
  connection.pragma("cache_size = -65536");
  connection.pragma("wal_autocheckpoint = 4000");
  const dialect = new SqliteDialect({ database: withPreparedStatements(connection) });
  const kysely = new Kysely<Schema>({ dialect });
  return {
    kind: "sqlite",
    kysely,
    write: createGroupCommit(kysely),
    close: () => kysely.destroy(),
  };
}

/** Statements of the store have few texts, and compiling one costs more than running it. */
function withPreparedStatements(connection: Sqlite.Database): SqliteDatabase {
  const prepared = new Map<string, ReturnType<SqliteDatabase["prepare"]>>();
  return {
    close: () => {
      connection.close();
    },
    prepare(text) {
      const known = prepared.get(text);
      if (known !== undefined) return known;
      const statement = connection.prepare(text) as unknown as ReturnType<
        SqliteDatabase["prepare"]
      >;
      if (prepared.size < 500) prepared.set(text, statement);
      return statement;
    },
  };
}

function openPostgres(url: string, onFault: (error: Error) => void): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_CONNECTIONS,
    connectionTimeoutMillis: 5000,
    query_timeout: STATEMENT_MS,
    keepAlive: true,
    // A transaction whose client is cut off would hold its locks until TCP gives up.
    options: `-c idle_in_transaction_session_timeout=${STATEMENT_MS} -c statement_timeout=${STATEMENT_MS} -c lock_timeout=${STATEMENT_MS}`,
    application_name: "alertlore",
    types: {
      // Milliseconds and counts, far below what a number holds exactly.
      getTypeParser: ((...wish: Parameters<typeof pg.types.getTypeParser>): unknown =>
        wish[0] === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(...wish)) as never,
    },
  });
  // Without a listener a connection that breaks while idle would end the process.
  pool.on("error", onFault);
  pool.on("connect", (client) => client.on("error", onFault));
  const kysely = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return {
    kind: "postgres",
    kysely,
    write: createTransactions(kysely),
    close: () => kysely.destroy(),
  };
}
