import { z } from "zod";

/**
 * An object of strings, as labels and annotations are on the wire.
 *
 * The result has no prototype, so that a label named `constructor` is only there when it was sent and
 * one named `__proto__` is kept like any other.
 */
export const textMap = z.unknown().transform((value, context): Record<string, string> => {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    const entries = Object.entries(value);
    const map = Object.create(null) as Record<string, string>;
    for (const [name, text] of entries) if (typeof text === "string") map[name] = text;
    if (Object.keys(map).length === entries.length) return map;
  }
  context.addIssue({ code: "custom", message: "must be an object of strings" });
  return z.NEVER;
});
