import { createHash } from "node:crypto";
import { z } from "zod";
import type { KnownError } from "../../record/known-error.ts";
import type { ParameterFault } from "../json/problem.ts";

/** What the form asks for; each a query parameter. */
export const draftQuery = z.object({
  repo: z
    .string()
    .trim()
    .regex(/^[\w.-]{1,100}\/[\w.-]{1,100}$/u, "must be owner/name, e.g. acme/shop"),
  message: z.string().trim().min(4, "must have at least 4 characters").max(2000),
  severity: z.enum(["critical", "error", "warning", "info"]).default("error"),
  meaning: z.string().trim().max(8000).default(""),
  steps: z.string().trim().max(8000).default(""),
});

/** What the form gave. */
export type DraftWishes = z.output<typeof draftQuery>;

/** Reads the form. */
export function readDraft(
  query: URLSearchParams,
):
  | { readonly wishes: DraftWishes; readonly faults: readonly [] }
  | { readonly wishes: undefined; readonly faults: readonly ParameterFault[] } {
  const { success, data, error } = draftQuery.safeParse(Object.fromEntries(query));
  if (success) return { wishes: data, faults: [] };
  const faults = error.issues.map(({ path, message }) => ({ field: path.join("."), message }));
  return { wishes: undefined, faults };
}

const TO_WRITE = "To be written";
const NO_COMMIT = "0".repeat(40);

/** Makes a record that can be loaded as it is, and says where something is still to be written. */
export function draftRecord(wishes: DraftWishes, nowMs: number): KnownError {
  const { repo, message, severity, meaning, steps } = wishes;
  const filePath = "unknown";
  return {
    id: idOf(repo, message, filePath),
    repo,
    slug: slugOf(message),
    errorCode: null,
    errorMessage: message,
    messagePattern: patternOf(message),
    errorType: "console",
    errorClass: null,
    httpStatus: null,
    severity,
    filePath,
    lineNumber: null,
    sourceCode: null,
    sourceCodeStart: null,
    sourceCodeEnd: null,
    githubUrl: `https://github.com/${repo}`,
    documentation: meaning === "" ? `${TO_WRITE}: what it means in operation.` : meaning,
    triggerScenarios: `${TO_WRITE}: the moment in which the program prints it.`,
    commonSituations: `${TO_WRITE}: what had happened before, commonest first.`,
    solutions: steps
      .split("\n")
      .map((step) => step.replace(/^\s*(?:\d{1,2}[.)]|[-*])\s+/u, "").trim())
      .filter(Boolean)
      .slice(0, 100),
    exampleFix: null,
    handlingStrategy: null,
    validationCode: null,
    typeGuard: null,
    tryCatchPattern: null,
    preventionTips: [],
    tags: [],
    backgroundTag: null,
    analyzedSha: NO_COMMIT,
    analyzedAt: new Date(nowMs).toISOString(),
    schemaVersion: 2,
  };
}

/** As upstream makes ids: see docs/writing-records.md. */
function idOf(repo: string, message: string, filePath: string): string {
  const key = [repo, message, filePath].join("\u0001");
  return createHash("sha256").update(key).digest("hex").slice(0, 16);
}

function slugOf(message: string): string {
  const words = message.toLowerCase().match(/[a-z0-9]+/gu) ?? [];
  return words.slice(0, 8).join("-").slice(0, 100).replace(/-$/u, "") || "draft";
}

function patternOf(message: string): string {
  const literals = message.split("{}").map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/gu, "\\$&"));
  return literals.join("(.+?)");
}
