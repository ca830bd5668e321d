import { describe, expect, it } from "vitest";
import { showMessage } from "../../../support/show-template.ts";

const rows: readonly (readonly [message: string, shown: string])[] = [
  ["no module ${name}", "no module ‹any›"],
  ["${a}${b.c}", "‹any›‹any›"],
  ["bad ${fn({ a: 1 })} here", "bad ‹any› here"],
  ["bad ${fn({a: {b: 1}})}!", "bad ‹any›!"],
  ["${x ? '}' : \"{\"} end", "‹any› end"],
  ["${list.map((x) => `<${x}>`).join(', ')}.", "‹any›."],
  ["${a ?? 'none'} and ${a?.b}", "‹any› and ‹any›"],
  ["${/* don't */ name} here", "‹any› here"],
  ["${names\n  .map((n) => n)\n  .join(', ')} gone", "‹any› gone"],
  ["cut off in ${names.map((n) => '", "cut off in ‹any›"],
  ["${ spaced } ${(x)} ${!x} ${[1]}", "‹any› ‹any› ‹any› ‹any›"],
  ["a lone ${} and $5 and ${", "a lone ${} and $5 and ${"],
  ["%s is %d or %i or %f", "‹any› is ‹number› or ‹integer› or ‹number›"],
  ["%o %O %j %c", "‹any› ‹any› ‹any› ‹any›"],
  ["%d%% of %s", "‹number›% of ‹any›"],
  ["must equal 100%", "must equal 100%"],
  ["must equal 100%% now", "must equal 100%% now"],
  ["100% done", "100% done"],
  ["cannot find '{0}' in {1}.", "cannot find '‹any›' in ‹any›."],
  ["{name} and {user.id}", "‹any› and ‹any›"],
  ["got {} or {a: 1} or { b }", "got {} or {a: 1} or { b }"],
  ["[a-z]{3}", "[a-z]{3}"],
  ["expected ' + name + ' here", "expected ‹any› here"],
  ["expected \" + name + ' here", "expected ‹any› here"],
  ["'expected ' + JSON.stringify(x) + '!'", "expected ‹any›!"],
  ["name + ' not found'", "‹any› not found"],
  ["value: ' + value", "value: ‹any›"],
  ["first ' +\n    'second", "first second"],
  ["it's + and can't", "it's + and can't"],
  ["the `details` property", "the `details` property"],
  ["unexpected '+' or '-'", "unexpected '+' or '-'"],
];

describe("parseTemplate of JavaScript and TypeScript", () => {
  it.each(rows)("reads %j as %j", (message, shown) => {
    expect(showMessage(message, "js")).toBe(shown);
  });

  it.each(["mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "vue", "svelte", "TS"])(
    "reads files ending in .%s",
    (extension) => {
      expect(showMessage("no ${name}", extension)).toBe("no ‹any›");
    },
  );
});
