/** One Loki log entry or one line of an annotation. The text may hold several lines. */
export interface LogEntry {
  /** Nanoseconds since the Unix epoch; `undefined` for text that came without a time. */
  readonly timestampNs: bigint | undefined;
  readonly text: string;
  /** Identifies the stream (Loki) the entry came from; entries of one stream may be joined. */
  readonly stream: string;
}

/**
 * Where the entries came from: an annotation of the alert (`excerpt`), the `logql` annotation
 * (`query`), the alerting rule's expression (`rule`), a query that names a pod, container or instance
 * (`pinned`), a wider one (`widened`), or a prose annotation (`prose`).
 */
export type Provenance = "excerpt" | "query" | "rule" | "pinned" | "widened" | "prose";

/** The bounded entries taken for one episode. */
export interface Excerpt {
  readonly entries: readonly LogEntry[];
  readonly provenance: Provenance;
  /** Whether entries were left out to stay within a limit. */
  readonly cut: boolean;
}
