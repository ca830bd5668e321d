import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { buildRecord } from "../support/build-record.ts";
import { KNOWN_LINE } from "../support/create-kit.ts";
import { SOURCE_PROGRAM } from "../support/source-program.ts";

/** Runs the program from its sources with a record at `records.json`. */
async function run(args: readonly string[], input = "") {
  const folder = await mkdtemp(path.join(tmpdir(), "alertlore-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const records = path.join(folder, "records.json");
  await writeFile(records, JSON.stringify([buildRecord(1).record]));
  await writeFile(path.join(folder, "other.json"), '[{"id": "short"}]');
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [...SOURCE_PROGRAM.args, ...args],
    {
      cwd: folder,
      input,
      encoding: "utf8",
      env: { ...process.env, ...SOURCE_PROGRAM.env },
    },
  );
  return { stdout, stderr, status, lines: stdout.split("\n").filter((line) => line !== "") };
}

const RECORDS = ["match", "--records", "records.json"];
const caseLine = (id: string, ...excerpt: string[]) => JSON.stringify({ id, excerpt });

describe("alertlore match", () => {
  it("answers each case on a line of its own, best first", async () => {
    const input = `${caseLine("a", "starting", KNOWN_LINE)}\n\n${caseLine("b", "all is well")}\n`;
    const { lines, status } = await run([...RECORDS, "--cases", "-"], input);
    expect(status).toBe(0);
    const [first, second] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(first).toMatchObject({
      id: "a",
      matches: [{ id: "0000000000000001", captures: ["71", "s-4"], line: 1, kind: "exact" }],
    });
    const [match] = first?.["matches"] as object[];
    expect(Object.keys(match ?? {})).toEqual(
      "id repo errorMessage filePath score kind confidence role captures line alternatives evidence".split(
        " ",
      ),
    );
    expect(second).toMatchObject({
      id: "b",
      matches: [],
      recommendation: { decision: "investigate" },
    });
  });

  it("names a bad case, goes on, and ends with status 1", async () => {
    const input = ["{", '{"id":"b"}', caseLine("c", KNOWN_LINE)].join("\n");
    const { lines, status } = await run([...RECORDS, "--cases", "-"], input);
    expect(status).toBe(1);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { id: null, error: "the line is not JSON" },
      { id: "b", error: "excerpt is missing" },
      { id: "c", matches: [{ id: "0000000000000001" }] },
    ]);
  });

  it("reads one excerpt from standard input and answers in words", async () => {
    const { stdout, status } = await run(RECORDS, `${KNOWN_LINE} \u001b[31m\n`);
    expect(status).toBe(0);
    expect(stdout).toContain("acme/engine 0000000000000001");
    expect(stdout).toContain("capture 1 71");
    expect(stdout).not.toContain("\u001b");
  });

  it("answers one excerpt in JSON when asked to", async () => {
    const { stdout } = await run([...RECORDS, "--format", "json"], KNOWN_LINE);
    expect(JSON.parse(stdout)).toMatchObject({ matches: [{ confidence: "high" }] });
  });

  it("reports nothing below the threshold", async () => {
    const args = [...RECORDS, "--threshold", "1", "--cases", "-"];
    const { lines } = await run(args, caseLine("a", "cannot write checkpoint 1 of shard"));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ matches: [] }]);
  });

  it("names records that it skips, and works with the rest", async () => {
    const { stderr, lines, status } = await run(
      [...RECORDS, "--records", "other.json", "--cases", "-"],
      caseLine("a", KNOWN_LINE),
    );
    expect(stderr).toContain("other.json");
    expect(lines[0]).toContain("0000000000000001");
    expect(status).toBe(0);
  });

  it.each([
    [[...RECORDS, "--threshold", "2"], "It must be a number from 0 to 1."],
    [[...RECORDS, "--cases", "missing.jsonl"], "no such file"],
    [[...RECORDS, "missing.log"], "no such file"],
    [[...RECORDS, "--cases", "-", "a.log"], "give either --cases or a file"],
    [[...RECORDS, "--format", "xml"], "Allowed choices are text, json."],
  ])("ends %j with status 1 and a sentence", async (args, sentence) => {
    const { stderr, status } = await run(args);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/^\s+at /mu);
    expect(status).toBe(1);
  });
});
