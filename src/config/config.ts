import type { z } from "zod";
import type { AnnotationProfile } from "../alert/annotation-profile.ts";
import { destinationList } from "./destination-schema.ts";
import { storeSetting } from "./store-schema.ts";
import {
  authentication,
  byteSize,
  datasetUrl,
  duration,
  fileName,
  flag,
  httpUrl,
  linearExpression,
  listenAddress,
  listOf,
  matcherLists,
  name,
  numberBetween,
  oneOf,
  secret,
  secretUrl,
  text,
  wholeNumber,
} from "./leaf-schema.ts";
import { annotationsTable, faultsOfAnnotations } from "./annotations-table.ts";
import { headerName, lokiTable, queriesTable } from "./loki-table.ts";
import { proxySetting } from "./proxy-table.ts";
import { optional, required, secretly, section, setting, settingsSchema } from "./setting.ts";

/** The `hmacConfig` of Grafana's contact points. */
const hmacSetting = settingsSchema({
  secret: secretly(required("secret", secret)),
  /** Is accepted too, while a secret is being changed. */
  previousSecret: secretly(optional("previous_secret", secret)),
  header: setting("header", headerName, "X-Grafana-Alerting-Signature"),
  /** Without it the time is not signed and old bodies pass. */
  timestampHeader: optional("timestamp_header", headerName),
  toleranceMs: setting("tolerance", duration(1000, 86_400_000), "5m"),
});

const PROFILES = ["full", "compact"] as const satisfies readonly AnnotationProfile[];

const repoName = text(/^[\w.-]{1,100}\/[\w.-]{1,100}$/u, "owner/name");

const prefix = text(
  /^[a-zA-Z][a-zA-Z0-9_]{0,31}$/u,
  "1 to 32 letters, digits and _, beginning with a letter",
);

/** How many bytes (UTF-8) each added annotation may hold; a longer text is cut and ends in `…`, a longer link left out. */
const budgets = {
  summary: setting("summary", byteSize(16, 4096), "300B"),
  retry: setting("retry", byteSize(16, 4096), "120B"),
  record: setting("record", byteSize(16, 4096), "160B"),
  url: setting("url", byteSize(16, 8192), "400B"),
  class: setting("class", byteSize(16, 4096), "128B"),
  confidence: setting("confidence", byteSize(16, 4096), "64B"),
  repo: setting("repo", byteSize(16, 4096), "160B"),
  explanation: setting("explanation", byteSize(16, 65_536), "1200B"),
  solutions: setting("solutions", byteSize(16, 65_536), "2000B"),
  retryReason: setting("retry_reason", byteSize(16, 65_536), "600B"),
  log: setting("log", byteSize(16, 65_536), "2000B"),
  sourceUrl: setting("source_url", byteSize(16, 8192), "512B"),
  logsUrl: setting("logs_url", byteSize(16, 16_384), "2KiB"),
  outcome: setting("outcome", byteSize(16, 4096), "16B"),
  runbookUrl: setting("runbook_url", byteSize(16, 8192), "512B"),
};

const recordSource = settingsSchema(
  {
    /** File or folder; absolute once the configuration is loaded. */
    path: optional("path", fileName),
    /** A published dataset when it ends in `/` or `/manifest.json`, else a single file. */
    url: optional("url", datasetUrl),
    /** Repositories that are taken of a published dataset by URL; all when empty. */
    repos: setting("repos", listOf(repoName, 10_000), []),
    /** Whether a person answers for these records, so that they may lead to `retry`. */
    curated: setting("curated", flag, false),
  },
  (mapping, report) => {
    const { path, url, repos } = mapping;
    if (path === undefined && url === undefined) report("path", "is required, or url");
    if (path !== undefined && url !== undefined) report("url", "excludes path: one of both");
    // An empty list is the default.
    if (Array.isArray(repos) && repos.length > 0 && url === undefined) {
      report("repos", "needs url: a folder is read whole");
    }
  },
);

