import type { EnrichedGroup } from "../enrich/ports.ts";

/** A configured output. */
export interface Destination {
  /** Unique; a metric label, so it comes from the configuration only. */
  readonly name: string;
  /** The body to send for a group; `undefined` when none of its alerts go there. */
  render(enriched: EnrichedGroup): string | undefined;
  /**
   * Sends a body, trying again while that may help.
   *
   * @throws {UpstreamError} When the destination did not take it.
   */
  send(body: string): Promise<void>;
}
