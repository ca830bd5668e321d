import type { Alert, Annotations } from "../alert/alert.ts";
import type { AnnotationProfile } from "../alert/annotation-profile.ts";
import { createTextMap } from "../alert/text-map.ts";
import { resolveAnnotations } from "../annotate/resolve-annotations.ts";
import { appendSummary } from "./append-summary.ts";
import { isChosen } from "./choose-alert.ts";
import { enrichAlert } from "./enrich-alert.ts";
import type { EnrichKit } from "./enrich-alert.ts";
import type { LateFinds } from "./delivery-ports.ts";
import type { Enrichment } from "./enrichment.ts";
import { keepLate } from "./keep-late.ts";
import { KnownEpisodes } from "./known-episodes.ts";
import type { EpisodeSighting, EpisodeStore, PostedAlerts } from "./ports.ts";

/** What is set aside for alerts that are re-sent again and again. */
export interface PostedLimits {
  /** Episodes that are remembered. */
  readonly episodesMax: number;
  /** Alerts that wait to be enriched; more are enriched when they are posted again. */
  readonly waitingMax: number;
  /** Alerts that are worked on at a time. */
  readonly atOnce: number;
  /** Longest that a post waits for the store. */
  readonly storeMs: number;
}

interface Job {
  readonly kit: EnrichKit;
  readonly alert: Alert;
  readonly sighting: EpisodeSighting;
  readonly done: () => void;
}

/**
 * Explains alerts that are posted one by one and re-sent every minute, as the proxy gets them. What is
 * known of an episode goes onto every re-send; what is not yet known is worked out beside. Lives as
 * long as the process; the kit may change with each post.
 */
export class PostedAlertsDesk implements PostedAlerts {
  private readonly limits: PostedLimits;
  private readonly known: KnownEpisodes;
  private readonly waiting: Job[] = [];
  private readonly underWay = new Map<string, Promise<void>>();
  private readonly listeners: ((fingerprint: string) => void)[] = [];
  private working = 0;
  private kit: EnrichKit;
  private profile: AnnotationProfile;

  /** Begins with a kit; `use` replaces it. */
  constructor(kit: EnrichKit, profile: AnnotationProfile, limits: PostedLimits) {
    this.kit = kit;
    this.profile = profile;
    this.limits = limits;
    this.known = new KnownEpisodes(limits.episodesMax);
  }

  /** Takes what a reload has put into force. */
  use(kit: EnrichKit, profile: AnnotationProfile): void {
    this.kit = kit;
    this.profile = profile;
  }

  async look(
    alerts: readonly Alert[],
    tenant: string,
  ): Promise<readonly (Promise<void> | undefined)[]> {
    const kit = this.kitOf(tenant);
    const nowMs = kit.clock.nowMs();
    const chosen = alerts.filter((alert) => isChosen(alert.labels, kit.settings));
    const unsettled = chosen.filter((alert) => !this.known.isSettled(alert, nowMs));
    kit.counters.alertsRepeated(chosen.length - unsettled.length);
    if (unsettled.length > 0) await this.observe(kit, unsettled);
    return alerts.map((alert) => this.underWay.get(this.known.of(alert)?.id ?? ""));
  }

  annotationsOf(alert: Alert): Annotations | undefined {
    const { settings } = this.kit;
    const known = this.known.of(alert);
    if (known === undefined || settings.mode !== "on" || !isChosen(alert.labels, settings))
      return undefined;
    const { prefix } = settings.annotate;
    const isFiring = alert.status === "firing";
    const annotations = isFiring
      ? known.annotations
      : resolveAnnotations(known.annotations, prefix);
    const added = annotations[this.profile];
    const shown = settings.appendToDescription
      ? appendSummary(alert, { annotations }, prefix)
      : alert;
    if (shown === alert && Object.keys(added).length === 0) return undefined;
    // Not by spreading, which takes ten times as long here.
    return Object.assign(createTextMap(), added, shown.annotations);
  }

  mayHold(): boolean {
    return this.kit.settings.mode === "on" && this.kit.logSource?.isAvailable() !== false;
  }

