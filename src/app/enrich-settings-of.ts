import type { ExploreSettings } from "../annotate/render-explore-link.ts";
import type { Config } from "../config/config.ts";
import type { LogSettings } from "../enrich/find-logs.ts";
import type { EnrichSettings } from "../enrich/settings.ts";
import type { RetryRules } from "../recommend/retry-rules.ts";
import { redactOptionsOf } from "./redact-options-of.ts";

/** The part of the configuration that the way of an alert depends on. */
export function enrichSettingsOf(config: Config, rules: RetryRules): EnrichSettings {
  const { enrich, annotate, select, webhook } = config;
  return {
    source: { name: webhook.source, tenant: "" },
    mode: enrich.mode,
    match: enrich.match,
    skip: enrich.skip,
    select,
    logs: logSettingsOf(config),
    explore: exploreSettingsOf(config),
    pagesUrl: config.web.externalUrl,
    redact: redactOptionsOf(config),
    rules,
    annotate,
    appendToDescription: annotate.appendToDescription,
  };
}

function logSettingsOf({ select, loki }: Config): LogSettings {
  const { annotation, configured, rule, byLabels, errorFilter, stepsMax, ...range } =
    select.queries;
  return {
    plan: {
      annotation: annotation === "" ? undefined : annotation,
      ...{ rule, configured, byLabels, errorFilter },
    },
    range,
    tenant: { tenant: loki.tenant ?? "", allowed: loki.allowedTenants },
    stepsMax,
    entriesMax: Math.min(loki.limit, select.excerptLinesMax),
    bytesMax: select.excerptBytesMax,
  };
}

function exploreSettingsOf({ grafana }: Config): ExploreSettings | undefined {
  const { url, lokiUid, exploreFormat, orgId } = grafana;
  if (url === undefined || lokiUid === undefined) return undefined;
  return { grafanaUrl: url, datasourceUid: lokiUid, format: exploreFormat, orgId };
}
