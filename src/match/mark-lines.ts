import type { Excerpt } from "../log/excerpt.ts";
import type { Catalogue } from "./compile-catalogue.ts";
import { kernelOf } from "./kernel/scan-kernel.ts";

/**
 * Marks the physical lines of an excerpt in which a record may stand: one pass over the raw text, so
 * that only these and the rest of their events need to be parsed. May mark too much, never too little.
 *
 * A line is marked when a literal stands in it that nothing is glued to and whose next literal comes too,
 * when text in it is to be decoded first, or when it is not quiet and shares rare words with a template.
 *
 * @returns One number a line, entries split at line feeds; 0 for lines of no interest. Valid until the
 * next text is marked or scanned.
 */
export function markLines(catalogue: Catalogue, excerpt: Excerpt): Uint8Array {
  return kernelOf(catalogue).mark(excerpt.entries.map((entry) => entry.text).join("\n"));
}
