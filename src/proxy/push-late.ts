import type { OutgoingHttpHeaders } from "node:http";
import type { Alert } from "../alert/alert.ts";
import type { Clock, Counters, PostedAlerts } from "../enrich/ports.ts";
import type { FanOut } from "./fan-out.ts";
import type { PostedAlert } from "./read-alerts.ts";
import { writeAlerts } from "./write-alerts.ts";

/** What pushing needs of the rest; replaced at a reload. */
export interface PushParts {
  readonly desk: PostedAlerts;
  readonly fanOut: FanOut;
  readonly clock: Clock;
  readonly counters: Counters;
}

interface Tracked {
  posted: PostedAlert;
  alert: Alert;
  headers: OutgoingHttpHeaders;
  postedMs: number;
  /** Posts of the alert that are under way. */
  posts: number;
  /** Whether annotations came after the last post was written. */
  isDue: boolean;
  /** Settles when the push that is under way has ended. */
  pushing: Promise<void> | undefined;
}

const TRACKED_MAX = 50_000;
const ALERTS_PER_PUSH = 64;
/** Alertmanager ends an alert without `endsAt` after five minutes: a later push would make it longer. */
const OPEN_ENDED_MS = 60_000;
/** A push must have arrived well before the alert ends by itself. */
const END_MARGIN_MS = 2000;

/**
 * Sends annotations after alerts that were posted before these were known: the same alert once more, with
 * them. What is sent of one alert is sent one after the other, so that no push can overtake a resolve or
 * be overtaken by a post without annotations. Lives as long as the process.
 */
export class LatePusher {
  private readonly tracked = new Map<string, Tracked>();
  private readonly due = new Set<string>();
  private parts: PushParts;
  private isPumping = false;

  /** Begins with parts; `use` replaces them. */
  constructor(parts: PushParts) {
    this.parts = parts;
  }

  /** Takes what a reload has put into force. */
  use(parts: PushParts): void {
    this.parts = parts;
  }

  /** Announces a post: from now on nothing of its alerts is pushed. Resolves when what was under way has ended. */
  async enter(posted: readonly PostedAlert[], headers: OutgoingHttpHeaders): Promise<void> {
    const pushes: Promise<void>[] = [];
    for (const each of posted) {
      const tracked = each.alert && this.track(each, each.alert, headers);
      if (tracked === undefined) continue;
      tracked.posts += 1;
      if (tracked.pushing !== undefined) pushes.push(tracked.pushing);
    }
    await Promise.all(pushes);
  }

  /** Tells that a post has ended, and which of its alerts went out with annotations. */
  leave(posted: readonly PostedAlert[], annotated: ReadonlySet<string>): void {
    for (const { alert } of posted) {
      const tracked = alert && this.tracked.get(alert.fingerprint);
      if (tracked !== undefined) this.endPost(tracked, annotated.has(tracked.alert.fingerprint));
    }
    void this.pump();
  }

  private endPost(tracked: Tracked, isAnnotated: boolean): void {
    const { fingerprint, status } = tracked.alert;
    tracked.posts -= 1;
    tracked.isDue = !isAnnotated && this.parts.desk.annotationsOf(tracked.alert) !== undefined;
    if (tracked.posts > 0) return;
    if (status === "resolved" || isAnnotated) this.tracked.delete(fingerprint);
    else if (tracked.isDue) this.due.add(fingerprint);
  }

  /** Hears that there are annotations for an alert that had none. */
  announce(fingerprint: string): void {
    const tracked = this.tracked.get(fingerprint);
    if (tracked === undefined) return;
    tracked.isDue = true;
    if (tracked.posts > 0) return;
    this.due.add(fingerprint);
    void this.pump();
  }

  private track(
    posted: PostedAlert,
    alert: Alert,
    headers: OutgoingHttpHeaders,
  ): Tracked | undefined {
    const { fingerprint } = alert;
    const postedMs = this.parts.clock.nowMs();
    const known = this.tracked.get(fingerprint);
    if (known !== undefined) {
      // Moved to the end: the first is the one that was not posted for longest.
      this.tracked.delete(fingerprint);
      this.tracked.set(fingerprint, known);
      return Object.assign(known, { posted, alert, headers, postedMs });
    }
    if (this.tracked.size >= TRACKED_MAX && !this.forgetOldest()) return undefined;
    const fresh = { posted, alert, headers, postedMs, posts: 0, isDue: false, pushing: undefined };
    this.tracked.set(fingerprint, fresh);
    return fresh;
  }

  private forgetOldest(): boolean {
    const [oldest] = this.tracked;
    if (oldest === undefined || oldest[1].posts > 0 || oldest[1].pushing !== undefined)
      return false;
    return this.tracked.delete(oldest[0]);
  }

  private async pump(): Promise<void> {
    if (this.isPumping) return;
    this.isPumping = true;
    // What was worked out in one turn goes out in one body.
    await new Promise((resolve) => setImmediate(resolve));
    for (let batch = this.nextBatch(); batch.length > 0; batch = this.nextBatch())
      await this.push(batch);
    this.isPumping = false;
  }

  /** Alerts that are due and at rest, all with the same headers. */
  private nextBatch(): readonly Tracked[] {
    const batch: Tracked[] = [];
    for (const fingerprint of this.due) {
      const tracked = this.tracked.get(fingerprint);
      const headers = batch[0]?.headers;
      if (headers !== undefined && tracked && !isSame(headers, tracked.headers)) continue;
      this.due.delete(fingerprint);
      if (tracked === undefined || tracked.posts > 0) continue;
      if (this.isWorthIt(tracked)) batch.push(tracked);
      else this.drop(tracked);
      if (batch.length >= ALERTS_PER_PUSH) break;
    }
    return batch;
  }

  private isWorthIt({ alert, postedMs }: Tracked): boolean {
    const { clock, desk, fanOut } = this.parts;
    if (alert.status === "resolved" || desk.annotationsOf(alert) === undefined) return false;
    const nowMs = clock.nowMs();
    const endsMs = Date.parse(alert.endsAt);
    if (Number.isNaN(endsMs) || endsMs <= 0) return nowMs - postedMs < OPEN_ENDED_MS;
    const timeoutMs = Math.max(...fanOut.upstreams.map(({ client }) => client.timeoutMs));
    return endsMs - nowMs > timeoutMs + END_MARGIN_MS;
  }

  private drop(tracked: Tracked): void {
    tracked.isDue = false;
    this.parts.counters.proxyPushed("dropped", 1);
  }

  private async push(batch: readonly Tracked[]): Promise<void> {
    const { desk, fanOut, counters } = this.parts;
    let settle = (): void => undefined;
    const pushing = new Promise<void>((resolve) => {
      settle = resolve;
    });
    for (const tracked of batch) tracked.pushing = pushing;
    const posted = batch.map((tracked) => tracked.posted);
    const { body } = writeAlerts(Buffer.from("[]"), posted, (alert) => desk.annotationsOf(alert));
    const answers = await fanOut.post(body, batch[0]?.headers ?? {});
    const isTaken = answers.some(({ status = 0 }) => status >= 200 && status < 300);
    counters.proxyPushed(isTaken ? "success" : "failure", batch.length);
    for (const tracked of batch) this.settlePush(tracked);
    settle();
  }

  /** Taken or not: the next re-send carries the annotations. */
  private settlePush(tracked: Tracked): void {
    tracked.pushing = undefined;
    tracked.isDue = false;
    if (tracked.posts === 0) this.tracked.delete(tracked.alert.fingerprint);
  }
}

function isSame(a: OutgoingHttpHeaders, b: OutgoingHttpHeaders): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
