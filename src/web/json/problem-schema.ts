import { z } from "zod";

/** Why a request was refused, as `application/problem+json` (RFC 9457). */
export const problemJson = z.object({
  type: z.literal("about:blank"),
  title: z.string().describe("The same for every problem of its kind"),
  status: z.int(),
  detail: z.string(),
  errors: z
    .array(z.object({ field: z.string(), message: z.string() }))
    .optional()
    .describe("One for each parameter or field that is wrong"),
});
