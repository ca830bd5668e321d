/** `truncated`: the text ends inside the template. `similar`: its wording differs; never drives anything. */
export type MatchKind = "exact" | "truncated" | "similar";
/** `high` from score 0.8, `medium` from 0.5, below that `low` (never reported by default). */
export type Confidence = "high" | "medium" | "low";
/** In a chain `a: b: root` the outer ones are wrappers and the innermost is the cause. */
export type MatchRole = "single" | "wrapper" | "cause";

/** One reason for or against a match. The score is the clamped sum of the points. */
export interface MatchEvidence {
  readonly name: string;
  readonly points: number;
  readonly detail: string;
}

/** Where a literal or capture stands in the excerpt's physical lines. */
export interface MatchSpan {
  /** Index from 0 of the excerpt's line. */
  readonly line: number;
  /** Half-open range of UTF-16 columns in that line. */
  readonly start: number;
  readonly end: number;
}

/** Another record with the same template. */
export interface MatchAlternative {
  readonly id: string;
  readonly repo: string;
  readonly filePath: string;
}

/** A record found in an excerpt. */
export interface Match {
  readonly recordId: string;
  readonly repo: string;
  readonly errorMessage: string;
  readonly filePath: string;
  /** 0 to 1. */
  readonly score: number;
  readonly kind: MatchKind;
  readonly confidence: Confidence;
  readonly role: MatchRole;
  /** Texts of the placeholders in the order of the text, escapes and line prefixes undone. */
  readonly captures: readonly string[];
  /** Index from 0 of the excerpt line where the template's first literal stands. */
  readonly line: number;
  readonly spans: readonly MatchSpan[];
  /** How many places of the excerpt show the record; at least 1. */
  readonly occurrences: number;
  /** Other records with the same template that nothing in the excerpt tells apart. */
  readonly alternatives: readonly MatchAlternative[];
  readonly evidence: readonly MatchEvidence[];
}

/** Matches are reported from here on. */
export const SCORE_REPORTED = 0.5;
/** From here on a match may drive a recommendation. */
const SCORE_HIGH = 0.8;

/** The band of a score. */
export function confidenceOf(score: number): Confidence {
  if (score >= SCORE_HIGH) return "high";
  return score >= SCORE_REPORTED ? "medium" : "low";
}
