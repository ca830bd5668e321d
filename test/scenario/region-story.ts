import type { FakeAnnotation } from "../support/fake-grafana.ts";
import type { RegionWishes, RegionWorld } from "../support/region-world.ts";

/** What happens to an episode, and what Grafana has in the end. */
export interface Story {
  readonly name: string;
  readonly wishes?: RegionWishes;
  readonly happens: (world: RegionWorld) => Promise<unknown>;
  /** Every region that Grafana has at the end. */
  readonly regions: readonly Partial<FakeAnnotation>[];
  /** Warnings in the log. */
  readonly warnings?: number;
}

const START = "2026-03-14T09:26:53.589123456Z";
const START_MS = Date.parse("2026-03-14T09:26:53.589Z");
export const END = "2026-03-14T09:41:53.999999999Z";
const END_MS = Date.parse("2026-03-14T09:41:53.999Z");
export const alert = { startsAt: START };
export const onPanel = {
  startsAt: START,
  unknownFields: { panelURL: "https://g.test/d/rw-streaming?from=1&orgId=1&to=2&viewPanel=12" },
};
export const onNoDashboard = {
  startsAt: START,
  unknownFields: { dashboardURL: "https://g.test/d/gone?orgId=1" },
};
export const named = (pod: string) => ({ labels: { alertname: "X", pod }, startsAt: START });

const global = { dashboardUID: "", panelId: 0, orgId: 1 };
export const isOpen = { ...global, time: START_MS, timeEnd: START_MS };
export const isClosed = { ...global, time: START_MS, timeEnd: END_MS };
