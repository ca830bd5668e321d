import { UpstreamError } from "../enrich/outcome.ts";
import type { UpstreamReason } from "../enrich/outcome.ts";
import type { Clock, Counters, Logger, LogQuery, LogSource, LokiRefusal } from "../enrich/ports.ts";
import { CircuitBreaker } from "./circuit-breaker.ts";
import type { LokiClient } from "./loki-client.ts";
import { LokiError } from "./loki-failure.ts";
import { MinuteBudget } from "./minute-budget.ts";
import { SharedAnswers } from "./shared-answers.ts";
import { WaitingLine } from "./waiting-line.ts";

/** How gently Loki is asked. */
export interface LogSourceOptions {
  readonly client: LokiClient;
  /** Requests at a time. */
  readonly concurrency: number;
  /** Requests in any 60 seconds, those for label names included. */
  readonly queriesPerMinute: number;
  /** Failures in a row after which nothing is asked for `breakerOpenMs`. */
  readonly breakerFailures: number;
  readonly breakerOpenMs: number;
  /** How long an answer serves equal questions. */
  readonly shareMs: number;
  /** How long the names of labels are kept. */
  readonly labelsMs: number;
  readonly clock: Clock;
  readonly counters: Counters;
  readonly logger: Logger;
}

/** Questions that wait for a place; at 5 s each more would never be asked in time. */
const WAITING_MAX = 256;
const BREAKER_OPEN_MS_MAX = 300_000;
const SHARED_CHARS_MAX = 2 ** 22;
const TENANTS_KEPT_MAX = 1000;
/** Names that could not be had are not asked for again with every alert. */
const UNKNOWN_LABELS_MS = 30_000;

/** Failures that say that Loki, and not the question, is at fault. */
const OUTAGES: readonly UpstreamReason[] = ["throttled", "timeout", "unreachable", "server"];

interface Parts {
  readonly options: LogSourceOptions;
  readonly line: WaitingLine;
  readonly budget: MinuteBudget;
  readonly breaker: CircuitBreaker;
}

/**
 * Creates the port to Loki: equal questions are asked once, few at a time, within a budget, and not at
 * all while Loki is down.
 */
export function createLogSource(options: LogSourceOptions): LogSource {
  const { client, clock, counters, logger } = options;
  const parts: Parts = {
    options,
    line: new WaitingLine(options.concurrency, WAITING_MAX),
    budget: new MinuteBudget(options.queriesPerMinute),
    breaker: new CircuitBreaker({
      failures: options.breakerFailures,
      openMs: options.breakerOpenMs,
      openMsMax: BREAKER_OPEN_MS_MAX,
      onChange(state) {
        counters.lokiBreaker(state);
        logger.warn({ state }, "circuit breaker of Loki changed");
      },
    }),
  };
  counters.lokiBreaker("closed");
  const shared = new SharedAnswers({ keepMs: options.shareMs, charsMax: SHARED_CHARS_MAX });
  const nowMs = () => clock.nowMs();
  return {
    query: (query, signal) =>
      shared.get(
        keyOf(query),
        (ownSignal) => askGently(parts, ownSignal, () => client.queryRange(query, ownSignal)),
        { signal, nowMs },
      ),
    labelNames: createLabelNames(parts),
    isAvailable: () => parts.breaker.allows(clock.nowMs()),
  };
}

function keyOf({ tenant, query, startNs, endNs, entriesMax }: LogQuery): string {
  return JSON.stringify([tenant, query, String(startNs), String(endNs), entriesMax]);
}

async function askGently<T>(
  { options, line, budget, breaker }: Parts,
  signal: AbortSignal,
  ask: () => Promise<T>,
): Promise<T> {
  const { clock, counters } = options;
  if (!breaker.allows(clock.nowMs())) throw refuse(counters, "breaker");
  const entered = await line.enter(signal);
  if (entered === "full") throw refuse(counters, "queue");
  if (entered === "aborted") throw new LokiError("timeout", "given up before Loki was asked");
  try {
    // Looked at again: it may have opened while this one waited.
    if (!breaker.allows(clock.nowMs())) throw refuse(counters, "breaker");
    if (!budget.take(clock.nowMs())) throw refuse(counters, "budget");
    breaker.enter(clock.nowMs());
    return await askOnce(options, breaker, { signal, ask });
  } finally {
    line.leave();
  }
}

async function askOnce<T>(
  { clock, counters }: LogSourceOptions,
  breaker: CircuitBreaker,
  { signal, ask }: { readonly signal: AbortSignal; readonly ask: () => Promise<T> },
): Promise<T> {
  const startedMs = clock.elapsedMs();
  const seconds = () => (clock.elapsedMs() - startedMs) / 1000;
  try {
    const answer = await ask();
    breaker.succeed();
    counters.lokiAsked("success", seconds());
    return answer;
  } catch (error) {
    if (!(error instanceof UpstreamError)) {
      breaker.giveUp(clock.nowMs());
      throw error;
    }
    counters.lokiAsked(error.reason, seconds());
    if (signal.aborted) breaker.giveUp(clock.nowMs());
    else if (!OUTAGES.includes(error.reason)) breaker.succeed();
    else breaker.fail(clock.nowMs(), error instanceof LokiError ? error.retryAfterMs : undefined);
    throw error;
  }
}

const REFUSALS: Readonly<Record<LokiRefusal, string>> = {
  breaker: "Loki was not asked: it failed several times and is left alone for a while",
  budget: "Loki was not asked: loki.queries_per_minute is used up",
  queue: "Loki was not asked: too many questions wait already",
};

function refuse(counters: Counters, refusal: LokiRefusal): UpstreamError {
  counters.lokiRefused(refusal);
  return new LokiError("refused", REFUSALS[refusal]);
}

interface KnownNames {
  readonly names: Promise<ReadonlySet<string> | undefined>;
  untilMs: number;
}

function createLabelNames(parts: Parts): LogSource["labelNames"] {
  const { client, clock, labelsMs } = parts.options;
  const known = new Map<string, KnownNames>();
  return (tenant) => {
    const found = known.get(tenant);
    if (found !== undefined && clock.nowMs() < found.untilMs) return found.names;
    // Shared by all who wait for it, so no single one of them may end it.
    const { signal } = new AbortController();
    const names = askGently(parts, signal, () => client.labelNames(tenant, signal)).catch(() => {
      kept.untilMs = Math.min(kept.untilMs, clock.nowMs() + UNKNOWN_LABELS_MS);
      return undefined;
    });
    const kept: KnownNames = { names, untilMs: clock.nowMs() + labelsMs };
    if (known.size >= TENANTS_KEPT_MAX) known.clear();
    known.set(tenant, kept);
    return names;
  };
}
