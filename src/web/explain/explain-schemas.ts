import { z } from "zod";
import { matchJson, recommendationJson } from "../episodes/episode-schemas.ts";
import { recordId } from "../records/record-schemas.ts";

/** Lines that are explained in one go. */
const LINES_MAX = 2000;
/** Characters of all of them. */
const CHARACTERS_MAX = 65_536;

const line = z.string();

/** `POST /api/v1/explain`: lines of one stream, in order. */
export const explainRequest = z
  .strictObject({
    lines: z.array(line).min(1).max(LINES_MAX),
    labels: z.record(z.string(), z.string()).optional().describe("Of the alert they belong to"),
    record: recordId.optional().describe("Say why this record is found in them, or why not"),
  })
  .refine(({ lines }) => lines.reduce((sum, each) => sum + each.length + 1, 0) <= CHARACTERS_MAX, {
    path: ["lines"],
    error: `must have at most ${CHARACTERS_MAX} characters in all`,
  });

/** `GET /api/v1/explain`: the same of one text. */
export const explainQuery = z.strictObject({
  line: z
    .string()
    .max(CHARACTERS_MAX, `must have at most ${CHARACTERS_MAX} characters`)
    .describe("One line, or several with line feeds between them"),
  record: recordId.optional().describe("Say why this record is found, or why not"),
});

/** What `/api/v1/explain` answers. */
export const explainAnswer = z.object({
  lines: z
    .array(z.object({ line: z.int(), column: z.int(), text: z.string() }))
    .describe("Those that show something, redacted; at most 60"),
  linesTotal: z.int(),
  matches: z.array(matchJson).describe("Best first"),
  recommendation: recommendationJson.describe("As for an alert that fires now, without history"),
  why: z.array(z.string()).optional().describe("Sentences about the record that was asked for"),
});
