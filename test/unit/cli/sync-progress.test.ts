import { expect, test } from "vitest";
import { createSyncProgress } from "../../../src/cli/records/sync-progress.ts";

function progressOf(total: number, isTTY: boolean | undefined) {
  const written: string[] = [];
  const progress = createSyncProgress({ isTTY, write: (text) => written.push(text) });
  for (let done = 1; done <= total; done += 1) progress.show(done, total);
  progress.end();
  return written;
}

test("a terminal gets one bar that is written over and taken away", () => {
  expect(progressOf(3, true)).toEqual([
    "\r[##########....................] 1 of 3 files",
    "\r[####################..........] 2 of 3 files",
    "\r[##############################] 3 of 3 files",
    "\r\u001B[K",
  ]);
});

test.each([false, undefined])(
  "where isTTY is %s there are plain lines, not one for each file",
  (isTTY) => {
    expect(progressOf(25, isTTY)).toEqual([
      "10 of 25 files\n",
      "20 of 25 files\n",
      "25 of 25 files\n",
    ]);
    expect(progressOf(3, isTTY)).toEqual(["3 of 3 files\n"]);
  },
);

test.each([true, false])("nothing is written where nothing was fetched (terminal: %s)", (isTTY) => {
  expect(progressOf(0, isTTY)).toEqual([]);
});

test("a bar of no files at all is empty and no fault", () => {
  const written: string[] = [];
  createSyncProgress({ isTTY: true, write: (text) => written.push(text) }).show(0, 0);
  expect(written).toEqual([`\r[${".".repeat(30)}] 0 of 0 files`]);
});
