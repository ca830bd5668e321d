import { z } from "zod";
import { recordAnswer, recordId } from "../records/record-schemas.ts";

const datasetVersion = z.string();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/u);
const file = z.object({ path: z.string(), bytes: z.int(), sha256 });

/** A repository in ErrLookup's lists. What records do not tell is `null`, 0 or `HEAD`. */
const repoJson = z.object({
  repo: z.string(),
  description: z.null(),
  language: z.string().nullable(),
  stars: z.literal(0),
  sourceFiles: z.null(),
  defaultBranch: z.literal("HEAD"),
  analyzedSha: z.string(),
  analyzedAt: z.string(),
  errorCount: z.int(),
});

/** `GET /api/search`. */
export const searchAnswer = z.object({
  matches: z.array(
    z.object({
      id: recordId,
      repo: z.string(),
      code: z.string().nullable(),
      message: z.string(),
      score: z.number().min(0).max(1),
      matchType: z.enum(["exact-code", "pattern", "fuzzy"]),
      url: z.string(),
    }),
  ),
  datasetVersion,
});

/** `GET /api/errors/:id`. */
export const errorAnswer = recordAnswer;

/** `GET /api/repos`. */
export const reposAnswer = z.object({ repos: z.array(repoJson), datasetVersion });

/** `GET /data/repos.json`. */
export const reposFile = z.array(repoJson);

/** `GET /data/repos/:owner/:name`. */
export const repoFile = z.array(recordAnswer.shape.record);

/** `GET /data/manifest.json`. */
export const manifestFile = z.object({
  schemaVersion: z.literal(2),
  datasetVersion,
  counts: z.object({ repos: z.int(), errors: z.int() }),
  files: z.object({
    index: file,
    indexGzip: file.extend({ encoding: z.literal("gzip"), rawBytes: z.int(), rawSha256: sha256 }),
    repos: file,
  }),
});

/** `GET /data/index.json`. */
export const indexFile = z.object({
  schemaVersion: z.literal(2),
  datasetVersion,
  errors: z.array(
    z.object({
      id: recordId,
      repo: z.string(),
      slug: z.string(),
      code: z.string().nullable(),
      msg: z.string(),
      pattern: z.string(),
      type: z.string(),
      cls: z.string().nullable(),
      tags: z.array(z.string()),
      sev: z.string(),
    }),
  ),
});

/** How ErrLookup's API refuses. */
export const errorJson = z.object({
  error: z.string(),
  endpoints: z.array(z.string()).optional(),
});

/** What `GET /api/search` may be asked. */
export const searchQuery = z.object({
  q: z.string().max(8192).describe("Text of an error"),
  repo: z.string().optional().describe("`owner/name`"),
  limit: z
    .string()
    .regex(/^[1-9]\d{0,3}$/u)
    .optional()
    .describe("At most 25; 5 by default"),
});
