import { describe, expect, it } from "vitest";
import { showMessage } from "../../../support/show-template.ts";

const rows: readonly (readonly [message: string, shown: string])[] = [
  ["{0} is not {1}", "‹any› is not ‹any›"],
  ["{0:N2} of {1:F3} or {2:e5} or {3:G4}", "‹number› of ‹number› or ‹number› or ‹number›"],
  ["{0:D5} {0:X} {0:X8} {0:x2}", "‹integer› ‹hex› ‹hex› ‹hex›"],
  ["{id:N} {day:D} {x:P1} {y:0.00}", "‹any› ‹any› ‹any› ‹any›"],
  ["{when:yyyy-MM-dd HH:mm:ss}", "‹any›"],
  ["[{0,-10}] [{0,10:N2}] [{0, 5}]", "[‹any›] [‹number›] [‹any›]"],
  ["type {type.Name} of {Get(x)}", "type ‹any› of ‹any›"],
  ['{items?.Count ?? 0} and {d["k"]}', "‹any› and ‹any›"],
  ["{(ok ? 1 : 2)} and {x!.Name}", "‹any› and ‹any›"],
  ['{string.Join(", ", names)}', "‹any›"],
  ["{nameof(Options)} must be set", "‹any› must be set"],
  ["{new Uri(path)}", "‹any›"],
  ["{list[^1]} {a.B<C>()}", "‹any› ‹any›"],
  ["order {@Order} by {$User}", "order ‹any› by ‹any›"],
  ["{{0}} needs {name}", "{0} needs ‹any›"],
  ["{{{name}}}", "{‹any›}"],
  ["lone { and {{x}}", "lone { and {{x}}"],
  ["{} is empty", "‹any› is empty"],
  ["{first name} and {a, b}", "{first name} and {a, b}"],
  ['{"key": 1}', '{"key": 1}'],
  ["{ spaced }", "{ spaced }"],
  ["{key: value}", "{key: value}"],
  ["100% of %s", "100% of %s"],
  ['no " + name + " in " + place', "no ‹any› in ‹any›"],
  ['"no " + name + "."', "no ‹any›."],
  ["{a}{b}", "‹any›‹any›"],
  ["unclosed {name", "unclosed {name"],
  ["unclosed {name:", "unclosed {name:"],
];

describe("parseTemplate of C#", () => {
  it.each(rows)("reads %j as %j", (message, shown) => {
    expect(showMessage(message, "cs")).toBe(shown);
  });
});
