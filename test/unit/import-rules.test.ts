import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { cruise, type IConfiguration, type ICruiseResult } from "dependency-cruiser";
import { afterAll, beforeAll, expect, test } from "vitest";
import { repositoryRoot } from "../support/shared.ts";

// One wrong arrow for each rule of .dependency-cruiser.mjs: file, what it imports, the rule that says no.
const wrongArrows: readonly (readonly [file: string, imported: string, rule: string])[] = [
  ["src/log/a.ts", "../log/b.ts", "no-cycle"],
  ["src/app/lost.ts", "./nowhere.ts", "not-to-unresolvable"],
  ["src/app/tested.ts", "../../test/support.ts", "src-stands-alone"],
  ["src/app/developed.ts", "fast-check", "no-development-package-in-src"],
  ["src/log/later.ts", "../record/noun.ts", "nouns-stand-in-order"],
  ["src/alert/later.ts", "../log/noun.ts", "alert-imports-nothing"],
  ["src/record/judge.ts", "../match/step.ts", "nouns-know-no-step"],
  ["src/redact/two.ts", "../match/step.ts", "steps-meet-only-in-enrich"],
  ["src/select/up.ts", "../enrich/ports.ts", "steps-meet-only-in-enrich"],
  ["src/schedule/short.ts", "../match/step.ts", "schedule-asks-enrich"],
  ["src/enrich/late.ts", "../schedule/sweep.ts", "enrich-knows-no-schedule"],
  ["src/parse/read.ts", "node:fs", "core-has-no-package"],
  ["src/match/check.ts", "zod", "core-has-no-package"],
  ["src/select/check.ts", "zod", "core-has-no-package-but-select"],
  ["src/redact/check.ts", "zod", "core-has-no-package-but-redact"],
  ["src/enrich/send.ts", "../deliver/edge.ts", "core-knows-no-edge"],
  ["src/ingest/keep.ts", "../store/edge.ts", "edges-meet-only-in-app"],
  ["src/web/find.ts", "../match/step.ts", "edges-see-ports-not-steps"],
  ["src/web/way.ts", "../enrich/enrich-alert.ts", "edges-see-ports-not-steps"],
  ["src/store/serve.ts", "express", "express-in-ingest-and-web"],
  ["src/deliver/tally.ts", "prom-client", "prom-client-in-count"],
  ["src/ingest/call.ts", "axios", "packages-of-ingest"],
  ["src/proxy/log.ts", "pino", "packages-of-proxy"],
  ["src/retrieve/log.ts", "pino", "packages-of-retrieve"],
  ["src/deliver/check.ts", "zod", "packages-of-deliver"],
  ["src/grafana/check.ts", "zod", "packages-of-grafana"],
  ["src/store/check.ts", "zod", "packages-of-store"],
  ["src/catalogue/read.ts", "yaml", "packages-of-catalogue"],
  ["src/harvest/check.ts", "zod", "packages-of-harvest"],
  ["src/count/check.ts", "zod", "packages-of-count"],
  ["src/web/check.ts", "yaml", "packages-of-web"],
  ["src/config/call.ts", "axios", "packages-of-config"],
  ["src/app/check.ts", "zod", "packages-of-app"],
  ["src/cli/check.ts", "zod", "packages-of-cli"],
  ["src/main.ts", "zod", "packages-of-main"],
  ["src/cli/match.ts", "../match/step.ts", "cli-asks-app"],
  ["src/app/flags.ts", "../cli/command.ts", "nobody-imports-the-command-line"],
];

const rightArrows: readonly (readonly [file: string, imported: string])[] = [
  ["src/record/right.ts", "../log/noun.ts"],
  ["src/match/right.ts", "../record/noun.ts"],
  ["src/select/right.ts", "@grafana/lezer-logql"],
  ["src/redact/right.ts", "re2js"],
  ["src/enrich/right.ts", "../match/step.ts"],
  ["src/schedule/right.ts", "../enrich/ports.ts"],
  ["src/ingest/right.ts", "express"],
  ["src/store/right.ts", "../enrich/ports.ts"],
  ["src/store/file.ts", "node:fs"],
  ["src/app/right.ts", "../store/edge.ts"],
  ["src/app/steps.ts", "../match/step.ts"],
  ["src/cli/right.ts", "../app/serve.ts"],
  ["src/cli/flags.ts", "commander"],
];

const targets = [
  "src/log/noun.ts",
  "src/record/noun.ts",
  "src/match/step.ts",
  "src/enrich/ports.ts",
  "src/enrich/enrich-alert.ts",
  "src/schedule/sweep.ts",
  "src/deliver/edge.ts",
  "src/store/edge.ts",
  "src/app/serve.ts",
  "src/cli/command.ts",
  "test/support.ts",
];

let tree = "";
let rules: NonNullable<IConfiguration["forbidden"]> = [];
let violations: ICruiseResult["summary"]["violations"] = [];

beforeAll(async () => {
  tree = mkdtempSync(path.join(tmpdir(), "alertlore-imports-"));
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(tree, file)), { recursive: true });
    writeFileSync(path.join(tree, file), text);
  };
  for (const file of targets) write(file, "export const there = 1;\n");
  const wayBack = ["src/log/b.ts", "../log/a.ts"] as const;
  for (const [file, imported] of [...wrongArrows, ...rightArrows, wayBack]) {
    write(file, `import "${imported}";\n`);
  }
  symlinkSync(path.join(repositoryRoot, "node_modules"), path.join(tree, "node_modules"));
  symlinkSync(path.join(repositoryRoot, "package.json"), path.join(tree, "package.json"));

  const file = path.join(repositoryRoot, ".dependency-cruiser.mjs");
  const { default: config } = (await import(file)) as { default: IConfiguration };
  rules = config.forbidden ?? [];
  const options = { ...config.options };
  // The tree has no compiler settings, and needs none.
  delete options.tsConfig;
  const { output } = await cruise(["src"], {
    ...options,
    // The tree's node_modules is a link: judge packages by the path they are imported under.
    preserveSymlinks: true,
    baseDir: tree,
    validate: true,
    ruleSet: { forbidden: rules },
  });
  violations = (output as ICruiseResult).summary.violations;
});

afterAll(() => {
  rmSync(tree, { recursive: true, force: true });
});

test.each(wrongArrows)("%s may not import %s (%s)", (file, _imported, rule) => {
  const found = violations.filter(({ from }) => from === file).map((found) => found.rule.name);
  expect(found).toContain(rule);
});

test.each(rightArrows)("%s may import %s", (file) => {
  expect(violations.filter(({ from }) => from === file)).toEqual([]);
});

test("every rule has a wrong arrow above", () => {
  const shown = new Set(wrongArrows.map(([, , rule]) => rule));
  expect(rules.map(({ name }) => name).filter((name) => !shown.has(name ?? ""))).toEqual([]);
});
