import type { RequestHandler } from "express";
import type { Metrics } from "./metrics.ts";

/** Serves `GET /metrics` from memory. Prometheus 3 refuses an answer without this content type. */
export function getMetrics(metrics: Metrics): RequestHandler {
  return async (_request, response) => {
    const body = await metrics.render();
    response.setHeader("Content-Type", metrics.contentType);
    response.end(body);
  };
}
