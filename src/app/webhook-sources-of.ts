import type { Config } from "../config/config.ts";
import type { WebhookSources } from "../ingest/post-webhook.ts";

/** Names of the systems that send to the webhook, as configured. */
export function webhookSourcesOf({ webhook }: Config): WebhookSources {
  return { alertmanager: webhook.source, grafana: webhook.grafanaSource };
}
