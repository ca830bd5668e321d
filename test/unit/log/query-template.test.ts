import { describe, expect, it } from "vitest";
import { parseQueryTemplate } from "../../../src/log/query-template.ts";
import { HOSTILE_VALUES } from "../../support/hostile-values.ts";
import { readQuery } from "../../support/read-selector.ts";

describe("query templates", () => {
  it.each<[source: string, query: string | undefined]>([
    ['{pod="{{ .Labels.pod }}"}', '{pod="a-0"}'],
    ["{pod={{.Labels.pod}}}", '{pod="a-0"}'],
    ['{pod="x-{{ .Labels.pod }}-y"}', '{pod="x-a-0-y"}'],
    ['{pod=~"{{ .Labels.dotted }}.*"}', '{pod=~"a\\\\.b.*"}'],
    ["{pod=~{{ .Labels.dotted }}}", '{pod=~"a\\\\.b"}'],
    ['{pod="{{ .Labels.dotted }}"}', '{pod="a.b"}'],
    ['{a="b"} |~ "x" or "{{ .Labels.dotted }}"', '{a="b"} |~ "x" or "a\\\\.b"'],
    ['{a="b"} |= "x" |~ "{{ .Labels.dotted }}"', '{a="b"} |= "x" |~ "a\\\\.b"'],
    ['{app="x"} |= `raw`', '{app="x"} |= `raw`'],
    ['{pod="{{ .Labels.missing }}"}', undefined],
    ['{pod="{{ .Labels.empty }}"}', undefined],
    ['{pod="{{ .Labels.long }}"}', undefined],
    ['{pod="{{ .Labels.toString }}"}', undefined],
  ])("%s → %s", (source, query) => {
    const labels = { pod: "a-0", dotted: "a.b", empty: "", long: "x".repeat(2049) };
    expect(parseQueryTemplate(source).fill(labels)).toBe(query);
  });

  it.each([
    ["{pod=`{{ .Labels.pod }}`}", "a placeholder cannot stand within backticks; use double quotes"],
    ['{pod="{{ .Labels.pod }}', 'the closing " is missing'],
    ["{pod={{ .Values.pod }}}", 'expected a placeholder such as {{ .Labels.pod }} at "{{"'],
  ])("refuses %s: %s", (source, fault) => {
    expect(() => parseQueryTemplate(source)).toThrow(fault);
  });

  it.each(HOSTILE_VALUES.map((value) => [value]))("keeps its structure with %j", (value) => {
    const template = parseQueryTemplate(
      '{pod="{{ .Labels.v }}", a=~"{{ .Labels.v }}|x"} |= {{ .Labels.v }}',
    );
    const query = template.fill({ v: value });
    if (value.length > 2048) {
      expect(query).toBeUndefined();
      return;
    }
    const read = readQuery(query ?? "");
    const plain = readQuery(template.fill({ v: "plain" }) ?? "");
    expect(read.structure).toEqual(plain.structure);
    const wellFormed = value.replace(/\p{Surrogate}/gu, "\ufffd");
    expect(read.matchers[0]?.value).toBe(wellFormed);
    expect(read.filters[0]?.value).toBe(wellFormed);
  });
});
