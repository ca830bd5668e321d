import { Worker } from "node:worker_threads";
import type { BuiltCatalogue } from "./build-catalogue.ts";
import type { RecordPlan } from "./gather-records.ts";
import { placePart } from "./hand-over.ts";
import type { Part } from "./hand-over.ts";

// Development and tests run the sources as they are, through tsx; the built program needs nothing.
const IS_SOURCE = import.meta.url.endsWith(".ts");
const WORKER_URL = new URL(`./catalogue-worker.${IS_SOURCE ? "ts" : "js"}`, import.meta.url);

/**
 * Builds a catalogue in a thread of its own, whose heap goes with it. The calling thread only takes
 * the finished parts, and serves requests between any two.
 *
 * @throws {Error} When the thread fails, for instance for lack of memory.
 */
export async function buildInWorker(plan: RecordPlan): Promise<BuiltCatalogue> {
  const options = IS_SOURCE ? { execArgv: ["--import", "tsx"] } : {};
  const worker = new Worker(WORKER_URL, { workerData: plan, name: "catalogue", ...options });
  try {
    return await receiveParts(worker);
  } finally {
    await worker.terminate();
  }
}

function receiveParts(worker: Worker): Promise<BuiltCatalogue> {
  const whole: Record<string, unknown> = {};
  return new Promise((resolve, reject) => {
    worker.once("error", reject);
    worker.once("exit", () => {
      reject(new Error("the catalogue thread ended before it was done"));
    });
    worker.on("message", (part: Part | undefined) => {
      if (part === undefined) {
        resolve(whole as unknown as BuiltCatalogue);
        return;
      }
      placePart(whole, part);
      // In a turn of its own: parts that follow at once would all be taken in this one.
      setImmediate(() => {
        worker.postMessage("next");
      });
    });
  });
}
