import type { Request, RequestHandler } from "express";
import { refuse } from "../json/problem.ts";

/**
 * Refuses requests that another site made a browser send: with them goes what the browser knows of the
 * reader, such as a password. Browsers say where a request comes from; whoever says nothing is none.
 *
 * @param externalUrl - Where people reach the pages: behind a proxy the host of a request may differ.
 * @see https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Sec-Fetch-Site
 */
export function requireSameOrigin(externalUrl: string | undefined): RequestHandler {
  const outside = externalUrl === undefined ? undefined : new URL(externalUrl).host;
  return (request, response, next) => {
    if (isOwn(request, outside)) {
      next();
      return;
    }
    const detail = "Another site sent this request; it is taken only from Alertlore's own pages";
    refuse(response, { status: 403, title: "Forbidden", detail });
  };
}

function isOwn({ headers }: Request, outside: string | undefined): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin" || site === "none";
  const { origin } = headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const { host } = new URL(origin);
  return host === headers.host || host === outside;
}
