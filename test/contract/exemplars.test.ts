import request from "supertest";
import { expect, test } from "vitest";
import { KNOWN_LINE } from "../support/create-kit.ts";
import { createTestService } from "../support/create-test-service.ts";
import { eventually } from "../support/eventually.ts";
import { requireBinary } from "../support/require-binary.ts";
import { startPrometheus } from "../support/start-prometheus.ts";
import { buildAlertBody, buildGroupBody } from "../support/webhook-body.ts";

interface Exemplars {
  readonly data: readonly {
    readonly seriesLabels: Readonly<Record<string, string>>;
    readonly exemplars: readonly { readonly labels: Readonly<Record<string, string>> }[];
  }[];
}

interface Samples {
  readonly data: {
    readonly result: readonly {
      readonly metric: Readonly<Record<string, string>>;
      readonly value: readonly [number, string];
    }[];
  };
}

test("Prometheus scrapes OpenMetrics and keeps the episode behind a counter, while others get the plain format", async (context) => {
  const binary = requireBinary(context, "prometheus");
  const service = await createTestService({ web: { listen_address: "127.0.0.1:0" } });
  const alert = buildAlertBody({ annotations: { log_excerpt: KNOWN_LINE } });
  const body = buildGroupBody({ alerts: [alert] });
  await request(service.app).post("/webhook?respond=enriched").send(body).expect(200);
  const listed = await request(service.app).get("/api/v1/episodes");
  const [episode] = (listed.body as { episodes: readonly { id: string }[] }).episodes;
  const { port } = await service.listen();
  const prometheus = await startPrometheus({
    binary,
    args: ["--enable-feature=exemplar-storage"],
    config: `
global: {scrape_interval: 1s, scrape_timeout: 1s}
scrape_configs:
  - job_name: alertlore
    static_configs: [{targets: ['127.0.0.1:${port}']}]
`,
  });
  context.onTestFinished(prometheus.stop);
  const ask = async <T>(path: string): Promise<T> =>
    (await (await fetch(`${prometheus.url}/api/v1/${path}`)).json()) as T;

  const since = Math.floor(Date.now() / 1000) - 600;
  const query = encodeURIComponent('{__name__=~"alertlore_.+_total"}');
  const found = await eventually(
    async () => {
      const range = `start=${since}&end=${since + 1200}`;
      const { data } = await ask<Exemplars>(`query_exemplars?query=${query}&${range}`);
      return data.length > 0 ? data : undefined;
    },
    { what: "the first exemplar", limitMs: 40_000, everyMs: 200 },
  );
  const told = found.map(({ seriesLabels, exemplars }) => [
    seriesLabels["__name__"],
    ...exemplars.map(({ labels }) => labels),
  ]);
  const label = { episode_id: episode?.id };
  expect(told.sort()).toEqual([
    ["alertlore_matched_errors_total", label],
    ["alertlore_recommendations_total", label],
  ]);

  const { data } = await ask<Samples>(
    `query?query=${encodeURIComponent('alertlore_recommendations_total{decision="retry"}')}`,
  );
  expect(data.result.map(({ value }) => value[1])).toEqual(["1"]);
  const up = await ask<Samples>("query?query=up");
  expect(up.data.result.map(({ value }) => value[1])).toEqual(["1"]);

  const plain = await request(service.app).get("/metrics").expect(200);
  expect(plain.headers).toMatchObject({
    "content-type": "text/plain; version=0.0.4; charset=utf-8",
    vary: "Accept",
  });
  expect(plain.text).toContain("# TYPE alertlore_recommendations_total counter\n");
  expect(plain.text).not.toContain("episode_id");
});
