import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import request from "supertest";
import { createService } from "../../src/app/serve.ts";
import { buildAlert } from "./build-alert.ts";
import type { AlertWishes } from "./build-alert.ts";
import { buildRecord } from "./build-record.ts";
import type { ManualClock } from "./manual-clock.ts";
import { createManualClock } from "./manual-clock.ts";

/** A service that asks a Loki, without a port of its own. */
export interface ServiceWithLoki {
  readonly clock: ManualClock;
  /** Posts firing alerts as one group; gives the annotations that each goes on with. */
  post(
    alerts: readonly PostedAlert[],
    headers?: Readonly<Record<string, string>>,
  ): Promise<Readonly<Record<string, string>>[]>;
  /** Samples of /metrics that begin with the text. */
  metrics(start: string): Promise<string[]>;
  readonly stop: () => Promise<void>;
}

/** An alert as a test wishes it. */
export interface PostedAlert extends AlertWishes {
  readonly generatorURL?: string;
}

const errorMessage =
  "checkpoint upload of epoch {} was aborted because object storage rejected the manifest: {}";

/** A log line that shows the one known error. */
export const KNOWN_LINE =
  "2026-03-14T09:29:58Z ERROR checkpoint upload of epoch 17 was aborted because object storage rejected the manifest: quota";

/** Starts it with one known error; `yaml` is added to the configuration. */
export async function startWithLoki(lokiUrl: string, yaml = ""): Promise<ServiceWithLoki> {
  const folder = mkdtempSync(path.join(tmpdir(), "alertlore-loki-"));
  const file = path.join(folder, "alertlore.yaml");
  writeFileSync(
    path.join(folder, "records.json"),
    JSON.stringify([
      buildRecord(1, { errorMessage, messagePattern: errorMessage.replaceAll("{}", "(.*?)") })
        .record,
    ]),
  );
  writeFileSync(
    file,
    [
      "records: { starter: false, sources: [{ path: records.json, curated: true }] }",
      yaml.includes("store:") ? "" : "store: memory",
      "annotate: { outcome_without_match: true }",
      "grafana: { url: https://grafana.test, loki_uid: loki-prod }",
      yaml === "" ? `loki: { url: "${lokiUrl}" }` : yaml.replaceAll("LOKI", lokiUrl),
    ].join("\n"),
  );
  const clock = createManualClock();
  const sources = { file, flags: {}, env: {} };
  const { service, faults } = await createService({ sources, writeLog: () => undefined, clock });
  if (service === undefined) throw new Error(JSON.stringify(faults));
  return {
    clock,
    async post(alerts, headers = {}) {
      const answer = await request(service.app)
        .post("/webhook?respond=enriched")
        .set(headers)
        .send(groupOf(alerts))
        .expect(200);
      const body = answer.body as { alerts: { annotations: Record<string, string> }[] };
      return body.alerts.map(({ annotations }) => annotations);
    },
    async metrics(start) {
      const { text } = await request(service.app).get("/metrics").expect(200);
      return text.split("\n").filter((line) => line.startsWith(start));
    },
    stop: async () => {
      await service.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function groupOf(alerts: readonly PostedAlert[]): object {
  return {
    version: "4",
    groupKey: "{}:{}",
    receiver: "alertlore",
    status: "firing",
    truncatedAlerts: 0,
    externalURL: "",
    groupLabels: {},
    commonLabels: {},
    commonAnnotations: {},
    alerts: alerts.map((wishes) => {
      const { status, labels, annotations, startsAt, endsAt, fingerprint } = buildAlert(wishes);
      const { generatorURL = "" } = wishes;
      return { status, labels, annotations, startsAt, endsAt, fingerprint, generatorURL };
    }),
  };
}
