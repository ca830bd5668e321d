import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { bare, json } from "../support/load-record-files.ts";
import { repositoryRoot } from "../support/shared.ts";
import { SOURCE_PROGRAM } from "../support/source-program.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const run = promisify(execFile);

test("a record is shown with what it was taken before and what overlays changed, as text and as JSON", async () => {
  const { id } = bare(1);
  const overlays = [{ id: [id], name: "ours", runbook_url: "https://wiki.test/a" }];
  const folder = createTemporaryFolder({
    "dataset/repos/acme/engine.json": json([bare(1, { documentation: "weaker" })]),
    "own.json": json([bare(1)]),
    "overlay.yaml": json({ overlays }),
    "alertlore.yaml": json({
      records: {
        starter: false,
        sources: [{ path: "dataset" }, { path: "own.json" }],
        overlays: ["overlay.yaml"],
      },
    }),
  });
  const show = async (...flags: string[]) => {
    const config = `--config.file=${folder}/alertlore.yaml`;
    const args = [...SOURCE_PROGRAM.args, "records", "show", id, config, ...flags];
    return (await run(process.execPath, args, { cwd: repositoryRoot })).stdout;
  };
  const [text, parsed] = await Promise.all([show(), show("--format", "json")]);
  expect(text).toMatch(
    /^chosen {4}files and folders \(.*own\.json\[0\]\) over a published dataset \(acme\/engine\.json\[0\]\)$/mu,
  );
  expect(text).toMatch(/^overlays {2}ours \(runbook_url\)$/mu);
  expect(text).toMatch(/^runbook {3}https:\/\/wiki\.test\/a$/mu);
  expect(JSON.parse(parsed)).toMatchObject({
    overlays: ["ours (runbook_url)"],
    overrides: [expect.stringContaining("over a published dataset") as string],
    runbookUrl: "https://wiki.test/a",
  });
});
