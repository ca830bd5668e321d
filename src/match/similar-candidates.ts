import type { Catalogue } from "./compile-catalogue.ts";
import { kernelOf } from "./kernel/scan-kernel.ts";

/** Templates that are looked at closely for one text. */
const CANDIDATES_MAX = 32;

/** Shapes that share enough pairs of rare words with a text, those with most first, at most 32. */
export function similarCandidates(catalogue: Catalogue, text: string): readonly number[] {
  return kernelOf(catalogue)
    .similar(text)
    .toSorted(([a, mostA], [b, mostB]) => mostB - mostA || a - b)
    .slice(0, CANDIDATES_MAX)
    .map(([shape]) => shape);
}
