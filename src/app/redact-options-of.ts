import type { Config } from "../config/config.ts";
import { compileMask } from "../redact/compile-masks.ts";
import { REDACT_DEFAULTS } from "../redact/redact-options.ts";
import type { RedactOptions } from "../redact/redact-options.ts";

/** What is masked under a configuration, which has checked the expressions. */
export function redactOptionsOf({ redact }: Config): RedactOptions {
  return { ...REDACT_DEFAULTS, extra: redact.patterns.map((pattern) => compileMask(pattern)) };
}
