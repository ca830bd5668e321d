import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { buildCatalogue } from "./build-catalogue.ts";
import { partsOf, transferListOf } from "./hand-over.ts";
import { syncOnce } from "./sync-records.ts";
import type { WorkerTask } from "./run-worker.ts";

// The entry of the worker thread. It does one task and hands the result over part by part, the next
// one when the receiver asks for it, so that the receiver's thread can serve requests in between.
if (parentPort !== null) {
  const port = parentPort;
  const task = workerData as WorkerTask;
  if (task.isBackground) stepBack();
  const result = await ("plan" in task ? buildCatalogue(task.plan) : syncOnce(task.sync));
  const parts = partsOf(result);
  const sendNext = (): void => {
    const part = parts.shift();
    port.postMessage(part, part === undefined ? [] : transferListOf(part.value));
    if (part === undefined) port.close();
  };
  port.on("message", sendNext);
  sendNext();
}

/** Lets the thread that serves requests run first where cores are scarce. Linux has it by thread. */
function stepBack(): void {
  try {
    const thread = Number(/\d+$/u.exec(readlinkSync("/proc/thread-self"))?.[0]);
    // Never the whole process: 0 would mean that.
    if (thread > 0 && thread !== process.pid) setPriority(thread, 10);
  } catch {
    // Elsewhere both run alike.
  }
}
