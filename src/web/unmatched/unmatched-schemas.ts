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

/** No more shapes are kept than fit on so many pages. */
const PAGES_MAX = 40;

/** What a list of shapes may be asked for, as query parameters; each at most once. */
export const unmatchedQuery = z.strictObject({
  page: z
    .string()
    .regex(/^(?:[1-9]|[1-3]\d|40)$/u, `must be a whole number from 1 to ${PAGES_MAX}`)
    .optional()
    .describe("`next` of the page before"),
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
