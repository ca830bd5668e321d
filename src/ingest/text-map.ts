import { z } from "zod";
import { readTextMap } from "../alert/text-map.ts";

/**
 * An object of strings, as labels and annotations are on the wire.
 *
 * The result has no prototype, so that a label named `constructor` is only there when it was sent and
 * one named `__proto__` is kept like any other.
 */
export const textMap = z.unknown().transform((value, context): Record<string, string> => {
  const map = readTextMap(value);
  if (map !== undefined) return map;
  context.addIssue({ code: "custom", message: "must be an object of strings" });
  return z.NEVER;
});
