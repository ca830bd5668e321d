import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { repositoryRoot } from "../support/shared.ts";
import { SOURCE_PROGRAM } from "../support/source-program.ts";

const run = promisify(execFile);

const check = (...paths: string[]) =>
  run(process.execPath, [...SOURCE_PROGRAM.args, "records", "check", ...paths], {
    cwd: repositoryRoot,
  });

test("the starter records are clean, named as a path or by the flag", async () => {
  for (const args of [["rules/records"], ["--records", "rules/records"]]) {
    const { stdout } = await check(...args);
    expect(stdout).toMatch(/^\d{3} records: no faults\n$/);
  }
});

test("a path that is not there is a fault", async () => {
  await expect(check("rules/records", "rules/nothing")).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("rules/nothing: no such file or folder") as string,
  });
});

test("a reader that leaves early hears of no failure", async () => {
  const program = `"${process.execPath}" --import tsx src/main.ts records stats --format json`;
  const { stderr } = await run("sh", ["-c", `${program} --records rules/records | true`], {
    cwd: repositoryRoot,
  });
  expect(stderr).toBe("");
});
