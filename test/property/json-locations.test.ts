import fc from "fast-check";
import { expect, test } from "vitest";
import { locateJson, locateKey } from "../../src/catalogue/locate-json.ts";

test("every text that JSON.parse takes is sound, and its members begin where they are said to", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.constantFrom(0, 2), (members, indent) => {
      const text = JSON.stringify(members, undefined, indent);
      const located = locateJson(text);
      expect(located.brokenAt).toBeUndefined();
      expect(located.members).toHaveLength(members.length);
      for (const [index, offset] of located.members.entries()) {
        const first = JSON.stringify(members[index])[0];
        expect(text[offset]).toBe(first);
      }
    }),
  );
});

test("a text is broken exactly when JSON.parse refuses it", () => {
  const broken = fc
    .tuple(fc.jsonValue(), fc.nat(), fc.constantFrom("", ",", "]", "}", '"', "\\", "x", "\n"))
    .map(([value, at, character]) => {
      const text = JSON.stringify(value);
      const place = at % (text.length + 1);
      return text.slice(0, place) + character + text.slice(place + 1);
    });
  fc.assert(
    fc.property(broken, (text) => {
      let isSound = true;
      try {
        JSON.parse(text);
      } catch {
        isSound = false;
      }
      expect(locateJson(text).brokenAt === undefined).toBe(isSound);
    }),
    { numRuns: 1000 },
  );
});

test("a key is found where it stands", () => {
  const objects = fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.jsonValue(), { minKeys: 1 });
  fc.assert(
    fc.property(objects, (object) => {
      const text = JSON.stringify(object);
      for (const key of Object.keys(object)) {
        expect(text.startsWith(`"${key}":`, locateKey(text, 0, key))).toBe(true);
      }
    }),
  );
});
