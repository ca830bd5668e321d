import type { RequestHandler } from "express";
import { prefersOpenMetrics } from "./exposition.ts";
import type { Metrics } from "./metrics.ts";

/**
 * Serves `GET /metrics` from memory: OpenMetrics to those who ask for it, as Prometheus does, and the plain
 * format to everybody else. Prometheus 3 refuses an answer without its content type.
 */
export function getMetrics(metrics: Metrics): RequestHandler {
  return async (request, response) => {
    const format = prefersOpenMetrics(request.headers.accept) ? "openmetrics" : "plain";
    const { contentType, body } = await metrics.expose(format);
    response.setHeader("Content-Type", contentType);
    response.setHeader("Vary", "Accept");
    response.end(body);
  };
}
