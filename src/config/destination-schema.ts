import type { AnnotationProfile } from "../alert/annotation-profile.ts";
import {
  authentication,
  duration,
  flag,
  listOf,
  matcherLists,
  name,
  oneOf,
  secret,
  secretUrl,
  text,
  uniquelyNamed,
  wholeNumber,
} from "./leaf-schema.ts";
import { optional, required, secretly, setting, settingsSchema } from "./setting.ts";
import type { MappingCheck } from "./setting.ts";

const PROFILES = ["full", "compact"] as const satisfies readonly AnnotationProfile[];
const TYPES = ["alertmanager_webhook", "webhook", "slack", "pagerduty", "teams", "log"] as const;
type DestinationType = (typeof TYPES)[number];

const template = text(/[^]/u, "a template");

/** Keys that only some types know; every other key is for all of them. */
const KEYS: Readonly<Record<string, readonly DestinationType[]>> = {
  url: ["alertmanager_webhook", "webhook", "slack", "pagerduty", "teams"],
  auth: ["alertmanager_webhook", "webhook"],
  bot_token: ["slack"],
  channel: ["slack"],
  routing_key: ["pagerduty"],
  hmac_secret: ["webhook"],
  body: ["webhook"],
  text: ["slack", "pagerduty", "teams"],
  every: ["log"],
};

const checkKeys: MappingCheck = (mapping, report) => {
  const type = TYPES.find((candidate) => candidate === mapping["type"]);
  if (type === undefined) return;
  for (const [key, types] of Object.entries(KEYS)) {
    const isSet = mapping[key] !== undefined && mapping[key] !== false;
    if (isSet && !types.includes(type)) report(key, `is not for destinations of type ${type}`);
  }
  for (const key of requiredKeys(type, mapping)) {
    if (mapping[key] === undefined) report(key, `is required for destinations of type ${type}`);
  }
};

function requiredKeys(
  type: DestinationType,
  mapping: Readonly<Record<string, unknown>>,
): readonly string[] {
  if (type === "log") return [];
  if (type === "pagerduty") return ["routing_key"];
  if (type === "webhook") return ["url", "body"];
  if (type !== "slack") return ["url"];
  return mapping["bot_token"] === undefined ? ["url"] : ["channel"];
}

const destination = settingsSchema(
  {
    /** Shown in logs and as a metric label; unique. */
    name: required("name", name),
    type: required("type", oneOf(TYPES)),
    /** May hold credentials, so it is a secret as in Alertmanager. */
    url: secretly(optional("url", secretUrl)),
    /** `undefined`: that of `annotate.profiles` for the type. */
    profile: optional("profile", oneOf(PROFILES)),
    /** For one try, from connecting to the end of the answer. */
    timeoutMs: setting("timeout", duration(1, 600_000), "10s"),
    auth: optional("auth", authentication),
    /** Alerts that go there: those for which one list holds; all when empty. */
    match: setting("match", matcherLists, []),
    /** Notifications that are under way at a time. */
    concurrency: setting("concurrency", wholeNumber(1, 100), 4),
    /** A notification that could not be delivered for so long is given up. */
    expireAfterMs: setting("expire_after", duration(1000, 30 * 86_400_000), "1d"),
    /** What is found after the notification; `undefined`: as the type is used to it. */
    late: optional("late", oneOf(["send", "none"])),
    /** Name of the destination that gets what was given up. */
    fallback: optional("fallback", name),
    /** Slack: messages through the Web API, which can be edited and have threads. */
    botToken: secretly(optional("bot_token", secret)),
    /** Slack: id of the channel, with `bot_token`. */
    channel: optional("channel", name),
    /** PagerDuty: integration key of the service (Events API v2). */
    routingKey: secretly(optional("routing_key", secret)),
    /** Webhook: key of the signature in the header `X-Alertlore-Signature`. */
    hmacSecret: secretly(optional("hmac_secret", secret)),
    /** Webhook: template of the body, which must give JSON. */
    body: optional("body", template),
    /** Template of the text that is shown; `undefined`: the default text. */
    text: optional("text", template),
    /** Log: every notification, also one that a newer one has made old. */
    every: setting("every", flag, false),
  },
  checkKeys,
);

/** The key `destinations`. */
export const destinationList = uniquelyNamed(listOf(destination, 100)).superRefine(
  (members, context) => {
    const names = new Set(members.map((member) => member.name));
    for (const [index, { name: own, fallback }] of members.entries()) {
      if (fallback === undefined) continue;
      const path = [index, "fallback"];
      if (!names.has(fallback)) {
        context.addIssue({ code: "custom", path, message: "is the name of no destination" });
      } else if (fallback === own) {
        context.addIssue({ code: "custom", path, message: "must be another destination" });
      }
    }
  },
);
