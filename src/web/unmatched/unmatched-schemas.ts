import { z } from "zod";
import type { UnmatchedCluster } from "../../enrich/reading-ports.ts";
import { isoTime } from "../frame/time-words.ts";

const clusterJson = z.object({
  id: z.string().regex(/^[0-9a-f]{16}$/u),
  shape: z.string().describe("The message with what varies as {}"),
  samples: z.array(z.string()).describe("Redacted lines"),
  episodes: z.int().describe("Episodes that showed it"),
  firstAt: z.iso.datetime(),
  lastAt: z.iso.datetime(),
  lastEpisodeId: z.string(),
});

/** `GET /api/v1/unmatched`. */
export const unmatchedJson = z.object({
  clusters: z.array(clusterJson).describe("Those that most episodes showed first"),
  next: z.int().optional().describe("`page` of the next page; absent on the last one"),
});

/** Clusters as JSON. */
export function clustersJson(
  clusters: readonly UnmatchedCluster[],
  next: number | undefined,
): z.input<typeof unmatchedJson> {
  return {
    clusters: clusters.map(({ firstMs, lastMs, samples, ...cluster }) => ({
      ...cluster,
      samples: [...samples],
      firstAt: isoTime(firstMs),
      lastAt: isoTime(lastMs),
    })),
    ...(next !== undefined && { next }),
  };
}
