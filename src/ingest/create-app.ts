import express from "express";
import type { ErrorRequestHandler, Express, RequestHandler } from "express";
import type { Logger } from "../enrich/ports.ts";
import { sendProblem } from "./problem.ts";

/** One place of the service; `handlers` run in order. */
export interface Route {
  readonly method: "get" | "post" | "put" | "delete";
  readonly path: string;
  readonly handlers: readonly (RequestHandler | ErrorRequestHandler)[];
}

/**
 * Creates the HTTP side of the service from its routes.
 *
 * Every other path is a 404; what a handler throws becomes a 500 without a word of its reason, for
 * the reason may hold text of the request.
 */
export function createApp(routes: readonly Route[], logger: Logger): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", "simple");
  for (const { method, path, handlers } of routes) app[method](path, ...handlers);
  app.use((_request, response) => {
    sendProblem(response, { status: 404, title: "Not found", detail: "There is nothing here" });
  });
  app.use(createErrorHandler(logger));
  return app;
}

function createErrorHandler(logger: Logger): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    const status = clientStatus(error);
    if (status === undefined) logger.error({ error }, "request failed");
    if (response.headersSent) {
      // Only express's own last resort can still end an answer that has begun.
      next(error);
      return;
    }
    sendProblem(response, {
      status: status ?? 500,
      title: status === undefined ? "Internal error" : "Invalid request",
      detail:
        status === undefined
          ? "The request could not be answered; the log of the service says why"
          : "The request could not be read",
    });
  };
}

/** The 4xx status that express's own errors carry (broken encoding, aborted body). */
function clientStatus(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("status" in error)) return undefined;
  const { status } = error;
  return typeof status === "number" && status >= 400 && status < 500 ? status : undefined;
}
