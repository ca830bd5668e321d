import { describe, expect, it } from "vitest";
import { STORE_KINDS, provideStores } from "../support/each-store.ts";
import { createRegionWorld } from "../support/region-world.ts";
import { LIFE_STORIES } from "./region-life-stories.ts";
import { TROUBLE_STORIES } from "./region-trouble-stories.ts";

const stores = provideStores();

describe.each(STORE_KINDS)("a region, with episodes in %s,", (kind) => {
  it.for([...LIFE_STORIES, ...TROUBLE_STORIES])(
    "$name",
    async ({ happens, regions, warnings, wishes }, context) => {
      const world = await createRegionWorld(stores, { context, kind }, wishes);
      await happens(world);
      const { annotations } = world.grafana;
      const shown = annotations.toSorted(
        (left, right) => left.orgId - right.orgId || left.timeEnd - right.timeEnd,
      );
      expect(shown).toMatchObject(regions);
      expect(shown).toHaveLength(regions.length);
      const keys = annotations.flatMap(({ tags }) =>
        tags.filter((tag) => /^alertlore-[0-9a-f]{64}$/u.test(tag)),
      );
      expect(new Set(keys).size).toBe(regions.length);
      const said = world.logger.lines.filter(({ level }) => level === "warn");
      expect(said, JSON.stringify(said)).toHaveLength(warnings ?? 0);
    },
  );
});
