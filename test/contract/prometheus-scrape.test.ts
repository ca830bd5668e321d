import { expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { requireBinary } from "../support/require-binary.ts";
import { startPrometheus } from "../support/start-prometheus.ts";
import { startReceiver } from "../support/start-receiver.ts";

const METRICS = `# HELP alertlore_example_total An example.
# TYPE alertlore_example_total counter
alertlore_example_total{error_class="disk_full"} 3
`;

interface QueryAnswer {
  readonly data: {
    readonly result: readonly {
      readonly metric: object;
      readonly value: readonly [number, string];
    }[];
  };
}

test("Prometheus scrapes a counter and answers a query for it", async (context) => {
  const binary = requireBinary(context, "prometheus");
  const target = await startReceiver(() => ({ status: 200, body: METRICS }));
  context.onTestFinished(target.stop);
  const prometheus = await startPrometheus({
    binary,
    config: `
global: {scrape_interval: 1s, scrape_timeout: 1s}
scrape_configs:
  - job_name: alertlore
    static_configs: [{targets: ['${new URL(target.url).host}']}]
`,
  });
  context.onTestFinished(prometheus.stop);

  const query = `${prometheus.url}/api/v1/query?query=alertlore_example_total`;
  const [sample] = await eventually(
    async () => {
      const { data } = (await (await fetch(query)).json()) as QueryAnswer;
      return data.result.length > 0 ? data.result : undefined;
    },
    { what: "the first sample", limitMs: 40_000, everyMs: 200 },
  );
  expect(sample?.value[1]).toBe("3");
  expect(sample?.metric).toMatchObject({ job: "alertlore", error_class: "disk_full" });

  const scrape = target.requests[0];
  expect(scrape?.url).toBe("/metrics");
  expect(scrape?.headers.accept).toContain("text/plain;version=0.0.4");
});
