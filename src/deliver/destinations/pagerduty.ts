import type { AnnotationProfile } from "../../enrich/enrichment.ts";
import type { Destination } from "../destination.ts";
import { titleOf, viewGroup } from "../group-text.ts";
import type { AlertView, GroupView } from "../group-text.ts";
import type { HttpSender } from "../http-sender.ts";
import { cutText } from "../split-text.ts";
import { renderText } from "../text-template.ts";
import type { TextTemplate } from "../text-template.ts";

/** A service of PagerDuty, through the Events API v2. */
export interface PagerDutyOptions extends Omit<Destination, "deliver"> {
  readonly url: string;
  readonly routingKey: string;
  readonly profile: AnnotationProfile;
  /** Of the summary. */
  readonly template: TextTemplate | undefined;
  readonly onTemplateFailure: (error: unknown) => void;
  readonly post: HttpSender;
}

/** Where PagerDuty takes them, unless the configuration says otherwise. */
export const PAGERDUTY_URL = "https://events.pagerduty.com/v2/enqueue";
/**
 * Limits of PagerDuty: the summary in characters, the whole request in bytes.
 *
 * @see https://developer.pagerduty.com/docs/send-alert-event
 */
export const PAGERDUTY_LIMITS = { summaryChars: 1024, requestBytes: 512_000 };

/**
 * Creates the destination. One group is one alert there; it is resolved only when no member of the
 * group fires, in the body or as far as the store knows, and none was cut off.
 */
export function createPagerDuty(options: PagerDutyOptions): Destination {
  const { url, routingKey, profile, template, onTemplateFailure, post, ...destination } = options;
  return {
    ...destination,
    async deliver({ enriched, stream, plain, othersFire }) {
      const view = viewGroup(enriched, profile, { plain });
      const summary = renderText(plain ? undefined : template, view, {
        text: () => titleOf(view),
        onFailure: onTemplateFailure,
      });
      const words = { routingKey, stream, summary, othersFire };
      await post({ url, body: renderPagerDutyBody(view, words) });
    },
  };
}

/** The request: `trigger` while something of the group fires or may fire, else `resolve`. */
function renderPagerDutyBody(
  view: GroupView,
  words: { routingKey: string; stream: string; summary: string; othersFire: boolean },
): string {
  const { routingKey, stream, summary } = words;
  const isOver = view.firing.length === 0 && view.truncatedAlerts === 0 && !words.othersFire;
  const head = {
    routing_key: routingKey,
    event_action: isOver ? "resolve" : "trigger",
    // 43 characters; the limit is 255.
    dedup_key: `alertlore:${stream}`,
  };
  const payload = {
    summary: cutText(summary, PAGERDUTY_LIMITS.summaryChars),
    source: sourceOf(view),
    severity: severityOf(view),
  };
  const client = {
    client: "Alertlore",
    ...(/^https?:\/\//u.test(view.externalURL) && { client_url: view.externalURL }),
  };
  for (let alerts = view.alerts; ; alerts = alerts.slice(0, Math.floor(alerts.length / 2))) {
    const details = { ...detailsOf(alerts), ...leftOut(view.alerts.length - alerts.length) };
    const body = JSON.stringify({
      ...head,
      payload: { ...payload, custom_details: details },
      ...client,
    });
    const isSmall = Buffer.byteLength(body) <= PAGERDUTY_LIMITS.requestBytes;
    if (isSmall || alerts.length === 0) return body;
  }
}

function detailsOf(alerts: readonly AlertView[]): Readonly<Record<string, unknown>> {
  return {
    alerts: alerts.map(({ status, labels, annotations, startsAt }) => ({
      status,
      labels,
      annotations,
      startsAt,
    })),
  };
}

function leftOut(count: number): Readonly<Record<string, unknown>> {
  return count === 0 ? {} : { alerts_left_out: count };
}

/** Required, and must not be empty. */
function sourceOf({ alerts, externalURL }: GroupView): string {
  const instance = alerts[0]?.labels["instance"] ?? "";
  if (instance !== "") return instance;
  return externalURL === "" ? "alertlore" : externalURL;
}

const SEVERITIES = ["critical", "error", "warning", "info"] as const;

function severityOf(view: GroupView): (typeof SEVERITIES)[number] {
  const found = new Set(view.firing.map((alert) => alert.labels["severity"]));
  return SEVERITIES.find((severity) => found.has(severity)) ?? "error";
}
