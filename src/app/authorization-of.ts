import type { DestinationConfig } from "../config/config.ts";

/** The `Authorization` header that configured credentials come to; `undefined` without them. */
export function authorizationOf(auth: DestinationConfig["auth"]): string | undefined {
  if (auth?.bearerToken !== undefined) return `Bearer ${auth.bearerToken.reveal()}`;
  if (auth?.basicAuth === undefined) return undefined;
  const { username, password } = auth.basicAuth;
  const pair = Buffer.from(`${username}:${password.reveal()}`).toString("base64");
  return `Basic ${pair}`;
}
