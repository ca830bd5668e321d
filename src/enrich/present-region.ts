import { resolveAnnotations } from "../annotate/resolve-annotations.ts";
import type { Annotations, Labels } from "../alert/alert.ts";
import type { EpisodeState } from "./ports.ts";
import type { Region, RegionLink, RegionWork } from "./region-ports.ts";

const NO_TEXT: Annotations = {};

/**
 * Says what Grafana is to show of a region; `undefined` when the episode is gone. The prefix is that of the
 * annotations that we add.
 */
export function presentRegion(work: RegionWork, prefix: string): Region | undefined {
  const { key, startMs, endMs, about } = work;
  if (about === undefined) return undefined;
  if ("episode" in about) {
    return { key, startMs, endMs, place: about.place, ...textOf(about.episode, prefix) };
  }
  const many = about.episodes === 1 ? "1 more alert" : `${about.episodes} more alerts`;
  return {
    ...{ key, startMs, endMs },
    title: "Storm of alerts",
    summary: `${many} with a known error, too many to mark each`,
    ...{ tags: ["storm"], links: [], place: undefined },
  };
}

function textOf(episode: EpisodeState, prefix: string) {
  const { labels, enrichment, status } = episode;
  const kept = enrichment?.annotations;
  const shown = kept && status !== "open" ? resolveAnnotations(kept, prefix) : kept;
  const full = shown?.full ?? NO_TEXT;
  return {
    title: titleOf(labels),
    summary: full[`${prefix}summary`] ?? "",
    tags: [enrichment?.errorClass ?? "", labels["severity"] ?? ""],
    links: linksOf(full, prefix),
  };
}

/** Grafana calls all rules without data alike, and tells their names beside. */
function titleOf({ alertname = "", rulename = "" }: Labels): string {
  const isGeneral = alertname === "DatasourceNoData" || alertname === "DatasourceError";
  return isGeneral && rulename !== "" ? `${rulename} (${alertname})` : alertname;
}

function linksOf(full: Annotations, prefix: string): RegionLink[] {
  const urls: readonly (readonly [RegionLink["name"], string])[] = [
    ["episode", full[`${prefix}url`] ?? ""],
    ["source", full[`${prefix}source_url`] ?? ""],
    ["logs", full[`${prefix}logs_url`] ?? ""],
  ];
  return urls.filter(([, url]) => url !== "").map(([name, url]) => ({ name, url }));
}
