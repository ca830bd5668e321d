import { describe, expect, it } from "vitest";
import { showMessage } from "../../../support/show-template.ts";

const rows: readonly (readonly [message: string, shown: string])[] = [
  ["{} of {0} or {name}", "‹any› of ‹any› or ‹any›"],
  ["{a.b:>8} {x:?} {x:d}", "‹any› ‹debug› ‹integer›"],
  ["${a} and ${f({b})}", "‹any› and ‹any›"],
  ["#{a} of #{b.c}", "‹any› of ‹any›"],
  ["%s %d %v %w %q %x %p %c", "‹any› ‹integer› ‹any› ‹any› ‹quoted› ‹hex› ‹pointer› ‹char›"],
  ["%ld %zu %5.1f %-8s %1$s", "‹integer› ‹integer› ‹number› ‹any› ‹any›"],
  ["%@ is %r", "‹any› is ‹debug›"],
  ["%(name)s, %(n)d, %(x)r", "‹any›, ‹integer›, ‹debug›"],
  ["%(name)z and %()s", "%(name)z and %()s"],
  ["%d%% full", "‹integer›% full"],
  ["100%% full", "100%% full"],
  ["50%discount", "50%discount"],
  ["100% sure", "100% sure"],
  ["open \\(path) here", "open ‹any› here"],
  ["open \\(user.name()) here", "open ‹any› here"],
  ["open \\(not one) here", "open \\(not one) here"],
  ["option <name> or <file-name>", "option ‹any› or ‹any›"],
  ["a < b > c, <not one>, </p>", "a < b > c, <not one>, </p>"],
  ["regex \\1 backref {x}", "regex \\1 backref ‹any›"],
  ["{two words} {a, b} { x } {", "{two words} {a, b} { x } {"],
  ["{key: value}", "{key: value}"],
  ["[a-z]{3}", "[a-z]{3}"],
  ["$name stays", "$name stays"],
  ["it's 'a' + 'b'", "it's 'a' + 'b'"],
  ["{a}{b}", "‹any›‹any›"],
  ["at %H:%M:%S", "at %H:%M:%S"],
  ["größe {größe}", "größe ‹any›"],
];

describe("parseTemplate of an unknown language", () => {
  it.each(rows)("reads %j as %j", (message, shown) => {
    expect(showMessage(message, "zig")).toBe(shown);
  });
});
