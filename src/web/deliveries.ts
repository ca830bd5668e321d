import type { RequestHandler } from "express";
import type { DeliveryQueue } from "../enrich/delivery-ports.ts";
import type { Clock } from "../enrich/ports.ts";

/** Dead letters in one answer, the latest first. */
const LISTED_MAX = 500;

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
  /** How long a delivery to the destination is tried. */
  readonly lifeMsOf: (destination: string) => number;
}

/** `POST /api/v1/deliveries/:id/resend`: 202 when it is due again, 404 when there is nothing to send again. */
export function postResend({ deliveries, clock, lifeMsOf }: ResendOptions): RequestHandler {
  return async (request, response) => {
    const id = request.params["id"];
    const letter = typeof id === "string" ? await deliveries.deadLetter(id) : undefined;
    const nowMs = clock.nowMs();
    const isSent =
      letter !== undefined &&
      (await deliveries.resend(letter.id, nowMs, nowMs + lifeMsOf(letter.destination)));
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
