const URL_CHARS_MAX = 65_536;
const EXPRESSIONS_MAX = 8;

/**
 * Finds the expressions of the alerting rule in an alert's `generatorURL`, which is parsed and never
 * fetched: Explore links of Grafana and of Loki's ruler (`left=` and `panes=`), and Prometheus's
 * `/graph?g0.expr=`. Empty for any other link; whether an expression is LogQL is not known here.
 */
export function readGeneratorUrl(generatorURL: string): readonly string[] {
  // Loki's ruler without an external URL sends a path alone.
  const base = "http://relative.invalid";
  if (generatorURL.length > URL_CHARS_MAX || !URL.canParse(generatorURL, base)) return [];
  const { searchParams } = new URL(generatorURL, base);
  const explored = [searchParams.get("panes"), searchParams.get("left")].flatMap(expressionsIn);
  const graphed = [...searchParams]
    .filter(([name]) => /^g\d{1,2}\.expr$/u.test(name))
    .map(([, expression]) => expression);
  return [...new Set([...explored, ...graphed])].slice(0, EXPRESSIONS_MAX);
}

/** `{"queries":[{"expr":…}]}`, `{"<pane>":{"queries":[…]}}`, or Grafana 6's `["now-1h","now","Loki",{"expr":…}]`. */
function expressionsIn(text: string | null): string[] {
  if (text === null || text === "") return [];
  const state = parseJson(text);
  const panes = isMapping(state) && !("queries" in state) ? Object.values(state) : [state];
  return panes.flatMap(queriesOf).flatMap((query) => {
    const expression = isMapping(query) ? query["expr"] : undefined;
    return typeof expression === "string" && expression !== "" ? [expression] : [];
  });
}

function queriesOf(pane: unknown): readonly unknown[] {
  if (Array.isArray(pane)) return pane;
  const queries = isMapping(pane) ? pane["queries"] : undefined;
  return Array.isArray(queries) ? queries : [];
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
