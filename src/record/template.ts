/**
 * What a placeholder can print, which bounds what its capture may hold. `integer`: optional sign and
 * digits (`%d`, `{:>8}` of unknown type is `any`). `number`: also fraction and exponent. `hex`: hex
 * digits with or without `0x`. `pointer`: `0x…`. `quoted`: text in quotes that belong to the
 * placeholder (`%q`). `debug`: a Rust `{:?}` or Go `%#v` value: may be quoted, nested, never over a
 * line. `pretty`: the same over several lines (`{:#?}`). `char`: one character. `bool`. `any`: all else.
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

export interface LiteralPart {
  readonly type: "literal";
  /** As printed: escapes such as `{{` and `%%` undone. Never empty. */
  readonly text: string;
}

export interface PlaceholderPart {
  readonly type: "placeholder";
  readonly kind: PlaceholderKind;
  /** The spelling in the source, e.g. `{err:?}`, `%-8s`, `${a.b}`. */
  readonly source: string;
  /** Its name or number where it has one, e.g. `err`, `0`, `a.b`; empty otherwise. */
  readonly name: string;
}

/** A record's message as literals and placeholders in order; neighbouring literals are merged. */
export interface Template {
  readonly parts: readonly (LiteralPart | PlaceholderPart)[];
}
