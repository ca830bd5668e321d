import type { RequestHandler } from "express";
import type { AlertGroup } from "../alert/alert.ts";
import type { AnnotationProfile } from "../enrich/enrichment.ts";
import { UpstreamError } from "../enrich/outcome.ts";
import type { Counters, EnrichedGroup, Logger } from "../enrich/ports.ts";
import { GRAFANA_VERSION, parseGroup } from "./group-payload.ts";
import type { RejectedAlert } from "./group-payload.ts";
import { FAULTS_SHOWN_MAX, invalidFields, sendProblem } from "./problem.ts";

/** A notification that is durably accepted. */
export interface TakenGroup {
  /** Alerts that told nothing new: repeats and copies of HA peers. */
  readonly duplicates: number;
  /** Waits for the enrichment, at most until its deadline. */
  enriched(): Promise<EnrichedGroup>;
}

/** Names of the systems that send to the webhook. */
export interface WebhookSources {
  readonly alertmanager: string;
  readonly grafana: string;
}

/** Name of the source of a group: part of the identity of its episodes. */
export function sourceNameOf({ version }: AlertGroup, sources: WebhookSources): string {
  return version === GRAFANA_VERSION ? sources.grafana : sources.alertmanager;
}

/** What the route needs of the rest. */
export interface PostWebhookOptions {
  /** Names of the sources: the version of the payload tells which of them sent it. */
  readonly sources: WebhookSources;
  /** Of our own annotations. */
  readonly prefix: string;
  /** Profile of an enriched answer that the query names none for. */
  readonly profile: AnnotationProfile;
  readonly counters: Counters;
  readonly logger: Logger;
  /** Header in which a sender may name the tenant; `undefined`: none. */
  readonly tenantHeader: string | undefined;
  /**
   * Accepts a group; from then on it is not lost. `tenant` is what the sender named, empty when it
   * named none.
   *
   * @throws {UpstreamError} When it could not be accepted, so that the sender must try again.
   */
  take(group: AlertGroup, tenant: string): Promise<TakenGroup>;
  /** The group as an Alertmanager-shaped body, for `?respond=enriched`. */
  renderEnriched(enriched: EnrichedGroup, profile: AnnotationProfile): string;
}

interface AnswerForm {
  readonly enriched: boolean;
  readonly profile: AnnotationProfile;
}

/**
 * `POST /webhook`: takes a notification, answers 200 once it is durable.
 *
 * 400 names the faulty field; 503 makes Alertmanager try again (it gives up on every 4xx).
 */
export function postWebhook(options: PostWebhookOptions): RequestHandler {
  const { counters } = options;
  return async (request, response) => {
    const form = parseForm(request.query, options.profile);
    if (typeof form === "string") {
      const message = "has a value that is not known";
      sendProblem(response, invalidFields([{ field: form, message }]));
      return;
    }
    const check = parseGroup(request.body, options.prefix);
    if (check.group === undefined) {
      countRejected(counters, check.alertsRejected);
      if (check.alertsRejected === 0) counters.alertRejected("invalid_group");
      sendProblem(response, invalidFields(check.faults));
      return;
    }
    countRejected(counters, check.rejected.length);
    const source = sourceNameOf(check.group, options.sources);
    for (const alert of check.group.alerts) counters.alertReceived(source, alert.status);
    const { tenantHeader } = options;
    const tenant = tenantHeader === undefined ? "" : (request.get(tenantHeader) ?? "");
    const taken = await takeGroup(options, check.group, tenant);
    if (taken === undefined) {
      const detail = "The notification could not be accepted; send it again";
      sendProblem(response, { status: 503, title: "Not accepted", detail });
      return;
    }
    response.setHeader("Content-Type", "application/json");
    response.end(
      form.enriched
        ? options.renderEnriched(await taken.enriched(), form.profile)
        : renderReceipt(check.group.alerts.length - taken.duplicates, taken, check.rejected),
    );
  };
}

async function takeGroup(
  options: PostWebhookOptions,
  group: AlertGroup,
  tenant: string,
): Promise<TakenGroup | undefined> {
  try {
    return await options.take(group, tenant);
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    options.logger.warn(
      { reason: error.reason, error: error.message },
      "notification not accepted",
    );
    return undefined;
  }
}

function renderReceipt(
  accepted: number,
  taken: TakenGroup,
  rejected: readonly RejectedAlert[],
): string {
  const errors = rejected.flatMap((alert) => alert.faults).slice(0, FAULTS_SHOWN_MAX);
  return JSON.stringify({
    accepted,
    duplicate: taken.duplicates,
    rejected: rejected.length,
    ...(errors.length > 0 && { errors }),
  });
}

function countRejected(counters: Counters, alerts: number): void {
  for (let count = 0; count < alerts; count += 1) counters.alertRejected("invalid_alert");
}

/** The form of the answer that the query asks for, or the name of the parameter that is wrong. */
function parseForm(
  query: Readonly<Record<string, unknown>>,
  defaultProfile: AnnotationProfile,
): AnswerForm | string {
  const { respond = "receipt", profile = defaultProfile } = query;
  if (respond !== "receipt" && respond !== "enriched") return "respond";
  if (profile !== "compact" && profile !== "full") return "profile";
  return { enriched: respond === "enriched", profile };
}
