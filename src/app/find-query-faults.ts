import type { ConfigFault } from "../config/config-fault.ts";
import type { Config } from "../config/config.ts";
import { isLogQuery } from "../select/logql-tree.ts";

/**
 * Finds configured queries that Loki could not read or that ask for no lines. Values are always quoted,
 * so what is LogQL with one value is with every other. `file` is where a fault is found.
 */
export function findQueryFaults({ select }: Config, file: string): readonly ConfigFault[] {
  return select.queries.configured.flatMap(({ query }, index) => {
    const filled = query.fill(Object.fromEntries(query.labels.map((name) => [name, "x"])));
    if (filled !== undefined && isLogQuery(filled)) return [];
    const message = 'must be a LogQL query for log lines, e.g. {pod="{{ .Labels.pod }}"}';
    return [{ file, line: undefined, path: `select.queries.configured[${index}].query`, message }];
  });
}
