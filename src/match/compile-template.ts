import { isLetterOrDigit } from "./character-codes.ts";
import { longestSafeRun } from "./safe-run.ts";
import type { PlaceholderKind, Template } from "../record/template.ts";
import { literalBits, splitWords } from "./words.ts";

/**
 * What may stand between two literals. `none`: nothing, only at the ends. `blank`: white space with or
 * without line feeds. `line`: anything up to the end of the line, only at the end.
 */
export type GapKind = PlaceholderKind | "none" | "blank" | "line";

/** All gap kinds; a compiled catalogue stores a kind as its index here. */
export const GAP_KINDS: readonly GapKind[] = [
  "none",
  "blank",
  "any",
  "integer",
  "number",
  "hex",
  "pointer",
  "quoted",
  "debug",
  "pretty",
  "char",
  "bool",
  "line",
];

/** Kinds whose values are short. */
export const SHORT_GAPS: ReadonlySet<GapKind> = new Set([
  "integer",
  "number",
  "hex",
  "pointer",
  "char",
  "bool",
]);

/** A literal with the gap before it. */
export interface CompiledLiteral {
  readonly text: string;
  readonly bits: number;
  readonly gapBefore: GapKind;
  /** How many placeholders the gap before stands for; more than one when they are adjacent. */
  readonly placeholders: number;
}

/** A template as literals and gaps, ready for the catalogue. */
export interface CompiledTemplate {
  readonly literals: readonly CompiledLiteral[];
  readonly trailingGap: GapKind;
  readonly trailingPlaceholders: number;
  /** Whether a final `: {source}` was taken off: it may be printed as the next numbered cause instead. */
  readonly optionalTail: boolean;
  readonly bits: number;
}

interface OpenGap {
  kind: GapKind;
  placeholders: number;
}

/** Literals of white space over a line break match any white space: reports indent and prefix their lines. */
const BREAK = /\s*\n\s*/;
const TAIL = /:\s*$/;

/**
 * Turns a parsed template into literals and gaps. Outer white space is dropped, a line break inside a
 * literal becomes a `blank` gap, and a final `: {source}` becomes optional.
 *
 * @returns Without literals when the template has no text of its own.
 */
export function compileTemplate(template: Template): CompiledTemplate {
  const literals: CompiledLiteral[] = [];
  const seen = new Set<string>();
  let gap: OpenGap = { kind: "none", placeholders: 0 };
  for (const part of template.parts) {
    if (part.type === "placeholder") {
      gap = {
        kind: gap.placeholders === 0 ? part.kind : "any",
        placeholders: gap.placeholders + 1,
      };
      continue;
    }
    if (part.text.trim() === "" && part.text.includes("\n") && gap.placeholders > 0) {
      // A line break between two values is all there is to tell them apart.
      literals.push({
        text: "\n",
        bits: 0,
        gapBefore: gap.kind,
        placeholders: gap.placeholders,
      });
      gap = { kind: "none", placeholders: 0 };
      continue;
    }
    part.text.split(BREAK).forEach((piece, i) => {
      if (i > 0 && gap.placeholders === 0 && literals.length > 0)
        gap = { kind: "blank", placeholders: 0 };
      if (piece.trim() === "" && (piece === "" || gap.kind !== "none")) return;
      literals.push({
        text: piece,
        bits: literalBits(piece, seen),
        gapBefore: gap.kind,
        placeholders: gap.placeholders,
      });
      gap = { kind: "none", placeholders: 0 };
    });
  }
  return finish(literals, gap);
}

function finish(literals: CompiledLiteral[], gap: OpenGap): CompiledTemplate {
  if (gap.kind === "blank") gap = { kind: "none", placeholders: 0 };
  if (literals.at(-1)?.text === "\n" && gap.placeholders === 0) {
    gap = { kind: "line", placeholders: literals.pop()?.placeholders ?? 1 };
  }
  trimEnds(literals, gap);
  const last = literals.at(-1);
  let optionalTail = false;
  if (last !== undefined && gap.placeholders > 0 && TAIL.test(last.text)) {
    const text = last.text.replace(TAIL, "");
    if (text.trim() !== "") {
      literals[literals.length - 1] = { ...last, text };
      optionalTail = true;
    }
  }
  const bits = literals.reduce((sum, each) => sum + each.bits, 0);
  return {
    literals,
    trailingGap: gap.kind,
    trailingPlaceholders: gap.placeholders,
    optionalTail,
    bits,
  };
}

/** White space at the outer ends is not printed where a message stands alone. */
function trimEnds(literals: CompiledLiteral[], gap: OpenGap): void {
  const first = literals[0];
  if (first?.gapBefore === "none") literals[0] = { ...first, text: first.text.trimStart() };
  // Redis marks its error replies with a minus that clients do not print (RESP, "simple errors").
  const head = literals[0];
  if (head?.gapBefore === "none") {
    literals[0] = { ...head, text: head.text.replace(/^-(?=[A-Z]{3,} )/, "") };
  }
  const last = literals.at(-1);
  if (last !== undefined && gap.kind === "none")
    literals[literals.length - 1] = { ...last, text: last.text.trimEnd() };
  for (let i = literals.length - 1; i >= 0; i -= 1)
    if (literals[i]?.text === "") literals.splice(i, 1);
}

/** Why a template is too vague to use; `undefined` when it is not. */
export function vagueness(template: CompiledTemplate): string | undefined {
  const letters = template.literals.reduce((sum, each) => sum + countLetters(each.text), 0);
  if (letters === 0) return "no literal text";
  if (letters < LETTERS_MIN) return `only ${letters} literal letters or digits`;
  if (longestRun(template) < RUN_MIN) return "no literal of eight plain characters in a row";
  const words = template.literals.flatMap((each) => splitWords(each.text));
  const isName = words.some((word) => word.text.length >= NAME_LENGTH_MIN);
  if (words.length < WORDS_MIN && !isName) return words.length === 0 ? "no word" : "only one word";
  return template.bits < BITS_MIN ? "only very common words" : undefined;
}

/** UTF-16 units of a text's letters and digits, of any script. */
function countLetters(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 128) return text.replace(/[^\p{L}\p{N}]/gu, "").length;
    if (isLetterOrDigit(code)) count += 1;
  }
  return count;
}

const LETTERS_MIN = 5;
const RUN_MIN = 8;
const BITS_MIN = 9;
const WORDS_MIN = 2;
/** A word as long as this is a name that stands for itself. */
const NAME_LENGTH_MIN = 14;

function longestRun(template: CompiledTemplate): number {
  return template.literals.reduce((most, each) => Math.max(most, longestSafeRun(each.text)), 0);
}
