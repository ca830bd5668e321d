import type { Config } from "../config/config.ts";

/** For destinations that are not configured any more. */
const DEFAULT_LIFE_MS = 86_400_000;

/** How long a delivery to the destination is tried before it is given up. */
export function lifeMsOf({ destinations }: Config, destination: string): number {
  return destinations.find(({ name }) => name === destination)?.expireAfterMs ?? DEFAULT_LIFE_MS;
}
