import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { buildRecord } from "../support/build-record.ts";
import { publishDataset, startDatasetServer } from "../support/dataset-server.ts";
import { requireBinary } from "../support/require-binary.ts";
import { repositoryRoot } from "../support/shared.ts";
import { SOURCE_PROGRAM } from "../support/source-program.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const run = promisify(execFile);

async function startDataset() {
  const server = await startDatasetServer();
  onTestFinished(() => server.close());
  const records = Array.from({ length: 12 }, (_, index) =>
    buildRecord(index + 1, { repo: `acme/engine-${index}` }),
  );
  server.files = publishDataset(
    records.map(({ record }) => record),
    "2026-08-01T00:00:00.000Z",
  );
  const folder = createTemporaryFolder({
    "alertlore.yaml": JSON.stringify({
      records: { sources: [{ url: server.url }], cache: "cache" },
    }),
  });
  const config = `--config.file=${folder}/alertlore.yaml`;
  return { url: server.url, args: [...SOURCE_PROGRAM.args, "records", "sync", config] };
}

const options = { cwd: repositoryRoot };

test("progress is plain lines on standard error where no terminal is", async () => {
  const { url, args } = await startDataset();
  const { stdout, stderr } = await run(process.execPath, args, options);
  expect(stderr).toBe("10 of 12 files\n12 of 12 files\n");
  expect(stdout).toBe(`${url}: updated (dataset of 2026-08-01T00:00:00.000Z)\n`);
});

test("progress is a bar on a terminal, and the answer begins on a line of its own", async (context) => {
  const script = requireBinary(context, "script");
  const { url, args } = await startDataset();
  const command = [process.execPath, ...args].map((word) => `'${word}'`).join(" ");
  const { stdout } = await run(script, ["-qec", command, "/dev/null"], options);
  expect(stdout).toMatch(/\r\[#{3}\.{27}\] 1 of 12 files\r/u);
  expect(stdout).toContain("\r[##############################] 12 of 12 files\r\u001B[K");
  expect(stdout.split("\u001B[K")[1]).toMatch(/^\S+: updated \(dataset of [^\n]*\)\r\n$/u);
  expect(stdout).toContain(url);
  expect(stdout).not.toMatch(/files\r?\n/u);
});
