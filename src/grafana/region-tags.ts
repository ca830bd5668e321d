import { cutUtf8 } from "../log/cut-utf8.ts";
import type { Region } from "../enrich/region-ports.ts";

/** Stands on every annotation of ours, for the queries of dashboards. */
const OWN_TAG = "alertlore";
/** Grafana takes 100 bytes a tag and 500 characters for all of them as JSON. */
const TAG_BYTES_MAX = 80;

/** The tag that no other annotation has. */
function uniqueTagOf(key: string): string {
  return `${OWN_TAG}-${key}`;
}

/**
 * The tags of a region. From its own tags colons go, for Grafana splits a tag at the first and drops all
 * from the second on; one that could be taken for a tag of ours goes too, for regions are found by them.
 */
export function tagsOf({ key, tags }: Pick<Region, "key" | "tags">): string[] {
  const cleaned = tags
    .map(cleanTag)
    .filter((tag) => tag !== "" && !tag.toLowerCase().startsWith(OWN_TAG));
  return [...new Set([OWN_TAG, ...cleaned, uniqueTagOf(key)])];
}

/** Tags by which the annotation of a region is found. */
export function searchTagsOf(key: string): string[] {
  return [OWN_TAG, uniqueTagOf(key)];
}

function cleanTag(tag: string): string {
  const plain = tag
    .replace(/\p{Cs}/gu, "\uFFFD")
    .replace(/:+/gu, ".")
    .replace(/[^\p{L}\p{N} ._/-]+/gu, "_")
    .trim();
  return cutUtf8(plain, TAG_BYTES_MAX).text.trim();
}
