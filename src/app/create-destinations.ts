import { setTimeout as sleep } from "node:timers/promises";
import { matchesAny } from "../alert/label-matcher.ts";
import type { Config } from "../config/config.ts";
import type { Destination } from "../deliver/destination.ts";
import { createAlertmanagerWebhook } from "../deliver/destinations/alertmanager-webhook.ts";
import { authorizationOf } from "./authorization-of.ts";

/** Creates the configured destinations. */
export function createDestinations(config: Config, version: string): Destination[] {
  return config.destinations.map((destination) => {
    const authorization = authorizationOf(destination.auth);
    return createAlertmanagerWebhook({
      name: destination.name,
      url: destination.url.reveal(),
      profile: destination.profile ?? config.annotate.profiles.alertmanagerWebhook,
      timeoutMs: destination.timeoutMs,
      ...(authorization !== undefined && { authorization }),
      userAgent: `Alertlore/${version}`,
      accepts: (labels) => destination.match.length === 0 || matchesAny(destination.match, labels),
      pause: (durationMs) => sleep(durationMs),
    });
  });
}
