import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parseTemplate } from "../../../src/match/parse-template.ts";
import type { Template } from "../../../src/record/template.ts";
import { requireShared } from "../../support/shared.ts";

interface MessageRecord {
  readonly errorMessage: string;
  readonly messagePattern: string;
  readonly filePath: string;
}

interface Figures {
  records: number;
  plain: number;
  wordless: number;
}

function readRecords(folder: string): readonly MessageRecord[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".json"))
    .sort()
    .flatMap(
      (file) => JSON.parse(readFileSync(path.join(folder, file), "utf8")) as MessageRecord[],
    );
}

function literalWords(template: Template): number {
  const literals = template.parts.filter((part) => part.type === "literal");
  return literals.flatMap((part) => part.text.match(/\p{L}{2,}/gu) ?? []).length;
}

function countByExtension(records: readonly MessageRecord[]): ReadonlyMap<string, Figures> {
  const figures = new Map<string, Figures>();
  for (const record of records) {
    const template = parseTemplate(record);
    const extension = path.extname(record.filePath);
    const row = figures.get(extension) ?? { records: 0, plain: 0, wordless: 0 };
    row.records += 1;
    if (template.parts.every((part) => part.type === "literal")) row.plain += 1;
    if (literalWords(template) === 0) row.wordless += 1;
    figures.set(extension, row);
  }
  return figures;
}

describe("the templates of the dataset", () => {
  it("have words in all but a few records of every language", (context) => {
    const records = readRecords(requireShared(context, "dataset/repos"));
    const figures = countByExtension(records);
    const lines = [...figures].map(
      ([extension, { records: all, plain, wordless }]) =>
        `${extension}: ${all} records, ${plain} without placeholder, ${wordless} without a literal word`,
    );
    process.stdout.write(`${lines.join("\n")}\n`);
    const wordless = [...figures.values()].reduce((sum, row) => sum + row.wordless, 0);
    expect(records.length).toBeGreaterThan(25_000);
    expect(wordless / records.length).toBeLessThan(0.01);
  });

  it("keep no conversion and no field of their language as text", (context) => {
    const records = readRecords(requireShared(context, "dataset/repos"));
    const unread: Readonly<Record<string, RegExp>> = {
      ".go": /%[-+# 0]*\d*(?:\.\d+)?[vTtbcdoqxXUeEfFgGspw]/,
      ".c": /%[-+#0]*\d*(?:\.\d+)?(?:hh|h|ll|l|z)?[diouxXeEfgGcsp]/,
      ".rs": /\{\w*(?::[^{}]*)?\}/,
      ".java": /\{\w*\}/,
      ".ts": /\$\{\w/,
      ".py": /%[srd]|(?<!\{)\{[\w.]*\}(?!\})/,
    };
    const left = records.filter((record) => {
      const pattern = unread[path.extname(record.filePath)];
      const isLeft = parseTemplate(record).parts.some(
        (part) => part.type === "literal" && pattern?.test(part.text),
      );
      // Doubled braces print single ones.
      return isLeft && !record.errorMessage.includes("{{");
    });
    expect(left.map((record) => record.errorMessage)).toEqual([]);
  });
});
