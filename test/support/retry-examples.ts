import { execFile } from "node:child_process";
import { chmodSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { repositoryRoot } from "./shared.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

/** What became of an example. */
export interface ExampleRun {
  /** Exit status. */
  readonly code: number;
  /** Whether the operation was, or after an init container would be, started. */
  readonly ran: boolean;
  /** What it waited for, in seconds, wait by wait. */
  readonly waits: readonly number[];
}

/** Runs an example for one episode against the Alertlore at a base URL, without really waiting. */
export type RunExample = (url: string, episode: string) => Promise<ExampleRun>;

const EXAMPLES = path.join(repositoryRoot, "docs/examples");

/** Runs `docs/examples/retry-if-advised.sh`, by default with a command that works. */
export async function runScript(
  url: string,
  episode: string,
  command: readonly string[] = ["echo", "ran"],
): Promise<ExampleRun & { readonly stdout: string }> {
  const script = path.join(EXAMPLES, "retry-if-advised.sh");
  const done = await run(["sh", script, episode, ...command], { ALERTLORE_URL: url });
  return { ...done, ran: done.stdout !== "" };
}

const container = z.object({
  name: z.string(),
  image: z.string(),
  command: z.array(z.string()),
  args: z.array(z.string()).default([]),
  env: z.array(z.strictObject({ name: z.string(), value: z.string() })).default([]),
});

/** What the tests hold the Job to; all else about it is Kubernetes' own to judge. */
const job = z.object({
  apiVersion: z.literal("batch/v1"),
  kind: z.literal("Job"),
  spec: z.object({
    backoffLimit: z.number(),
    template: z.object({
      spec: z.object({
        restartPolicy: z.string(),
        initContainers: z.tuple([container]),
        containers: z.tuple([container]),
      }),
    }),
  }),
});

/** Reads `docs/examples/retry-job.yaml`. */
export function readJob(): z.infer<typeof job> {
  return job.parse(parse(readFileSync(path.join(EXAMPLES, "retry-job.yaml"), "utf8")));
}

/** Runs the init container of the Job; where it succeeds, Kubernetes starts the operation. */
export async function runJob(url: string, episode: string): Promise<ExampleRun> {
  const [ask] = readJob().spec.template.spec.initContainers;
  const own = Object.fromEntries(ask.env.map(({ name, value }) => [name, value]));
  const wanted = { EPISODE_ID: episode, ALERTLORE_URL: url };
  const done = await run([...ask.command, ...ask.args], { ...own, ...wanted });
  return { code: done.code, waits: done.waits, ran: done.code === 0 };
}

/** Runs with a `sleep` that only writes down how long. */
async function run(
  [file = "", ...words]: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly stdout: string; readonly waits: readonly number[] }> {
  const folder = createTemporaryFolder({
    waits: "",
    "bin/sleep": `#!/bin/sh\necho "$1" >>"$WAITS"\n`,
  });
  chmodSync(path.join(folder, "bin/sleep"), 0o755);
  const waits = path.join(folder, "waits");
  const PATH = `${path.join(folder, "bin")}${path.delimiter}${process.env["PATH"] ?? ""}`;
  const { code, stdout } = await new Promise<{ code: number; stdout: string }>((resolve) => {
    execFile(file, words, { env: { ...env, PATH, WAITS: waits } }, (error, output) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout: output });
    });
  });
  const written = readFileSync(waits, "utf8").split("\n").slice(0, -1);
  return { code, stdout, waits: written.map(Number) };
}
