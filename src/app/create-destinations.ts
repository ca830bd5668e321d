import { matchesAny } from "../alert/label-matcher.ts";
import type { Config, DestinationConfig } from "../config/config.ts";
import type { Destination } from "../deliver/destination.ts";
import { createAlertmanagerWebhook } from "../deliver/destinations/alertmanager-webhook.ts";
import { createHttpSender } from "../deliver/http-sender.ts";

/** Creates the configured destinations. */
export function createDestinations(config: Config, version: string): Destination[] {
  return config.destinations.map((destination) => {
    const { name, timeoutMs } = destination;
    const post = createHttpSender({ name, timeoutMs, userAgent: `Alertlore/${version}` });
    return createAlertmanagerWebhook({
      ...commonOf(destination),
      url: destination.url?.reveal() ?? "",
      profile: destination.profile ?? config.annotate.profiles.alertmanagerWebhook,
      authorization: authorizationOf(destination),
      post,
    });
  });
}

function commonOf(destination: DestinationConfig): Omit<Destination, "deliver"> {
  const { name, match, concurrency, timeoutMs, expireAfterMs, fallback, every } = destination;
  return {
    name,
    concurrency,
    timeoutMs,
    expireAfterMs,
    fallback,
    every,
    accepts: (labels) => match.length === 0 || matchesAny(match, labels),
  };
}

function authorizationOf({ auth }: DestinationConfig): string | undefined {
  if (auth?.bearerToken !== undefined) return `Bearer ${auth.bearerToken.reveal()}`;
  if (auth?.basicAuth === undefined) return undefined;
  const { username, password } = auth.basicAuth;
  const pair = Buffer.from(`${username}:${password.reveal()}`).toString("base64");
  return `Basic ${pair}`;
}
