import type { Config } from "../config/config.ts";
import { getMetrics } from "../count/get-metrics.ts";
import type { Metrics } from "../count/metrics.ts";
import { renderAlertmanagerBody } from "../deliver/alertmanager-webhook-body.ts";
import { createDirectOutbox } from "../deliver/direct-outbox.ts";
import type { EnrichKit } from "../enrich/enrich-alert.ts";
import { enrichGroup } from "../enrich/enrich-group.ts";
import { requireCredentials } from "../ingest/authentication.ts";
import type { Credentials } from "../ingest/authentication.ts";
import type { Route } from "../ingest/create-app.ts";
import { postMatch } from "../ingest/post-match.ts";
import { postWebhook } from "../ingest/post-webhook.ts";
import { readJson } from "../ingest/read-json.ts";
import { getHealthy, getReady, postReload } from "../web/get-health.ts";
import { getLandingPage } from "../web/get-landing-page.ts";
import { createDestinations } from "./create-destinations.ts";
import { createCaseAnswerer } from "./create-case-answerer.ts";

/** What the routes of one configuration are made of. */
export interface RouteParts {
  readonly config: Config;
  readonly kit: EnrichKit;
  readonly metrics: Metrics;
  readonly version: string;
  isReady(): boolean;
  /** Loads everything anew; the faults that kept the old state in force, none when it was replaced. */
  reload(): Promise<readonly string[]>;
}

/** A case is looked at in one go, so a larger one would keep alerts waiting. */
const CASE_BYTES_MAX = 2 ** 20;

/** Every place of the service. Reading needs no credentials; whatever works or changes something does. */
export function createRoutes(parts: RouteParts): Route[] {
  const { config, metrics, version } = parts;
  const authenticate = requireCredentials(credentialsOf(config), metrics.counters);
  return [
    { method: "get", path: "/", handlers: [getLandingPage({ version })] },
    { method: "get", path: "/-/healthy", handlers: [getHealthy] },
    { method: "get", path: "/-/ready", handlers: [getReady(() => parts.isReady())] },
    { method: "get", path: "/metrics", handlers: [getMetrics(metrics)] },
    ...(["post", "put"] as const).map((method) => ({
      method,
      path: "/-/reload",
      handlers: [authenticate, postReload(() => parts.reload())],
    })),
    webhookRoute(parts, authenticate),
    matchRoute(parts, authenticate),
  ];
}

/** The same for alerts of another tenant: an episode belongs to one. */
function kitOf(kit: EnrichKit, tenant: string): EnrichKit {
  if (tenant === "") return kit;
  const source = { ...kit.settings.source, tenant };
  return { ...kit, settings: { ...kit.settings, source } };
}

type Handler = Route["handlers"][number];

function webhookRoute({ config, kit, metrics, version }: RouteParts, authenticate: Handler): Route {
  const { counters, logger, clock } = kit;
  const destinations = createDestinations(config, version);
  const outbox = createDirectOutbox({ destinations, clock, counters, logger });
  const webhook = postWebhook({
    source: config.webhook.source,
    prefix: config.annotate.prefix,
    profile: config.annotate.profiles.alertmanagerWebhook,
    counters,
    logger,
    tenantHeader: config.loki.tenantHeader,
    async take(group, tenant) {
      const taken = await enrichGroup(
        kitOf(kit, tenant),
        group,
        AbortSignal.timeout(config.webhook.deadlineMs),
      );
      await outbox.put(taken.enriched);
      return taken;
    },
    renderEnriched: renderAlertmanagerBody,
  });
  const readBody = readJson(config.web.bodyBytesMax, (fault) => {
    metrics.counters.alertRejected(fault === "too_large" ? "too_large" : "invalid_group");
  });
  return { method: "post", path: "/webhook", handlers: [authenticate, ...readBody, webhook] };
}

function matchRoute({ config, kit }: RouteParts, authenticate: Handler): Route {
  const answer = createCaseAnswerer({ ...kit, rules: kit.settings.rules });
  const readBody = readJson(Math.min(CASE_BYTES_MAX, config.web.bodyBytesMax), () => undefined);
  const handlers = [authenticate, ...readBody, postMatch(answer)];
  return { method: "post", path: "/api/v1/match", handlers };
}

function credentialsOf({ web: { auth } }: Config): Credentials {
  return {
    ...(auth?.bearerToken && { bearerToken: auth.bearerToken.reveal() }),
    ...(auth?.basicAuth && {
      basic: { username: auth.basicAuth.username, password: auth.basicAuth.password.reveal() },
    }),
  };
}
