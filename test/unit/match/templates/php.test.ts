import { describe, expect, it } from "vitest";
import { showMessage } from "../../../support/show-template.ts";

const rows: readonly (readonly [message: string, shown: string])[] = [
  ["undefined $name method", "undefined ‹any› method"],
  ["class {$class} not found", "class ‹any› not found"],
  ["{$user->name()['x']} and {$a[1]}", "‹any› and ‹any›"],
  ["${name} is gone", "‹any› is gone"],
  ["$user->name is $a[0]", "‹any› is ‹any›"],
  ["$x['key'], $x[key], $x[$i], $x[-1]", "‹any›, ‹any›, ‹any›, ‹any›"],
  ["$user?->name.", "‹any›."],
  ["$a$b", "‹any›‹any›"],
  ["$x[not one] and $x->", "‹any›[not one] and ‹any›->"],
  ["costs $5 or $", "costs $5 or $"],
  ["column '%s' at %1$d", "column '‹any›' at ‹integer›"],
  ["%2$s of %1$'05d", "‹any› of ‹integer›"],
  ["%'*10s|%-10s|%05.2f|%+d", "‹any›|‹any›|‹number›|‹integer›"],
  ["%u %c %o %x %X %b %e %g", "‹integer› ‹char› ‹integer› ‹hex› ‹hex› ‹integer› ‹number› ‹number›"],
  ["%d%% of %s", "‹integer›% of ‹any›"],
  ["$pct%% full", "‹any›%% full"],
  ["100% done, ends %", "100% done, ends %"],
  ["user {name} of {order.id}", "user ‹any› of ‹any›"],
  ["{two words} and {}", "{two words} and {}"],
  ["{{name}}", "{{name}}"],
  ["class ' . $class . ' not found", "class ‹any› not found"],
  ["class '.$class.' not found", "class ‹any› not found"],
  ['class " . get_class($x) . " gone', "class ‹any› gone"],
  ["'class ' . Foo::name($x) . '.'", "class ‹any›."],
  ["class ' . $class", "class ‹any›"],
  ["$class . ' not found'", "‹any› not found"],
  ["expected '.' or ','", "expected '.' or ','"],
  ["unclosed {$name", "unclosed ‹any›"],
];

describe("parseTemplate of PHP", () => {
  it.each(rows)("reads %j as %j", (message, shown) => {
    expect(showMessage(message, "php")).toBe(shown);
  });
});
