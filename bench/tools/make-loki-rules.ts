import { stringify } from "yaml";
import { quoteText } from "../../src/log/query-template.ts";
import { parseTemplate } from "../../src/match/parse-template.ts";
import { literalBits } from "../../src/match/words.ts";
import type { KnownError, Severity } from "../../src/record/known-error.ts";

/** What the rules of an installation look at. */
export interface LokiRuleOptions {
  /** Stream selector of every rule, braces included. */
  readonly selector: string;
  /** Labels that tell one alert from another; a stream without one has it empty. */
  readonly by: readonly string[];
}

/** `job` is the one label that every usual agent sets. */
export const LOKI_RULE_DEFAULTS: LokiRuleOptions = {
  selector: '{job=~".+"}',
  by: ["namespace", "pod", "container", "job", "instance"],
};

/** One file for the folder of a tenant of Loki's ruler, which reads no folders within it. */
export interface LokiRuleFile {
  readonly name: string;
  readonly text: string;
}

/** From so many bits on a line is about the record: two words that hardly any other message has. */
const BITS_ENOUGH = 28;
const FILTERS_MAX = 3;
/** Shorter ones are marks and syllables. */
const FRAGMENT_CHARS_MIN = 3;
const RANGE = "5m";

/**
 * A line that quotes a query holds what the query looks for: Loki's own log does, of every query it runs.
 * Without this each rule would set itself off.
 */
const OWN_QUERIES = `!= ${quoteText("count_over_time")}`;

/**
 * Makes alerting rules for Loki's ruler, one for each record, one file and group for each repository.
 * Equal records give equal text, in whatever order they come.
 */
export function makeLokiRules(
  records: readonly KnownError[],
  options: LokiRuleOptions,
): readonly LokiRuleFile[] {
  const byRepo = new Map<string, KnownError[]>();
  for (const record of [...records].sort(byPlace)) {
    byRepo.set(record.repo, [...(byRepo.get(record.repo) ?? []), record]);
  }
  return [...byRepo].map(([repo, ofRepo]) => {
    const names = ofRepo.map(alertName);
    const rules = ofRepo.map((record, index) => {
      const name = names[index] ?? "";
      // Alerts of one name would be grouped and silenced as one; a number would move with new records.
      const isShared = names.filter((each) => each === name).length > 1;
      return makeRule(record, isShared ? `${name}_${record.id.slice(0, 6)}` : name, options);
    });
    const groups = [{ name: repo, interval: "1m", rules }];
    return {
      name: `${repo.replace("/", "-")}.yaml`,
      text: `${HEADER}${stringify({ groups }, { lineWidth: 0 })}`,
    };
  });
}

const HEADER = `# Made by \`npm run build:loki-rules\` from rules/records: change the records, not this file.
# Loading it, and narrowing what it reads: docs/loki.md.
`;

interface LokiRule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: {
    readonly summary: string;
    readonly description: string;
    readonly logql: string;
  };
}

const SEVERITIES: Readonly<Record<Severity, string>> = {
  critical: "critical",
  error: "warning",
  warning: "warning",
  info: "info",
};

function makeRule(record: KnownError, alert: string, { selector, by }: LokiRuleOptions): LokiRule {
  const filters = [...lineFilters(record), OWN_QUERIES].join(" ");
  const matchers = selector.trim().slice(1, -1).trim();
  // Go's %q writes the string literals that LogQL reads.
  const pins = by.map((name) => `${name}={{ $labels.${name} | printf "%q" }}`);
  return {
    alert,
    expr: `sum by (${by.join(", ")}) (count_over_time(${selector} ${filters} [${RANGE}])) > 0`,
    labels: { severity: SEVERITIES[record.severity] },
    annotations: {
      summary: `Known error of ${record.repo} in the log, {{ $value }} lines within ${RANGE}`,
      description: escapeTemplate(record.documentation),
      logql: `{${[matchers, ...pins].join(", ")}} ${escapeTemplate(filters)}`,
    },
  };
}

/** `|= "…"` for the rarest literals of a message, the rarest first; all must stand in one entry. */
function lineFilters(record: KnownError): readonly string[] {
  const fragments = fragmentsOf(record).map((text) => ({ text, bits: literalBits(text) }));
  fragments.sort((left, right) => right.bits - left.bits);
  const chosen: string[] = [];
  let bits = 0;
  for (const fragment of fragments) {
    if (chosen.length === FILTERS_MAX || (chosen.length > 0 && bits >= BITS_ENOUGH)) break;
    chosen.push(fragment.text);
    bits += fragment.bits;
  }
  if (chosen.length === 0) throw new Error(`record ${record.id} has no literal to filter by`);
  return chosen.map((text) => `|= ${quoteText(text)}`);
}

/**
 * Stretches that every log format prints as they are: JSON and logfmt escape quotes, backslashes and
 * control characters, Go's JSON also `<`, `>` and `&`. Marks at an end are left out: clients print Redis's
 * `-CLUSTERDOWN …` without the `-`, and a colon may be followed by nothing.
 */
function fragmentsOf({ errorMessage, messagePattern, filePath }: KnownError): readonly string[] {
  const { parts } = parseTemplate({ errorMessage, messagePattern, filePath });
  const literals = parts.flatMap((part) => (part.type === "literal" ? [part.text] : []));
  // A line feed parts the message into entries, of which no filter sees two.
  const entries = literals.join("\0").split("\n");
  const best = entries
    .map((text) => ({ text, bits: literalBits(text.replaceAll("\0", " ")) }))
    .reduce((most, entry) => (entry.bits > most.bits ? entry : most));
  return best.text
    .split(/["\\<>&\p{Cc}]+/u)
    .map((text) => text.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""))
    .filter((text) => text.length >= FRAGMENT_CHARS_MIN);
}

/** Messages that begin alike should not end up with one name. */
const NAME_WORDS_MAX = 12;

/** In camel case, e.g. `RedisErrorWritingToTheAofFile`. */
function alertName(record: KnownError): string {
  const name = record.repo.slice(record.repo.indexOf("/") + 1);
  const words = [name, ...fragmentsOf(record)].join(" ").match(/[A-Za-z0-9]+/gu) ?? [];
  return words
    .slice(0, NAME_WORDS_MAX)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join("");
}

/** As text of a Go template that prints the text. */
function escapeTemplate(text: string): string {
  return text.replaceAll("{{", '{{"{{"}}');
}

function byPlace(left: KnownError, right: KnownError): number {
  const [a, b] = [left, right].map(({ repo, filePath, lineNumber, id }) =>
    [repo, filePath, String(lineNumber ?? 0).padStart(7, "0"), id].join("\0"),
  );
  return (a ?? "") < (b ?? "") ? -1 : 1;
}
