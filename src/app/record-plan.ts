import { copyFolderOf } from "../catalogue/sync/dataset-copy.ts";
import type { Config } from "../config/config.ts";
import type { CompiledCache } from "./compiled/compiled-cache.ts";
import type { RecordPlan } from "./gather-records.ts";
import { CACHE_PATH, MUTES_PATH, STARTER_RECORDS_PATH } from "./installation.ts";

/** Where a configuration finds its records, and what it changes of them. */
export function recordPlanOf({ records, rules }: Pick<Config, "records" | "rules">): RecordPlan {
  const configured = records.sources.map(({ path, url, curated }) => {
    const origin = curated ? ("operator" as const) : ("dataset" as const);
    if (url !== undefined)
      return { url, origin, folder: copyFolderOf(records.cachePath ?? CACHE_PATH, url) };
    // The configuration refuses a source with neither.
    return { path: path ?? "", origin };
  });
  const starter = { path: STARTER_RECORDS_PATH, origin: "starter" as const };
  return {
    sources: records.starter ? [starter, ...configured] : configured,
    mutePath: rules.mutePath ?? MUTES_PATH,
    overlayPaths: records.overlays,
  };
}

/** Where a configuration keeps compiled catalogues. */
export function compiledCacheOf({ records }: Pick<Config, "records">): CompiledCache {
  return { folder: records.cachePath ?? CACHE_PATH, bytesMax: records.compiledBytesMax };
}

/** The same with files and folders in place of every configured source. */
export function withSources(plan: RecordPlan, paths: readonly string[] | undefined): RecordPlan {
  if (paths === undefined) return plan;
  return { ...plan, sources: paths.map((path) => ({ path, origin: "dataset" as const })) };
}
