import fc from "fast-check";
import { expect, test } from "vitest";
import type { Labels } from "../../src/alert/alert.ts";
import { fingerprintOf } from "../../src/alert/fingerprint.ts";

/** The definition, with one BigInt step a byte. */
function referenceFingerprint(labels: Labels): string {
  const utf8 = (text: string) => Buffer.from(text, "utf8");
  const names = Object.keys(labels).sort((left, right) => Buffer.compare(utf8(left), utf8(right)));
  const bytes = names.flatMap((name) => [...utf8(name), 0xff, ...utf8(labels[name] ?? ""), 0xff]);
  const hash = bytes.reduce(
    (sum, byte) => BigInt.asUintN(64, (sum ^ BigInt(byte)) * 1_099_511_628_211n),
    14_695_981_039_346_656_037n,
  );
  return hash.toString(16).padStart(16, "0");
}

const anyName = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.string({ unit: fc.constantFrom("a", "é", "\uffff", "\ue000", "😀"), maxLength: 6 }),
);
/** A value may also hold half a surrogate pair, which JSON can spell. */
const anyValue = fc.oneof(
  anyName,
  fc.string({ unit: fc.constantFrom("a", "\ud800", "\udc00"), maxLength: 4 }),
);

test("the fingerprint is FNV-1a, 64 bit, over the sorted labels, whatever they hold", () => {
  fc.assert(
    fc.property(fc.dictionary(anyName, anyValue, { maxKeys: 8 }), (labels) => {
      expect(fingerprintOf(labels)).toBe(referenceFingerprint(labels));
    }),
    { numRuns: 500 },
  );
});

test("the fingerprint does not depend on the order of the labels", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.string(), { maxKeys: 8 }), (labels) => {
      const reversed = Object.fromEntries(Object.entries(labels).reverse());
      expect(fingerprintOf(reversed)).toBe(fingerprintOf(labels));
    }),
  );
});
