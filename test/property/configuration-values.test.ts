import fc from "fast-check";
import { expect, test } from "vitest";
import { parseByteSize, renderByteSize } from "../../src/config/byte-size.ts";
import { parseDuration, renderDuration } from "../../src/config/duration.ts";
import { expandEnvironment } from "../../src/config/expand-environment.ts";
import { nearestName } from "../../src/config/nearest-name.ts";

test("a rendered duration is read back", () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (ms) => {
      expect(parseDuration(renderDuration(ms))).toBe(ms);
    }),
  );
});

test("a rendered size is read back", () => {
  const sizes = fc.oneof(
    fc.maxSafeNat(),
    fc.tuple(fc.nat(4000), fc.constantFrom(2 ** 10, 2 ** 20, 2 ** 30)).map(([n, unit]) => n * unit),
  );
  fc.assert(
    fc.property(sizes, (bytes) => {
      expect(parseByteSize(renderByteSize(bytes))).toBe(bytes);
    }),
  );
});

test("any text whose dollars are doubled expands to itself", () => {
  const texts = fc.string({ unit: fc.constantFrom("$", "{", "}", "A", " ", "é") });
  fc.assert(
    fc.property(texts, (text) => {
      const report = (message: string) => {
        throw new Error(message);
      };
      expect(expandEnvironment(text.replaceAll("$", "$$$$"), {}, report)).toBe(text);
    }),
  );
});

test("a name with one letter changed is taken for the one it was", () => {
  const names = ["listen_address", "external_url", "max_body_size", "destinations"];
  fc.assert(
    fc.property(
      fc.constantFrom(...names),
      fc.nat(),
      fc.constantFrom("x", ""),
      (name, at, letter) => {
        const place = at % name.length;
        const misspelt = name.slice(0, place) + letter + name.slice(place + 1);
        expect(nearestName(misspelt, names)).toBe(name);
      },
    ),
  );
});
