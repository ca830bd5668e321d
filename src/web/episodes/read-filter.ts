import { z } from "zod";
import { LabelMatcherError, parseLabelMatchers } from "../../alert/label-matcher.ts";
import { OUTCOMES } from "../../enrich/outcome.ts";
import type { EpisodeCursor, EpisodeFilter, LabelWish } from "../../enrich/reading-ports.ts";
import { DECISIONS } from "../../record/recommendation.ts";
import type { ParameterFault } from "../json/problem.ts";
import { readQuery } from "../json/read-query.ts";

const UNITS_MS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const TIME =
  /^(?:(?<ago>\d{1,4})(?<unit>[mhd])|\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))$/u;

const time = z
  .string()
  .regex(TIME, "must be a time such as 2026-12-01T12:00:00Z, or 24h for that long ago");
const labels = z
  .string()
  .max(4096)
  .transform((text, context): readonly LabelWish[] => {
    try {
      return parseLabelMatchers(text).map(({ name, operator, value }) => {
        if (operator !== "=" && operator !== "!=")
          throw new Error("only = and != are looked up here");
        return { name, value, isEqual: operator === "=" };
      });
    } catch (error) {
      const isOurs = error instanceof LabelMatcherError || error instanceof Error;
      context.addIssue({ code: "custom", message: isOurs ? error.message : "is not valid" });
      return z.NEVER;
    }
  });

/** What a list of episodes may be asked for, as query parameters; each at most once. */
export const episodeQuery = z.strictObject({
  label: labels.optional().describe('Matchers with = and !=, e.g. namespace="shop",pod!="a"'),
  status: z.enum(["open", "resolved", "stale"]).optional(),
  outcome: z.enum(OUTCOMES as [string, ...string[]]).optional(),
  decision: z.enum(DECISIONS as [string, ...string[]]).optional(),
  class: z.string().min(1).max(512).optional().describe("Class of the best match"),
  record: z
    .string()
    .regex(/^[0-9a-f]{16}$/u, "must be the id of a record: 16 lower-case hex digits")
    .optional(),
  since: time.optional().describe("Opened at or after this time, or no longer ago than, e.g. 24h"),
  until: time.optional().describe("Opened before this time"),
  after: z
    .string()
    .regex(/^\d{1,15}\.[0-9a-f]{64}$/u, "must be taken from an answer's `next`")
    .optional()
    .describe("Where the page begins: `next` of the page before"),
  limit: z
    .string()
    .regex(/^(?:[1-9]\d?|1\d\d|200)$/u, "must be a whole number from 1 to 200")
    .optional(),
});

/** A query that was understood. */
export interface EpisodeQuery {
  readonly filter: EpisodeFilter;
  readonly max: number;
  readonly after: EpisodeCursor | undefined;
}

const PAGE_DEFAULT = 30;

/** Reads query parameters; empty ones are as good as absent, for a form sends them. */
export function readEpisodeQuery(
  query: URLSearchParams,
  nowMs: number,
):
  | { readonly found: EpisodeQuery; readonly faults: readonly [] }
  | { readonly found: undefined; readonly faults: readonly ParameterFault[] } {
  const { found: data, faults } = readQuery(episodeQuery, query);
  if (data === undefined) return { found: undefined, faults };
  const max = data.limit === undefined ? PAGE_DEFAULT : Number(data.limit);
  return { found: { filter: filterOf(data, nowMs), max, after: cursorOf(data.after) }, faults: [] };
}

function filterOf(data: z.output<typeof episodeQuery>, nowMs: number): EpisodeFilter {
  const { label, status, outcome, decision, since, until } = data;
  const wishes = {
    ...{ labels: label, status, outcome, decision },
    errorClass: data.class,
    recordId: data.record,
    fromMs: since === undefined ? undefined : timeOf(since, nowMs),
    untilMs: until === undefined ? undefined : timeOf(until, nowMs),
  };
  return Object.fromEntries(Object.entries(wishes).filter(([, wish]) => wish !== undefined));
}

function timeOf(text: string, nowMs: number): number {
  const { ago, unit } = TIME.exec(text)?.groups ?? {};
  if (ago === undefined) return Date.parse(text) || 0;
  return nowMs - Number(ago) * (UNITS_MS[unit ?? ""] ?? 0);
}

function cursorOf(text: string | undefined): EpisodeCursor | undefined {
  const [openedMs, id] = text?.split(".") ?? [];
  return id === undefined ? undefined : { openedMs: Number(openedMs), id };
}

/** A cursor as a query parameter. */
export function cursorText({ openedMs, id }: EpisodeCursor): string {
  return `${openedMs}.${id}`;
}

/** A label as a matcher that `label=` reads back. */
export function matcherText(name: string, value: string): string {
  return `${/^[a-zA-Z_:][a-zA-Z0-9_:]*$/u.test(name) ? name : quoted(name)}=${quoted(value)}`;
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/gu, "\\$&").replace(/\n/gu, "\\n")}"`;
}
