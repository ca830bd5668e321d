import { describe, expect, it } from "vitest";
import { buildAlert } from "../support/build-alert.ts";
import { STORE_KINDS, provideStores } from "../support/each-store.ts";
import { createRegionWorld, createTestTicker } from "../support/region-world.ts";
import type { RegionWorld } from "../support/region-world.ts";

const stores = provideStores();
const STARTS_AT = "2026-03-14T09:30:00Z";
const START_MS = Date.parse(STARTS_AT);
const ENDS_AT = "2026-03-14T09:40:00.250Z";
const END_MS = Date.parse(ENDS_AT);

const pod = (index: number) => ({
  labels: { alertname: "X", pod: `p-${index}` },
  startsAt: STARTS_AT,
});

async function fireMany({ fire }: RegionWorld, count: number, orgId = 1): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const labels = { alertname: "X", pod: `p-${index}`, org: String(orgId) };
    await fire({ labels, startsAt: STARTS_AT, unknownFields: { orgId } });
  }
}

const storms = ({ grafana }: RegionWorld) =>
  grafana.annotations.filter(({ tags }) => tags.includes("storm"));

describe.each(STORE_KINDS)("a storm, with episodes in %s,", (kind) => {
  it("is one annotation with a count beside as many regions as are allowed", async (context) => {
    const world = await createRegionWorld(stores, { context, kind }, { perMinute: 3 });
    await fireMany(world, 10);
    await world.pass(180_000);
    expect(world.grafana.annotations).toHaveLength(4);
    const [storm, ...others] = storms(world);
    expect(others).toEqual([]);
    expect(storm).toMatchObject({ time: START_MS, timeEnd: START_MS, dashboardUID: "" });
    expect(storm?.text).toContain("7 more alerts");
    expect(world.counters.tally["regionFolded"]).toBe(7);
  });

  it("counts on, and ends with the last of its alerts", async (context) => {
    const world = await createRegionWorld(stores, { context, kind }, { perMinute: 2 });
    for (let index = 0; index < 4; index += 1) await world.fire(pod(index));
    await world.pass(30_000);
    for (let index = 4; index < 9; index += 1) await world.fire(pod(index));
    await world.pass(60_000);
    expect(storms(world)[0]?.text).toContain("7 more alerts");
    for (let index = 0; index < 9; index += 1) {
      const endsAt = index === 8 ? ENDS_AT : "2026-03-14T09:35:00Z";
      await world.post({ ...pod(index), endsAt });
    }
    await world.pass(60_000);
    expect(storms(world)).toHaveLength(1);
    expect(storms(world)[0]).toMatchObject({ time: START_MS, timeEnd: END_MS });
    const open = world.grafana.annotations.filter(({ time, timeEnd }) => time === timeEnd);
    expect(open).toEqual([]);
  });

  it("is one for each organisation", async (context) => {
    const tokens = { 1: "glsa_editor", 2: "glsa_two" };
    const world = await createRegionWorld(stores, { context, kind }, { perMinute: 2, tokens });
    const permissions = world.grafana.tokens.get("glsa_editor")?.permissions ?? [];
    world.grafana.tokens.set("glsa_two", { orgId: 2, permissions });
    await fireMany(world, 4, 1);
    await fireMany(world, 4, 2);
    await world.pass(300_000);
    expect(storms(world).map(({ orgId }) => orgId)).toEqual(expect.arrayContaining([1, 2]));
    expect(storms(world)).toHaveLength(2);
  });

  it("lets no more annotations be made in any minute than are allowed, those that failed included", async (context) => {
    const world = await createRegionWorld(stores, { context, kind }, { perMinute: 3 });
    const { clock, grafana } = world;
    const madeMs: number[] = [];
    let isLossy = true;
    grafana.trouble = ({ method }) => {
      if (method !== "POST") return undefined;
      madeMs.push(clock.nowMs());
      isLossy = !isLossy;
      return isLossy ? "lost" : undefined;
    };
    for (let minute = 0; minute < 5; minute += 1) {
      for (let index = 0; index < 3; index += 1) await world.fire(pod(minute * 3 + index));
      await world.pass(60_000);
    }
    await world.pass(300_000);
    expect(grafana.annotations).toHaveLength(15);
    const most = madeMs.map((fromMs) =>
      madeMs.filter((atMs) => atMs >= fromMs && atMs < fromMs + 60_000),
    );
    expect(Math.max(...most.map((made) => made.length))).toBe(3);
  });

  it("is not made of what waited while Grafana was down", async (context) => {
    const world = await createRegionWorld(stores, { context, kind }, { perMinute: 2 });
    world.grafana.trouble = () => "away";
    for (let index = 0; index < 6; index += 1) {
      await world.fire(pod(index));
      await world.pass(60_000, 30_000);
    }
    world.grafana.trouble = () => undefined;
    await world.pass(900_000, 30_000);
    expect(storms(world)).toEqual([]);
    expect(world.grafana.annotations).toHaveLength(6);
  });

  it("takes what waits behind ten minutes of others", async (context) => {
    const world = await createRegionWorld(stores, { context, kind }, { perMinute: 1 });
    world.grafana.trouble = () => "away";
    for (let index = 0; index < 13; index += 1) {
      await world.fire(pod(index));
      await world.pass(60_000, 30_000);
    }
    world.grafana.trouble = () => undefined;
    await world.pass(1_800_000, 30_000);
    expect(storms(world)).toHaveLength(1);
    expect(world.grafana.annotations.length).toBeLessThan(13);
  });
});

describe("two replicas on one PostgreSQL", () => {
  it("make one region for each episode, though they work at once and one is killed", async (context) => {
    const world = await createRegionWorld(stores, { context, kind: "postgres" });
    const other = await stores.open(context, world.url);
    const tickOther = createTestTicker(other, world);
    for (let index = 0; index < 5; index += 1) await world.fire(pod(index));
    world.clock.advance(2000);
    await Promise.all([world.tick(), tickOther(), world.tick(), tickOther()]);
    expect(world.grafana.annotations).toHaveLength(5);
    await world.store().close();
    const over = [buildAlert({ ...pod(0), endsAt: ENDS_AT })];
    await other.observe({ name: "alertmanager", tenant: "" }, over, world.clock.nowMs());
    await tickOther();
    world.clock.advance(45_001);
    await tickOther();
    expect(world.grafana.annotations.filter(({ timeEnd }) => timeEnd === END_MS)).toHaveLength(1);
    expect(world.grafana.count("POST")).toBe(5);
  });
});

describe("a restart with the store in a file", () => {
  it("takes the role of the killed process at once", async (context) => {
    const world = await createRegionWorld(stores, { context, kind: "sqlite" });
    await world.fire(pod(0));
    await world.tick();
    await world.fire(pod(1));
    await world.restart();
    await world.tick();
    expect(world.grafana.annotations).toHaveLength(2);
  });
});
