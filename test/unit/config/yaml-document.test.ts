import { describe, expect, it } from "vitest";
import { readYamlDocument } from "../../../src/config/yaml-document.ts";

const read = (source: string) => readYamlDocument("f.yaml", source);

describe("readYamlDocument", () => {
  it("gives plain values and leaves out keys without one", () => {
    const { tree, faults } = read("a: 1\nb: [x, 2.5, true, null]\nc:\nd: {e: 'on', f: off}\n");
    expect(faults).toEqual([]);
    expect(tree).toEqual({ a: 1, b: ["x", 2.5, true, null], d: { e: "on", f: "off" } });
  });

  it.each([
    ["a", 1],
    ["a.b", 2],
    ["a.list", 3],
    ["a.list[0]", 4],
    ["a.list[1]", 5],
    ["a.list[1].c", 6],
    ["a.list[1].missing", 5],
    ["a.list[7].deep[0].x", 3],
    ["nowhere.else", undefined],
    ['a."odd.key"', 7],
    ["", undefined],
  ])("finds the line of %j, or of the nearest part of it", (path, line) => {
    const source = "a:\n  b: 1\n  list:\n    - x\n    - b: 2\n      c: 3\n  odd.key: 1\n";
    expect(read(source).lineOf(path)).toBe(line);
  });

  it("puts the value of an anchor in the place of its alias", () => {
    expect(read("a: &x {b: 1}\nc: *x\n").tree).toEqual({ a: { b: 1 }, c: { b: 1 } });
  });

  it("maps every text value and no key, with the path of what is reported", () => {
    const { tree, faults } = readYamlDocument(
      "f.yaml",
      "k: v\nn: 1\nl:\n  - w\n",
      (text, report) => {
        if (text === "w") report("is odd");
        return `<${text}>`;
      },
    );
    expect(tree).toEqual({ k: "<v>", n: 1, l: ["<w>"] });
    expect(faults).toEqual([{ file: "f.yaml", line: 4, path: "l[0]", message: "is odd" }]);
  });

  it.each([
    ["a: 1\nb: 'open\n", "a character is missing"],
    ["a: 1\na: 2\n", "the key stands here a second time"],
    ["a: 1\n---\nb: 2\n", "holds more than one YAML document"],
    ["a:\n\tb: 1\n", "is indented with a tab"],
    ["a: !unknown x\n", "has a tag that is not known"],
    ["a: *nowhere\n", "is an alias of an anchor that is not there"],
    ["a: b: c\n", "begins a mapping within a line"],
    ["? [x]\n: 1\n", "has a key that is no text"],
    ["__proto__: 1\n", "is no known key"],
    ["a: &x [*x]\n", "nested too deep"],
  ])("reports %j", (source, message) => {
    const { faults } = read(source);
    expect(faults.map((fault) => fault.message).join("; ")).toContain(message);
  });

  it.each([60, 10_000])("reports %d brackets within one another", (depth) => {
    const { tree, faults } = read(`${"[".repeat(depth)}${"]".repeat(depth)}`);
    expect(tree).toBeUndefined();
    expect(faults).toHaveLength(1);
  });

  it("reports a broken file with a few faults, not with hundreds", () => {
    expect(read("[".repeat(500)).faults.length).toBeLessThan(10);
  });

  it("stops at aliases that stand for a billion values", () => {
    const levels = Array.from(
      { length: 9 },
      (_, n) => `l${n + 1}: &l${n + 1} [${`*l${n},`.repeat(10)}]`,
    );
    const { tree, faults } = read(["l0: &l0 [x]", ...levels].join("\n"));
    expect(tree).toBeUndefined();
    expect(faults).toHaveLength(1);
  });

  it("repeats nothing of the source in a fault", () => {
    const { faults } = read("password: 'hunter2\nnext: hunter2: hunter2\n");
    expect(faults).not.toEqual([]);
    expect(JSON.stringify(faults)).not.toContain("hunter2");
  });
});
