import { createHmac, timingSafeEqual } from "node:crypto";
import type { RequestHandler } from "express";
import type { Clock, Counters } from "../enrich/ports.ts";
import { GRAFANA_VERSION } from "./group-payload.ts";
import { sendProblem } from "./problem.ts";
import { rawBodyOf } from "./read-json.ts";

/** How a Grafana contact point signs what it sends (`hmacConfig`). */
export interface SignatureOptions {
  /** Any of them will do, so that a secret can be changed without a gap. */
  readonly secrets: readonly string[];
  /** Name of the header with 64 hex digits. */
  readonly header: string;
  /** Name of the header with the time of signing in seconds; `undefined`: the time is not signed. */
  readonly timestampHeader: string | undefined;
  /** How far the time of signing may lie from ours, either way. */
  readonly toleranceMs: number;
}

/** What is checked: a body and the headers that came with it. */
export interface SignedBody {
  readonly body: Uint8Array;
  readonly signature: string | undefined;
  readonly timestamp: string | undefined;
}

/**
 * Refuses (401) a Grafana notification that is not signed as configured. Bodies of other senders
 * pass: Alertmanager cannot sign. Comes after `readJson`, whose raw bytes are what is signed.
 */
export function requireSignature(
  options: SignatureOptions,
  clock: Pick<Clock, "nowMs">,
  counters: Pick<Counters, "alertRejected">,
): RequestHandler {
  return (request, response, next) => {
    const signed: SignedBody = {
      body: rawBodyOf(response),
      // Several headers of one name are joined by node and then do not have the form of one.
      signature: request.get(options.header),
      timestamp: options.timestampHeader && request.get(options.timestampHeader),
    };
    if (!isFromGrafana(request.body) || isSigned(signed, options, clock.nowMs())) {
      next();
      return;
    }
    counters.alertRejected("unauthorized");
    const detail = "The signature is missing, wrong or too old";
    sendProblem(response, { status: 401, title: "Unauthorized", detail });
  };
}

/**
 * Tells whether a body was signed with one of the secrets, compared in constant time. A missing or
 * malformed time is a failure where a time is asked for, never a reason to check without it.
 *
 * @see https://grafana.com/docs/grafana/latest/alerting/configure-notifications/manage-contact-points/integrations/webhook-notifier/
 */
export function isSigned(signed: SignedBody, options: SignatureOptions, nowMs: number): boolean {
  const { body, signature = "", timestamp = "" } = signed;
  if (!/^[0-9a-f]{64}$/iu.test(signature)) return false;
  const isTimed = options.timestampHeader !== undefined;
  if (isTimed && !isRecent(timestamp, options.toleranceMs, nowMs)) return false;
  const presented = Buffer.from(signature, "hex");
  let found = false;
  for (const secret of options.secrets) {
    const hmac = createHmac("sha256", secret);
    if (isTimed) hmac.update(`${timestamp}:`);
    found = timingSafeEqual(presented, hmac.update(body).digest()) || found;
  }
  return found;
}

function isRecent(timestamp: string, toleranceMs: number, nowMs: number): boolean {
  if (!/^[0-9]{1,12}$/u.test(timestamp)) return false;
  return Math.abs(nowMs - Number(timestamp) * 1000) <= toleranceMs;
}

function isFromGrafana(body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false;
  return "version" in body && body.version === GRAFANA_VERSION;
}
