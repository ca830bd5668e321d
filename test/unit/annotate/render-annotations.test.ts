import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ANNOTATION_DEFAULTS } from "../../../src/annotate/annotation-settings.ts";
import {
  type AnnotationInput,
  renderAnnotations,
} from "../../../src/annotate/render-annotations.ts";
import { buildAnnotationInput as input } from "../../support/build-annotation-input.ts";
import { resolveAnnotations } from "../../../src/annotate/resolve-annotations.ts";
import {
  buildEntry,
  buildMatch,
  buildRecommendation,
  lookUp,
  repositoryRoot,
} from "../../support/advice-builders.ts";

const COMPACT = {
  error_summary:
    "Known error seen 4 times in pod engine-7, last at 12:03 UTC: engine {} stopped. Advice: do the steps, then retry. First step: Start the engine.",
  error_retry: "retry_after_fix (max 2, wait 30s, until 1970-01-01T00:15:00Z)",
  error_record: "acme/engine 00000000000000aa",
  error_url: "https://lore.example/episodes/1",
};

describe("renderAnnotations", () => {
  it("writes the compact profile", () => {
    expect(renderAnnotations(input()).compact).toEqual(COMPACT);
  });

  it("writes the full profile", () => {
    expect(renderAnnotations(input()).full).toEqual({
      ...COMPACT,
      error_confidence: "high (exact, score 0.90)",
      error_class: "EngineError",
      error_repo: "acme/engine@aaaaaaa",
      error_explanation: "The engine stopped.",
      error_solutions: "1. Start the engine.\n2. Replace the engine.",
      error_retry_reason: "Start it first.",
      error_log: "ERROR engine 7 stopped\nERROR engine 7 stopped again",
      error_source_url: `https://github.com/acme/engine/blob/${"a".repeat(40)}/src/engine.rs#L12`,
      error_logs_url: "https://grafana.example/explore?x=1",
      error_outcome: "matched",
    });
  });

  it("writes every key under the prefix of the operator", () => {
    const settings = { ...ANNOTATION_DEFAULTS, prefix: "lore_" };
    const { full } = renderAnnotations(input({ settings }));
    expect(Object.keys(full).every((key) => key.startsWith("lore_"))).toBe(true);
    expect(full["lore_record"]).toBe("acme/engine 00000000000000aa");
  });

  it("writes no key that has nothing to say", () => {
    const bare = buildEntry({ solutions: [], githubUrl: "ftp://github.com/x", documentation: " " });
    const { full } = renderAnnotations(
      input({ recordOf: lookUp(bare), recommendation: undefined, logLines: [], links: {} }),
    );
    expect(Object.keys(full)).toEqual([
      ...["error_summary", "error_record", "error_confidence", "error_class", "error_repo"],
      "error_outcome",
    ]);
  });

  it("speaks of the match alone when its record has left the catalogue", () => {
    const { full } = renderAnnotations(input({ recordOf: () => undefined }));
    expect(full["error_summary"]).toContain("engine {} stopped");
    expect(full).not.toHaveProperty("error_repo");
  });

  it.each(["no_match", "no_logs", "logs_failed", "deadline"] as const)(
    "says nothing on %s unless the operator wants the outcome",
    (outcome) => {
      const silent = input({ outcome, matches: [] });
      expect(renderAnnotations(silent)).toEqual({ compact: {}, full: {} });
      const settings = { ...ANNOTATION_DEFAULTS, outcomeWithoutMatch: true };
      expect(renderAnnotations({ ...silent, settings })).toEqual({
        compact: {},
        full: { error_outcome: outcome },
      });
    },
  );

  it("says nothing on an alert that was skipped", () => {
    const settings = { ...ANNOTATION_DEFAULTS, outcomeWithoutMatch: true };
    expect(renderAnnotations(input({ outcome: "skipped", settings })).full).toEqual({});
  });
});

