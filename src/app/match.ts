import { excerptOfLines } from "../enrich/explain-case.ts";
import { createExplainer, createWhy } from "../enrich/explain-excerpt.ts";
import type { ConfigFault } from "../config/config-fault.ts";
import { loadConfig } from "../config/load-config.ts";
import type { ConfigSources } from "../config/load-config.ts";
import { parseCase } from "../ingest/case-payload.ts";
import type { CaseAnswer } from "./case-answer.ts";
import { createCaseAnswerer } from "./create-case-answerer.ts";
import { loadKnowledge } from "./load-knowledge.ts";
import { recordPlanOf, withSources } from "./record-plan.ts";
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

/** Sentences about one record in one case. */
export interface CaseWhy {
  readonly id: string;
  readonly why: readonly string[];
}

/** Explains excerpts on the command line. */
export interface Matcher {
  /** Records that were left out, one sentence each. */
  readonly skipped: readonly string[];
  /** One line of `--cases`. */
  answerLine(line: string): CaseAnswer | CaseError;
  /** One excerpt. */
  answerText(text: string): CaseAnswer;
  /** Why a record is found in one line of `--cases` or not. */
  whyLine(line: string, recordId: string): CaseWhy | CaseError;
  /** The same for one excerpt, one sentence each. */
  whyText(text: string, recordId: string): readonly string[];
}

/** A matcher, or every fault that keeps it from working. */
export type MatcherOutcome =
  | { readonly matcher: Matcher; readonly faults: readonly [] }
  | { readonly matcher: undefined; readonly faults: readonly ConfigFault[] };

/** Loads records and rules as `serve` does and prepares the same way from an excerpt to its answer. */
export async function createMatcher(options: MatchOptions): Promise<MatcherOutcome> {
  const { config, faults } = loadConfig(options.sources);
  if (config === undefined) return { matcher: undefined, faults };
  const plan = withSources(recordPlanOf(config), options.recordPaths);
  const outcome = await loadKnowledge(plan, config.rules);
  if (outcome.knowledge === undefined) return { matcher: undefined, faults: outcome.faults };
  const { loaded, rules, skipped } = outcome.knowledge;
  const { threshold } = config.match;
  const explaining = { loaded, redact: redactOptionsOf(config), threshold };
  const why = createWhy(explaining);
  const answer = createCaseAnswerer({
    explain: createExplainer(explaining),
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
    whyLine(line, recordId) {
      const check = parseCaseLine(line);
      if ("error" in check) return check;
      return { id: check.id, why: why(excerptOfLines(check.excerpt), check.labels, recordId) };
    },
    whyText: (text, recordId) => why(excerptOfLines(splitLines(text)), {}, recordId),
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
