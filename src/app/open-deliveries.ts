import { existsSync } from "node:fs";
import type { ConfigFault } from "../config/config-fault.ts";
import type { Config } from "../config/config.ts";
import type { ConfigSources } from "../config/load-config.ts";
import { loadConfig } from "../config/load-config.ts";
import { askDeadLetters } from "../deliver/ask-dead-letters.ts";
import type { DeadLetters } from "../deliver/ask-dead-letters.ts";
import { openSqlStore } from "../store/sql-store.ts";
import { authorizationOf } from "./authorization-of.ts";

export type { DeadLetter } from "../enrich/delivery-ports.ts";
export type { DeadLetters };

/** Dead letters, or why there is no way to them. */
export type DeliveriesOutcome =
  | { readonly letters: DeadLetters; readonly faults: readonly [] }
  | { readonly letters: undefined; readonly faults: readonly ConfigFault[] };

/** For destinations that are not configured any more. */
const DEFAULT_LIFE_MS = 86_400_000;

/**
 * Finds the way to the dead letters: PostgreSQL is opened beside the replicas; a SQLite file belongs to
 * one process, so a running service is asked over HTTP, and the file is opened when there is none.
 */
export async function openDeliveries(sources: ConfigSources): Promise<DeliveriesOutcome> {
  const { config, faults } = loadConfig(sources);
  if (config === undefined) return { letters: undefined, faults };
  const url = config.store.url.reveal();
  const file = sources.file ?? "configuration";
  const fail = (message: string) => ({
    letters: undefined,
    faults: [{ file, line: undefined, path: "store", message }],
  });
  if (!/^postgres/u.test(url)) {
    const running = await findRunning(config);
    if (running !== undefined) return { letters: running, faults: [] };
    if (url === "memory") return fail("is memory, and no service answers at web.listen_address");
    const path = url.replace(/^sqlite:/u, "");
    if (!existsSync(path)) return fail(`is not there: ${path} (a path is relative to this folder)`);
  }
  try {
    return { letters: await openStored(config, url), faults: [] };
  } catch (error) {
    return fail(`could not be opened: ${error instanceof Error ? error.message : "unknown"}`);
  }
}

async function openStored(config: Config, url: string): Promise<DeadLetters> {
  const { retentionMs, episodesMax } = config.store;
  const store = await openSqlStore({
    url,
    staleAfterMs: config.episode.staleAfterMs,
    copyWindowMs: config.delivery.copyWindowMs,
    ...{ retentionMs, episodesMax },
  });
  return {
    list: (max) => store.deadLetters(max),
    async resend(id) {
      const letter = await store.deadLetter(id);
      if (letter === undefined) return false;
      const nowMs = Date.now();
      const destination = config.destinations.find(({ name }) => name === letter.destination);
      const lifeMs = destination?.expireAfterMs ?? DEFAULT_LIFE_MS;
      return store.resend(id, nowMs, nowMs + lifeMs);
    },
    close: () => store.close(),
  };
}

/** The service that listens where the configuration says; `undefined` when nobody does. */
function findRunning(config: Config): Promise<DeadLetters | undefined> {
  const { host = "127.0.0.1", port } = config.web.listenAddress;
  const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  const base = `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}/`;
  return askDeadLetters(base, authorizationOf(config.web.auth));
}