describe("the summary", () => {
  const summary = (changes: Partial<AnnotationInput>) =>
    renderAnnotations(input(changes)).compact["error_summary"] ?? "";

  it.each([
    [{ occurrences: 1 }, "Known error seen once in pod engine-7"],
    [{ confidence: "medium" as const }, "Possibly a known error, seen once"],
    [{ kind: "similar" as const }, "Text resembling a known error seen once"],
  ])("opens for %j with %j", (changes, opening) => {
    expect(summary({ matches: [buildMatch(changes)] })).toMatch(new RegExp(`^${opening}`));
  });

  it.each([
    [{ namespace: "prod", instance: "10.0.0.1:9100" }, " in instance 10.0.0.1:9100,"],
    [{ namespace: "prod" }, " in namespace prod,"],
    [{ team: "a" }, "seen 4 times, last at"],
    [{ pod: "" }, "seen 4 times, last at"],
    [{ pod: "x".repeat(500) }, `in pod ${"x".repeat(61)}…,`],
  ])("names the place of %j", (labels, place) => {
    expect(summary({ labels })).toContain(place);
  });

  it.each([undefined, 10n ** 40n, -(10n ** 40n)])("leaves out the time %s", (lastSeenNs) => {
    expect(summary({ lastSeenNs })).toContain("in pod engine-7: engine");
  });

  it.each([
    ["retry", "Advice: retry, if repeating the operation is safe."],
    ["do_not_retry", "Advice: do not retry, it will fail again."],
    ["investigate", "Advice: investigate, do not retry blindly."],
  ] as const)("says %s in words", (decision, words) => {
    expect(summary({ recommendation: buildRecommendation({ decision }) })).toContain(words);
  });

  it("keeps message, advice and first step when all of them are long", () => {
    const matches = [buildMatch({ errorMessage: "m".repeat(900) })];
    const recordOf = lookUp(buildEntry({ solutions: ["s".repeat(900)] }));
    const text = summary({ matches, recordOf });
    expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(300);
    expect(text).toMatch(/: m{40,}… Advice: do the steps, then retry. First step: s{60,}…$/);
  });

  it("never claims to know the cause", () => {
    expect(summary({})).not.toMatch(/cause/i);
  });
});

describe("links", () => {
  it.each([
    ["javascript:alert(1)"],
    ["https://user:pass@github.com/a/b"],
    ["https://github.com.evil.example/a"],
    ["https://evil.example/github.com/"],
    ["https://github.com/a b"],
    ["https://github.com/a|<script>"],
    [`https://github.com/${"a".repeat(600)}`],
  ])("%s is not a source link", (githubUrl) => {
    const recordOf = lookUp(buildEntry({ githubUrl }));
    expect(renderAnnotations(input({ recordOf })).full).not.toHaveProperty("error_source_url");
  });

  it("are left out of the compact profile rather than breaking its limit", () => {
    const settings = { ...ANNOTATION_DEFAULTS, prefix: "a".repeat(32) };
    const matches = [buildMatch({ repo: `o/${"r".repeat(200)}`, errorMessage: "m".repeat(500) })];
    const recordOf = lookUp(buildEntry({ solutions: ["s".repeat(500)] }));
    const page = `https://lore.example/${"p".repeat(379)}`;
    const { compact, full } = renderAnnotations(
      input({ settings, matches, recordOf, links: { page } }),
    );
    expect(full[`${settings.prefix}url`]).toBe(page);
    expect(compact).not.toHaveProperty(`${settings.prefix}url`);
  });
});

describe("the log", () => {
  it("is cut by line and in all, and split at line feeds", () => {
    const logLines = [
      "a\nb",
      " ",
      "x".repeat(3000),
      ...Array.from({ length: 99 }, () => "y".repeat(90)),
    ];
    const log = renderAnnotations(input({ logLines })).full["error_log"] ?? "";
    expect(
      log
        .split("\n")
        .slice(0, 3)
        .map((line) => line.length),
    ).toEqual([1, 1, 698]);
    expect(new TextEncoder().encode(log).length).toBeLessThanOrEqual(2000);
    expect(log.endsWith("…")).toBe(true);
  });
});

describe("resolveAnnotations", () => {
  it("takes away all advice and keeps the rest", () => {
    const firing = renderAnnotations(input());
    const { compact, full } = resolveAnnotations(firing, "error_");
    expect(compact).toEqual({
      error_summary:
        "Known error seen 4 times in pod engine-7, last at 12:03 UTC: engine {} stopped.",
      error_record: COMPACT.error_record,
      error_url: COMPACT.error_url,
    });
    expect(full).not.toHaveProperty("error_retry");
    expect(full).not.toHaveProperty("error_retry_reason");
    expect(full["error_solutions"]).toBe(firing.full["error_solutions"]);
  });

  it("keeps a message whole that speaks of advice itself", () => {
    const matches = [buildMatch({ errorMessage: "no Advice: given" })];
    const { compact } = resolveAnnotations(renderAnnotations(input({ matches })), "error_");
    expect(compact["error_summary"]).toContain("no advice: given.");
  });

  it("leaves an alert without annotations as it is", () => {
    expect(resolveAnnotations({ compact: {}, full: {} }, "error_")).toEqual({
      compact: {},
      full: {},
    });
  });
});

describe("docs/annotations.md", () => {
  it("lists every key with its limit", () => {
    const page = readFileSync(`${repositoryRoot}docs/annotations.md`, "utf8");
    for (const [name, bytes] of Object.entries<number>({ ...ANNOTATION_DEFAULTS.budgets })) {
      const snake = name.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
      const key = snake === "runbook_url" ? snake : `error_${snake}`;
      const row = page.split("\n").find((line) => line.startsWith(`| \`${key}\` `));
      expect(row, key).toContain(`${bytes.toLocaleString("en")} bytes`);
    }
    for (const key of Object.keys(renderAnnotations(input()).full))
      expect(page).toContain(`\`${key}\``);
  });
});
