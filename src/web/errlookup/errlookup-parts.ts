import type { Match } from "../../record/match.ts";
import type { RecordParts } from "../records/find-records.ts";
import type { PublishedDocuments } from "./documents.ts";

/** What the routes in ErrLookup's form are made of. */
export interface ErrLookupParts extends RecordParts {
  /** Under which the loaded records are published. */
  readonly version: () => Promise<string>;
  readonly documents: () => Promise<PublishedDocuments>;
  /** Finds records in lines as for an alert, best first. */
  readonly match: (lines: readonly string[]) => readonly Match[];
  /** Where people reach the pages, without a slash at its end; empty: links are relative to the host. */
  readonly base: string;
}
