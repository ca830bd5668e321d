import {
  authentication,
  byteSize,
  duration,
  flag,
  freeText,
  httpUrl,
  linearExpressionOrNone,
  listOf,
  matchers,
  queryTemplate,
  secret,
  text,
  uniquelyNamed,
  wholeNumber,
} from "./leaf-schema.ts";
import { optional, required, secretly, section, setting, settingsSchema } from "./setting.ts";

/** A name as HTTP allows it. */
export const headerName = text(
  /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/u,
  "the name of an HTTP header",
);

/** Tenants as Loki takes them, `|` between several; label places stay text until an alert comes. */
const tenant = text(
  /^(?:[A-Za-z0-9!\-_.*'()|]|\{\{-?\s*\.Labels\.[a-zA-Z_][a-zA-Z0-9_]*\s*-?\}\}){1,2000}$/u,
  "a tenant, several as a|b, or with places such as {{ .Labels.tenant }}",
);

/** PEM texts; usually given as `ca_file`, `cert_file`, `key_file`. */
export const tlsTable = {
  ca: secretly(optional("ca", secret)),
  cert: secretly(optional("cert", secret)),
  key: secretly(optional("key", secret)),
  serverName: optional("server_name", text(/^[A-Za-z0-9.-]{1,253}$/u, "a host name")),
  insecureSkipVerify: setting("insecure_skip_verify", flag, false),
};

/** The Loki that is asked for log lines; nobody is asked without `url`. */
export const lokiTable = {
  /** Base URL; a path is allowed, `/loki/api/v1/…` is put behind it. */
  url: optional("url", httpUrl),
  auth: optional("auth", authentication),
  tls: section("tls", tlsTable),
  /** `undefined`: none is named, for a Loki without tenants. */
  tenant: optional("tenant", tenant),
  /** Header of a notification that may name the tenant; `undefined`: none may. */
  tenantHeader: optional("tenant_header", headerName),
  /** Tenants that a label or the header may name; every one when empty. */
  allowedTenants: setting(
    "allowed_tenants",
    listOf(text(/^[A-Za-z0-9!\-_.*'()]{1,150}$/u, "a tenant"), 1000),
    [],
  ),
  headers: setting(
    "headers",
    uniquelyNamed(
      listOf(
        settingsSchema({
          name: required("name", headerName),
          value: secretly(required("value", secret)),
        }),
        32,
      ),
    ),
    [],
  ),
  /** For one query, to the end of its answer. */
  timeoutMs: setting("timeout", duration(1, 60_000), "5s"),
  /** Newest lines that are asked for; Loki refuses more than 5,000. */
  limit: setting("limit", wholeNumber(1, 5000), 1000),
  answerBytesMax: setting("max_answer_size", byteSize(65_536, 2 ** 27), "8MiB"),
  /** Loki 2.9 refuses a query of 5,120 bytes, Loki 3 one of 131,072. */
  queryBytesMax: setting("max_query_size", byteSize(1024, 131_072), "5KiB"),
  concurrency: setting("concurrency", wholeNumber(1, 256), 4),
  queriesPerMinute: setting("queries_per_minute", wholeNumber(1, 100_000), 300),
  breaker: section("breaker", {
    /** Failures in a row after which Loki is left alone. */
    failures: setting("failures", wholeNumber(1, 1000), 5),
    openMs: setting("open_for", duration(1, 300_000), "15s"),
  }),
  /** How long an answer serves equal questions. */
  shareMs: setting("share_for", duration(0, 300_000), "10s"),
  /** How long Loki's label names are kept. */
  labelsMs: setting("labels_refresh", duration(1000, 86_400_000), "5m"),
  late: section("late", {
    /** Whether logs that were not there, or could not be had, are looked for again. */
    enabled: setting("enabled", flag, true),
    looksPerMinute: setting("looks_per_minute", wholeNumber(1, 10_000), 60),
  }),
};

/** Where queries come from, each to be switched off, and how far around an alert they reach. */
export const queriesTable = {
  /** Annotation that holds a LogQL query; empty: none is read. */
  annotation: setting("annotation", freeText, "logql"),
  /** Whether the rule's own expression is used, taken from `generatorURL`. */
  rule: setting("rule", flag, true),
  configured: setting(
    "configured",
    listOf(
      settingsSchema({
        match: required("match", matchers),
        query: required("query", queryTemplate),
      }),
      1000,
    ),
    [],
  ),
  /** Whether a query is built from the alert's labels. */
  byLabels: setting("by_labels", flag, true),
  /** Expression (RE2) that lines must match at first; empty: none. */
  errorFilter: setting(
    "error_filter",
    linearExpressionOrNone,
    "(?i)(error|err\\b|fatal|panic|exception|fail|critical|traceback|timed? ?out|refused|denied)",
  ),
  /** Steps that are asked for one alert until one finds lines. */
  stepsMax: setting("max_steps", wholeNumber(1, 20), 6),
  /** What rules wait before they fire; an alert does not say it. */
  forMs: setting("for", duration(0, 86_400_000), "5m"),
  lookbackMs: setting("lookback", duration(0, 86_400_000), "5m"),
  lagMs: setting("lag", duration(0, 3_600_000), "10s"),
  rangeMsMax: setting("max_range", duration(1000, 30 * 86_400_000), "1h"),
};
