import type { RequestHandler } from "express";
import type { DeliveryQueue } from "../../enrich/delivery-ports.ts";
import type { Clock } from "../../enrich/ports.ts";
import { refuse } from "../json/problem.ts";

/** Dead letters in one answer, the latest first. */
export const LISTED_MAX = 500;
const DEFAULT_LIFE_MS = 86_400_000;

/** `GET /api/v1/deliveries`: what was given up, as `{deliveries: […]}`, the latest 500. */
export function getDeliveries(deliveries: DeliveryQueue): RequestHandler {
  return async (_request, response) => {
    response.json({ deliveries: await deliveries.deadLetters(LISTED_MAX) });
  };
}

/** What sending again needs. */
export interface ResendOptions {
  readonly deliveries: DeliveryQueue;
  readonly clock: Clock;
  /** How long a delivery of the destination is tried; `undefined` when it is not configured any more. */
  readonly lifeMsOf: (destination: string) => number | undefined;
}

/** Makes a dead letter due again; false when there is none, or a newer body is on its way. */
export async function sendAgain(
  { deliveries, clock, lifeMsOf }: ResendOptions,
  id: string,
): Promise<boolean> {
  const letters = await deliveries.deadLetters(LISTED_MAX);
  const letter = letters.find((candidate) => candidate.id === id);
  if (letter === undefined) return false;
  const nowMs = clock.nowMs();
  return deliveries.resend(
    letter.id,
    nowMs,
    nowMs + (lifeMsOf(letter.destination) ?? DEFAULT_LIFE_MS),
  );
}

/** `POST /api/v1/deliveries/:id/resend`: 202 when it is due again, 404 when there is nothing to send again. */
export function postResend(options: ResendOptions): RequestHandler {
  return async (request, response) => {
    const id = String(request.params["id"]);
    if (await sendAgain(options, id)) {
      response.status(202).json({ id });
      return;
    }
    const detail = "There is no such dead delivery, or a newer one of its group is on its way";
    refuse(response, { status: 404, title: "Not found", detail });
  };
}
