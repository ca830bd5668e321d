import type { CaseAnswer, MatchAnswer } from "../app/case-answer.ts";
import { escapeUnsafe } from "../app/logfmt.ts";

/**
 * Renders an answer for people, with a final line feed. Control characters of log lines and records
 * are written as `\uXXXX`, so that they cannot move the terminal's cursor.
 */
export function renderAnswer({ matches, recommendation }: CaseAnswer): string {
  if (matches.length === 0) return "No known error recognised.\n";
  const { decision, reason, steps, based_on: basedOn } = recommendation;
  const lines = [
    ...matches.flatMap(renderMatch),
    "",
    `Advice: ${decision} (rule ${basedOn.rule})`,
    `  ${reason}`,
    ...steps.map((step, index) => `  ${index + 1}. ${step}`),
  ];
  return `${lines.map(escapeUnsafe).join("\n")}\n`;
}

function signed(points: number): string {
  return `${points < 0 ? "-" : "+"}${Math.abs(points).toFixed(2)}`;
}

function renderMatch(match: MatchAnswer): string[] {
  const { score, confidence, kind, repo, id, errorMessage, filePath, line, captures } = match;
  const others = match.alternatives.map((other) => `${other.repo} ${other.filePath}`);
  return [
    `${score.toFixed(2)} ${confidence} ${kind}  ${repo} ${id}`,
    `  message   ${errorMessage}`,
    `  source    ${filePath}`,
    `  line      ${line + 1}`,
    ...captures.map((capture, index) => `  capture ${index + 1} ${capture}`),
    ...others.map((other) => `  or        ${other}`),
    ...match.evidence.map(({ name, points, detail }) => `  ${signed(points)} ${name}: ${detail}`),
  ];
}
