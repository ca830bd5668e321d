import { expect, it } from "vitest";
import { createTextMap, textMapOf } from "../../../src/alert/text-map.ts";

it.each(["constructor", "toString", "hasOwnProperty", "__proto__"])(
  "an empty map of texts has no %s",
  (name) => {
    expect(createTextMap()[name]).toBeUndefined();
  },
);

it.each(["constructor", "toString", "hasOwnProperty", "__proto__"])(
  "a text named %s is kept, and is no other map's",
  (name) => {
    const map = textMapOf([[name, "x"]]);
    expect(Object.entries(map)).toEqual([[name, "x"]]);
    expect(JSON.stringify(map)).toBe(`{"${name}":"x"}`);
    expect(createTextMap()[name]).toBeUndefined();
  },
);
