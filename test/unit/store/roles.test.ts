import { describe, expect, it } from "vitest";
import { STORE_KINDS, provideStores } from "../../support/each-store.ts";

const { urlFor, open } = provideStores();
const LEASE_MS = 30_000;

describe.for(STORE_KINDS)("roles in %s", (kind) => {
  it("stay with the replica that keeps them", async (context) => {
    const store = await open(context, await urlFor(context, kind));
    for (const nowMs of [0, 20_000, 40_000, 200_000]) {
      expect(await store.holdRole("report-firing", nowMs, LEASE_MS)).toBe(true);
    }
  });
});

describe("a role between two replicas on one PostgreSQL", () => {
  it("is one's at a time, and the other's once it was given up or its time is over", async (context) => {
    const url = await urlFor(context, "postgres");
    const [one, other] = [await open(context, url), await open(context, url)];
    const hold = (store: typeof one, nowMs: number) =>
      store.holdRole("report-firing", nowMs, LEASE_MS);
    expect([await hold(one, 0), await hold(other, 0)]).toEqual([true, false]);
    expect([await hold(other, 29_999), await hold(other, 30_000)]).toEqual([false, true]);
    expect(await hold(one, 30_001)).toBe(false);
    await one.leaveRole("report-firing");
    expect(await hold(one, 30_002)).toBe(false);
    await other.leaveRole("report-firing");
    expect(await hold(one, 30_003)).toBe(true);
  });

  it("goes to exactly one of many that ask at once", async (context) => {
    const url = await urlFor(context, "postgres");
    const stores = [await open(context, url), await open(context, url), await open(context, url)];
    const held = await Promise.all(
      stores.map((store) => store.holdRole("report-firing", 5, LEASE_MS)),
    );
    expect(held.filter(Boolean)).toHaveLength(1);
  });
});
