import { describe, expect, it, onTestFinished } from "vitest";
import request from "supertest";
import { fingerprintOf } from "../../src/alert/fingerprint.ts";
import { createTestService } from "../support/create-test-service.ts";
import { eventually } from "../support/eventually.ts";
import { startFakeLoki } from "../support/fake-loki.ts";
import { pushLines } from "../support/push-lines.ts";
import { NEAR_SECRETS, SECRETS } from "../support/secrets.ts";
import { startReceiver } from "../support/start-receiver.ts";
import { readSurfaces } from "../support/surfaces.ts";
import type { Surface } from "../support/surfaces.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { buildAlertBody, buildGroupBody } from "../support/webhook-body.ts";

/** Prints every annotation, and so all that a template can reach. */
const ANY = '{"alerts": {{ alerts | json }}}';

const startNs = BigInt(Date.now() - 30_000) * 1_000_000n;

/** The one known error, with a text where the program prints what it was told. */
const RECORD = {
  errorMessage: "cannot write checkpoint {} while the lease is expired: {}",
  messagePattern: "cannot write checkpoint (.*?) while the lease is expired: (.*?)",
};
const explained = (text: string) =>
  `2026-03-14T09:29:58Z ERROR cannot write checkpoint 7 while the lease is expired: ${text}`;
const unexplained = (text: string) => `2026-03-14T09:29:58Z ERROR giving up for good: ${text}`;

interface Enriched {
  readonly pod: string;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Runs a service that finds each text in Loki, and reads what it then shows. */
async function run(lines: readonly string[]): Promise<[readonly Enriched[], readonly Surface[]]> {
  const folder = createTemporaryFolder();
  const [loki, receiver] = [await startFakeLoki(), await startReceiver()];
  onTestFinished(() => loki.stop());
  onTestFinished(() => receiver.stop());
  for (const [index, line] of lines.entries()) {
    await pushLines(loki.url, { pod: `pod-${index}` }, [[String(startNs), line]]);
  }
  const service = await createTestService({
    store: `sqlite:${folder}/alertlore.db`,
    log: { level: "debug" },
    web: { external_url: "https://alertlore.test" },
    webhook: { deadline: "30s" },
    annotate: { outcome_without_match: true, append_to_description: true },
    grafana: { url: "https://grafana.test", loki_uid: "loki" },
    loki: { url: loki.url, queries_per_minute: 100_000, breaker: { failures: 1000 } },
    destinations: [
      { name: "alertmanager", type: "alertmanager_webhook", url: `${receiver.url}/v4` },
      { name: "any", type: "webhook", url: `${receiver.url}/any`, body: ANY },
      { name: "chat", type: "slack", url: `${receiver.url}/chat` },
      { name: "pager", type: "pagerduty", url: `${receiver.url}/pager`, routing_key: "k" },
    ],
  });
  await service.writeRecords([RECORD]);
  expect((await request(service.app).post("/-/reload")).status).toBe(200);
  const startsAt = new Date(Date.now() - 60_000).toISOString();
  const alerts = lines.map((_line, index) => {
    const labels = { alertname: "A", pod: `pod-${index}` };
    return buildAlertBody({ labels, startsAt, fingerprint: fingerprintOf(labels) });
  });
  const posted = request(service.app).post("/webhook?respond=enriched");
  const { text } = await posted.send(buildGroupBody({ alerts })).expect(200);
  await eventually(
    () =>
      ["/v4", "/any", "/chat", "/pager"].every((path) =>
        receiver.requests.some(({ url }) => url.startsWith(path)),
      ) || undefined,
    { what: "every destination" },
  );
  const enriched = (
    JSON.parse(text) as { alerts: { labels: { pod: string }; annotations: object }[] }
  ).alerts;
  const { logLines } = service;
  const bodies = [text, ...receiver.requests.map((each) => each.body)];
  return [
    enriched.map(({ labels, annotations }) => ({
      pod: labels.pod,
      annotations: annotations as Readonly<Record<string, string>>,
    })),
    await readSurfaces({ app: service.app, logLines, folder, bodies }),
  ];
}

/** A secret in the ways a surface may write it. */
function spellingsOf(text: string): readonly string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const html = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const quoted = html.replaceAll('"', "&quot;").replaceAll("'", "&#39;");
  const twice = JSON.stringify(json).slice(1, -1);
  return [...new Set([text, json, twice, html, quoted, encodeURIComponent(text)])];
}

/** Each secret of a marked text: alone where it is long enough to be no chance, else with what is before it. */
function secretsIn(marked: string): readonly string[] {
  return [...marked.matchAll(/([^«»]{0,6})«([^»]*)»/gu)].map(([, before = "", secret = ""]) =>
    secret.length >= 7 ? secret : before + secret,
  );
}

const unmarked = SECRETS.map((marked) => marked.replaceAll(/[«»]/gu, ""));

describe("secrets in log lines", () => {
  it("are found by this very reading where nothing masks them", () => {
    const surface = unmarked.map((text) => JSON.stringify({ error_log: explained(text) })).join();
    const missed = SECRETS.filter(
      (marked) =>
        !secretsIn(marked).every((each) => spellingsOf(each).some((one) => surface.includes(one))),
    );
    expect(missed).toEqual([]);
  });

  it("leave on no surface, whether the line is explained or not", async () => {
    const lines = [...unmarked.map(explained), ...unmarked.map(unexplained)];
    const [enriched, surfaces] = await run(lines);
    const outcomes = enriched.map(({ annotations }) => annotations["error_outcome"]);
    expect(outcomes.filter((outcome) => outcome === "matched")).toHaveLength(SECRETS.length);
    expect(outcomes.filter((outcome) => outcome === "no_match")).toHaveLength(SECRETS.length);
    expect(surfaces.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["body 4", "log", "store file alertlore.db", "GET /metrics (200)"]),
    );
    const found = SECRETS.flatMap(secretsIn).flatMap((secret) =>
      surfaces
        .filter(({ text }) => spellingsOf(secret).some((spelling) => text.includes(spelling)))
        .map(({ name }) => `${secret} in ${name}`),
    );
    expect(found).toEqual([]);
  }, 60_000);
});

describe("what only looks like a secret", () => {
  it("is shown as it is", async () => {
    const texts = NEAR_SECRETS.filter((text) => text !== "");
    const [enriched] = await run(texts.map((text) => explained(text)));
    // Annotations hold no angle brackets, lest a receiver takes them for markup.
    const changed = enriched.flatMap(({ pod, annotations }) => {
      const text = texts[Number(pod.slice("pod-".length))]?.split("\n")[0] ?? "";
      const shown = annotations["error_log"]?.replaceAll("‹", "<").replaceAll("›", ">");
      return shown?.includes(text) === true ? [] : [text];
    });
    expect(changed).toEqual([]);
  }, 60_000);
});
