import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ANNOTATION_DEFAULTS } from "../../src/annotate/annotation-settings.ts";
import type { AnnotationBudgets } from "../../src/annotate/annotation-settings.ts";
import { renderAnnotations } from "../../src/annotate/render-annotations.ts";
import { resolveAnnotations } from "../../src/annotate/resolve-annotations.ts";
import { buildEntry, buildMatch, buildRecommendation, lookUp } from "../support/advice-builders.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

/** Text as a hostile log or model may write it: any code unit, markup, very long. */
const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: 50 }),
  fc
    .array(
      fc.constantFrom(
        "<",
        ">",
        "](",
        "```",
        "@here",
        "\u202e",
        "\ud800",
        "\n",
        "\u001b[31m",
        "😀",
        " Advice: ",
        "ä",
        "x",
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join("")),
  fc
    .tuple(fc.constantFrom("a", "€", "😀", " ", "\n"), fc.integer({ min: 0, max: 5000 }))
    .map(([one, times]) => one.repeat(times)),
);
const decision = fc.constantFrom("retry", "retry_after_fix", "do_not_retry", "investigate");

/** What an operator may configure. */
const budgets = fc
  .record(
    Object.fromEntries(
      Object.entries(ANNOTATION_DEFAULTS.budgets).map(([name, bytes]) => [
        name,
        fc.oneof(fc.constant(bytes), fc.integer({ min: 16, max: 4096 })),
      ]),
    ),
  )
  .map((record) => record as unknown as AnnotationBudgets);
/** Key without prefix → name of its budget. */
const budgetOf = (key: string) =>
  key.replaceAll(/_([a-z])/gu, (_, letter: string) => letter.toUpperCase());
const SEVERAL_LINES = new Set(["solutions", "log"]);

const arbInput = fc.record({
  message: hostile,
  repo: hostile,
  documentation: hostile,
  reason: hostile,
  url: hostile,
  label: hostile,
  prefix: fc.stringMatching(/^[a-z][a-z0-9_]{0,31}$/),
  solutions: fc.array(hostile, { maxLength: 4 }),
  logLines: fc.array(hostile, { maxLength: 4 }),
  decision,
  budgets,
  compactBytesMax: fc.integer({ min: 256, max: 2048 }),
});

describe("annotations of any text", () => {
  it("stay within their budgets, are plain, and lose all advice when resolved", () => {
    fc.assert(
      fc.property(arbInput, (given) => {
        const { prefix, compactBytesMax } = given;
        const runbookUrl = `https://wiki.example/${given.url}`;
        const entry = buildEntry({
          repo: given.repo,
          documentation: given.documentation,
          solutions: given.solutions,
          errorClass: given.label,
          githubUrl: `https://github.com/${given.url}`,
        });
        const profiles = renderAnnotations({
          outcome: "matched",
          matches: [buildMatch({ repo: given.repo, errorMessage: given.message })],
          recordOf: lookUp({ ...entry, runbookUrl }),
          recommendation: buildRecommendation({ decision: given.decision, reason: given.reason }),
          labels: { pod: given.label },
          annotations: {},
          logLines: given.logLines,
          lastSeenNs: 0n,
          links: { page: `https://lore.example/${given.url}`, logs: given.url },
          settings: { prefix, outcomeWithoutMatch: true, budgets: given.budgets, compactBytesMax },
        });
        const compact = Object.entries(profiles.compact).map(([key, value]) => key + value);
        expect(bytesOf(compact.join(""))).toBeLessThanOrEqual(compactBytesMax);
        for (const [key, value] of Object.entries(profiles.full)) {
          const name = key === "runbook_url" ? key : key.slice(prefix.length);
          expect(key === "runbook_url" || key.startsWith(prefix)).toBe(true);
          const limits: Readonly<Record<string, number>> = { ...given.budgets };
          expect(bytesOf(value), key).toBeLessThanOrEqual(limits[budgetOf(name)] ?? 0);
          expect(value, key).not.toMatch(/[<>]|\]\(|```|[\p{Cf}\p{Cs}]/u);
          expect(value.replaceAll(SEVERAL_LINES.has(name) ? "\n" : "", ""), key).not.toMatch(
            /\p{Cc}/u,
          );
        }
        const first = profiles.full[`${prefix}retry`]?.split(" ")[0];
        expect(first).toBe(given.decision);
        const { full } = resolveAnnotations(profiles, prefix);
        expect(Object.keys(full).some((key) => key.startsWith(`${prefix}retry`))).toBe(false);
        expect(full[`${prefix}summary`]).not.toContain(" Advice: ");
      }),
      { numRuns: 300 },
    );
  });
});
