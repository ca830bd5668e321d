import { parentPort, workerData } from "node:worker_threads";
import { buildCatalogue } from "./build-catalogue.ts";
import type { RecordPlan } from "./gather-records.ts";
import { partsOf, transferListOf } from "./hand-over.ts";

// The entry of the worker thread: builds one catalogue and hands it over part by part, the next one
// when the receiver asks for it, so that the receiver's thread can serve requests in between.
if (parentPort !== null) {
  const port = parentPort;
  const parts = partsOf(await buildCatalogue(workerData as RecordPlan));
  const sendNext = (): void => {
    const part = parts.shift();
    port.postMessage(part, part === undefined ? [] : transferListOf(part.value));
    if (part === undefined) port.close();
  };
  port.on("message", sendNext);
  sendNext();
}
