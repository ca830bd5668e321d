import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

/** A success as the store recorded it. */
export interface RecordedSuccess {
  readonly group: string;
  /** Sorted fingerprints, as `bodyKeyOf` joins them. */
  readonly bodyKey: string;
}

/** A receiver that remembers what it was told of each group, and what it must not be told again. */
export interface Ledger {
  readonly url: string;
  /** Successes that were recorded when a process was killed: none of them may come again. */
  recordSuccesses(successes: readonly RecordedSuccess[]): void;
  /** What is owed still, when this was the last acknowledged member of the group. */
  missing(group: string, lastSequence: number): readonly string[];
  violations(): readonly string[];
  counts(): { received: number; refusedOnPurpose: number; repeatedUnrecorded: number };
  readonly stop: () => Promise<void>;
}

interface Body {
  readonly groupKey: string;
  readonly alerts: readonly {
    readonly status: "firing" | "resolved";
    readonly fingerprint: string;
    readonly labels: Readonly<Record<string, string>>;
  }[];
}

interface Told {
  readonly firing: Set<number>;
  readonly resolved: Set<number>;
  /** How often each body was taken. */
  readonly taken: Map<string, number>;
}

/** The members of a body in a form that can be compared. */
export function bodyKeyOf(firing: readonly string[], resolved: readonly string[]): string {
  return `${[...firing].sort().join(",")};${[...resolved].sort().join(",")}`;
}

const REFUSED_SHARE = 0.1;

/** Starts it. One request of ten is refused with 500, each takes up to 40 ms. */
export async function createLedger(random: () => number): Promise<Ledger> {
  const groups = new Map<string, Told>();
  const recorded = new Map<string, Set<string>>();
  const violations: string[] = [];
  const counts = { received: 0, refusedOnPurpose: 0, repeatedUnrecorded: 0 };

  const take = (body: Body) => {
    const told = groups.get(body.groupKey) ?? {
      firing: new Set(),
      resolved: new Set(),
      taken: new Map<string, number>(),
    };
    groups.set(body.groupKey, told);
    const ofStatus = (status: string) => body.alerts.filter((alert) => alert.status === status);
    for (const { status, labels } of body.alerts) told[status].add(Number(labels["member"]));
    const key = bodyKeyOf(
      ofStatus("firing").map((alert) => alert.fingerprint),
      ofStatus("resolved").map((alert) => alert.fingerprint),
    );
    if (recorded.get(body.groupKey)?.has(key) === true) {
      violations.push(`${body.groupKey}: ${key} came again after its success was recorded`);
    }
    const times = told.taken.get(key) ?? 0;
    told.taken.set(key, times + 1);
    if (times > 0) counts.repeatedUnrecorded += 1;
  };

  const server = createServer((request, response) => {
    void text(request).then(async (content) => {
      const body = JSON.parse(content) as Body;
      await sleep(random() * 40);
      if (random() < REFUSED_SHARE) {
        counts.refusedOnPurpose += 1;
        response.writeHead(500).end();
        return;
      }
      counts.received += 1;
      take(body);
      response.end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    recordSuccesses(successes) {
      for (const { group, bodyKey } of successes) {
        const known = recorded.get(group) ?? new Set();
        recorded.set(group, known.add(bodyKey));
      }
    },
    missing(group, lastSequence) {
      const told = groups.get(group);
      const owed: string[] = [];
      if (told?.firing.has(lastSequence) !== true)
        owed.push(`${group}: ${lastSequence} never fired`);
      for (const member of told?.firing ?? []) {
        if (member < lastSequence && told?.resolved.has(member) !== true) {
          owed.push(`${group}: ${member} fired and was never resolved`);
        }
      }
      return owed;
    },
    violations: () => violations,
    counts: () => counts,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
