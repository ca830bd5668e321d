import { createHash, timingSafeEqual } from "node:crypto";
import type { RequestHandler } from "express";
import type { Counters } from "../enrich/ports.ts";
import { sendProblem } from "./problem.ts";

/** What a sender must present; without any of them every sender is let in. */
export interface Credentials {
  readonly bearerToken?: string;
  readonly basic?: { readonly username: string; readonly password: string };
}

/**
 * Lets only senders with the right `Authorization` header pass, else answers 401, before any of the
 * body is read. Presented and expected values are compared in constant time.
 */
export function requireCredentials(
  credentials: Credentials,
  counters: Pick<Counters, "alertRejected">,
): RequestHandler {
  const accepted = acceptedHeaders(credentials);
  const challenge = credentials.basic === undefined ? "Bearer" : 'Basic realm="alertlore"';
  return (request, response, next) => {
    if (accepted.length === 0 || isAccepted(request.headers.authorization, accepted)) {
      next();
      return;
    }
    counters.alertRejected("unauthorized");
    response.setHeader("WWW-Authenticate", challenge);
    // Unread bytes would be taken for the next request on this connection.
    response.setHeader("Connection", "close");
    const detail = "The Authorization header is missing or wrong";
    sendProblem(response, { status: 401, title: "Unauthorized", detail });
  };
}

function acceptedHeaders({ bearerToken, basic }: Credentials): readonly Buffer[] {
  const headers: Buffer[] = [];
  if (bearerToken !== undefined) headers.push(digest(`bearer ${bearerToken}`));
  if (basic !== undefined) {
    const pair = Buffer.from(`${basic.username}:${basic.password}`).toString("base64");
    headers.push(digest(`basic ${pair}`));
  }
  return headers;
}

function isAccepted(header: string | undefined, accepted: readonly Buffer[]): boolean {
  const [, scheme = "", value = ""] = /^(\S+) +(.*)$/su.exec(header ?? "") ?? [];
  const presented = digest(`${scheme.toLowerCase()} ${value}`);
  let found = false;
  for (const expected of accepted) found = timingSafeEqual(presented, expected) || found;
  return found;
}

// Equal lengths are what timingSafeEqual asks for, and hashing hides the length of the secret.
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
