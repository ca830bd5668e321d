import type { HttpWish } from "../../src/deliver/http-sender.ts";
import type { Notification } from "../../src/deliver/destination.ts";
import type { EnrichedGroup } from "../../src/enrich/ports.ts";
import { buildAlert, buildGroup } from "./build-alert.ts";

/** End of a resolved alert. */
export const ENDED = "2026-03-14T09:40:00Z";
/** As long as a real one. */
const STREAM = "s".repeat(43);

/** A group of which every other alert is resolved, the first with an explanation. */
export function enrichedGroup(count = 2, text = "Disk of <b> & `c` is full"): EnrichedGroup {
  const alerts = Array.from({ length: count }, (_, index) =>
    buildAlert({
      labels: { alertname: "DiskFull", instance: `db-${index}:9100`, severity: "critical" },
      annotations: { summary: text },
      ...(index % 2 === 1 && { endsAt: ENDED }),
    }),
  );
  const annotations = { error_summary: "known error: no space left. First: free space." };
  const enrichment = {
    episodeId: "e",
    outcome: "matched",
    excerpt: undefined,
    matches: [],
    errorClass: "DiskFull",
    recommendation: undefined,
    annotations: { compact: annotations, full: annotations },
  } as const;
  const group = buildGroup(alerts, {
    groupKey: '{}:{alertname="DiskFull"}',
    groupLabels: { alertname: "DiskFull", namespace: "prod" },
  });
  return { group, enrichments: [enrichment] };
}

/** What every destination is made of, with what it then posted; `answers` in their order, else `ok`. */
export function destinationOptions(answers: readonly string[] = []) {
  const requests: HttpWish[] = [];
  const failures: unknown[] = [];
  return {
    requests,
    failures,
    options: {
      name: "d",
      concurrency: 1,
      timeoutMs: 1000,
      expireAfterMs: 1000,
      fallback: undefined,
      every: false,
      followsUp: true,
      endsGroups: false,
      accepts: () => true,
      profile: "compact" as const,
      template: undefined,
      onTemplateFailure: (error: unknown) => failures.push(error),
      url: "https://receiver.test/hook",
      post: (wish: HttpWish) => {
        requests.push(wish);
        return Promise.resolve({ status: 200, text: answers[requests.length - 1] ?? "ok" });
      },
    },
  };
}

/** A notification of the group. */
export const notify = (
  enriched: EnrichedGroup,
  wishes: Partial<Notification> = {},
): Notification => ({
  ...{ enriched, stream: STREAM, plain: false, late: false, othersFire: false },
  ...wishes,
});
