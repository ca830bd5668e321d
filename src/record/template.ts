/**
 * What a placeholder can print, which bounds what its capture may hold. A width (`%5d`, `{:>8}`) may pad
 * any of them with blanks.
 *
 * - `integer`: optional sign and digits. Go prints a slice for `%d` as `[1 2 3]`.
 * - `number`: also a fraction, an exponent, group separators, `NaN` or `Inf`.
 * - `hex`: hex digits with or without `0x`.
 * - `pointer`: `0x…`, or `(nil)`.
 * - `quoted`: text in quotes that belong to the placeholder (Go's `%q`; a slice is `["a" "b"]`).
 * - `debug`: a Rust `{:?}`, Go `%#v`, Python `%r` or Ruby `%p` value: may be quoted and nested; of one
 *   line, but for error reports (anyhow's `{:?}` lists its causes on lines of their own).
 * - `pretty`: the same over several lines (`{:#?}`).
 * - `char`: one character.
 * - `bool`: `true` or `false`.
 * - `any`: all else.
 */
export type PlaceholderKind =
  | "integer"
  | "number"
  | "hex"
  | "pointer"
  | "quoted"
  | "debug"
  | "pretty"
  | "char"
  | "bool"
  | "any";

/** Text that is always printed. */
export interface LiteralPart {
  readonly type: "literal";
  /** As printed: escapes such as `{{` and `%%` undone. Never empty. */
  readonly text: string;
}

/** A place where a value is printed. */
export interface PlaceholderPart {
  readonly type: "placeholder";
  readonly kind: PlaceholderKind;
  /** The spelling in the source, e.g. `{err:?}`, `%-8s`, `${a.b}`; in a sum of strings with its quotes. */
  readonly source: string;
  /** Its name or number where it has one, e.g. `err`, `0`, `a.b`; empty otherwise. */
  readonly name: string;
}

/** One stretch of a message. */
export type TemplatePart = LiteralPart | PlaceholderPart;

/** A record's message as literals and placeholders in order; neighbouring literals are merged. */
export interface Template {
  readonly parts: readonly TemplatePart[];
}
