import { mkdir } from "node:fs/promises";
import path from "node:path";
import axe from "axe-core";
import { chromium } from "playwright-core";
import type { Browser, Page } from "playwright-core";
import { expect, test } from "vitest";
import type { TestContext } from "vitest";
import { SECTIONS } from "../../src/web/frame/sections.ts";
import { HOSTILE, startPageWorld } from "../support/page-world.ts";
import { requireBinary } from "../support/require-binary.ts";
import { repositoryRoot } from "../support/shared.ts";

// Screenshots are for people: nothing is compared with them.
const SCREENSHOTS = path.join(repositoryRoot, "screenshots");
const PAGE_BYTES_MAX = 100_000;

async function startBrowser(context: TestContext): Promise<Browser> {
  const executablePath = requireBinary(context, "chromium");
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  context.onTestFinished(() => browser.close());
  return browser;
}

/** Whatever the browser complains of: scripts that ran, policies that were broken, answers that failed. */
function listenForComplaints(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("requestfailed", (request) => complaints.push(`failed: ${request.url()}`));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return complaints;
}

async function seriousFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const loaded = globalThis as unknown as { axe: typeof axe };
    const { violations } = await loaded.axe.run();
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) =>
        nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ""}`),
      );
  });
}

/** How long until the page showed something, in milliseconds. */
function shownAfter(page: Page): Promise<number> {
  return page.evaluate(
    () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
  );
}

const views = (["light", "dark"] as const).flatMap((colorScheme) =>
  [390, 1280].map((width) => ({ colorScheme, width })),
);

test("an engineer walks from the overview to dead letters, at every width and in light and dark", async (context) => {
  const world = await startPageWorld(context.onTestFinished);
  const browser = await startBrowser(context);
  await mkdir(SCREENSHOTS, { recursive: true });
  const times: string[] = [];
  for (const { colorScheme, width } of views) {
    const page = await browser.newPage({ colorScheme, viewport: { width, height: 844 } });
    const complaints = listenForComplaints(page);
    const look = async (name: string) => {
      expect(await seriousFaults(page), name).toEqual([]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(overflow, `${name} does not scroll sideways`).toBeLessThanOrEqual(width);
      times.push(`${name} ${width} ${colorScheme}: ${(await shownAfter(page)).toFixed(0)} ms`);
      const file = `${name}-${width}-${colorScheme}.png`;
      await page.screenshot({ path: path.join(SCREENSHOTS, file), fullPage: true });
    };
    await page.goto(world.url);
    await look("overview");
    await page.getByRole("link", { name: "PoolExhausted" }).first().click();
    await page.getByRole("heading", { level: 1, name: "OrdersFailing" }).waitFor();
    const first = page.locator("section.verdict");
    expect(await first.textContent()).toMatch(/PoolExhausted.*Find the slowest queries/su);
    await look("episode");
    await page.getByRole("link", { name: "0000000000000002" }).first().click();
    await page.getByRole("heading", { level: 1, name: "PoolExhausted" }).waitFor();
    await look("record");
    await page.getByRole("navigation").getByRole("link", { name: "Records" }).click();
    await page.getByRole("searchbox").fill("pool exhausted");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("status").getByText("1 record").waitFor();
    await look("records");
    await page.getByRole("navigation").getByRole("link", { name: "Explain" }).click();
    const pasted = "ERROR connection pool main exhausted after 30s: 20 in use";
    await page.getByRole("textbox", { name: "Lines of a log" }).fill(pasted);
    await page.getByRole("button", { name: "Explain" }).click();
    await page.getByRole("heading", { level: 2, name: "Recognised" }).waitFor();
    await look("explain");
    for (const name of ["Episodes", "Unmatched"]) {
      await page.getByRole("navigation").getByRole("link", { name }).click();
      await page.getByRole("heading", { level: 1, name }).waitFor();
      await look(name.toLowerCase());
    }
    await page.getByRole("link", { name: "was declined by the bank" }).click();
    await page.getByRole("textbox", { name: "Program that prints it" }).waitFor();
    await look("draft");
    await page.getByRole("navigation").getByRole("link", { name: "Deliveries" }).click();
    await page.getByRole("heading", { level: 1, name: "Dead letters" }).waitFor();
    await look("deliveries");
    await page
      .getByRole("button", { name: /Send again: pager/u })
      .first()
      .click();
    await page.getByRole("status").waitFor();
    await page.getByRole("navigation").getByRole("link", { name: "Status" }).click();
    await page.getByRole("heading", { level: 1, name: "Status" }).waitFor();
    await look("status");
    expect(complaints).toEqual([]);
    await page.close();
  }
  process.stdout.write(`first paint\n  ${times.join("\n  ")}\n`);
});

test("every link within leads somewhere, on a page of less than 100 kB that runs nothing", async (context) => {
  const world = await startPageWorld(context.onTestFinished);
  const browser = await startBrowser(context);
  const page = await browser.newPage();
  const complaints = listenForComplaints(page);
  const waiting = [...SECTIONS.map((section) => `${world.url}/${section.path}`)];
  const seen = new Set(waiting);
  for (const url of waiting) {
    const answer = await fetch(url);
    expect(answer.status, url).toBe(200);
    const isPage = answer.headers.get("content-type")?.startsWith("text/html") === true;
    const bytes = (await answer.arrayBuffer()).byteLength;
    if (!isPage) continue;
    expect(bytes, url).toBeLessThan(PAGE_BYTES_MAX);
    await page.goto(url);
    expect(await page.title(), url).not.toBe("pwned");
    expect(
      await page.locator("script, iframe, object, embed, main img, [style]").count(),
      url,
    ).toBe(0);
    const links = await page
      .locator("a[href]")
      .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
    for (const link of links) {
      expect(link, url).toMatch(/^https?:/u);
      const target = link.split("#")[0] ?? "";
      if (!target.startsWith(world.url) || seen.has(target)) continue;
      seen.add(target);
      waiting.push(target);
    }
  }
  expect(waiting.length).toBeGreaterThan(20);
  expect(complaints).toEqual([]);
});

test("hostile text stands on its page as text", async (context) => {
  const world = await startPageWorld(context.onTestFinished);
  const browser = await startBrowser(context);
  const page = await browser.newPage();
  const complaints = listenForComplaints(page);
  await page.goto(`${world.url}/episodes?label=${encodeURIComponent('pod="javascript:alert(1)"')}`);
  await page.locator(".row-title").click();
  await page.locator("section.verdict").waitFor();
  const visible = HOSTILE.slice(0, 40);
  for (const part of ["h1", "section.verdict", "ol.log", "ol.steps", "dl.labels"]) {
    expect(await page.locator(part).first().textContent(), part).toContain(visible);
  }
  expect(await page.locator("ol.log").textContent()).toContain("␛[31m[U+202E]{{7*7}}");
  expect(complaints).toEqual([]);
});

test("hostile records and lines stand on the pages of records as text", async (context) => {
  const world = await startPageWorld(context.onTestFinished);
  const browser = await startBrowser(context);
  const page = await browser.newPage();
  const complaints = listenForComplaints(page);
  await page.goto(`${world.url}/records?q=evil`);
  await page.locator(".row-title").click();
  await page.locator("p.template").waitFor();
  const visible = HOSTILE.slice(0, 40);
  for (const part of ["h1", "div.markdown", "ol.steps"]) {
    expect(await page.locator(part).first().textContent(), part).toContain(visible);
  }
  await page.goto(
    `${world.url}/explain?line=${encodeURIComponent(HOSTILE.replaceAll("\ud800", ""))}`,
  );
  expect(await page.locator("ol.log").textContent()).toContain(visible);
  await page.getByRole("textbox", { name: "Lines of a log" }).fill("x".repeat(2 ** 20));
  await page.getByRole("button", { name: "Explain" }).click();
  await page.getByRole("alert").waitFor();
  expect(await page.title()).not.toBe("pwned");
  expect(complaints.filter((each) => !each.includes("413"))).toEqual([]);
});
