import { setTimeout as sleep } from "node:timers/promises";
import { fingerprintOf } from "../../src/alert/fingerprint.ts";

/** Groups that change all the time, each sent until it is acknowledged. */
export interface Sender {
  acknowledged(): number;
  /** Waits for the answers that are owed; gives for each group its last acknowledged member. */
  stop(): Promise<ReadonlyMap<string, number>>;
}

/** Name of the n-th group. */
export const groupKeyOf = (index: number) => `{}:{alertname="Fault${index}"}`;

/** Begins to send. In body n of a group member n fires and member n-1 is resolved. */
export function startSender(wish: { urls: readonly string[]; groups: number }): Sender {
  const last = new Map<string, number>();
  let acknowledged = 0;
  const stopping = new AbortController();
  const stopped = stopping.signal;
  const loops = Array.from({ length: wish.groups }, async (_, index) => {
    for (let sequence = 1; !stopped.aborted; sequence += 1) {
      const body = bodyOf(index, sequence);
      // As one of several peers would: what one replica does not take, the next one gets.
      for (let attempt = sequence + index; ; attempt += 1) {
        if (await post(wish.urls[attempt % wish.urls.length] ?? "", body)) break;
        await sleep(50);
      }
      acknowledged += 1;
      last.set(groupKeyOf(index), sequence);
      await sleep(20 + ((index * 37) % 60));
    }
  });
  return {
    acknowledged: () => acknowledged,
    async stop() {
      stopping.abort();
      await Promise.all(loops);
      return last;
    },
  };
}

async function post(url: string, body: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { method: "POST", body, signal: AbortSignal.timeout(20_000) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

function bodyOf(index: number, sequence: number): string {
  const alerts = [alertOf(index, sequence, "firing")];
  if (sequence > 1) alerts.push(alertOf(index, sequence - 1, "resolved"));
  return JSON.stringify({
    receiver: "fault",
    status: "firing",
    alerts,
    groupLabels: { alertname: `Fault${index}` },
    commonLabels: {},
    commonAnnotations: {},
    externalURL: "http://alertmanager.test",
    version: "4",
    groupKey: groupKeyOf(index),
    truncatedAlerts: 0,
  });
}

function alertOf(index: number, member: number, status: "firing" | "resolved") {
  const labels = { alertname: `Fault${index}`, member: String(member) };
  return {
    status,
    labels,
    annotations: {
      log_excerpt: `ERROR cannot write checkpoint ${member} of shard ${index}: lease expired`,
    },
    startsAt: "2026-03-14T09:00:00Z",
    endsAt: status === "firing" ? "0001-01-01T00:00:00Z" : "2026-03-14T09:30:00Z",
    generatorURL: "",
    fingerprint: fingerprintOf(labels),
  };
}
