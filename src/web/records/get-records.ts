import type { RequestHandler } from "express";
import type { z } from "zod";
import { refuse } from "../json/problem.ts";
import { queryOf, refuseFaults } from "../json/read-query.ts";
import { findRecords, readRecordQuery } from "./find-records.ts";
import type { RecordParts } from "./find-records.ts";
import { facetsJson, summaryJson } from "./record-schemas.ts";
import type { recordAnswer, recordPageJson } from "./record-schemas.ts";

/** `GET /api/v1/records`: records by words and facets, with how many there are of each value. */
export function getRecords(parts: RecordParts): RequestHandler {
  return async (request, response) => {
    const { found, faults } = readRecordQuery(queryOf(request));
    if (found === undefined) {
      refuseFaults(response, faults);
      return;
    }
    const { entries, total, facets, next } = await findRecords(parts, found);
    const page: z.infer<typeof recordPageJson> = {
      records: entries.map(summaryJson),
      total,
      facets: facetsJson(facets),
      ...(next !== undefined && { next }),
      datasetVersion: parts.records.datasetVersion,
    };
    response.json(page);
  };
}

/** `GET /api/v1/records/:id`: one record as ErrLookup's API answers it; 404 when it is not loaded. */
export function getRecord({ records }: RecordParts): RequestHandler {
  return (request, response) => {
    const entry = records.get(String(request.params["id"]));
    if (entry === undefined) {
      const detail = "No record of this id is loaded";
      refuse(response, { status: 404, title: "Not found", detail });
      return;
    }
    const { datasetVersion } = records;
    response.json({ record: entry.record, datasetVersion } satisfies Answer);
  };
}

type Answer = {
  readonly [Key in keyof z.infer<typeof recordAnswer>]: unknown;
};
