import type { PlaceholderKind, TemplatePart } from "../../record/template.ts";
import { createConversionReader, type Conversions } from "./read-conversion.ts";
import { createSumReader, openSum, type SumRules } from "./read-sum.ts";
import { createTriggers, firstOf, scanPieces } from "./scan-pieces.ts";

function refine(kind: PlaceholderKind, flags: string, verb: string): PlaceholderKind {
  if (verb === "v") return flags.includes("#") ? "debug" : "any";
  // `% x` puts blanks between the bytes, `%#o` and `%#b` write a letter before the digits.
  if (kind === "hex" && flags.includes(" ")) return "any";
  return kind === "integer" && verb !== "d" && flags.includes("#") ? "any" : kind;
}

/** @see https://pkg.go.dev/fmt (`%i`, `%j` and `%u` are none of Go's: it prints `%!u(int=5)` for them) */
const VERBS: Conversions = {
  arguments: "brackets",
  flags: "+-# 0",
  kinds: {
    v: "any",
    s: "any",
    w: "any",
    T: "any",
    U: "any",
    O: "any",
    i: "any",
    u: "any",
    d: "integer",
    b: "integer",
    o: "integer",
    x: "hex",
    X: "hex",
    p: "pointer",
    q: "quoted",
    c: "char",
    t: "bool",
    e: "number",
    E: "number",
    f: "number",
    F: "number",
    g: "number",
    G: "number",
  },
  refine,
};

const SUMS: SumRules = { operator: "+", quotes: '"`', words: new Set() };
const TRIGGERS = createTriggers('%"`');
const READ = firstOf(createConversionReader(VERBS, true), createSumReader(SUMS));

/** Go's verbs. Braces and `${…}` are printed as they stand, in all of Go's own records at least. */
export function parseGo(message: string): readonly TemplatePart[] {
  const sum = openSum(message, SUMS);
  return [...sum.lead, ...scanPieces(sum.text, TRIGGERS, READ)];
}
