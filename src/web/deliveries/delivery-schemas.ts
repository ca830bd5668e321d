import { z } from "zod";

/** `GET /api/v1/deliveries`. */
export const deadLettersJson = z.object({
  deliveries: z
    .array(
      z.object({
        id: z.string(),
        destination: z.string(),
        groupKey: z.string(),
        receiver: z.string(),
        reason: z.string().describe("Of the last try; empty when none is known"),
        attempts: z.int(),
        createdMs: z.int().describe("Milliseconds since the Unix epoch"),
      }),
    )
    .describe("The latest first; at most 500"),
});

/** `POST /api/v1/deliveries/:id/resend`. */
export const resentJson = z.object({ id: z.string() });
