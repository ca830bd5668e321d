import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { buildProgram, runFault } from "../fault/run-fault.ts";
import { STORE_KINDS, provideStores } from "../support/each-store.ts";

beforeAll(buildProgram);
const { urlFor } = provideStores();

test.for(STORE_KINDS)(
  "after 10 kills at random moments the latest state is delivered and nothing twice, on %s",
  async (kind, context) => {
    const folder = await mkdtemp(path.join(tmpdir(), "alertlore-kills-"));
    context.onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const storeUrl = await urlFor(context, kind);
    const report = await runFault({ storeUrl, folder, kills: 10, seed: 7 });
    expect(report.violations).toEqual([]);
    expect(report.acknowledged).toBeGreaterThan(10);
    expect(report.recordedAtKills).toBeGreaterThan(0);
  },
);
