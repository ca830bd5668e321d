import type { Catalogue } from "./compile-catalogue.ts";
import { type OnCandidate, kernelOf } from "./kernel/scan-kernel.ts";

/**
 * Reports every place where the rare fragment of a catalogue literal stands, letter case aside, in
 * rising order but for a few characters, and where the rest of its template can be printed around it.
 * May claim too much, never too little: `verifyTemplate` confirms. `found` must not scan itself.
 */
export function scanText(catalogue: Catalogue, text: string, found: OnCandidate): void {
  kernelOf(catalogue).scan(text, found);
}
