import { z } from "zod";
import {
  errorAnswer,
  errorJson,
  indexFile,
  manifestFile,
  repoFile,
  reposAnswer,
  reposFile,
  searchAnswer,
  searchQuery,
} from "../errlookup/errlookup-schemas.ts";
import type { Answer, Operation } from "./operation.ts";

const refused = (description: string): Answer => ({ description, schema: errorJson });
const notFound = { 404: refused("It is not there") };

/** What is answered in ErrLookup's form. */
export const ERRLOOKUP_OPERATIONS: readonly Operation[] = [
  {
    ...reading("/api/search", "searchErrors", "Records for the text of an error"),
    query: searchQuery,
    answers: { 200: found(searchAnswer), 400: refused("A parameter is not understood") },
  },
  {
    ...reading("/api/errors/{id}", "getError", "One record"),
    parameters: { id: z.string() },
    answers: { 200: found(errorAnswer), ...notFound },
  },
  {
    ...reading("/api/repos", "listRepos", "Repositories of the loaded records"),
    answers: { 200: found(reposAnswer) },
  },
  {
    ...reading("/data/manifest.json", "getManifest", "What the published dataset holds"),
    answers: { 200: found(manifestFile) },
  },
  {
    ...reading("/data/index.json", "getIndex", "All records in short"),
    answers: { 200: found(indexFile) },
  },
  {
    ...reading("/data/index.json.gz", "getIndexGzip", "The same as a compressed file"),
    answers: { 200: { description: "The file", mediaType: "application/gzip" } },
  },
  {
    ...reading("/data/repos.json", "getRepos", "Repositories of the dataset"),
    answers: { 200: found(reposFile) },
  },
  {
    ...reading("/data/repos/{owner}/{name}", "getRepo", "All records of one repository"),
    parameters: {
      owner: z.string(),
      name: z
        .string()
        .regex(/\.json$/u)
        .describe("Ends in `.json`"),
    },
    answers: { 200: found(repoFile), ...notFound },
  },
];

function reading(path: string, id: string, summary: string) {
  return { method: "get" as const, path, id, summary, tag: "ErrLookup" as const };
}

function found(schema: z.ZodType): Answer {
  return { description: "What was asked for", schema };
}
