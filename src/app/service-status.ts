import { nameOf } from "../catalogue/sync/http-fetch.ts";
import { redactText } from "../redact/redact-text.ts";
import type { RecordsSource, ServiceStatus, ShownSetting } from "../web/status/service-status.ts";
import { STARTER_RECORDS_PATH } from "./installation.ts";
import { recordPlanOf } from "./record-plan.ts";
import { redactOptionsOf } from "./redact-options-of.ts";
import type { RouteParts } from "./route-parts.ts";

/** Makes what reads the service's status; what cannot change under one configuration is made once. */
export function createStatusReader(parts: RouteParts): () => ServiceStatus {
  const { config, kit, version, revision, published } = parts;
  const { records, logSource } = kit;
  const steady = {
    ...{ version, revision },
    node: process.version,
    mode: config.enrich.mode,
    store: storeKindOf(config.store.url.reveal()),
    destinations: config.destinations.map(({ name }) => name),
    configuration: maskedSettings(parts),
  };
  const { counts, digest } = published;
  const sources = recordSourcesOf(parts);
  const { size: count, datasetVersion } = records;
  return () => ({
    ...steady,
    records: { count, counts, datasetVersion, digest, sources, health: parts.recordsHealth() },
    loki: logSource && (logSource.isAvailable() ? "available" : "unavailable"),
  });
}

/** A template or query may hold a token that no key announces: what is masked in log lines is masked here. */
function maskedSettings({ config, settings }: RouteParts): readonly ShownSetting[] {
  const options = redactOptionsOf(config);
  const mask = (text: string) => redactText(text, options);
  return settings.map(({ path, value, isChanged }) => ({
    path,
    value: typeof value === "string" ? mask(value) : value && value.map(mask),
    isChanged,
  }));
}

function recordSourcesOf({ config }: RouteParts): readonly RecordsSource[] {
  return recordPlanOf(config).sources.map((source) => {
    const { origin } = source;
    if ("url" in source) return { place: nameOf(source.url), origin };
    return { place: source.path === STARTER_RECORDS_PATH ? "" : source.path, origin };
  });
}

function storeKindOf(url: string): string {
  const kind = url.split(":")[0] ?? "";
  return kind === "postgresql" ? "postgres" : kind;
}
