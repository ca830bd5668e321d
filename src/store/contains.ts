import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { DatabaseKind } from "./database.ts";

/** Whether a column's text has a part, letter for letter: no sign of the part means anything. */
export function contains(kind: DatabaseKind, column: string, part: string): RawBuilder<unknown> {
  const find = sql.raw(kind === "postgres" ? "strpos" : "instr");
  return sql`${find}(${sql.ref(column)}, ${part}) > 0`;
}
