import type { AnnotationProfile } from "../alert/annotation-profile.ts";
import {
  authentication,
  byteSize,
  duration,
  flag,
  httpUrl,
  listOf,
  name,
  oneOf,
  uniquelyNamed,
  wholeNumber,
} from "./leaf-schema.ts";
import { headerName, tlsTable } from "./loki-table.ts";
import { optional, required, section, setting, settingsSchema } from "./setting.ts";
import type { MappingCheck } from "./setting.ts";

const PROFILES = ["full", "compact"] as const satisfies readonly AnnotationProfile[];

/** Prometheus, Loki's ruler and Grafana wait so long for an Alertmanager. */
const SENDER_TIMEOUT_MS = 10_000;

const upstream = settingsSchema({
  /** Shown in logs and as a metric label; unique. */
  name: required("name", name),
  /** Base URL; a path is allowed, `/api/v2/…` is put behind it. */
  url: required("url", httpUrl),
  auth: optional("auth", authentication),
  tls: section("tls", tlsTable),
  /** For one request, to the end of its answer. */
  timeoutMs: setting("timeout", duration(1, SENDER_TIMEOUT_MS), "5s"),
});

/** Alertmanagers that get posted alerts; the proxy is off without any. */
const proxyTable = {
  upstreams: setting("upstreams", uniquelyNamed(listOf(upstream, 32)), []),
  /** Longest that a post is held back for the enrichment of alerts seen for the first time. */
  holdMs: setting("hold", duration(0, SENDER_TIMEOUT_MS), "300ms"),
  /** `undefined`: that of `annotate.profiles`. */
  profile: optional("profile", oneOf(PROFILES)),
  /** Headers of a post that go on to the Alertmanagers, such as a tenant's. */
  forwardHeaders: setting("forward_headers", listOf(headerName, 32), []),
  /** Bodies in memory at a time, over all posts; more are refused with 503. */
  inFlightBytesMax: setting("max_in_flight", byteSize(2 ** 20, 2 ** 36), "256MiB"),
  /** Longest answer to a GET that is passed on. */
  answerBytesMax: setting("max_answer_size", byteSize(65_536, 2 ** 32), "64MiB"),
  /** Whether silences may be written through the proxy; the upstreams must be one cluster. */
  silences: setting("silences", flag, false),
  /** How many processes of Alertlore stand before these Alertmanagers. */
  replicas: setting("replicas", wholeNumber(1, 1000), 1),
};

const checkTimes: MappingCheck = ({ hold, upstreams }, report) => {
  if (typeof hold !== "number" || !Array.isArray(upstreams)) return;
  const waits = upstreams.map((each: unknown) =>
    typeof each === "object" && each !== null && "timeoutMs" in each ? Number(each.timeoutMs) : 0,
  );
  if (hold + Math.max(0, ...waits) >= SENDER_TIMEOUT_MS)
    report(
      "hold",
      "and the longest timeout of an upstream must stay below 10s: senders wait no longer",
    );
};

/** The proxy before Alertmanager. */
export const proxySetting = setting("proxy", settingsSchema(proxyTable, checkTimes), {});
