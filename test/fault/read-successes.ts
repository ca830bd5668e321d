import Sqlite from "better-sqlite3";
import pg from "pg";
import { streamOf } from "../../src/store/group-table.ts";
import { buildAlert, buildGroup } from "../support/build-alert.ts";
import { bodyKeyOf } from "./ledger.ts";
import type { RecordedSuccess } from "./ledger.ts";
import { groupKeyOf } from "./sender.ts";

interface LogRow {
  readonly stream: string;
  readonly firing: string;
  readonly resolved: string;
}

const QUERY = "select stream, firing, resolved from notification_log where destination = 'ledger'";

/** What the store holds as delivered, read past the program while it is dead. */
export async function readSuccesses(storeUrl: string): Promise<readonly RecordedSuccess[]> {
  const rows = storeUrl.startsWith("sqlite:")
    ? readSqlite(storeUrl.slice("sqlite:".length))
    : await readPostgres(storeUrl);
  return rows.map(({ stream, firing, resolved }) => ({
    group: groupOf(stream),
    bodyKey: bodyKeyOf(JSON.parse(firing) as string[], JSON.parse(resolved) as string[]),
  }));
}

function readSqlite(file: string): readonly LogRow[] {
  const database = new Sqlite(file);
  try {
    return database.prepare<[], LogRow>(QUERY).all();
  } finally {
    database.close();
  }
}

async function readPostgres(url: string): Promise<readonly LogRow[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<LogRow>(QUERY)).rows;
  } finally {
    await client.end();
  }
}

const streams = new Map(
  Array.from({ length: 100 }, (_, index) => {
    const groupKey = groupKeyOf(index);
    const group = buildGroup([buildAlert()], { receiver: "fault", groupKey });
    return [streamOf({ name: "alertmanager", tenant: "" }, group), groupKey] as const;
  }),
);

function groupOf(stream: string): string {
  const group = streams.get(stream);
  if (group === undefined) throw new Error(`the store knows a stream that nobody sent: ${stream}`);
  return group;
}
