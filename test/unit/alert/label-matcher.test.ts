import { describe, expect, it } from "vitest";
import {
  LabelMatcherError,
  matchesAll,
  matchesAny,
  parseLabelMatchers,
} from "../../../src/alert/label-matcher.ts";
import type { Labels } from "../../../src/alert/alert.ts";

const read = (text: string) =>
  parseLabelMatchers(text).map(({ name, operator, value }) => [name, operator, value]);

describe("parseLabelMatchers", () => {
  it.each([
    ['severity="critical"', [["severity", "=", "critical"]]],
    ["severity=critical", [["severity", "=", "critical"]]],
    [' a != "b" ', [["a", "!=", "b"]]],
    ['a=~"x.*",b!~y', [["a", "=~", "x.*"], ["b", "!~", "y"]]], // prettier-ignore
    ['{a="b",c="d"}', [["a", "=", "b"], ["c", "=", "d"]]], // prettier-ignore
    ['{ a="b" , }', [["a", "=", "b"]]],
    ['a="b",', [["a", "=", "b"]]],
    ['a=""', [["a", "=", ""]]],
    ['a="x,y}"', [["a", "=", "x,y}"]]],
    [String.raw`a="say \"hi\"\n\\"`, [["a", "=", 'say "hi"\n\\']]],
    [String.raw`a=~"\d+\.x"`, [["a", "=~", String.raw`\d+\.x`]]],
    ['"my label"="v"', [["my label", "=", "v"]]],
    ["a:b_9=v-1.x/y", [["a:b_9", "=", "v-1.x/y"]]],
    ["π=1".replace("π", '"π"'), [["π", "=", "1"]]],
    ['a="日本😀"', [["a", "=", "日本😀"]]],
  ])("reads %s", (text, matchers) => {
    expect(read(text)).toEqual(matchers);
  });

  it.each([
    ["", 1, "expected a label name"],
    ["{}", 2, "expected a label name"],
    ['="b"', 1, "expected a label name"],
    ['9a="b"', 1, "expected a label name"],
    ['""="b"', 3, "expected a label name"],
    ["severity", 9, "expected one of =, !=, =~, !~"],
    ['severity ~ "b"', 10, "expected one of =, !=, =~, !~"],
    ["severity=", 10, "expected a value"],
    ["a=~", 4, "expected a value"],
    ['a="b', 3, 'the closing " is missing'],
    ['a="b" c="d"', 7, 'expected ","'],
    ['{a="b"', 7, 'expected "," or "}"'],
    ['{a="b"} x', 9, 'nothing may follow "}"'],
    ['a="b"}', 6, 'expected ","'],
    [",", 1, "expected a label name"],
    ['a="b",,c="d"', 7, "expected a label name"],
    ["a=b c", 5, 'expected ","'],
    ['a=~"x(y"', 4, "regular expression: this ( is not closed, at character 2"],
    ['a="b", c!~"*"', 11, "regular expression: there is nothing before this *, at character 1"],
  ])("refuses %j at column %d: %s", (text, column, message) => {
    const parse = () => parseLabelMatchers(text);
    expect(parse).toThrow(LabelMatcherError);
    expect(parse).toThrow(`column ${column}: ${message}`);
  });
});

describe("matchesAll", () => {
  const labels: Labels = { alertname: "KafkaLag", severity: "critical" };
  it.each([
    ['severity="critical"', true],
    ['severity="crit"', false],
    ['severity!="warning"', true],
    ['severity!="critical"', false],
    ['severity=~"crit.*"', true],
    ['severity=~"crit"', false],
    ['severity=~"warning|critical"', true],
    ['severity!~"crit"', true],
    ['severity!~"crit.*"', false],
    ['team=""', true],
    ['team!=""', false],
    ['team=~".*"', true],
    ['team=~".+"', false],
    ['team!~"a"', true],
    ['alertname="KafkaLag", severity="critical"', true],
    ['alertname="KafkaLag", severity="warning"', false],
    ['constructor=""', true],
    ['toString=~".+"', false],
  ])("says for %s: %s", (text, holds) => {
    expect(matchesAll(parseLabelMatchers(text), labels)).toBe(holds);
  });

  it("holds for every alert when there is no matcher", () => {
    expect(matchesAll([], labels)).toBe(true);
  });
});

describe("matchesAny", () => {
  const lists = ['a="1",b="2"', 'a="3"'].map(parseLabelMatchers);
  it.each([
    [{ a: "1", b: "2" }, true],
    [{ a: "1" }, false],
    [{ a: "3" }, true],
    [{}, false],
  ])("needs one list to hold as a whole: %j gives %s", (labels, holds) => {
    expect(matchesAny(lists, labels)).toBe(holds);
  });

  it("holds for none when there is no list", () => {
    expect(matchesAny([], { a: "1" })).toBe(false);
  });
});
