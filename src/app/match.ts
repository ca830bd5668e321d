import { createExplainer } from "../enrich/explain-excerpt.ts";
import type { ConfigFault } from "../config/config-fault.ts";
import { loadConfig } from "../config/load-config.ts";
import type { ConfigSources } from "../config/load-config.ts";
import { parseCase } from "../ingest/case-payload.ts";
import type { CaseAnswer } from "./case-answer.ts";
import { createCaseAnswerer } from "./create-case-answerer.ts";
import { loadKnowledge, recordSourcesOf } from "./load-knowledge.ts";
import { redactOptionsOf } from "./redact-options-of.ts";
import { systemClock } from "./system-clock.ts";

/** What the command is asked to do. */
export interface MatchOptions {
  readonly sources: ConfigSources;
  /** Files and folders that replace every configured source; `undefined`: the configured ones. */
  readonly recordPaths: readonly string[] | undefined;
}

/** A case that could not be read. */
export interface CaseError {
  readonly id: string | null;
  readonly error: string;
}

/** Explains excerpts on the command line. */
export interface Matcher {
  /** Records that were left out, one sentence each. */
  readonly skipped: readonly string[];
  /** One line of `--cases`. */
  answerLine(line: string): CaseAnswer | CaseError;
  /** One excerpt. */
  answerText(text: string): CaseAnswer;
}

/** A matcher, or every fault that keeps it from working. */
export type MatcherOutcome =
  | { readonly matcher: Matcher; readonly faults: readonly [] }
  | { readonly matcher: undefined; readonly faults: readonly ConfigFault[] };

/** Loads records and rules as `serve` does and prepares the same way from an excerpt to its answer. */
export async function createMatcher(options: MatchOptions): Promise<MatcherOutcome> {
  const { config, faults } = loadConfig(options.sources);
  if (config === undefined) return { matcher: undefined, faults };
  const sources =
    options.recordPaths?.map((path) => ({ path, origin: "dataset" as const })) ??
    recordSourcesOf(config);
  const outcome = await loadKnowledge(sources, config.rules);
  if (outcome.knowledge === undefined) return { matcher: undefined, faults: outcome.faults };
  const { loaded, rules, skipped } = outcome.knowledge;
  const { threshold } = config.match;
  const answer = createCaseAnswerer({
    explain: createExplainer({ loaded, redact: redactOptionsOf(config), threshold }),
    records: loaded.store,
    rules,
    clock: systemClock,
  });
  const matcher: Matcher = {
    skipped: skipped.map(({ file, index, faults: [fault] }) => {
      const place = index === undefined ? file : `${file}[${index}]`;
      return `${place}: ${fault?.field ?? ""} ${fault?.message ?? ""}`;
    }),
    answerLine(line) {
      const check = parseCaseLine(line);
      return "error" in check ? check : answer(check);
    },
    answerText: (text) => answer({ id: "", excerpt: splitLines(text), labels: {} }),
  };
  return { matcher, faults: [] };
}

function parseCaseLine(line: string) {
  let body: unknown;
  try {
    body = JSON.parse(line);
  } catch {
    return { id: null, error: "the line is not JSON" };
  }
  const check = parseCase(body);
  if (check.case !== undefined) return check.case;
  const error = check.faults.map(({ field, message }) => `${field} ${message}`.trim()).join("; ");
  return { id: check.id ?? null, error };
}

function splitLines(text: string): string[] {
  const lines = text.split(/\r?\n/u);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
