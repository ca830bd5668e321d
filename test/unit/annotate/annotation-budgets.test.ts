import { describe, expect, it } from "vitest";
import { ANNOTATION_DEFAULTS } from "../../../src/annotate/annotation-settings.ts";
import type { AnnotationBudgets } from "../../../src/annotate/annotation-settings.ts";
import { renderAnnotations } from "../../../src/annotate/render-annotations.ts";
import { resolveAnnotations } from "../../../src/annotate/resolve-annotations.ts";
import { loadConfig } from "../../../src/config/load-config.ts";
import {
  buildEntry,
  buildMatch,
  buildRecommendation,
  lookUp,
} from "../../support/advice-builders.ts";
import { buildAnnotationInput as input } from "../../support/build-annotation-input.ts";

describe("runbook_url", () => {
  const link = "https://wiki.example/engine";
  const linked = (runbookUrl: string | null) => ({ ...buildEntry(), runbookUrl });

  it.each([
    ["the record's, where the alert has none", link, {}, link],
    ["none, where the record has none", null, {}, undefined],
    ["none, where the alert has its own", link, { runbook_url: "https://own.example/" }, undefined],
    ["none, where the alert's own is empty", link, { runbook_url: "" }, undefined],
    ["none, where it is no link", "javascript:alert(1)", {}, undefined],
    ["none, where it is too long", `https://a.example/${"x".repeat(512)}`, {}, undefined],
  ])("is %s", (_, runbookUrl, annotations, expected) => {
    const { compact, full } = renderAnnotations(
      input({ annotations, recordOf: lookUp(linked(runbookUrl)) }),
    );
    expect([compact["runbook_url"], full["runbook_url"]]).toEqual([expected, expected]);
  });

  it("is that of the first match only", () => {
    const other = { ...buildEntry({ id: "00000000000000bb" }), runbookUrl: link };
    const recordOf = (id: string) => (id === other.record.id ? other : buildEntry());
    const matches = [buildMatch(), buildMatch({ recordId: other.record.id })];
    expect(renderAnnotations(input({ matches, recordOf })).full).not.toHaveProperty("runbook_url");
  });

  it("stays on a resolved alert, for it is no advice of ours", () => {
    const rendered = renderAnnotations(input({ recordOf: lookUp(linked(link)) }));
    expect(resolveAnnotations(rendered, "error_").full["runbook_url"]).toBe(link);
  });

  it("is the first to go where the compact profile is full", () => {
    const settings = { ...ANNOTATION_DEFAULTS, compactBytesMax: 320 };
    const { compact } = renderAnnotations(input({ settings, recordOf: lookUp(linked(link)) }));
    expect(Object.keys(compact)).toEqual([
      "error_summary",
      "error_retry",
      "error_record",
      "error_url",
    ]);
  });
});

describe("the budgets of the operator", () => {
  const long = "w".repeat(9000);
  const full = (budgets: Partial<AnnotationBudgets>) =>
    renderAnnotations(
      input({
        settings: {
          ...ANNOTATION_DEFAULTS,
          budgets: { ...ANNOTATION_DEFAULTS.budgets, ...budgets },
        },
        matches: [buildMatch({ repo: long, errorMessage: long })],
        recordOf: lookUp(
          buildEntry({
            ...{ repo: long, errorClass: long, documentation: long },
            solutions: Array.from({ length: 20 }, () => long),
          }),
        ),
        recommendation: buildRecommendation({
          ...{ decision: "retry_after_fix", reason: long, maxAttempts: 2 },
          backoff: { initialMs: 30_000, factor: 2, maxMs: 300_000, jitter: 0.2 },
        }),
        logLines: Array.from({ length: 20 }, () => long),
      }),
    ).full;

  it.each([
    ["summary", "summary", [16, 40, 300, 1000]],
    ["retry", "retry", [16, 24]],
    ["record", "record", [16, 17, 20, 160, 1000]],
    ["class", "class", [16, 128, 1000]],
    ["confidence", "confidence", [16, 20]],
    ["repo", "repo", [16, 160, 1000]],
    ["explanation", "explanation", [16, 5000]],
    ["solutions", "solutions", [16, 5000]],
    ["retryReason", "retry_reason", [16, 5000]],
    ["log", "log", [16, 5000]],
  ] as const)("%s: as many bytes and no more", (budget, key, sizes) => {
    for (const size of sizes) {
      const value = full({ [budget]: size })[`error_${key}`] ?? "";
      const bytes = new TextEncoder().encode(value).length;
      expect(bytes, `${size}: ${value}`).toBeLessThanOrEqual(size);
      // The solutions and lines have limits of their own, and no sentence ends just there.
      expect(bytes, `${size}: ${value}`).toBeGreaterThanOrEqual(Math.min(size - 4, 14));
    }
  });

  it.each([
    ["url", "url"],
    ["sourceUrl", "source_url"],
    ["logsUrl", "logs_url"],
  ] as const)("%s: a longer link is left out, not cut", (budget, key) => {
    const link = full({})[`error_${key}`] ?? "";
    expect(link).toMatch(/^https:/u);
    expect(full({ [budget]: link.length })[`error_${key}`]).toBe(link);
    expect(full({ [budget]: link.length - 1 })).not.toHaveProperty(`error_${key}`);
  });

  it("keep the id of the record whole", () => {
    for (const record of [16, 17, 20, 40]) {
      expect(full({ record })["error_record"]).toMatch(/(?:^|…? )00000000000000aa$/u);
    }
  });

  it.each([
    [232, ["error_summary", "error_retry"]],
    [272, ["error_summary", "error_retry", "error_record"]],
    [312, ["error_summary", "error_retry", "error_record", "error_url"]],
    [200, ["error_summary"]],
    [90, ["error_summary"]],
  ])("compact in %i bytes keeps %j", (compactBytesMax, keys) => {
    const settings = { ...ANNOTATION_DEFAULTS, compactBytesMax };
    const { compact } = renderAnnotations(input({ settings }));
    expect(Object.keys(compact)).toEqual(keys);
    const bytes = new TextEncoder().encode(Object.entries(compact).flat().join("")).length;
    expect(bytes).toBeLessThanOrEqual(compactBytesMax);
  });

  it("are by default those of the configuration", () => {
    const { config } = loadConfig({ file: undefined, flags: {}, env: {} });
    expect(config?.annotate).toMatchObject(ANNOTATION_DEFAULTS);
  });
});
