import type { Config } from "../config/config.ts";
import { getMetrics } from "../count/get-metrics.ts";
import { renderAlertmanagerBody } from "../deliver/alertmanager-webhook-body.ts";
import { requireCredentials } from "../ingest/authentication.ts";
import type { Credentials } from "../ingest/authentication.ts";
import type { Route } from "../ingest/create-app.ts";
import { postMatch } from "../ingest/post-match.ts";
import { postWebhook } from "../ingest/post-webhook.ts";
import { readJson } from "../ingest/read-json.ts";
import { getHealthy, getReady, postReload } from "../web/get-health.ts";
import { createCaseAnswerer } from "./create-case-answerer.ts";
import { createPageRoutes } from "./page-routes.ts";
import type { RouteParts } from "./route-parts.ts";

/** A case is looked at in one go, so a larger one would keep alerts waiting. */
const CASE_BYTES_MAX = 2 ** 20;

/** Every place of the service. Reading needs no credentials; whatever works or changes something does. */
export function createRoutes(parts: RouteParts): Route[] {
  const { config, metrics } = parts;
  const authenticate = requireCredentials(credentialsOf(config), metrics.counters);
  return [
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
    ...createPageRoutes(parts, authenticate),
  ];
}

type Handler = Route["handlers"][number];

function webhookRoute({ config, kit, metrics, take }: RouteParts, authenticate: Handler): Route {
  const { counters, logger } = kit;
  const webhook = postWebhook({
    source: config.webhook.source,
    prefix: config.annotate.prefix,
    profile: config.annotate.profiles.alertmanagerWebhook,
    counters,
    logger,
    tenantHeader: config.loki.tenantHeader,
    take,
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
