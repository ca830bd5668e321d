import { UpstreamError } from "../enrich/outcome.ts";
import { presentRegion } from "../enrich/present-region.ts";
import type { Clock, Logger, Roles } from "../enrich/ports.ts";
import type { RegionCounters, RegionResult } from "../enrich/region-counters.ts";
import { RegionRefused } from "../enrich/region-ports.ts";
import type { Region, RegionBook, RegionWork, Regions } from "../enrich/region-ports.ts";
import { createOrgHealth } from "./org-health.ts";
import type { OrgHealth } from "./org-health.ts";

/** What the ticker needs. */
export interface RegionTickerOptions {
  readonly book: RegionBook;
  /** Writes in an organisation, 0 for alerts that name none; `undefined`: there are no credentials for it. */
  regionsOf(orgId: number): Regions | undefined;
  readonly roles: Roles;
  /** Annotations that are made in any 60 seconds; at least 1. */
  readonly perMinute: number;
  /** Longer than all requests for one region may take, so that two replicas never make one. */
  readonly leaseMs: number;
  /** Of the annotations that we add to alerts. */
  readonly prefix: string;
  readonly clock: Pick<Clock, "nowMs">;
  readonly counters: RegionCounters;
  readonly logger: Logger;
}

const MINUTE_MS = 60_000;
const CHANGES_MAX = 50;
/** Permissions are given by people. */
const FORBIDDEN_MS = 300_000;

/**
 * Creates what is called every second or so: it makes Grafana's regions what the episodes in the store are.
 * After a failure an organisation is left alone, longer each time; what is owed stays in the store. Calls that
 * overlap do nothing.
 */
export function createRegionTicker(options: RegionTickerOptions): () => Promise<void> {
  const health = createOrgHealth(options);
  let isRunning = false;
  return async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      await workOff(options, health);
    } finally {
      isRunning = false;
    }
  };
}

async function workOff(options: RegionTickerOptions, health: OrgHealth): Promise<void> {
  const { book, clock, counters, perMinute } = options;
  if (!(await holdRole(options))) return;
  const nowMs = clock.nowMs();
  const folded = await book.plan(nowMs, perMinute);
  if (folded > 0) counters.regionsFolded(folded);
  const made = await book.countMade(nowMs - MINUTE_MS);
  const wish = {
    nowMs,
    changesMax: CHANGES_MAX,
    makesMax: Math.max(perMinute - made, 0),
    withoutOrgs: health.resting(),
  };
  for (const work of await book.due(wish)) {
    if (health.resting().includes(work.orgId)) continue;
    if (!(await holdRole(options))) return;
    const result = await tellPatiently(options, health, work);
    if (result !== undefined) counters.regionTold(result);
  }
}

function holdRole({ roles, clock, leaseMs }: RegionTickerOptions): Promise<boolean> {
  return roles.holdRole("annotate-regions", clock.nowMs(), leaseMs);
}

async function tellPatiently(
  options: RegionTickerOptions,
  health: OrgHealth,
  work: RegionWork,
): Promise<RegionResult | undefined> {
  const { book, clock } = options;
  try {
    const regions = options.regionsOf(work.orgId);
    if (regions === undefined) {
      // Not said of an organisation of its own: an alert may name any number.
      health.say(0, `there are no credentials for organisation ${work.orgId}`);
      await book.drop(work.key);
      return "dropped";
    }
    const result = await tell(options, regions, work);
    health.well(work.orgId);
    return result;
  } catch (error) {
    if (error instanceof RegionRefused) {
      health.say(work.orgId, error.message);
      if (error.isForGood) await book.drop(work.key);
      else await book.defer(work.key, clock.nowMs() + FORBIDDEN_MS);
      return error.isForGood ? "dropped" : "forbidden";
    }
    if (!(error instanceof UpstreamError)) throw error;
    const untilMs = health.ill(work.orgId, error.message);
    // Another one is first then, in case it is this one that Grafana cannot take.
    await book.defer(work.key, untilMs + 1);
    return "failed";
  }
}

/** `undefined`: nothing was told. */
async function tell(
  options: RegionTickerOptions,
  regions: Regions,
  work: RegionWork,
): Promise<RegionResult | undefined> {
  const { book, prefix, clock } = options;
  const region = presentRegion(work, prefix);
  // An earlier request may have made it although no answer came, or nobody lived to note it.
  const known = work.annotation ?? (work.attempts > 0 ? await regions.find(work.key) : undefined);
  if (known === undefined) {
    if (region !== undefined) return openRegion(options, regions, { work, region });
    await book.drop(work.key);
    return undefined;
  }
  const isThere = await (region === undefined
    ? regions.end(known, work.endMs ?? clock.nowMs())
    : regions.change(known, region));
  if (!isThere) {
    await (region === undefined ? book.drop(work.key) : book.lost(work.key));
    return undefined;
  }
  await book.told(work, known, clock.nowMs());
  return work.endMs === undefined ? "changed" : "closed";
}

async function openRegion(
  { book, clock }: RegionTickerOptions,
  regions: Regions,
  { work, region }: { readonly work: RegionWork; readonly region: Region },
): Promise<RegionResult> {
  // First the note, so that after a crash it is looked for before it is made.
  await book.begin(work.key, clock.nowMs());
  const annotation = await regions.open(region);
  await book.told(work, annotation, clock.nowMs());
  return "opened";
}
