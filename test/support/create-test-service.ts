import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { createService } from "../../src/app/serve.ts";
import type { Service } from "../../src/app/serve.ts";
import { buildRecord } from "./build-record.ts";
import type { RecordWishes } from "./build-record.ts";

/** A service composed as in production from files in a folder of its own; it does not listen. */
export interface TestService extends Service {
  readonly logLines: readonly string[];
  /** Replaces the configuration file; the service sees it at the next reload. */
  readonly writeConfig: (config: TestConfig) => Promise<void>;
  /** Replaces the operator's records. */
  readonly writeRecords: (records: readonly RecordWishes[]) => Promise<void>;
}

/** Sections of the configuration file, written as JSON, which YAML includes. */
export type TestConfig = Readonly<Record<string, unknown>>;

/** Creates a service with one curated record that `KNOWN_LINE` shows; ended with the test. */
export async function createTestService(
  config: TestConfig = {},
  env: Readonly<Record<string, string>> = {},
): Promise<TestService> {
  const folder = await mkdtemp(path.join(tmpdir(), "alertlore-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, "alertlore.yaml");
  const writeConfig = (sections: TestConfig) =>
    writeFile(
      file,
      JSON.stringify({
        records: { starter: false, sources: [{ path: "records.json", curated: true }] },
        store: "memory",
        ...sections,
      }),
    );
  const writeRecords = (records: readonly RecordWishes[]) =>
    writeFile(
      path.join(folder, "records.json"),
      JSON.stringify(records.map((wishes, index) => buildRecord(index + 1, wishes).record)),
    );
  await writeRecords([{}]);
  await writeConfig(config);
  const logLines: string[] = [];
  const { service, faults } = await createService({
    sources: { file, flags: {}, env },
    writeLog: (line) => logLines.push(line),
  });
  if (service === undefined) throw new Error(JSON.stringify(faults));
  onTestFinished(() => service.close());
  return { ...service, logLines, writeConfig, writeRecords };
}
