import { describe, expect, it } from "vitest";
import { showMessage } from "../../../support/show-template.ts";

type Row = readonly [message: string, shown: string];

const java: readonly Row[] = [
  ["connect to {} after {} ms", "connect to ‹any› after ‹any› ms"],
  ["{0} of {1,number,#} at {2,date,yyyy-MM-dd}", "‹any› of ‹number› at ‹any›"],
  ["{0,choice,0#no files|1#one file|1<{0} files}", "‹any›"],
  ["{count, plural, one {# file} other {# files}}", "‹any›"],
  ["add {topicPartition} in {state.name}", "add ‹any› in ‹any›"],
  ["{new} and {in} and {this}", "‹any› and ‹any› and ‹any›"],
  ["{e.getMessage()} of {a[0]} or {x + 1}", "‹any› of ‹any› or ‹any›"],
  ["is{} not {}{i}", "is‹any› not ‹any›‹any›"],
  ["%s %d %,d %5.2f %-10s", "‹any› ‹integer› ‹number› ‹number› ‹any›"],
  ["%1$s then %2$05d then %<s", "‹any› then ‹integer› then ‹any›"],
  ["%b %c %x %X %h %e %o", "‹bool› ‹char› ‹hex› ‹hex› ‹hex› ‹number› ‹integer›"],
  ["line%nnext %s%n", "line\nnext ‹any›\n"],
  ["on %tF at %1$tT", "on ‹any› at ‹any›"],
  ["%d%% full", "‹integer›% full"],
  ["90%% full", "90% full"],
  ["90%% of {}", "90%% of ‹any›"],
  ["100% of {}", "100% of ‹any›"],
  ["Can''t find {0} in '{1}'", "Can't find ‹any› in {1}"],
  ["Can't find {0} in '{1}'", "Can't find ‹any› in '‹any›'"],
  ["It''s {0}, isn't it", "It's ‹any›, isn't it"],
  ["arg '{topicArg}''", "arg '‹any›''"],
  ["resolve ${db.url} for {}", "resolve ‹any› for ‹any›"],
  ["missing terminating '}': {parser}", "missing terminating '}': ‹any›"],
  ["$name and $1", "$name and $1"],
  ["--entity-{type,name,default}", "--entity-{type,name,default}"],
  ['{"a": 1} {key: value} {two words} {', '{"a": 1} {key: value} {two words} {'],
  ["[A-Z]{3} only", "[A-Z]{3} only"],
  ["keeps \\{} for {}", "keeps {} for ‹any›"],
  ['no " + name + " in " + place', "no ‹any› in ‹any›"],
  ['"no " + list.get(0) + "!"', "no ‹any›!"],
  ['name + " not found"', "‹any› not found"],
  ['first " +\n      "second', "first second"],
  ['expected "+" or "-", got \'{c}\'', 'expected "+" or "-", got \'‹any›\''],
  ["' +\n                '", "' +\n                '"],
  ["{A} should be {A} + {A}", "‹any› should be ‹any› + ‹any›"],
];

const kotlin: readonly Row[] = [
  ["no $value in ${x.y}", "no ‹any› in ‹any›"],
  ["${list.map { it.name }} of $n.", "‹any› of ‹any›."],
  ['${map["}"]} is $a$b', "‹any› is ‹any›‹any›"],
  ["costs $5 or $", "costs $5 or $"],
  ["{} and {name} and %d", "‹any› and ‹any› and ‹integer›"],
];

const scala: readonly Row[] = [
  ["ISR ${state.isr} of $minIsr for $tp", "ISR ‹any› of ‹any› for ‹any›"],
  ["$x%.2f of ${total}%d, $$5", "‹any› of ‹any›, $5"],
  ["message of %s, offset = %d.", "message of ‹any›, offset = ‹integer›."],
];

const groovy: readonly Row[] = [["no $user.name in $place.", "no ‹any› in ‹any›."]];

describe("parseTemplate of Java, Kotlin, Scala and Groovy", () => {
  it.each(java)("reads Java %j as %j", (message, shown) => {
    expect(showMessage(message, "java")).toBe(shown);
  });

  it.each(kotlin)("reads Kotlin %j as %j", (message, shown) => {
    expect(showMessage(message, "kt")).toBe(shown);
  });

  it.each(scala)("reads Scala %j as %j", (message, shown) => {
    expect(showMessage(message, "scala")).toBe(shown);
  });

  it.each(groovy)("reads Groovy %j as %j", (message, shown) => {
    expect(showMessage(message, "groovy")).toBe(shown);
  });
});
