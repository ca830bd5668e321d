import { fingerprintOf } from "../../src/alert/fingerprint.ts";
import { createRandom, wholeBetween } from "../../test/support/seeded-random.ts";
import { buildRecord } from "../../test/support/build-record.ts";

/** Alerts in one group. */
export const ALERTS_PER_GROUP = 64;
const LINES = 20;
const SUBJECTS = ["checkpoint", "compaction", "snapshot", "replica", "segment", "lease", "quota"];
const VERBS = ["collect", "upload", "rotate", "acquire", "rebalance", "finalize", "truncate"];

const messageOf = (index: number) =>
  `cannot ${VERBS[index % 7] ?? ""} ${SUBJECTS[Math.floor(index / 7) % 7] ?? ""} ${index}x of shard {}: remote store refused generation {}`;

/** A records file that half of the excerpts show. */
export function recordsFile(): string {
  const records = Array.from({ length: 49 }, (_, index) => ({
    ...buildRecord(index + 1, { errorMessage: messageOf(index) }).record,
  }));
  return JSON.stringify(records);
}

/** Makes bodies of which no alert was ever sent before. */
export function createBodies(seed: number): () => string {
  const random = createRandom(seed);
  const run = `${seed}-${Date.now()}`;
  let groups = 0;
  return () => {
    groups += 1;
    const name = `Bench${run}-${groups}`;
    const alerts = Array.from({ length: ALERTS_PER_GROUP }, (_, index) => {
      const labels = { alertname: name, namespace: "bench", pod: `engine-${index}` };
      return {
        status: "firing",
        labels,
        annotations: { summary: "Bench", log_excerpt: excerptOf(random, index % 2 === 0) },
        startsAt: new Date().toISOString(),
        endsAt: "0001-01-01T00:00:00Z",
        generatorURL: "",
        fingerprint: fingerprintOf(labels),
      };
    });
    return JSON.stringify({
      receiver: "bench",
      status: "firing",
      alerts,
      groupLabels: { alertname: name },
      commonLabels: { alertname: name, namespace: "bench" },
      commonAnnotations: {},
      externalURL: "http://alertmanager.test",
      version: "4",
      groupKey: `{}:{alertname="${name}"}`,
      truncatedAlerts: 0,
    });
  };
}

function excerptOf(random: () => number, isKnown: boolean): string {
  const at = wholeBetween(random, 0, LINES - 1);
  return Array.from({ length: LINES }, (_, index) => {
    const head = `2026-03-14T09:30:${String(index + 10)}.${wholeBetween(random, 100_000, 999_999)}Z`;
    if (isKnown && index === at) {
      const message = messageOf(wholeBetween(random, 0, 48))
        .replace("{}", `s-${wholeBetween(random, 1, 9999)}`)
        .replace("{}", String(wholeBetween(random, 1, 9999)));
      return `${head} ERROR engine::storage: ${message}`;
    }
    return `${head}  INFO engine::worker: served request ${wholeBetween(random, 1, 1e9)} in ${wholeBetween(random, 1, 900)} ms`;
  }).join("\n");
}
