import type { RequestHandler } from "express";
import type { DeliveryQueue } from "../../enrich/delivery-ports.ts";
import type { RecordStore } from "../../enrich/ports.ts";
import type { EpisodeReader } from "../../enrich/reading-ports.ts";
import { pageHandler } from "../frame/page.ts";
import type { PageKit } from "../frame/page.ts";
import { shortly } from "../frame/shortly.ts";
import type { ServiceStatus } from "../status/service-status.ts";
import { OverviewPage } from "./overview-page.tsx";

/** What the overview reads. */
export interface OverviewParts {
  readonly reader: EpisodeReader;
  readonly deliveries: DeliveryQueue;
  readonly records: RecordStore;
  readonly status: () => ServiceStatus;
}

const KINDS_SHOWN = 12;
const DAY_MS = 86_400_000;
/** Sums over many episodes: a page that is loaded often must not compute them each time. */
const KEPT_MS = 2000;

/** `GET /`: what fires now, and how the service is; the sums are at most two seconds old. */
export function getOverview(kit: PageKit, parts: OverviewParts): RequestHandler {
  const { reader, deliveries, records } = parts;
  const sums = shortly(kit.clock, KEPT_MS, async () => {
    const sinceMs = kit.clock.nowMs() - DAY_MS;
    const depths = await deliveries.depths();
    const sum = (state: "pending" | "dead") =>
      depths.reduce((total, depth) => total + (depth.state === state ? depth.count : 0), 0);
    return {
      firing: await reader.listFiring(KINDS_SHOWN),
      counts: await reader.countByHour(sinceMs),
      outbox: { pending: sum("pending"), dead: sum("dead") },
    };
  });
  const messageOf = (recordId: string) => records.get(recordId)?.record.errorMessage;
  return pageHandler(kit, async ({ nowMs }) => {
    const facts = { ...(await sums()), status: parts.status(), messageOf };
    return {
      title: "Overview",
      section: "Overview",
      body: <OverviewPage facts={facts} nowMs={nowMs} />,
    };
  });
}
