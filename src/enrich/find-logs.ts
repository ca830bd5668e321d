import type { Alert, TimestampNs } from "../alert/alert.ts";
import { cutUtf8 } from "../log/cut-utf8.ts";
import type { Excerpt, LogEntry } from "../log/excerpt.ts";
import { planQueries } from "../select/plan-queries.ts";
import type { PlanOptions, QueryStep } from "../select/plan-queries.ts";
import { selectRange } from "../select/select-range.ts";
import type { RangeOptions } from "../select/select-range.ts";
import { selectTenant } from "../select/select-tenant.ts";
import type { TenantOptions } from "../select/select-tenant.ts";
import { UpstreamError } from "./outcome.ts";
import type { UpstreamReason } from "./outcome.ts";
import type { LogQuery, Logger, LogSource } from "./ports.ts";

/** How log lines are asked for. */
export interface LogSettings {
  readonly plan: PlanOptions;
  readonly range: RangeOptions;
  readonly tenant: TenantOptions;
  /** Steps of the plan that are asked at most for one alert. */
  readonly stepsMax: number;
  readonly entriesMax: number;
  /** UTF-8 bytes of all entries together. */
  readonly bytesMax: number;
}

/** What a look for the lines behind an alert needs. */
export interface LogKit {
  readonly source: LogSource;
  readonly settings: LogSettings;
  readonly logger: Logger;
}

/** When and for whom it is looked. */
export interface LogSituation {
  readonly nowNs: TimestampNs;
  readonly isRepeat: boolean;
  /** That the sender named; empty when it named none. */
  readonly tenant: string;
}

/** The question that was answered, or the last that was not. */
export interface AskedLogs {
  readonly tenant: string;
  readonly queries: readonly string[];
  readonly startNs: TimestampNs;
  readonly endNs: TimestampNs;
  /** Whether the range is shorter than what the alert asked for. */
  readonly clamped: boolean;
}

/** What a look found, and if nothing, why. */
export type FoundLogs =
  | { readonly result: "found"; readonly excerpt: Excerpt; readonly asked: AskedLogs }
  | { readonly result: "empty"; readonly asked: AskedLogs }
  | { readonly result: "failed"; readonly reason: UpstreamReason; readonly asked?: AskedLogs }
  /** The alert says nothing that a query could be made of. */
  | { readonly result: "not_asked" };

/** Failures of a question, not of Loki: the next question may be a better one. */
const FAULTS_OF_QUERY: readonly UpstreamReason[] = ["bad_query", "too_large"];

/**
 * Asks for the log lines behind an alert, one step of its plan after the other until one finds lines.
 * Never throws for what Loki does.
 */
export async function findLogs(
  kit: LogKit,
  alert: Alert,
  situation: LogSituation,
): Promise<FoundLogs> {
  const { source, settings, logger } = kit;
  const { signal } = new AbortController();
  const tenant = selectTenant(situation.tenant, alert.labels, settings.tenant);
  if (tenant === undefined) return { result: "failed", reason: "no_tenant" };
  const known = await source.labelNames(tenant, signal);
  const steps = planQueries(alert, known, settings.plan).slice(0, settings.stepsMax);
  let last: FoundLogs = { result: "not_asked" };
  for (const step of steps) {
    const { ruleRangeMs, offsetMs } = step;
    const range = selectRange(alert, { ...situation, ruleRangeMs, offsetMs }, settings.range);
    const asked: AskedLogs = { tenant, queries: step.queries, ...range };
    try {
      const excerpt = await askStep(kit, step, asked);
      if (excerpt !== undefined) return { result: "found", excerpt, asked };
      // An empty answer says more than an earlier refusal.
      last = { result: "empty", asked };
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      const { reason, message } = error;
      logger.warn({ fingerprint: alert.fingerprint, reason, error: message }, "no log lines");
      if (last.result !== "empty") last = { result: "failed", reason, asked };
      if (!FAULTS_OF_QUERY.includes(reason)) return { result: "failed", reason, asked };
    }
  }
  return last;
}

async function askStep(
  { source, settings }: LogKit,
  step: QueryStep,
  { tenant, startNs, endNs }: AskedLogs,
): Promise<Excerpt | undefined> {
  const { signal } = new AbortController();
  const answers = await Promise.all(
    step.queries.map((query) => {
      const question: LogQuery = {
        tenant,
        query,
        startNs,
        endNs,
        entriesMax: settings.entriesMax,
      };
      return source.query(question, signal);
    }),
  );
  const [first] = answers;
  const entries = answers.length === 1 && first !== undefined ? first.entries : merge(answers);
  if (entries.length === 0) return undefined;
  const kept = keepNewest(entries, settings);
  const cut = kept.length < entries.length || answers.some((answer) => answer.cut);
  return { entries: kept, provenance: step.provenance, cut };
}

/** Entries of several queries in order of time; one that several found stands once. */
function merge(answers: readonly { readonly entries: readonly LogEntry[] }[]): LogEntry[] {
  const byKey = new Map<string, LogEntry>();
  for (const entry of answers.flatMap(({ entries }) => entries)) {
    byKey.set(JSON.stringify([String(entry.timestampNs), entry.stream, entry.text]), entry);
  }
  return [...byKey.values()].sort((left, right) => {
    const [a, b] = [left.timestampNs ?? 0n, right.timestampNs ?? 0n];
    if (a === b) return 0;
    return a < b ? -1 : 1;
  });
}

/** The entries nearest to the alert that fit; the first of them may lose its end. */
function keepNewest(
  entries: readonly LogEntry[],
  { entriesMax, bytesMax }: LogSettings,
): readonly LogEntry[] {
  let bytesLeft = bytesMax;
  const first = Math.max(0, entries.length - entriesMax);
  for (let index = entries.length - 1; index >= first; index -= 1) {
    const entry = entries[index];
    if (entry === undefined) break;
    const { text, bytes } = cutUtf8(entry.text, bytesLeft);
    bytesLeft -= bytes;
    if (text.length === entry.text.length) continue;
    const after = entries.slice(index + 1);
    return text === "" ? after : [{ ...entry, text }, ...after];
  }
  return first === 0 ? entries : entries.slice(first);
}
