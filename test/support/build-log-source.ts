import type { Clock, LogQuery, LogSource } from "../../src/enrich/ports.ts";
import { createLogSource } from "../../src/retrieve/create-log-source.ts";
import type { LogSourceOptions } from "../../src/retrieve/create-log-source.ts";
import { createLokiClient } from "../../src/retrieve/loki-client.ts";
import type { LokiClient, LokiClientOptions } from "../../src/retrieve/loki-client.ts";
import { createManualClock } from "./manual-clock.ts";
import { createRecordingCounters } from "./recording-counters.ts";
import type { RecordingCounters } from "./recording-counters.ts";
import { createRecordingLogger } from "./recording-logger.ts";

/** A client for a Loki at `url`, with defaults that suit tests. */
export function buildLokiClient(url: string, wishes: Partial<LokiClientOptions> = {}): LokiClient {
  return createLokiClient({
    url,
    headers: {},
    userAgent: "Alertlore/test",
    timeoutMs: 10_000,
    answerBytesMax: 2 ** 20,
    queryBytesMax: 5120,
    clock: createManualClock(),
    redact: (text) => text,
    ...wishes,
  });
}

/** A port to Loki with its counters. */
export function buildLogSource(
  client: LokiClient,
  wishes: Partial<LogSourceOptions> & { readonly clock?: Clock } = {},
): LogSource & { readonly counters: RecordingCounters } {
  const counters = createRecordingCounters();
  const source = createLogSource({
    client,
    concurrency: 4,
    queriesPerMinute: 100,
    breakerFailures: 3,
    breakerOpenMs: 10_000,
    shareMs: 5000,
    labelsMs: 60_000,
    clock: createManualClock(),
    counters,
    logger: createRecordingLogger(),
    ...wishes,
  });
  return { ...source, counters };
}

/** A question for everything of one job. */
export function buildLogQuery(wishes: Partial<LogQuery> = {}): LogQuery {
  return {
    tenant: "",
    query: '{job="test"}',
    startNs: 1_773_480_000_000_000_000n,
    endNs: 1_773_490_000_000_000_000n,
    entriesMax: 1000,
    ...wishes,
  };
}
