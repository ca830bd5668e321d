import { describe, expect, it } from "vitest";
import { showMessage } from "../../../support/show-template.ts";

const rows: readonly (readonly [message: string, shown: string])[] = [
  ["connection to {} lost", "connection to ‹any› lost"],
  ["{0} of {1} replicas", "‹any› of ‹any› replicas"],
  ["table {table_name} is gone", "table ‹any› is gone"],
  ["state is {state:?}", "state is ‹debug›"],
  ["state is {:?}, was {:?}", "state is ‹debug›, was ‹debug›"],
  ["plan:\n{plan:#?}", "plan:\n‹pretty›"],
  ["{:#?}", "‹pretty›"],
  ["key {:x?} and {:X?}", "key ‹debug› and ‹debug›"],
  ["magic {:08x} or {:#x}", "magic ‹hex› or ‹hex›"],
  ["magic {0:02X}", "magic ‹hex›"],
  ["mode {:o} flags {:b}", "mode ‹integer› flags ‹integer›"],
  ["flags {:#b}", "flags ‹any›"],
  ["scale {:e}", "scale ‹number›"],
  ["at {:p}", "at ‹pointer›"],
  ["[{:>8.2}] [{:^10}] [{:*<5}]", "[‹any›] [‹any›] [‹any›]"],
  ["{:+} {:05} {:.3}", "‹any› ‹any› ‹any›"],
  ["{:width$} {:.prec$} {:1$} {:.*}", "‹any› ‹any› ‹any› ‹any›"],
  ["{value:>width$.precision$?}", "‹debug›"],
  ["{e:}", "‹any›"],
  ["{ spaced } is fine", "‹any› is fine"],
  ["{.0} then {.name:?}", "‹any› then ‹debug›"],
  ["{self.code} in {0.inner.path}", "‹any› in ‹any›"],
  ["{err.code()} and {map[0]}", "‹any› and ‹any›"],
  ["{Self::NAME} is reserved", "‹any› is reserved"],
  ["{x::>5}", "‹any›"],
  ["write {{{name}}} here", "write {‹any›} here"],
  ["use {{}} for {what}", "use {} for ‹any›"],
  ["no closing }} after {tag}", "no closing } after ‹any›"],
  ['want {{"a": 1}}, got {}', 'want {"a": 1}, got ‹any›'],
  ["{{{{ twice }}}}", "{{ twice }}"],
  ["expected {, got {x}", "expected {, got ‹any›"],
  ["expected {, got x}", "expected {, got x}"],
  ["no format {: here }} it is", "no format {: here }} it is"],
  ['{"a": {"b": 1}}', '{"a": {"b": 1}}'],
  ["{a b} and {a,b} and {a:q}", "{a b} and {a,b} and {a:q}"],
  ["unclosed {name", "unclosed {name"],
  ["unclosed {name:?", "unclosed {name:?"],
  ["{}{}", "‹any›‹any›"],
  ["{a}{b:?}{c:#?}", "‹any›‹debug›‹pretty›"],
  ["100% of %s, $HOME", "100% of %s, $HOME"],
  ["value {name!r}", "value ‹debug›"],
  ["größe {größe}", "größe ‹any›"],
  ["{r#type} is raw", "{r#type} is raw"],
  ["", ""],
];

describe("parseTemplate of Rust", () => {
  it.each(rows)("reads %j as %j", (message, shown) => {
    expect(showMessage(message, "rs")).toBe(shown);
  });
});
