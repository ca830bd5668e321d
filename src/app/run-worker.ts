import { Worker } from "node:worker_threads";
import type { BuiltCatalogue } from "./build-catalogue.ts";
import type { RecordPlan } from "./gather-records.ts";
import type { CompiledCache, KeepOutcome } from "./compiled/compiled-cache.ts";
import { placePart } from "./hand-over.ts";
import type { Part } from "./hand-over.ts";
import type { SyncReport, SyncRequest } from "./sync-records.ts";

/** A catalogue that is built, unless it was kept from an earlier time, and then kept. */
export interface BuildTask {
  readonly plan: RecordPlan;
  readonly cache: CompiledCache;
}

/** What the worker thread is asked to do. */
export type WorkerTask = (BuildTask | { readonly sync: SyncRequest }) & {
  /** Whether requests are served meanwhile, which then come first. */
  readonly isBackground: boolean;
};

/** What the thread tells once the result is handed over. */
interface LastWords {
  readonly kept: KeepOutcome;
}

const IS_SOURCE = import.meta.url.endsWith(".ts");
const WORKER_URL = new URL(`./catalogue-worker.${IS_SOURCE ? "ts" : "js"}`, import.meta.url).href;

// Development and tests run the sources as they are, through tsx, which a thread has to be told: Node
// 20 gives it no loader of the thread that starts it. The built program needs nothing of this.
const SOURCE_ENTRY = `import("tsx/esm/api").then((tsx) => {
  tsx.register();
  return import(${JSON.stringify(WORKER_URL)});
});`;

/**
 * Builds a catalogue in a thread of its own, whose heap goes with it. The calling thread only takes
 * the finished parts, and serves requests between any two. The thread lives on while it keeps the
 * catalogue for the next start, and tells what came of it; it holds no process that ends.
 *
 * @throws {Error} When the thread fails, for instance for lack of memory.
 */
export async function buildInWorker(
  task: BuildTask & Pick<WorkerTask, "isBackground">,
  onKept: (kept: KeepOutcome) => void,
): Promise<BuiltCatalogue> {
  return (await runWorker(task, onKept)) as BuiltCatalogue;
}

/**
 * Fetches what is new at one URL in a thread of its own: indexes of 40 MB are parsed on the way.
 *
 * @throws {Error} When the thread fails.
 */
export async function syncInWorker(sync: SyncRequest): Promise<SyncReport> {
  return (await runWorker({ sync, isBackground: true }, () => undefined)) as SyncReport;
}

async function runWorker(
  workerData: WorkerTask,
  onKept: (kept: KeepOutcome) => void,
): Promise<unknown> {
  const options = { workerData, name: "catalogue", eval: IS_SOURCE };
  const worker = new Worker(IS_SOURCE ? SOURCE_ENTRY : new URL(WORKER_URL), options);
  try {
    const whole = await receiveParts(worker);
    worker.on("message", ({ kept }: LastWords) => {
      onKept(kept);
    });
    worker.unref();
    return whole;
  } catch (error) {
    await worker.terminate();
    throw error;
  }
}

function receiveParts(worker: Worker): Promise<unknown> {
  const whole: Record<string, unknown> = {};
  return new Promise((resolve, reject) => {
    // It stays: a thread that fails while it keeps the catalogue has done what was asked.
    worker.on("error", reject);
    worker.once("exit", () => {
      reject(new Error("the catalogue thread ended before it was done"));
    });
    const takePart = (part: Part | undefined): void => {
      if (part === undefined) {
        worker.off("message", takePart);
        resolve(whole);
        return;
      }
      placePart(whole, part);
      // In a turn of its own: parts that follow at once would all be taken in this one.
      setImmediate(() => {
        worker.postMessage("next");
      });
    };
    worker.on("message", takePart);
  });
}
