import { parser } from "@grafana/lezer-logql";
import { readGoString } from "./read-go-string.ts";

/** A log query read back with the grammar: what Loki would understand. */
export interface ReadQuery {
  readonly matchers: readonly { name: string; operator: string; value: string }[];
  readonly filters: readonly { operator: string; value: string }[];
  /** Names of all nodes in order: the structure without the texts. */
  readonly structure: readonly string[];
}

/** Reads a query back, string literals decoded as Go does; fails when it is no valid LogQL. */
export function readQuery(query: string): ReadQuery {
  const matchers: { name: string; operator: string; value: string }[] = [];
  const filters: { operator: string; value: string }[] = [];
  const structure: string[] = [];
  const cursor = parser.parse(query).cursor();
  const textOf = (node: { from: number; to: number }) => query.slice(node.from, node.to);
  do {
    if (cursor.type.isError) throw new Error(`no LogQL: ${query}`);
    structure.push(cursor.name);
    const { node } = cursor;
    if (cursor.name !== "Matcher" && cursor.name !== "LineFilter") continue;
    const [first, second, last] = [node.firstChild, node.firstChild?.nextSibling, node.lastChild];
    if (!first || !second || !last) throw new Error(`half a ${cursor.name}: ${query}`);
    if (cursor.name === "LineFilter") {
      filters.push({ operator: textOf(first), value: decode(textOf(second)) });
    } else {
      matchers.push({ name: textOf(first), operator: textOf(second), value: decode(textOf(last)) });
    }
  } while (cursor.next());
  return { matchers, filters, structure };
}

function decode(literal: string): string {
  const read = readGoString(literal, 0);
  if ("fault" in read || read.end !== literal.length) throw new Error(`no literal: ${literal}`);
  return read.text;
}
