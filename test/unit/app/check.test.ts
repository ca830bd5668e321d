import path from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { checkAll } from "../../../src/app/check.ts";
import { createCheckCommand } from "../../../src/cli/check.ts";
import { renderFault } from "../../../src/config/config-fault.ts";
import { bare, json } from "../../support/load-record-files.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

/** Checks a configuration from a folder with these files; faults without the folder. */
async function check(files: Readonly<Record<string, string>>) {
  const folder = createTemporaryFolder(files);
  const file = path.join(folder, "alertlore.yaml");
  const { faults, summary } = await checkAll({ file, flags: {}, env: {} });
  return { lines: faults.map((fault) => renderFault(fault).replaceAll(`${folder}/`, "")), summary };
}

const RULES =
  "rules:\n  - name: all\n    match: {}\n    decision: investigate\n    reason: Nobody knows.\n";
const CONFIG =
  "records: {starter: false, sources: [{path: records}]}\nrules: {retry: retry.yaml}\n";

describe("checkAll", () => {
  it("finds no fault in a sound installation and says what it checked", async () => {
    const { lines, summary } = await check({
      "alertlore.yaml": CONFIG,
      "retry.yaml": RULES,
      "records/a.json": json([bare(1), bare(2)]),
    });
    expect(lines).toEqual([]);
    expect(summary).toMatch(/^configuration, 1 rule, 2 records.*: no faults$/);
  });

  it("names faults of configuration, rules and records at once, with file, line and path", async () => {
    const { lines, summary } = await check({
      "alertlore.yaml": `log: {level: loud}\n${CONFIG}`,
      "retry.yaml": RULES.replace("investigate", "perhaps"),
      "records/a.json": JSON.stringify([{ ...bare(1), tags: ["A"] }], undefined, 1),
      "records/b.txt": '{"record":\n{}}',
    });
    expect(lines).toEqual([
      "alertlore.yaml:1: log.level: must be one of: debug, info, warn, error",
      expect.stringMatching(/^retry\.yaml:4: rules\[0\]\.decision: /),
      expect.stringMatching(/^records\/a\.json:\d+: \[0\]\.tags: must be a list/),
      "records/b.txt:2: record.id: is required",
      "records/b.txt:2: record.repo: is required",
      "records/b.txt:2: record.slug: is required (and 27 more faults)",
    ]);
    expect(summary).toContain("6 faults");
  });

  it("names configured queries that are no LogQL for log lines, whatever the labels are", async () => {
    const queries = ['{pod="{{ .Labels.pod }}"', '{a="b"} |= {{ .Labels.x }}', 'rate({a="b"}[1m])'];
    const configured = queries.map((query) => ({ match: 'a="b"', query }));
    const { lines } = await check({
      "alertlore.yaml": `${CONFIG}select: ${JSON.stringify({ queries: { configured } })}`,
      "retry.yaml": RULES,
      "records/a.json": json([bare(1)]),
    });
    const fault = 'must be a LogQL query for log lines, e.g. {pod="{{ .Labels.pod }}"}';
    expect(lines).toEqual([
      `alertlore.yaml: select.queries.configured[0].query: ${fault}`,
      `alertlore.yaml: select.queries.configured[2].query: ${fault}`,
    ]);
  });

  const OVERLAPPING = [
    "rules:",
    "  - {name: disk, match: {family: disk-full}, decision: retry_after_fix, reason: Full.}",
    "  - {name: bad, match: {severity: critical}, decision: do_not_retry, reason: Bad.}",
    "",
  ].join("\n");

  it("names a retry rule that can never decide, with its line", async () => {
    const late =
      "  - {name: late, match: {family: disk-full}, decision: investigate, reason: Late.}\n";
    const { lines, summary } = await check({
      "alertlore.yaml": CONFIG,
      "retry.yaml": RULES + late,
      "records/a.json": "[]",
    });
    expect(lines).toEqual([
      "retry.yaml:6: rules[1]: can never decide: all, which comes before it, fits everything that it fits",
    ]);
    expect(summary).toBe("configuration, 2 rules, 0 records: 1 fault");
  });

  it("takes overlapping retry rules for no fault, and counts and notes them", async () => {
    const folder = createTemporaryFolder({
      "alertlore.yaml": CONFIG,
      "retry.yaml": OVERLAPPING,
      "records/a.json": "[]",
    });
    const file = path.join(folder, "alertlore.yaml");
    const { faults, notes, summary } = await checkAll({ file, flags: {}, env: {} });
    expect(faults).toEqual([]);
    expect(notes.map(({ line, path: at }) => [line, at])).toEqual([[3, "rules[1]"]]);
    expect(summary).toBe("configuration, 2 rules (1 overlapping pair), 0 records: no faults");
  });

  it("goes no further with a section that is faulty itself", async () => {
    const { lines, summary } = await check({
      "alertlore.yaml": "records: {sources: 3}\nrules: {retry: [x]}\n",
    });
    expect(lines).toHaveLength(2);
    expect(summary).toBe("configuration, rules not checked, records not checked: 2 faults");
  });

  it.each([
    ["retry.yaml", "rules: [\n", /^retry\.yaml:2: is indented wrongly/],
    ["records/a.json", "[1]", /^records\/a\.json:1: \[0\]: must be an object$/],
    ["records/a\u001b[31m.json", "{", /^records\/a\\u001b\[31m\.json:1: is no JSON$/],
  ])("names a fault of %j on one line without control characters", async (name, content, line) => {
    const files = { "alertlore.yaml": CONFIG, "retry.yaml": RULES, "records/ok.json": "[]" };
    const { lines } = await check({ ...files, [name]: content });
    expect(lines).toEqual([expect.stringMatching(line)]);
  });
});

describe("alertlore check", () => {
  afterEach(() => {
    process.exitCode = undefined;
  });

  async function run(files: Readonly<Record<string, string>>, ...flags: readonly string[]) {
    const folder = createTemporaryFolder(files);
    const printed = vi.spyOn(console, "log").mockReturnValue();
    const complained = vi.spyOn(console, "error").mockReturnValue();
    const flag = `--config.file=${path.join(folder, "alertlore.yaml")}`;
    await createCheckCommand().parseAsync([flag, ...flags], { from: "user" });
    const texts = (calls: readonly unknown[][]) => calls.map(([text]) => String(text));
    return {
      printed: texts(printed.mock.calls),
      complained: texts(complained.mock.calls),
      status: process.exitCode,
    };
  }

  it("prints one line and exits 0 when all is well", async () => {
    const files = { "alertlore.yaml": CONFIG, "retry.yaml": RULES, "records/a.json": "[]" };
    const { printed, complained, status } = await run(files);
    expect(printed).toEqual(["configuration, 1 rule, 0 records: no faults"]);
    expect(complained).toEqual([]);
    expect(status).toBeUndefined();
  });

  it("lists overlapping retry rules when asked, and still exits 0", async () => {
    const second = RULES.replace("rules:\n", "").replace("name: all", "name: second");
    const files = {
      "alertlore.yaml": CONFIG,
      "retry.yaml":
        RULES.replace("{}", "{family: timeout}") +
        second.replace("{}", "{severity: info}").replace("investigate", "do_not_retry"),
      "records/a.json": "[]",
    };
    const { printed, status } = await run(files, "--overlaps");
    expect(printed).toEqual([
      expect.stringMatching(/retry\.yaml:6: rules\[1\]: shares matches with all, which decides/),
      "configuration, 2 rules (1 overlapping pair), 0 records: no faults",
    ]);
    expect(status).toBeUndefined();
  });

  it("prints each fault on standard error and exits 1", async () => {
    const { complained, status } = await run({
      "alertlore.yaml": "log: 1\nrecords: {starter: false}\n",
    });
    expect(complained).toEqual([
      expect.stringContaining("alertlore.yaml:1: log: must be a mapping"),
    ]);
    expect(status).toBe(1);
  });
});
