import type { Config } from "../config/config.ts";
import type { Clock, Counters, Logger, LogSource } from "../enrich/ports.ts";
import { redactText } from "../redact/redact-text.ts";
import { createLogSource } from "../retrieve/create-log-source.ts";
import { createLokiClient } from "../retrieve/loki-client.ts";
import { authorizationOf } from "./authorization-of.ts";
import { redactOptionsOf } from "./redact-options-of.ts";
import { tlsOf } from "./tls-of.ts";

/** What the port to Loki needs besides the configuration. */
export interface LokiParts {
  readonly version: string;
  readonly clock: Clock;
  readonly counters: Counters;
  readonly logger: Logger;
}

/** Creates the port to the configured Loki; `undefined` when none is. */
export function createLoki(config: Config, parts: LokiParts): LogSource | undefined {
  const { loki } = config;
  if (loki.url === undefined) return undefined;
  const authorization = authorizationOf(loki.auth);
  const { version, clock, counters, logger } = parts;
  const redact = redactOptionsOf(config);
  const client = createLokiClient({
    url: loki.url,
    ...(authorization !== undefined && { authorization }),
    headers: Object.fromEntries(loki.headers.map(({ name, value }) => [name, value.reveal()])),
    tls: tlsOf(loki.tls),
    userAgent: `Alertlore/${version}`,
    timeoutMs: loki.timeoutMs,
    answerBytesMax: loki.answerBytesMax,
    queryBytesMax: loki.queryBytesMax,
    clock,
    redact: (text) => redactText(text, redact),
  });
  return createLogSource({
    client,
    concurrency: loki.concurrency,
    queriesPerMinute: loki.queriesPerMinute,
    breakerFailures: loki.breaker.failures,
    breakerOpenMs: loki.breaker.openMs,
    shareMs: loki.shareMs,
    labelsMs: loki.labelsMs,
    clock,
    counters,
    logger,
  });
}
