import { describe, expect, it } from "vitest";
import { showMessage } from "../../../support/show-template.ts";

type Row = readonly [message: string, shown: string];

const percent: readonly Row[] = [
  ["no column %s in %r", "no column ‹any› in ‹debug›"],
  ["%d %i %u %o %x", "‹integer› ‹integer› ‹integer› ‹integer› ‹hex›"],
  ["%5.1f%% of %g", "‹number›% of ‹number›"],
  ["%(type)s for %(value)r, %(n).2f", "‹any› for ‹debug›, ‹number›"],
  ["%(extra)sTextual %(argname)sshould", "‹any›Textual ‹any›should"],
  ["%-10s|%05d|%+d|%*d", "‹any›|‹integer›|‹integer›|‹integer›"],
  ["%a %c", "‹debug› ‹char›"],
  ["not within %s%% ", "not within ‹any›% "],
  ["cut in two at 50%% and", "cut in two at 50% and"],
  ["must be in '%H:%M:%S' format", "must be in '%H:%M:%S' format"],
  ["%Y-%m-%d, not %s", "%Y-%m-%d, not ‹any›"],
  ["{'a': %s, 'b': %d}", "{'a': ‹any›, 'b': ‹integer›}"],
  ["100% sure", "100% sure"],
  ["%s {not a field}", "‹any› {not a field}"],
];

const fields: readonly Row[] = [
  ["group {} is gone", "group ‹any› is gone"],
  ["{0} and {1}", "‹any› and ‹any›"],
  ["{name!r:>5} and {x!s} and {y!a}", "‹debug› and ‹any› and ‹debug›"],
  ["{!r} is no rule", "‹debug› is no rule"],
  ["{:>8} {:,} {:.2%} {:d} {:08x}", "‹any› ‹number› ‹any› ‹integer› ‹hex›"],
  ["{x:{width}.{precision}f}", "‹number›"],
  ["{when:%Y-%m-%d %H:%M}", "‹any›"],
  ["failed: {str(e)}", "failed: ‹any›"],
  ["{response.status_code} {response.json()}", "‹any› ‹any›"],
  ['{d["a"]["b"]} and {d[\'}\']}', "‹any› and ‹any›"],
  ["missing: {', '.join(missing)}", "missing: ‹any›"],
  ["{command + ' ' + ' '.join(options)}", "‹any›"],
  ["url{', id' if self.allows else ''}) ", "url‹any›) "],
  ["{size - reserved} of {x[1:3]}", "‹any› of ‹any›"],
  ["{[x for x in y if x]}", "‹any›"],
  ["{type(self).__name__!r}", "‹debug›"],
  ["{x=}", "‹any›"],
  ["{x == y} or {not x}", "‹any› or ‹any›"],
  ["{{{name}}} and {{x}}", "{‹any›} and {x}"],
  ["{{{{ <a> }}}} in {x}", "{{ <a> }} in ‹any›"],
  ["100% of {x}", "100% of ‹any›"],
  ["at {pct}%d", "at ‹any›%d"],
  ["{name} is %s", "‹any› is ‹any›"],
  ["costs ${price} for {name}", "costs $‹any› for ‹any›"],
];

const plain: readonly Row[] = [
  ["e.g. [{'key': 'a', 'value': 'b'}]", "e.g. [{'key': 'a', 'value': 'b'}]"],
  ["use `{ env.TOKEN }` here", "use `{ env.TOKEN }` here"],
  ["{{ jinja }} stays", "{{ jinja }} stays"],
  ["match [a-z]{3} and \\d{2}", "match [a-z]{3} and \\d{2}"],
  ["one of {a, b}", "one of {a, b}"],
  ["{first name}", "{first name}"],
  ["{key: value}", "{key: value}"],
  ["unclosed {name", "unclosed {name"],
  ["unclosed {d['a", "unclosed {d['a"],
  ["hello $name, $$5 for ${what}", "hello ‹any›, $5 for ‹any›"],
  ["$HOME is not set", "$HOME is not set"],
  ["cannot open ' + str(path) + ': denied", "cannot open ‹any›: denied"],
  ["'a ' + x + ' b'", "a ‹any› b"],
  ["it can't be + it won't", "it can't be + it won't"],
];

describe("parseTemplate of Python", () => {
  it.each([...percent, ...fields, ...plain])("reads %j as %j", (message, shown) => {
    expect(showMessage(message, "py")).toBe(shown);
  });
});
