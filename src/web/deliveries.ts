import type { RequestHandler } from "express";
import type { DeliveryQueue } from "../enrich/delivery-ports.ts";
import type { Clock } from "../enrich/ports.ts";

/** Dead letters in one answer, the latest first. */
const LISTED_MAX = 500;
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

/** `POST /api/v1/deliveries/:id/resend`: 202 when it is due again, 404 when there is nothing to send again. */
export function postResend({ deliveries, clock, lifeMsOf }: ResendOptions): RequestHandler {
  return async (request, response) => {
    const id = request.params["id"];
    const letters = await deliveries.deadLetters(LISTED_MAX);
    const letter = letters.find((candidate) => candidate.id === id);
    const nowMs = clock.nowMs();
    const lifeMs = lifeMsOf(letter?.destination ?? "") ?? DEFAULT_LIFE_MS;
    const isSent =
      letter !== undefined && (await deliveries.resend(letter.id, nowMs, nowMs + lifeMs));
    if (isSent) {
      response.status(202).json({ id: letter.id });
      return;
    }
    response
      .status(404)
      .type("application/problem+json")
      .send(
        JSON.stringify({
          type: "about:blank",
          title: "Not found",
          status: 404,
          detail: "There is no such dead delivery, or a newer one of its group is on its way",
        }),
      );
  };
}
