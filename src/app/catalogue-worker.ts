import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import type { MessagePort } from "node:worker_threads";
import { buildCatalogue } from "./build-catalogue.ts";
import { keepCompiled, readCompiled } from "./compiled/compiled-cache.ts";
import { partsOf, transferListOf } from "./hand-over.ts";
import { syncOnce } from "./sync-records.ts";
import type { BuildTask, WorkerTask } from "./run-worker.ts";

// The entry of the worker thread. It does one task and hands the result over part by part, the next
// one when the receiver asks for it, so that the receiver's thread can serve requests in between.
if (parentPort !== null) {
  const port = parentPort;
  const task = workerData as WorkerTask;
  if (task.isBackground) stepBack();
  if ("sync" in task) await handOver(port, await syncOnce(task.sync), true);
  else await build(port, task);
  port.close();
}

/** The catalogue first; then it is kept for the next start, which nobody waits for. */
async function build(port: MessagePort, { plan, cache }: BuildTask): Promise<void> {
  const kept = await readCompiled(plan, cache);
  if (kept.built !== undefined) {
    await handOver(port, kept.built, true);
    return;
  }
  const built = await buildCatalogue(plan);
  await handOver(port, built, false);
  port.postMessage({ kept: await keepCompiled(built, cache) });
}

/** Resolves when the receiver has all. What is moved, not copied, is no longer there afterwards. */
function handOver(port: MessagePort, result: object, isMoved: boolean): Promise<void> {
  const parts = partsOf(result);
  return new Promise((resolve) => {
    const sendNext = (): void => {
      const part = parts.shift();
      port.postMessage(part, part === undefined || !isMoved ? [] : transferListOf(part.value));
      if (part !== undefined) return;
      port.off("message", sendNext);
      resolve();
    };
    port.on("message", sendNext);
    sendNext();
  });
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