  /** Calls back with the fingerprint of each alert that has annotations now and had none. */
  onNews(listener: (fingerprint: string) => void): void {
    this.listeners.push(listener);
  }

  /** Hears of an enrichment that the store has kept, whoever worked it out. */
  learn(enrichment: Enrichment): void {
    const fingerprint = this.known.learn(enrichment);
    if (fingerprint === undefined || enrichment.outcome !== "matched") return;
    for (const listener of this.listeners) listener(fingerprint);
  }

  private kitOf(tenant: string): EnrichKit {
    const { kit } = this;
    if (tenant === "") return kit;
    const source = { ...kit.settings.source, tenant };
    return { ...kit, settings: { ...kit.settings, source } };
  }

  private async observe(kit: EnrichKit, alerts: readonly Alert[]): Promise<void> {
    const sightings = await this.askStore(kit, alerts);
    const nowMs = kit.clock.nowMs();
    kit.counters.alertsRepeated(sightings?.filter((sighting) => sighting?.repeat).length ?? 0);
    for (const [index, alert] of alerts.entries()) {
      const sighting = sightings?.[index];
      if (sighting === undefined) continue;
      this.known.observe(alert, sighting, nowMs);
      if (alert.status === "firing" && sighting.enrichment === undefined)
        this.begin({ kit, alert, sighting });
    }
  }

  private async askStore(
    kit: EnrichKit,
    alerts: readonly Alert[],
  ): Promise<readonly (EpisodeSighting | undefined)[] | undefined> {
    const asked = kit.episodes.observe(kit.settings.source, alerts, kit.clock.nowMs());
    try {
      return await withinMs(asked, this.limits.storeMs);
    } catch (error) {
      kit.counters.storeFailed("passed_through");
      kit.logger.warn({ error, alerts: alerts.length }, "the store knows nothing of posted alerts");
      return undefined;
    }
  }

  private begin(job: Omit<Job, "done">): void {
    const { id } = job.sighting;
    if (this.underWay.has(id) || this.waiting.length >= this.limits.waitingMax) return;
    const finished = new Promise<void>((done) => this.waiting.push({ ...job, done }));
    this.underWay.set(id, finished);
    if (this.working < this.limits.atOnce) void this.work();
  }

  private async work(): Promise<void> {
    this.working += 1;
    for (let job = this.waiting.shift(); job !== undefined; job = this.waiting.shift()) {
      // Matching is pure computation: between two alerts everyone else gets a turn.
      await new Promise((resolve) => setImmediate(resolve));
      await this.enrich(job);
      this.underWay.delete(job.sighting.id);
      job.done();
    }
    this.working -= 1;
  }

  private async enrich({ kit, alert, sighting }: Job): Promise<void> {
    const startedMs = kit.clock.elapsedMs();
    try {
      const found = { episode: sighting, nowNs: kit.clock.nowNs() };
      const { enrichment, outcome, isFresh, countable } = await enrichAlert(kit, alert, found);
      kit.counters.enriched(outcome, (kit.clock.elapsedMs() - startedMs) / 1000);
      if (enrichment === undefined) return;
      if (isFresh) await keepLate(kit, enrichment, countable);
      // Where the store is away or has forgotten the episode, memory alone has it.
      this.learn(enrichment);
    } catch (error) {
      kit.logger.error(
        { fingerprint: alert.fingerprint, error },
        "posted alert could not be enriched and goes on as it came",
      );
    }
  }
}

/** Where late enrichments are kept, telling the desk of what is kept then. */
export function withNews(
  store: LateFinds & Pick<EpisodeStore, "find">,
  learn: (enrichment: Enrichment) => void,
): LateFinds {
  return {
    async saveLate(late) {
      const isCounted = await store.saveLate(late);
      // Another replica may have been faster: what it kept is what everybody shows.
      const [kept] = await store.find([late.enrichment.episodeId]);
      if (kept?.enrichment !== undefined) learn(kept.enrichment);
      return isCounted;
    },
  };
}

/** The promise's value, or a rejection when it takes too long. */
function withinMs<T>(promise: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`no answer within ${ms} ms`));
    }, ms);
    promise.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}
