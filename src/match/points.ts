import type { MatchEvidence, MatchKind } from "../record/match.ts";

/**
 * What each piece of evidence adds to a score or takes from it; see docs/adr/0003-score-points.md for
 * how they were found and how they are calibrated.
 */
export const POINTS = {
  bitsHalf: 26,
  scopeStrong: 0.18,
  scopeWeak: 0.1,
  otherProduct: -0.22,
  named: 0.1,
  reported: 0.18,
  file: 0.2,
  module: 0.1,
  exception: 0.15,
  info: -0.3,
  success: -0.25,
  leftEdge: -0.2,
  rightEdge: -0.2,
  clauseEdge: -0.08,
  whole: 0.08,
  wholeValue: 0.12,
  wholeOpen: 0.04,
  innermost: 0.05,
  otherInLog: -0.12,
  part: -0.25,
  folded: -0.05,
  truncated: -0.1,
  unclearCut: -0.2,
  similar: -0.1,
  crossesLine: -0.15,
  crossesField: -0.3,
  sentence: -0.25,
} as const;

/** Points for the information of the matched literals: half of the range at 26 bits, nine tenths at 86. */
export function basePoints(bits: number): number {
  return 1 - 2 ** (-bits / POINTS.bitsHalf);
}

/** Four digits, so that a score prints the same everywhere. */
export function roundScore(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

function clamp(value: number): number {
  return Math.max(0, Math.min(1, value));
}

/** The clamped sum of the points, to four digits so that it prints the same everywhere. */
export function sumPoints(evidence: readonly MatchEvidence[], kind: MatchKind): number {
  const top = kind === "similar" ? SIMILAR_SCORE_MAX : 1;
  const sum = clamp(evidence.reduce((total, each) => total + each.points, 0));
  return roundScore(Math.min(top, sum));
}

/** A match on changed wording is never surer than this, so that it drives nothing. */
const SIMILAR_SCORE_MAX = 0.7;
