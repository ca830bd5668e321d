import { z } from "zod";
import { duration, oneOf, text, wholeNumber } from "./leaf-schema.ts";
import { Secret } from "./secret.ts";
import { section, secretly, setting } from "./setting.ts";
import type { Setting } from "./setting.ts";

const storeUrl: z.ZodType<Secret> = text(
  /^(?:memory|sqlite:.+|postgres(?:ql)?:\/\/.+)$/u,
  "sqlite:PATH, postgres://… or memory",
).transform((value) => new Secret(value));

const SHORT_KEY = "url";

const table = section("store", {
  /** `sqlite:PATH`, relative to the working directory; `postgres://…` for several replicas; `memory` forgets. */
  url: secretly(setting("url", storeUrl, "sqlite:data/alertlore.db")),
  /** What the sender gets when the store is away: 503, or delivery without it. */
  onFailure: setting("on_failure", oneOf(["refuse", "passthrough"]), "refuse"),
  /** Closed episodes and dead letters that are older are removed. */
  retentionMs: setting("retention", duration(3_600_000, 366 * 86_400_000), "15d"),
  /** Beyond it the closed episodes seen longest ago are removed earlier. */
  episodesMax: setting("max_episodes", wholeNumber(1000, 100_000_000), 1_000_000),
});

/** The section `store`; the URL alone may stand for it. */
export const storeSetting: typeof table = {
  ...table,
  shortKey: SHORT_KEY,
  schema: z.preprocess(
    (value) => (typeof value === "string" ? { [SHORT_KEY]: value } : value),
    table.schema,
  ) as (typeof table)["schema"],
} satisfies Setting<unknown>;
