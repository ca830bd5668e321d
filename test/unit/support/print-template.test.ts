import { describe, expect, it } from "vitest";
import type { PlaceholderKind, Template } from "../../../src/record/template.ts";
import { printTemplate, randomValues } from "../../support/print-template.ts";
import { createRandom } from "../../support/seeded-random.ts";

const template: Template = {
  parts: [
    { type: "literal", text: "open " },
    { type: "placeholder", kind: "any", source: "%s", name: "" },
    { type: "placeholder", kind: "hex", source: "%#x", name: "" },
    { type: "literal", text: "!" },
  ],
};

const shapes: Readonly<Record<PlaceholderKind, RegExp>> = {
  integer: /^-?\d+$/,
  number: /^-?\d+(\.\d+)?(e[+-]\d+)?$/,
  hex: /^[0-9a-f]+$/,
  pointer: /^0x[0-9a-f]+$/,
  quoted: /^"(?:[^"\\]|\\.)*"$/,
  debug: /^[^\n]+$/,
  pretty: /^[^\n].*[^\n]$|^-?\d+$/s,
  char: /^.$/u,
  bool: /^(true|false)$/,
  any: /^[^\n]+$/,
};
const kinds = Object.keys(shapes) as PlaceholderKind[];

describe("printTemplate", () => {
  it("puts the values between the literals in order", () => {
    expect(printTemplate(template, ["/a", "0x1f"])).toBe("open /a0x1f!");
  });

  it("refuses another number of values", () => {
    expect(() => printTemplate(template, ["/a"])).toThrow("2 placeholders, but 1 values");
  });
});

describe("randomValues", () => {
  it("gives the same values for the same seed and others for another", () => {
    const values = (seed: number): readonly string[] => randomValues(template, createRandom(seed));
    expect(values(7)).toEqual(values(7));
    expect(values(7)).not.toEqual(values(8));
  });

  it.each(kinds)("gives values that a placeholder of kind %s can print", (kind) => {
    const random = createRandom(1);
    const one: Template = { parts: [{ type: "placeholder", kind, source: "", name: "" }] };
    for (let i = 0; i < 200; i += 1)
      for (const value of randomValues(one, random)) expect(value).toMatch(shapes[kind]);
  });

  it("writes 0x where the spelling asks for it", () => {
    expect(randomValues(template, createRandom(3))[1]).toMatch(/^0x[0-9a-f]+$/);
  });
});
