import { cutUtf8 } from "../log/cut-utf8.ts";
import type { Region, RegionLink } from "../enrich/region-ports.ts";

/** What a link of each kind must begin with. */
export interface RegionLinkBases {
  /** Alertlore's own pages; `undefined`: not linked to. */
  readonly pagesUrl: string | undefined;
  /** Grafana as people reach it. */
  readonly grafanaUrl: string;
}

const NAMES: Readonly<Record<RegionLink["name"], string>> = {
  episode: "what Alertlore knows",
  source: "source line",
  logs: "log lines",
};
const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
/** All together stay below 10 kB, six bytes for one that is escaped: a tooltip shows it. */
const TITLE_BYTES_MAX = 100;
const SUMMARY_BYTES_MAX = 400;
const URL_CHARACTERS_MAX = 2048;
const LINKS_CHARACTERS_MAX = 6500;
/** Nothing that ends an attribute, opens a tag or hides where a link leads. */
const PLAIN_URL = /^https?:\/\/[\w.[\]:-]+(?:[/?#][!#-;=?-[\]_a-z{|}~]*)?$/iu;

/**
 * Renders the HTML that a tooltip of Grafana shows: title, summary and links. Nothing but our own markup
 * comes out of it, and no link but to Alertlore, to the source on github.com and to Grafana's Explore.
 *
 * @see https://grafana.com/docs/grafana/latest/dashboards/build-dashboards/annotate-visualizations/
 */
export function renderRegionText(
  { title, summary, links }: Pick<Region, "title" | "summary" | "links">,
  bases: RegionLinkBases,
): string {
  const heading = plain(title, TITLE_BYTES_MAX);
  const lines = [
    `<b>${heading === "" ? "Known error" : heading}</b>`,
    plain(summary, SUMMARY_BYTES_MAX),
  ].filter(Boolean);
  const shown = withinTotal(links.filter((link) => isOurs(link, bases)).map(renderLink));
  return [...lines, ...(shown.length > 0 ? [shown.join(" · ")] : [])].join("<br/>");
}

/** The first links that fit: a long one is left out, never cut. */
function withinTotal(links: readonly string[]): readonly string[] {
  let left = LINKS_CHARACTERS_MAX;
  return links.filter((link) => {
    if (link.length > left) return false;
    left -= link.length;
    return true;
  });
}

function renderLink({ name, url }: RegionLink): string {
  return `<a href="${escapeHtml(url)}" rel="noopener noreferrer">${NAMES[name]}</a>`;
}

function isOurs({ name, url }: RegionLink, { pagesUrl, grafanaUrl }: RegionLinkBases): boolean {
  // Browsers read a backslash as a slash, and `..` leads out of what the link begins with.
  if (url.length > URL_CHARACTERS_MAX || !PLAIN_URL.test(url) || isClimbing(url)) return false;
  if (name === "source") return url.startsWith("https://github.com/");
  if (name === "logs") return url.startsWith(`${grafanaUrl}/explore?`);
  return pagesUrl !== undefined && url.startsWith(`${pagesUrl}/`);
}

function isClimbing(url: string): boolean {
  const path = url.split(/[?#]/u, 1)[0] ?? "";
  return /\/(?:\.|%2e){1,2}(?:\/|$)/iu.test(path);
}

/** One line of text: tooltips show line feeds as blanks, and control characters are nobody's wish. */
function plain(text: string, bytesMax: number): string {
  const line = text
    .replace(/\p{Cs}/gu, "\uFFFD")
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  const kept = cutUtf8(line, bytesMax).text;
  return escapeHtml(kept === line ? line : `${kept}…`);
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/gu, (character) => ENTITIES[character] ?? "");
}
