/** What is masked beyond credentials, which always are. */
export interface RedactOptions {
  readonly emails: boolean;
  readonly cardNumbers: boolean;
  /** The operator's own masks, run last on each text; each must keep the number of lines. */
  readonly extra: readonly ((text: string) => string)[];
}

/** What holds where the operator says nothing. */
export const REDACT_DEFAULTS: RedactOptions = { emails: true, cardNumbers: true, extra: [] };
