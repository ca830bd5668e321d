import { parser } from "@grafana/lezer-logql";
import type { SyntaxNode, Tree } from "@lezer/common";

/** Longer texts are not read: Loki itself takes at most 131,072 bytes. */
const QUERY_CHARS_MAX = 131_072;

/** Reads a LogQL query; `undefined` when the text is none. */
export function parseLogql(text: string): Tree | undefined {
  if (text.trim() === "" || text.length > QUERY_CHARS_MAX) return undefined;
  const tree = parser.parse(text);
  const cursor = tree.cursor();
  do if (cursor.type.isError) return undefined;
  while (cursor.next());
  return tree;
}

/** Whether the text is a query for log lines, not for a metric. */
export function isLogQuery(text: string): boolean {
  const expression = parseLogql(text)?.topNode.firstChild;
  return expression?.firstChild?.name === "LogExpr";
}

/** Every node of a name below a node, in the order of the text. */
export function nodesOf(top: SyntaxNode, name: string): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  const cursor = top.cursor();
  do {
    if (cursor.from > top.to) break;
    if (cursor.name === name && cursor.to <= top.to) found.push(cursor.node);
  } while (cursor.next());
  return found;
}
