/** Bytes of UTF-8 that each value may take; a text is cut, a link that does not fit is left out. */
export interface AnnotationBudgets {
  readonly summary: number;
  readonly retry: number;
  readonly record: number;
  readonly url: number;
  readonly class: number;
  readonly confidence: number;
  readonly repo: number;
  readonly explanation: number;
  readonly solutions: number;
  readonly retryReason: number;
  readonly log: number;
  readonly sourceUrl: number;
  readonly logsUrl: number;
  readonly outcome: number;
  readonly runbookUrl: number;
}

/** Settings of the operator. */
export interface AnnotationSettings {
  /** Put before every key; letters, digits and `_`, starting with a letter, at most 32 characters. */
  readonly prefix: string;
  /** Whether `error_outcome` is written when nothing was recognised. */
  readonly outcomeWithoutMatch: boolean;
  /** Each at least 16. */
  readonly budgets: AnnotationBudgets;
  /** Bytes of all keys and values of the profile `compact` together; at least 256. */
  readonly compactBytesMax: number;
}

/** What holds where the operator says nothing; the configuration has the same. */
export const ANNOTATION_DEFAULTS: AnnotationSettings = {
  prefix: "error_",
  outcomeWithoutMatch: false,
  budgets: {
    summary: 300,
    retry: 120,
    record: 160,
    url: 400,
    class: 128,
    confidence: 64,
    repo: 160,
    explanation: 1200,
    solutions: 2000,
    retryReason: 600,
    log: 2000,
    sourceUrl: 512,
    logsUrl: 2048,
    outcome: 16,
    runbookUrl: 512,
  },
  compactBytesMax: 1024,
};
