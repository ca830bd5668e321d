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
