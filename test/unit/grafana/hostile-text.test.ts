import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Region, RegionLink } from "../../../src/enrich/region-ports.ts";
import { createRegions } from "../../../src/grafana/create-regions.ts";
import { createGrafanaClient } from "../../../src/grafana/grafana-client.ts";
import { startFakeGrafana } from "../../support/fake-grafana.ts";
import type { FakeAnnotation } from "../../support/fake-grafana.ts";
import { HOSTILE_TEXTS, HOSTILE_URLS } from "../../support/hostile-texts.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { createRecordingLogger } from "../../support/recording-logger.ts";
import { readHtml, sanitizeAsGrafana } from "../../support/sanitize-as-grafana.ts";
import type { ShownElement } from "../../support/sanitize-as-grafana.ts";

const BASES = { pagesUrl: "https://lore.test", grafanaUrl: "https://grafana.test" };
const ALLOWED_LINK =
  /^https:\/\/(?:lore\.test\/|github\.com\/|grafana\.test\/explore\?)[\x21-\x7e]*$/u;
const LINKS: readonly RegionLink[] = [
  { name: "episode", url: "https://lore.test/episodes/0f" },
  { name: "source", url: "https://github.com/a/b/blob/0f/src/main.rs#L7" },
  { name: "logs", url: "https://grafana.test/explore?schemaVersion=1&panes=%7B%7D&orgId=1" },
];

const regionOf = (wishes: Partial<Region>): Region => ({
  ...{ key: "0f", startMs: 1000, endMs: 2000, title: "T", summary: "S" },
  ...{ tags: [], links: LINKS, place: undefined, ...wishes },
});

/** What Grafana has after a region was opened and changed. */
async function write(...regions: readonly Region[]): Promise<readonly FakeAnnotation[]> {
  const { url, annotations } = await startFakeGrafana();
  const client = createGrafanaClient({
    ...{ url, authorization: "Bearer glsa_editor", orgId: undefined },
    ...{ userAgent: "Alertlore/test", timeoutMs: 5000 },
  });
  const parts = { clock: createManualClock(), logger: createRecordingLogger() };
  const writer = createRegions({ client, bases: BASES, ...parts });
  for (const region of regions) await writer.change(await writer.open(region), region);
  return annotations;
}

/** Elements that are neither ours nor harmless; our own are `b`, `br` and links to three places. */
function foreignIn(elements: readonly ShownElement[]): readonly ShownElement[] {
  return elements.filter(({ tag, attributes }) => {
    const names = Object.keys(attributes);
    if (tag === "b" || tag === "br") return names.length > 0;
    const isPlain = names.every((name) => name === "href" || name === "rel");
    return tag !== "a" || !isPlain || !ALLOWED_LINK.test(attributes["href"] ?? "");
  });
}

describe("what Grafana is sent", () => {
  it("has nothing of forty hostile texts, whether in title, summary or tags, but their characters", async () => {
    expect(HOSTILE_TEXTS).toHaveLength(40);
    const stored = await write(
      ...HOSTILE_TEXTS.map((text) =>
        regionOf({ title: text, summary: `seen: ${text}`, tags: [text, "error"] }),
      ),
    );
    expect(stored).toHaveLength(40);
    for (const [index, { text, tags }] of stored.entries()) {
      for (const shown of [readHtml(text), sanitizeAsGrafana(text)]) {
        expect(foreignIn(shown.elements), text).toEqual([]);
        expect(shown.elements.map(({ tag }) => tag)).toEqual(["b", "br", "br", "a", "a", "a"]);
        // Nothing was read as markup: every printable character stands in the text.
        const sent = HOSTILE_TEXTS[index] ?? "";
        const printable = sent
          .replace(/\p{Cs}/gu, "\uFFFD")
          .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ");
        expect(shown.text).toContain(printable.trim());
      }
      expect(tags.join(" ")).not.toMatch(/[<>"'&=:()]/u);
      expect(tags).toEqual(expect.arrayContaining(["alertlore", "alertlore-0f", "error"]));
    }
  });

  it.each(["episode", "source", "logs"] as const)(
    "has no link but to our pages, the source and Explore, though forty foreign ones are given as %s",
    async (name) => {
      expect(HOSTILE_URLS).toHaveLength(40);
      const stored = await write(
        ...HOSTILE_URLS.map((url) => regionOf({ links: [{ name, url }] })),
      );
      for (const [index, { text }] of stored.entries()) {
        expect(
          readHtml(text).elements.map(({ tag }) => tag),
          HOSTILE_URLS[index],
        ).toEqual(["b", "br"]);
      }
    },
  );

  it("is the same after Grafana's filter as before, links included", async () => {
    const [stored] = await write(regionOf({ title: 'a < b & "c"' }));
    const sent = readHtml(stored?.text ?? "");
    const shown = sanitizeAsGrafana(stored?.text ?? "");
    expect(shown.elements).toEqual(sent.elements);
    expect(shown.text).toBe(sent.text);
    const links = sent.elements.flatMap(({ attributes }) => attributes["href"] ?? []);
    expect(links).toEqual(LINKS.map(({ url }) => url));
  });

  it("is harmless whatever the text", async () => {
    const texts = fc.sample(
      fc.string({ unit: fc.constantFrom(..."<>\"'&#;:/=ax \n\u0000\u202e\ud83d".split("")) }),
      { numRuns: 100, seed: 9845 },
    );
    const stored = await write(...texts.map((text) => regionOf({ title: text, summary: text })));
    expect(stored.flatMap(({ text }) => foreignIn(readHtml(text).elements))).toEqual([]);
  });

  it("stays below 10 kB with the longest texts", async () => {
    const url = (start: string) => `${start}${"&".repeat(2048 - start.length)}`;
    const [stored] = await write(
      regionOf({
        title: '"'.repeat(10_000),
        summary: "'".repeat(100_000),
        tags: ["é".repeat(1000), "ü".repeat(1000)],
        links: LINKS.map(({ name, url: start }) => ({ name, url: url(start) })),
      }),
    );
    expect(Buffer.byteLength(stored?.text ?? "")).toBeLessThan(10_000);
    expect(stored?.tags).toHaveLength(4);
    expect(stored?.tags.every((tag) => Buffer.byteLength(tag) <= 100)).toBe(true);
  });
});

describe("the filter of the fake Grafana", () => {
  it.each([
    [
      '<a href="https://x.test/?a=1&b=2" target="_blank" rel="noopener">x</a>',
      '<a href="https://x.test/?a=1&amp;b=2" rel="noopener">x</a>',
    ],
    ['<a href="/d/x">x</a>', '<a href="/d/x">x</a>'],
    ['<a href="javascript:alert(1)">x</a>', "<a>x</a>"],
    ['<a href="data:text/html,x">x</a>', "<a>x</a>"],
    ["<b>a</b><script>x</script><iframe></iframe><form><input></form>", "<b>a</b>"],
    ['<b onclick="x">a</b>', "<b>a</b>"],
    ['<img src="https://x.test/a.png">', '<img src="https://x.test/a.png">'],
    ["a < b & c > d", "a &lt; b &amp; c &gt; d"],
    ["[text](https://x.test)", "[text](https://x.test)"],
  ])("makes of %s what was measured", (html, shown) => {
    expect(sanitizeAsGrafana(html).html).toBe(shown);
  });
});
