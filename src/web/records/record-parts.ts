import type { EpisodeReader } from "../../enrich/reading-ports.ts";
import type { KnownError } from "../../record/known-error.ts";
import type { TemplatePart } from "../../record/template.ts";
import type { RecordParts } from "./find-records.ts";

/** What the pages of records read. */
export interface RecordPageParts extends RecordParts {
  readonly reader: EpisodeReader;
  /** A record's message as the engine reads it. */
  readonly templateOf: (record: KnownError) => readonly TemplatePart[];
}
