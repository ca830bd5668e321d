import { findSecrets } from "./find-secrets.ts";
import { REDACT_DEFAULTS, type RedactOptions } from "./redact-options.ts";
import { maskSpans } from "./span.ts";

/**
 * Masks secrets and personal data in one text. Quotes, delimiters, names and lines stay, so that error
 * templates still fit around a mask. A text without secrets is given back as it is.
 *
 * Pure, in time linear in the text; never throws.
 */
export function redactText(text: string, options: RedactOptions = REDACT_DEFAULTS): string {
  const masked = maskSpans(text, findSecrets(text, options));
  return options.extra.reduce((sofar, mask) => mask(sofar), masked);
}
