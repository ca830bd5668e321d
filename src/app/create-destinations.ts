import { matchesAny } from "../alert/label-matcher.ts";
import type { ConfigFault } from "../config/config-fault.ts";
import type { Config, DestinationConfig } from "../config/config.ts";
import type { Destination } from "../deliver/destination.ts";
import { createAlertmanagerWebhook } from "../deliver/destinations/alertmanager-webhook.ts";
import { createLog } from "../deliver/destinations/log.ts";
import { PAGERDUTY_URL, createPagerDuty } from "../deliver/destinations/pagerduty.ts";
import { createSlack } from "../deliver/destinations/slack.ts";
import type { SlackThreads } from "../deliver/destinations/slack.ts";
import { createTeams } from "../deliver/destinations/teams.ts";
import { createWebhook } from "../deliver/destinations/webhook.ts";
import { createHttpSender } from "../deliver/http-sender.ts";
import type { HttpSender } from "../deliver/http-sender.ts";
import { compileTemplate } from "../deliver/text-template.ts";
import type { TextTemplate } from "../deliver/text-template.ts";
import type { MessageThreads } from "../enrich/delivery-ports.ts";
import type { Clock, Counters, Logger } from "../enrich/ports.ts";
import { authorizationOf } from "./authorization-of.ts";

/** What destinations need of the rest. */
export interface DestinationParts {
  readonly version: string;
  readonly clock: Clock;
  readonly counters: Counters;
  readonly logger: Logger;
  /** To find a group's message again. */
  readonly threads: MessageThreads;
  /** Gets the lines of destinations of type `log`. */
  readonly writeOut: (line: string) => void;
}

/** A template of the configuration that cannot be used. */
class TemplateFaultError extends Error {
  /** As in the file: `destinations[0].text`. */
  readonly keyPath: string;

  constructor(keyPath: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : "is no template", { cause });
    this.name = "TemplateFaultError";
    this.keyPath = keyPath;
  }
}

/** Destinations, or the template that is not one. */
export type DestinationsOutcome =
  | { readonly destinations: readonly Destination[]; readonly fault: undefined }
  | { readonly destinations: undefined; readonly fault: ConfigFault };

/** Creates the configured destinations; `file` is where a fault is found. */
export function createDestinations(
  config: Config,
  file: string,
  parts: DestinationParts,
): DestinationsOutcome {
  try {
    const destinations = config.destinations.map((destination, index) =>
      createDestination(config, { destination, path: `destinations[${index}]`, parts }),
    );
    return { destinations, fault: undefined };
  } catch (error) {
    if (!(error instanceof TemplateFaultError)) throw error;
    const message = `is no template: ${error.message}`;
    const fault = { file, line: undefined, path: error.keyPath, message };
    return { destinations: undefined, fault };
  }
}

interface Wish {
  readonly destination: DestinationConfig;
  readonly path: string;
  readonly parts: DestinationParts;
}

function createDestination(config: Config, wish: Wish): Destination {
  const { destination, parts } = wish;
  const { name, timeoutMs } = destination;
  const { profiles } = config.annotate;
  const post = createHttpSender({ name, timeoutMs, userAgent: `Alertlore/${parts.version}` });
  const common = { ...commonOf(destination), profile: destination.profile ?? profiles.default };
  const text = {
    template: templateOf(wish, "text"),
    onTemplateFailure: templateReporter(name, parts),
    post,
  };
  const url = urlOf(destination);
  switch (destination.type) {
    case "alertmanager_webhook":
      return createAlertmanagerWebhook({
        ...common,
        profile: destination.profile ?? profiles.alertmanagerWebhook,
        url,
        authorization: authorizationOf(destination.auth),
        post,
      });
    case "webhook":
      return createJsonWebhook(wish, { ...common, url, post });
    case "slack":
      return createSlack({ ...common, ...text, through: slackWayOf(destination, parts) });
    case "pagerduty":
      return createPagerDuty({
        ...common,
        ...text,
        url: url === "" ? PAGERDUTY_URL : url,
        routingKey: revealed(destination.routingKey),
      });
    case "teams":
      return createTeams({ ...common, ...text, url });
    case "log":
      return createLog({ ...common, write: parts.writeOut });
  }
}

/** Empty where none is configured; the configuration was checked for those that need one. */
function urlOf({ url }: DestinationConfig): string {
  return revealed(url);
}

function revealed(secret: DestinationConfig["routingKey"]): string {
  return secret?.reveal() ?? "";
}

function createJsonWebhook(
  wish: Wish,
  common: Omit<Destination, "deliver"> & {
    readonly profile: "compact" | "full";
    readonly url: string;
    readonly post: HttpSender;
  },
): Destination {
  const { destination, parts } = wish;
  return createWebhook({
    ...common,
    authorization: authorizationOf(destination.auth),
    hmacSecret: destination.hmacSecret?.reveal(),
    template: templateOf(wish, "body") ?? compileTemplate("{}"),
    onTemplateFailure: templateReporter(destination.name, parts),
    nowMs: () => parts.clock.nowMs(),
  });
}

function slackWayOf(destination: DestinationConfig, parts: DestinationParts) {
  const url = destination.url?.reveal();
  if (destination.botToken === undefined) return { type: "webhook", url: url ?? "" } as const;
  return {
    type: "bot",
    url: url ?? "https://slack.com/api",
    token: destination.botToken.reveal(),
    channel: destination.channel ?? "",
    threads: slackThreadsOf(destination.name, parts),
  } as const;
}

// A store that is away must not keep the message: it then stands by itself.
function slackThreadsOf(name: string, { threads, clock, logger }: DestinationParts): SlackThreads {
  const onFault = (error: unknown) => {
    logger.warn({ destination: name, error }, "the thread of a group is not known");
    return undefined;
  };
  return {
    find: (stream) => threads.find(name, stream).catch(onFault),
    keep: (stream, ts) =>
      threads.keep({ destination: name, stream }, ts, clock.nowMs()).catch(onFault),
  };
}

function templateOf({ destination, path }: Wish, key: "text" | "body"): TextTemplate | undefined {
  const source = destination[key];
  if (source === undefined) return undefined;
  try {
    return compileTemplate(source);
  } catch (error) {
    throw new TemplateFaultError(`${path}.${key}`, error);
  }
}

function templateReporter(name: string, { counters, logger }: DestinationParts) {
  return (error: unknown) => {
    counters.templateFailed(name);
    logger.error({ destination: name, error }, "template broke, the default text goes out");
  };
}

/** A receiver of version 4 would take it for a repeat, and one of any JSON may not know it for the same. */
const LATE_BY_TYPE: Readonly<Record<DestinationConfig["type"], "send" | "none">> = {
  alertmanager_webhook: "none",
  webhook: "none",
  slack: "send",
  pagerduty: "send",
  teams: "send",
  log: "send",
};

function commonOf(destination: DestinationConfig): Omit<Destination, "deliver"> {
  const { name, match, concurrency, timeoutMs, expireAfterMs, fallback, every } = destination;
  return {
    name,
    concurrency,
    timeoutMs,
    expireAfterMs,
    fallback,
    every,
    followsUp: (destination.late ?? LATE_BY_TYPE[destination.type]) === "send",
    endsGroups: destination.type === "pagerduty",
    accepts: (labels) => match.length === 0 || matchesAny(match, labels),
  };
}
