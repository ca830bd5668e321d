import type { Clock, Logger } from "../enrich/ports.ts";

/** What is known of how Grafana does, for each organisation. */
export interface OrgHealth {
  /** Those that are left alone now. */
  resting(): readonly number[];
  /** Hears of a success. */
  well(orgId: number): void;
  /** Hears of a failure and gives until when the organisation is left alone. */
  ill(orgId: number, message: string): number;
  /** Says what is wrong, but nothing that it said since the last success. */
  say(orgId: number, message: string): void;
}

const PAUSE_FIRST_MS = 5000;
const PAUSE_MAX_MS = 300_000;
const DOUBLINGS_MAX = 6;
/** Different texts that the log is told. */
const SAID_MAX = 100;

interface Org {
  failures: number;
  restsUntilMs: number;
  readonly said: Set<string>;
}

/** Creates it; everything is well at first. */
export function createOrgHealth(options: {
  readonly clock: Pick<Clock, "nowMs">;
  readonly logger: Logger;
}): OrgHealth {
  const { clock, logger } = options;
  const orgs = new Map<number, Org>();
  const orgOf = (orgId: number): Org => {
    const org = orgs.get(orgId) ?? { failures: 0, restsUntilMs: 0, said: new Set<string>() };
    orgs.set(orgId, org);
    return org;
  };
  const say = (orgId: number, detail: string) => {
    const { said } = orgOf(orgId);
    if (said.has(detail) || said.size >= SAID_MAX) return;
    said.add(detail);
    logger.warn({ orgId, detail }, "Grafana did not take a region");
  };
  return {
    resting: () =>
      [...orgs].flatMap(([id, { restsUntilMs }]) => (restsUntilMs > clock.nowMs() ? [id] : [])),
    well(orgId) {
      const org = orgOf(orgId);
      if (org.failures === 0) return;
      logger.info({ orgId, failures: org.failures }, "Grafana takes regions again");
      orgs.delete(orgId);
    },
    ill(orgId, message) {
      say(orgId, message);
      const org = orgOf(orgId);
      const pauseMs = PAUSE_FIRST_MS * 2 ** Math.min(org.failures, DOUBLINGS_MAX);
      org.failures += 1;
      org.restsUntilMs = clock.nowMs() + Math.min(pauseMs, PAUSE_MAX_MS);
      return org.restsUntilMs;
    },
    say,
  };
}
