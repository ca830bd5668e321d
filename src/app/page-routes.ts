import type { Route } from "../ingest/create-app.ts";
import { ASSETS } from "../web/frame/assets.ts";
import { getOverview } from "../web/overview/get-overview.tsx";
import { getStatusPage } from "../web/status/get-status.tsx";
import type { ServiceStatus } from "../web/status/status-page.tsx";
import type { RouteParts } from "./route-parts.ts";

/** The pages for people, and what they fetch. */
export function createPageRoutes(parts: RouteParts): Route[] {
  const kit = { clock: parts.kit.clock, version: parts.version };
  return [
    ...ASSETS.map(({ path, handler }) => ({ method: "get" as const, path, handlers: [handler] })),
    { method: "get", path: "/", handlers: [getOverview(kit)] },
    { method: "get", path: "/status", handlers: [getStatusPage(kit, () => statusOf(parts))] },
  ];
}

function statusOf({ config, kit, version }: RouteParts): ServiceStatus {
  const { records, logSource } = kit;
  const isAvailable = logSource?.isAvailable() === true;
  return {
    version,
    mode: config.enrich.mode,
    records: { count: records.size, datasetVersion: records.datasetVersion },
    loki: logSource && (isAvailable ? "available" : "unavailable"),
    destinations: config.destinations.map(({ name }) => name),
  };
}
