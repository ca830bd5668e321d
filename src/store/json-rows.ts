import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { DatabaseKind } from "./database.ts";

/** Column names with their types, the same in both databases. */
export type RowColumns = Readonly<Record<string, "text" | "bigint">>;

/**
 * Many rows as one parameter, to be used like a table in `from`: the statement is the same text for
 * one row and for a thousand, so that it is compiled and prepared once.
 */
export function jsonRows(
  kind: DatabaseKind,
  columns: RowColumns,
  rows: readonly Readonly<Record<string, string | number | null>>[],
): RawBuilder<unknown> {
  const json = JSON.stringify(rows);
  const names = Object.keys(columns);
  if (kind === "sqlite") {
    const picked = names.map((name) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`);
    return sql`(select ${sql.join(picked)} from json_each(${json}))`;
  }
  const typed = Object.entries(columns).map(
    ([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`,
  );
  return sql`(select * from json_to_recordset(${json}::json) as input(${sql.join(typed)}))`;
}
