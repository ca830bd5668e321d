import type { Labels } from "../alert/alert.ts";

/** A LogQL query with places for values of an alert's labels. */
export interface QueryTemplate {
  /** As the operator wrote it. */
  readonly source: string;
  /** Names of the labels that it takes values of. */
  readonly labels: readonly string[];
  /**
   * The query for an alert, every value quoted for the place it stands at.
   *
   * @returns `undefined` when a label is missing or empty, or longer than a stream label can be.
   */
  fill(labels: Labels): string | undefined;
}

/** Text that is no template. */
export class QueryTemplateError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "QueryTemplateError";
  }
}

/** Loki's default `max_label_value_length`: a longer value matches no stream. */
export const LABEL_VALUE_BYTES_MAX = 2048;

interface Place {
  readonly label: string;
  /** `bare` stands where a whole literal does, `quoted` within double quotes. */
  readonly at: "bare" | "quoted";
  /** Whether the literal is an expression, in which the value must stand for itself. */
  readonly isExpression: boolean;
}

const PLACEHOLDER = /\{\{-?\s*\.Labels\.([a-zA-Z_][a-zA-Z0-9_]*)\s*-?\}\}/uy;
const SKIPPED = /[^"`{]+|\{(?!\{)/uy;

/**
 * Reads a template such as `{pod="{{ .Labels.pod }}"} |= {{ .Labels.path }}`.
 *
 * A placeholder stands within double quotes or in a literal's place, and the template quotes its value;
 * behind `=~`, `!~` and `|~` the value also loses its meaning as an expression. What a value holds
 * never changes the query's structure.
 *
 * @throws {QueryTemplateError} Saying what does not fit.
 */
export function parseQueryTemplate(source: string): QueryTemplate {
  const parts = readParts(source);
  return {
    source,
    labels: parts.flatMap((part) => (typeof part === "string" ? [] : [part.label])),
    fill(labels) {
      const texts = parts.map((part) => (typeof part === "string" ? part : valueFor(part, labels)));
      return texts.includes(undefined) ? undefined : texts.join("");
    },
  };
}

function valueFor({ label, at, isExpression }: Place, labels: Labels): string | undefined {
  const value = Object.hasOwn(labels, label) ? (labels[label] ?? "") : "";
  if (value === "" || utf8Length(value) > LABEL_VALUE_BYTES_MAX) return undefined;
  const literal = quoteText(isExpression ? escapeExpression(value) : value);
  return at === "bare" ? literal : literal.slice(1, -1);
}

/**
 * Writes a text as a LogQL string literal. A lone surrogate becomes U+FFFD, as encoders make it.
 *
 * @see https://go.dev/ref/spec#String_literals (JSON's escapes are a part of Go's, but for surrogates)
 */
export function quoteText(text: string): string {
  return JSON.stringify(text.replace(/\p{Surrogate}/gu, "\ufffd"));
}

/** Escapes a text so that as an RE2 expression it matches itself. */
function escapeExpression(text: string): string {
  return text.replace(/[\\.+*?()|[\]{}^$]/gu, "\\$&");
}

/** Bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) bytes += 1;
    else if (code < 0x800) bytes += 2;
    else bytes += code < 0x1_0000 ? 3 : 4;
  }
  return bytes;
}

function readParts(source: string): (string | Place)[] {
  const parts: (string | Place)[] = [];
  let offset = 0;
  let before = "";
  while (offset < source.length) {
    const first = source.charAt(offset);
    if (first === '"' || first === "`") {
      const end = literalEnd(source, offset);
      const literal = source.slice(offset, end);
      parts.push(...readLiteral(literal, before));
      before += literal;
      offset = end;
      continue;
    }
    const label = placeholderAt(source, offset);
    const text = label?.text ?? takeSkipped(source, offset);
    const isExpression = expectsExpression(before);
    parts.push(label === undefined ? text : { label: label.name, at: "bare", isExpression });
    before += label === undefined ? text : '""';
    offset += text.length;
  }
  return parts;
}

function takeSkipped(source: string, offset: number): string {
  SKIPPED.lastIndex = offset;
  const text = SKIPPED.exec(source)?.[0];
  if (text === undefined) {
    throw new QueryTemplateError('expected a placeholder such as {{ .Labels.pod }} at "{{"');
  }
  return text;
}

function placeholderAt(text: string, offset: number): { name: string; text: string } | undefined {
  PLACEHOLDER.lastIndex = offset;
  const found = PLACEHOLDER.exec(text);
  return found === null ? undefined : { name: found[1] ?? "", text: found[0] };
}

function literalEnd(source: string, start: number): number {
  const quote = source.charAt(start);
  for (let at = start + 1; at < source.length; at += 1) {
    const character = source.charAt(at);
    if (character === quote) return at + 1;
    if (character === "\\" && quote === '"') at += 1;
  }
  throw new QueryTemplateError(`the closing ${quote} is missing`);
}

function readLiteral(literal: string, before: string): (string | Place)[] {
  if (!literal.includes("{{")) return [literal];
  if (literal.startsWith("`")) {
    throw new QueryTemplateError("a placeholder cannot stand within backticks; use double quotes");
  }
  const parts: (string | Place)[] = [];
  let offset = 0;
  while (offset < literal.length) {
    const label = placeholderAt(literal, offset);
    if (label !== undefined) {
      parts.push({ label: label.name, at: "quoted", isExpression: expectsExpression(before) });
      offset += label.text.length;
      continue;
    }
    const next = literal.indexOf("{{", offset + 1);
    const end = next < 0 ? literal.length : next;
    parts.push(literal.slice(offset, end));
    offset = end;
  }
  return parts;
}

function expectsExpression(before: string): boolean {
  return /(?:=~|!~|\|~)\s*(?:"[^"]*"\s*or\s*)*$/u.test(before);
}