/**
 * Every key of the configuration file: name, what it may hold, and default. Nothing else in the
 * program holds a default.
 *
 * A new key needs a line here and one in `config/alertlore.yaml`; a test compares both.
 */
export const configTable = {
  web: section("web", {
    listenAddress: setting("listen_address", listenAddress, ":9845"),
    /** Base of all links to Alertlore, without a final slash; without it no link is written. */
    externalUrl: optional("external_url", httpUrl),
    /** Largest request body that is read. */
    bodyBytesMax: setting("max_body_size", byteSize(1024, 2 ** 30), "32MiB"),
    /** What a caller must present; `undefined`: nothing. */
    auth: optional("auth", authentication),
  }),
  log: section("log", {
    level: setting("level", oneOf(["debug", "info", "warn", "error"]), "info"),
    format: setting("format", oneOf(["logfmt", "json"]), "logfmt"),
  }),
  webhook: section("webhook", {
    /** Longest that enrichment may take, from receipt on. */
    deadlineMs: setting("deadline", duration(1, 600_000), "5s"),
    /** Name of the source whose alerts come in at `/webhook`. */
    source: setting("source", name, "alertmanager"),
    /** The same for what Grafana's contact points send there (payload version 1). */
    grafanaSource: setting("grafana_source", name, "grafana"),
    /** How Grafana's contact points sign; `undefined`: signatures are not looked at. */
    hmac: optional("hmac", hmacSetting),
  }),
  enrich: section("enrich", {
    /** `shadow` works everything out and changes no alert. */
    mode: setting("mode", oneOf(["on", "shadow", "off"]), "on"),
    /** Alerts that are enriched: those for which one list holds; all when empty. */
    match: setting("match", matcherLists, []),
    /** Alerts that are not, whatever `match` says. */
    skip: setting("skip", matcherLists, [
      'alertname="Watchdog"',
      'alertname="InfoInhibitor"',
      'alertname=~"Alertlore.*"',
    ]),
  }),
  annotate: section("annotate", {
    /** Of every annotation that is added; inbound annotations under it are dropped. */
    prefix: setting("prefix", prefix, "error_"),
    /** Profiles of outputs that name none. */
    profiles: section("profiles", {
      default: setting("default", oneOf(PROFILES), "compact"),
      /** Also that of the answer to `?respond=enriched`. */
      alertmanagerWebhook: setting("alertmanager_webhook", oneOf(PROFILES), "full"),
    }),
    /** All annotations of profile `compact` together, names included. */
    compactBytesMax: setting("compact_max", byteSize(256, 65_536), "1KiB"),
    budgets: section("budgets", budgets),
    /** Whether `error_outcome` is written when no record was found. */
    outcomeWithoutMatch: setting("outcome_without_match", flag, false),
    /** Whether the summary is also appended to the alert's `description`. */
    appendToDescription: setting("append_to_description", flag, false),
  }),
  select: section("select", {
    /** Annotations that hold log lines; the first that is not empty is taken. */
    logAnnotations: setting("log_annotations", listOf(name, 32), ["log_excerpt", "logs", "log"]),
    /** Annotations in prose, read when there are no log lines. */
    proseAnnotations: setting("prose_annotations", listOf(name, 32), [
      "message",
      "description",
      "summary",
    ]),
    excerptBytesMax: setting("excerpt_max_bytes", byteSize(1024, 2 ** 24), "256KiB"),
    excerptLinesMax: setting("excerpt_max_lines", wholeNumber(1, 100_000), 1000),
    queries: section("queries", queriesTable),
  }),
  redact: section("redact", {
    /** Whether the sender's own annotations are masked too, before anything is done with them. */
    incoming: setting("incoming", flag, false),
    /** Expressions (RE2) whose hits are masked beside credentials and personal data. */
    patterns: setting("patterns", listOf(linearExpression, 100), []),
  }),
  loki: section("loki", lokiTable),
  /** The Alertmanagers behind `/api/v2/alerts`. */
  proxy: proxySetting,
  grafana: section("grafana", {
    /** Base URL for people; without it, or without `loki_uid`, nothing links to Explore. */
    url: optional("url", httpUrl),
    /** UID of the data source of Loki. */
    lokiUid: optional("loki_uid", text(/^[a-zA-Z0-9_-]{1,40}$/u, "the UID of a data source")),
    /** `panes` since Grafana 10, `left` before. */
    exploreFormat: setting("explore_format", oneOf(["panes", "left"]), "panes"),
    orgId: setting("org_id", wholeNumber(1, 2 ** 31), 1),
    /** Marks in dashboards for each episode with a known error. */
    annotations: section("annotations", annotationsTable),
  }),
  records: section("records", {
    /** Whether the records that come with Alertlore are loaded. */
    starter: setting("starter", flag, true),
    sources: setting("sources", listOf(recordSource, 1000), []),
    /** YAML files of overlays, weakest first; absolute once the configuration is loaded. */
    overlays: setting("overlays", listOf(fileName, 100), []),
    /** Folder for what comes from URLs and for the compiled catalogue; `undefined`: `data/catalogue` below the working folder. */
    cachePath: optional("cache", fileName),
    /** Largest compiled catalogue that is kept there for the next start; 0: none is kept. */
    compiledBytesMax: setting("compiled_max", byteSize(0, 2 ** 33), "1GiB"),
    /** How often files and folders are looked at for changes. */
    pollIntervalMs: setting("poll_interval", duration(100, 86_400_000), "10s"),
    /** How often URLs are asked for something new. */
    syncIntervalMs: setting("sync_interval", duration(1000, 86_400_000), "5m"),
    /** How URLs are reached. */
    http: section("http", {
      /** Certificates (PEM) that are trusted besides the usual ones; absolute once loaded. */
      caPath: optional("ca", fileName),
      /** Proxy for every URL; `undefined`: none, whatever the environment says. */
      proxyUrl: secretly(optional("proxy_url", secretUrl)),
      /** For one answer, from connecting to its end. */
      timeoutMs: setting("timeout", duration(1, 600_000), "60s"),
    }),
  }),
  rules: section("rules", {
    /** Absolute once the configuration is loaded; `undefined`: the rules that come with Alertlore. */
    retryPath: optional("retry", fileName),
    /** The same for names of programs and label scopes. */
    scopesPath: optional("scopes", fileName),
    /** Absolute once the configuration is loaded; `undefined`: the mutes that come with Alertlore. */
    mutePath: optional("mute", fileName),
  }),
  match: section("match", {
    /** Lowest score that is reported. */
    threshold: setting("threshold", numberBetween(0, 1), 0.5),
  }),
  /** Where episodes and deliveries are kept; the URL alone may stand for the section. */
  store: storeSetting,
  episode: section("episode", {
    /** An open episode that was not seen for so long is closed. */
    staleAfterMs: setting("stale_after", duration(60_000, 30 * 86_400_000), "5h"),
  }),
  delivery: section("delivery", {
    /** A notification without news within this time after a success is a copy of an HA peer. */
    copyWindowMs: setting("copy_window", duration(0, 86_400_000), "45s"),
  }),
  destinations: setting("destinations", destinationList, []),
};

/** The whole file: what it may hold, and what it gives. */
export const configSchema = settingsSchema(configTable, ({ proxy, store, grafana }, report) => {
  for (const fault of faultsOfAnnotations(grafana)) report("grafana", fault);
  const { replicas = 1 } = (proxy ?? {}) as { replicas?: number };
  const { url } = (store ?? {}) as { url?: { reveal(): string } };
  if (replicas < 2 || url?.reveal().startsWith("postgres") !== false) return;
  report(
    "proxy",
    "replicas need one store on PostgreSQL: else annotations come and go with each re-send",
  );
});

/** The configuration in force: checked, with defaults, secrets read and paths absolute. */
export type Config = z.output<typeof configSchema>;

/** One entry of `destinations`. */
export type DestinationConfig = Config["destinations"][number];
