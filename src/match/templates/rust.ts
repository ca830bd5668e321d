import type { PlaceholderKind, TemplatePart } from "../../record/template.ts";
import { createFieldReader, scanFields } from "./read-field.ts";

/** @see https://doc.rust-lang.org/std/fmt/ (section "Syntax") */
const TYPES: Readonly<Record<string, PlaceholderKind>> = {
  "": "any",
  "?": "debug",
  "x?": "debug",
  "X?": "debug",
  x: "hex",
  X: "hex",
  o: "integer",
  b: "integer",
  e: "number",
  E: "number",
  p: "pointer",
};

const readField = createFieldReader(TYPES);

/** Rust's format strings, with the field access of `thiserror` (`{.0}`, `{self.x}`) and calls. */
export function parseRust(message: string): readonly TemplatePart[] {
  return scanFields(message, readField);
}
