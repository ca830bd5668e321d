import type { Config } from "../config/config.ts";
import type { EnrichSettings } from "../enrich/settings.ts";
import type { RetryRules } from "../recommend/retry-rules.ts";

/** The part of the configuration that the way of an alert depends on. */
export function enrichSettingsOf(config: Config, rules: RetryRules): EnrichSettings {
  const { enrich, annotate, select, webhook } = config;
  return {
    source: { name: webhook.source, tenant: "" },
    mode: enrich.mode,
    match: enrich.match,
    skip: enrich.skip,
    select,
    rules,
    annotate,
    appendToDescription: annotate.appendToDescription,
  };
}
