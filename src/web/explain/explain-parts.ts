import type { KeptExcerpt } from "../../enrich/enrichment.ts";
import type { Match } from "../../record/match.ts";
import type { Recommendation } from "../../record/recommendation.ts";
import { explainRequest } from "./explain-schemas.ts";
import { faultsOf } from "../json/read-query.ts";
import type { QueryCheck } from "../json/read-query.ts";

/** What was found in lines. */
export interface ExplainedLines {
  /** All lines, redacted. */
  readonly text: string;
  /** Redacted; the lines that show something. */
  readonly excerpt: KeptExcerpt;
  /** Best first. */
  readonly matches: readonly Match[];
  /** As for an alert that fires now and has no history. */
  readonly recommendation: Recommendation;
}

/** The engine, as an alert's lines go through it. */
export interface ExplainParts {
  readonly explain: (
    lines: readonly string[],
    labels: Readonly<Record<string, string>>,
  ) => ExplainedLines;
  /** Why a record is found in the lines or why not, in sentences. */
  readonly why: (
    lines: readonly string[],
    labels: Readonly<Record<string, string>>,
    recordId: string,
  ) => readonly string[];
}

/** Lines to explain. */
export interface ExplainWishes {
  readonly lines: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  /** Of which it is to be said why it is found or not. */
  readonly record: string | undefined;
}

/** Splits a text as it was pasted. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r\n|\n|\r/u);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Reads lines with what is asked of them. */
export function readExplain(body: unknown): QueryCheck<ExplainWishes> {
  const { success, data, error } = explainRequest.safeParse(body);
  if (!success) return { found: undefined, faults: faultsOf(error) };
  const { lines, labels = {}, record } = data;
  return { found: { lines, labels, record }, faults: [] };
}
