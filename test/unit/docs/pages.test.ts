import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { OUTCOMES } from "../../../src/enrich/outcome.ts";
import { DECISIONS } from "../../../src/record/recommendation.ts";
import { SAFEGUARD_NAMES } from "../../../src/recommend/verdict.ts";
import { repositoryRoot } from "../../support/shared.ts";

const read = (relative: string) => readFileSync(path.join(repositoryRoot, relative), "utf8");

/** The first cells of the table rows of a page that hold one word in backquotes and nothing else. */
const firstCells = (page: string) =>
  [...page.matchAll(/^\| `([a-z_]+)` +\|/gm)].map(([, cell = ""]) => cell);

function filesBelow(folder: string): readonly string[] {
  const entries = readdirSync(path.join(repositoryRoot, folder), {
    recursive: true,
    withFileTypes: true,
  });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(repositoryRoot, path.join(entry.parentPath, entry.name)));
}

test("docs/lifecycle.md explains every outcome and no other", () => {
  expect(firstCells(read("docs/lifecycle.md")).sort()).toEqual([...OUTCOMES].sort());
});

test("docs/metrics.md names every outcome and decision", () => {
  const page = read("docs/metrics.md");
  const values = [...OUTCOMES, ...DECISIONS];
  expect(values.filter((value) => !page.includes(`\`${value}\``))).toEqual([]);
});

test("docs/metrics.md lists every metric that src/count registers and no other", () => {
  const sources = filesBelow("src/count").map(read).join("\n");
  const registered = [...sources.matchAll(/"(alertlore_[a-z_]+)"/g)].map(([, name = ""]) => name);
  expect(firstCells(read("docs/metrics.md")).sort()).toEqual([...new Set(registered)].sort());
});

test("docs/recommendations.md explains every safeguard and no other", () => {
  const explained = [
    ...read("docs/recommendations.md").matchAll(/^\| `safeguard:([a-z-]+)` +\|/gm),
  ].map(([, name = ""]) => name);
  expect(explained.sort()).toEqual([...SAFEGUARD_NAMES].sort());
});

test("no link of a page leads to a file that does not exist", () => {
  const pages = ["README.md", "CONTRIBUTING.md", ...filesBelow("docs")].filter((file) =>
    file.endsWith(".md"),
  );
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\(([^)#:]+)\)/g)]
      .map(([, target = ""]) => path.join(path.dirname(page), target))
      .filter((target) => !existsSync(path.join(repositoryRoot, target)))
      .map((target) => `${page}: ${target}`),
  );
  expect(broken).toEqual([]);
});
