import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { renderFault } from "../config/config-fault.ts";
import type { ConfigFault } from "../config/config-fault.ts";
import type { Config } from "../config/config.ts";
import { loadConfig } from "../config/load-config.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import { buildApp } from "./build-service.ts";
import type { BuildOutcome, ServiceActions } from "./build-service.ts";
import { createListening } from "./create-listening.ts";
import { createParts, fileOf, openBackbone } from "./service-parts.ts";
import type { ServeOptions, ServiceParts } from "./service-parts.ts";

/** A running service. */
export interface Service {
  /** Answers requests without a port too, always under the configuration in force. */
  readonly app: RequestListener;
  /** Starts listening at the configured address. */
  readonly listen: () => Promise<AddressInfo>;
  /** Loads everything anew; the faults that kept the old state in force, none when it was replaced. */
  readonly reload: () => Promise<readonly string[]>;
  /** Takes no new connection, finishes the requests in flight for a bounded time, and ends. */
  readonly close: () => Promise<void>;
}

/** A service, or every fault that kept it from starting. */
export type ServeOutcome =
  | { readonly service: Service; readonly faults: readonly [] }
  | { readonly service: undefined; readonly faults: readonly ConfigFault[] };

/** Composes the service from its configuration. Does not listen yet. */
export async function createService(options: ServeOptions): Promise<ServeOutcome> {
  const loaded = loadConfig(options.sources);
  if (loaded.config === undefined) return { service: undefined, faults: loaded.faults };
  const { config } = loaded;
  const parts = createParts(options, config);
  const fault = await openBackbone(parts, config);
  if (fault !== undefined) return { service: undefined, faults: [fault] };
  const outcome = await buildApp(parts, loaded, actionsOf(parts));
  if (outcome.app === undefined) {
    await parts.backbone?.stop();
    return { service: undefined, faults: outcome.faults };
  }
  parts.app = outcome.app;
  parts.backbone?.start();
  return { service: createRunning(parts, config), faults: [] };
}

function actionsOf(parts: ServiceParts): ServiceActions {
  return {
    reload: () => reloadNext(parts),
    changeRecords: (loaded) => void changeRecords(parts, loaded),
  };
}

/** Builds anew with the configuration in force: files of records changed, or a URL gave new ones. */
function changeRecords(parts: ServiceParts, loaded: LoadedConfig): Promise<void> {
  const next = parts.reloading.then(async () => {
    // A reload that came first has read the change already.
    if (parts.stopping || parts.catalogue.configInForce() !== loaded.config) return;
    const { app, faults } = await tryBuild(parts, loaded);
    if (app !== undefined) parts.app = app;
    for (const fault of faults) {
      parts.logger.error({ fault: renderFault(fault) }, "new records not taken, the old ones stay");
    }
  });
  parts.reloading = next;
  return next;
}

function reloadNext(parts: ServiceParts): Promise<readonly string[]> {
  const next = parts.reloading.then(() => reloadOnce(parts));
  parts.reloading = next.catch(() => undefined);
  return next;
}

async function reloadOnce(parts: ServiceParts): Promise<readonly string[]> {
  const { metrics, logger, clock } = parts;
  const outcome = await rebuild(parts);
  if (outcome.app !== undefined) {
    parts.app = outcome.app;
    logger.info({}, "configuration reloaded");
    return [];
  }
  metrics.configReloaded(false, clock.nowMs());
  const sentences = outcome.faults.map(renderFault);
  for (const fault of sentences) logger.error({ fault }, "reload failed, the old state stays");
  return sentences;
}

async function rebuild(parts: ServiceParts): Promise<BuildOutcome> {
  const loaded = loadConfig(parts.options.sources);
  if (loaded.config === undefined) return { app: undefined, faults: loaded.faults };
  return tryBuild(parts, loaded);
}

async function tryBuild(parts: ServiceParts, loaded: LoadedConfig): Promise<BuildOutcome> {
  try {
    return await buildApp(parts, loaded, actionsOf(parts));
  } catch (error) {
    parts.logger.error({ error }, "reload broke off");
    const message = "could not be put into force; the log of the service says why";
    return {
      app: undefined,
      faults: [{ file: fileOf(parts), line: undefined, path: "", message }],
    };
  }
}

function createRunning(parts: ServiceParts, config: Config): Service {
  const listening = createListening(() => parts.app);
  return {
    app: listening.app,
    reload: () => reloadNext(parts),
    async listen() {
      const address = await listening.listen(config.web.listenAddress);
      parts.logger.info({ address: address.address, port: address.port }, "listening");
      return address;
    },
    async close() {
      parts.stopping = true;
      parts.catalogue.stop();
      parts.logger.info({}, "stopping");
      await listening.close();
      await parts.backbone?.stop();
      parts.logger.info({}, "stopped");
    },
  };
}
