import type { PlaceholderKind, TemplatePart } from "../../record/template.ts";

/** What stands at one place of a message: a placeholder, rewritten literal text, or nothing printed. */
export interface Piece {
  /** Index after the piece; always beyond its start. */
  readonly end: number;
  /** Text as printed, which may be empty, or a placeholder. */
  readonly part: TemplatePart;
}

/** Reads the piece that starts at `at`, or says that a plain character stands there. */
export type ReadPiece = (text: string, at: number) => Piece | undefined;

/** The ASCII characters at which a reader has to look; all others are literal text. */
export type Triggers = Uint8Array;

/** A table of these ASCII characters. */
export function createTriggers(characters: string): Triggers {
  const triggers = new Uint8Array(128);
  for (let i = 0; i < characters.length; i += 1) triggers[characters.charCodeAt(i)] = 1;
  return triggers;
}

/** A piece that prints this text, which may be empty. */
export function literalPiece(end: number, text: string): Piece {
  return { end, part: { type: "literal", text } };
}

/** A piece that prints a value. */
export function placeholderPiece(
  end: number,
  placeholder: { kind: PlaceholderKind; source: string; name: string },
): Piece {
  return { end, part: { type: "placeholder", ...placeholder } };
}

/**
 * Goes through a message once, from left to right, and collects its parts. Neighbouring literals are
 * merged and empty ones dropped. Work is linear as long as `read` looks ahead a bounded way or only
 * over text that it then takes.
 */
export function scanPieces(
  text: string,
  triggers: Triggers,
  read: ReadPiece,
): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let literal = "";
  let from = 0;
  let at = 0;
  while (at < text.length) {
    const piece = triggers[text.charCodeAt(at)] === 1 ? read(text, at) : undefined;
    if (piece === undefined) {
      at += 1;
      continue;
    }
    literal += text.slice(from, at);
    if (piece.part.type === "literal") {
      literal += piece.part.text;
    } else {
      if (literal !== "") parts.push({ type: "literal", text: literal });
      literal = "";
      parts.push(piece.part);
    }
    at = piece.end;
    from = at;
  }
  literal += text.slice(from);
  if (literal !== "") parts.push({ type: "literal", text: literal });
  return parts;
}

/** Whether any part can print something else than its own text. */
export function hasPlaceholder(parts: readonly TemplatePart[]): boolean {
  return parts.some((part) => part.type === "placeholder");
}

/** Asks several readers in turn; the first piece counts. */
export function firstOf(...readers: readonly ReadPiece[]): ReadPiece {
  return (text, at) => {
    for (const read of readers) {
      const piece = read(text, at);
      if (piece !== undefined) return piece;
    }
    return undefined;
  };
}
