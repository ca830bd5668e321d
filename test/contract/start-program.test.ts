import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { requireBinary } from "../support/require-binary.ts";
import { startAlertmanager } from "../support/start-alertmanager.ts";
import { startProgram } from "../support/start-program.ts";

test("a program that ends before it is ready is reported with its output", async () => {
  const start = startProgram({
    binary: process.execPath,
    files: {},
    args: () => ["-e", "console.error('no such flag'); process.exit(3)"],
    readyPath: "/",
  });
  await expect(start).rejects.toThrow(/ended before it was ready.*no such flag/s);
});

test("a binary that does not exist is reported, not waited for", async () => {
  const start = startProgram({
    binary: "/nonexistent/program",
    files: {},
    args: () => [],
    readyPath: "/",
  });
  await expect(start).rejects.toThrow("/nonexistent/program could not be started");
});

test("a program that never becomes ready is given up after the limit and stopped", async () => {
  const start = startProgram({
    binary: process.execPath,
    files: {},
    args: () => ["-e", "console.log(process.pid); setInterval(() => {}, 1000)"],
    readyPath: "/",
    readyLimitMs: 500,
  });
  const error = await start.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(String(error)).toContain("gave up waiting");
  const pid = /ends:\n(\d+)/.exec(String(error))?.[1];
  expect(pid).toBeDefined();
  expect(() => process.kill(Number(pid), 0)).toThrow("ESRCH");
});

test("stopping Alertmanager ends its process and removes its folder, and may be done twice", async (context) => {
  const alertmanager = await startAlertmanager({
    binary: requireBinary(context, "alertmanager"),
    config: "route: {receiver: none}\nreceivers: [{name: none}]\n",
  });
  const folder = /file=(\S*alertlore-test-\w+)/.exec(alertmanager.output())?.[1];
  expect(folder).toSatisfy(existsSync);
  await alertmanager.stop();
  await alertmanager.stop();
  expect(folder).not.toSatisfy(existsSync);
  expect(() => process.kill(alertmanager.pid, 0)).toThrow("ESRCH");
});
