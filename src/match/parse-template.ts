import type { KnownError } from "../record/known-error.ts";
import type { Template, TemplatePart } from "../record/template.ts";
import { parsePattern } from "./parse-pattern.ts";
import { parseC } from "./templates/c.ts";
import { parseCsharp } from "./templates/csharp.ts";
import { parseGeneric } from "./templates/generic.ts";
import { parseGo } from "./templates/go.ts";
import { parseJavascript } from "./templates/javascript.ts";
import { parseJvm } from "./templates/jvm.ts";
import { parsePhp } from "./templates/php.ts";
import { parsePython } from "./templates/python.ts";
import { parseRuby } from "./templates/ruby.ts";
import { parseRust } from "./templates/rust.ts";
import { hasPlaceholder } from "./templates/scan-pieces.ts";
import { undoSourceEscapes } from "./templates/undo-source-escapes.ts";

type Grammar = (message: string, extension: string) => readonly TemplatePart[];

const GRAMMARS: readonly (readonly [Grammar, string])[] = [
  [parseRust, "rs"],
  [parseGo, "go"],
  [parseC, "c h cc cpp cxx c++ hpp hh hxx h++ inl ipp tpp cu cuh m mm y l"],
  [parsePython, "py pyi pyx pxd"],
  [parseJvm, "java kt kts scala sc groovy gradle"],
  [parseCsharp, "cs csx razor cshtml fs vb"],
  [parseJavascript, "js mjs cjs jsx ts mts cts tsx vue svelte"],
  [parseRuby, "rb erb rake gemspec"],
  [parsePhp, "php phtml"],
];

const GRAMMAR_BY_EXTENSION: ReadonlyMap<string, Grammar> = new Map(
  GRAMMARS.flatMap(([grammar, extensions]) =>
    extensions.split(" ").map((extension) => [extension, grammar] as const),
  ),
);

/** The lower-case extension of a path's last segment; empty without one, as for `unknown`. */
function extensionOf(filePath: string): string {
  const name = filePath.slice(filePath.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot < 0 ? "" : name.slice(dot + 1).toLowerCase();
}

/**
 * Reads a record's message as literals and placeholders, by the placeholder grammar of the language that
 * `filePath` tells by its extension; an unknown one gets the spellings that are common to many.
 *
 * Where the message has no placeholder but `messagePattern` has groups of its own, the literals of the
 * pattern are used. Never throws, depends on nothing but its input, and takes time linear in it. A
 * doubtful spelling is rather taken for a placeholder than for text: that costs a few bits of literal
 * and loses no line. An empty message has no parts.
 */
export function parseTemplate(
  input: Pick<KnownError, "errorMessage" | "messagePattern" | "filePath">,
): Template {
  const extension = extensionOf(input.filePath);
  const grammar = GRAMMAR_BY_EXTENSION.get(extension) ?? parseGeneric;
  const parts = grammar(undoSourceEscapes(input.errorMessage), extension);
  if (hasPlaceholder(parts)) return { parts };
  return { parts: parsePattern(input.messagePattern, input.errorMessage) ?? parts };
}
