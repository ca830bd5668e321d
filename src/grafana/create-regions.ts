import type { DashboardPlace } from "../alert/grafana-place.ts";
import { UpstreamError } from "../enrich/outcome.ts";
import type { Clock, Logger } from "../enrich/ports.ts";
import { RegionRefused } from "../enrich/region-ports.ts";
import type { Region, Regions } from "../enrich/region-ports.ts";
import { createDashboards } from "./dashboards.ts";
import { refusalText } from "./grafana-client.ts";
import type { GrafanaAnswer, GrafanaClient } from "./grafana-client.ts";
import { searchTagsOf, tagsOf } from "./region-tags.ts";
import { renderRegionText } from "./render-region-text.ts";
import type { RegionLinkBases } from "./render-region-text.ts";

/** What regions are written with. */
export interface RegionsOptions {
  readonly client: GrafanaClient;
  readonly bases: RegionLinkBases;
  readonly clock: Pick<Clock, "nowMs">;
  readonly logger: Logger;
}

/**
 * Writes regions through Grafana's HTTP API of annotations.
 *
 * @see https://grafana.com/docs/grafana/latest/developers/http_api/annotations/
 */
export function createRegions(options: RegionsOptions): Regions {
  const { client, bases } = options;
  const dashboards = createDashboards(options);
  const post = (region: Region, place: DashboardPlace | undefined) =>
    client({ method: "POST", path: "/api/annotations", body: bodyOf(region, bases, place) });
  return {
    async find(key) {
      const query = new URLSearchParams({ type: "annotation", limit: "1" });
      for (const tag of searchTagsOf(key)) query.append("tags", tag);
      const answer = await client({ method: "GET", path: "/api/annotations", query });
      if (answer.status !== 200 || !Array.isArray(answer.body)) throw refused(answer);
      return answer.body.length === 0 ? undefined : idOf(answer.body[0], answer);
    },
    async open(region) {
      const place = await dashboards.check(region.place);
      let answer = await post(region, place);
      if (place !== undefined && (answer.status === 403 || answer.status === 404)) {
        dashboards.refuse(place, refusalText(answer));
        answer = await post(region, undefined);
      }
      if (answer.status !== 200) throw refused(answer);
      return idOf(answer.body, answer);
    },
    change(annotation, region) {
      return patch(client, annotation, shownOf(region, bases));
    },
    end: (annotation, endMs) => patch(client, annotation, { timeEnd: endMs }),
  };
}

async function patch(
  client: GrafanaClient,
  annotation: string,
  body: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const path = `/api/annotations/${encodeURIComponent(annotation)}`;
  const answer = await client({ method: "PATCH", path, body });
  if (answer.status === 404 && hasMessage(answer)) return false;
  if (answer.status !== 200) throw refused(answer);
  return true;
}

function bodyOf(region: Region, bases: RegionLinkBases, place: DashboardPlace | undefined) {
  return {
    time: region.startMs,
    ...shownOf(region, bases),
    ...(place !== undefined && { dashboardUID: place.uid }),
    ...(place?.panelId !== undefined && { panelId: place.panelId }),
  };
}

/** What may change of a region. */
function shownOf(region: Region, bases: RegionLinkBases) {
  const { startMs, endMs } = region;
  return {
    // An end before the start would be swapped with it.
    ...(endMs !== undefined && { timeEnd: Math.max(endMs, startMs) }),
    text: renderRegionText(region, bases),
    tags: tagsOf(region),
  };
}

/** A refusal by Grafana itself says why; a 404 of something in front of it is a wrong URL. */
function hasMessage({ body }: GrafanaAnswer): boolean {
  return typeof (body as { message?: unknown } | null | undefined)?.message === "string";
}

const FOR_GOOD: ReadonlySet<number> = new Set([400, 413, 422]);

function refused(answer: GrafanaAnswer): Error {
  const { status } = answer;
  const text = refusalText(answer);
  if (status === 403) return new RegionRefused(text, false);
  if (FOR_GOOD.has(status)) return new RegionRefused(text, true);
  return new UpstreamError(status === 200 ? "server" : "unreachable", text);
}

function idOf(body: unknown, answer: GrafanaAnswer): string {
  const id = (body as { id?: unknown } | null | undefined)?.id;
  const text = typeof id === "number" || typeof id === "string" ? String(id) : "";
  if (!/^\d{1,20}$/u.test(text)) throw refused(answer);
  return text;
}
