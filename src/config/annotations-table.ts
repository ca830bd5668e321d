import { authentication, duration, flag, httpUrl, listOf, wholeNumber } from "./leaf-schema.ts";
import { optional, required, setting, settingsSchema } from "./setting.ts";

const organization = settingsSchema({
  orgId: required("org_id", wholeNumber(1, 2 ** 31)),
  auth: required("auth", authentication),
});

/** Region annotations through Grafana's HTTP API. */
export const annotationsTable = {
  enabled: setting("enabled", flag, false),
  /** Base URL of the HTTP API; `undefined`: that for people. */
  url: optional("url", httpUrl),
  /** For the organisation `grafana.org_id`, which also gets what names none. */
  auth: optional("auth", authentication),
  /** Further organisations; what names another one is not marked. */
  organizations: setting("organizations", listOf(organization, 100), []),
  /** Annotations that are made in a minute; what comes beyond is counted to one. */
  perMinute: setting("per_minute", wholeNumber(1, 1000), 30),
  /** For one request, to the end of its answer. */
  timeoutMs: setting("timeout", duration(1, 60_000), "5s"),
};

interface GrafanaMapping {
  readonly url?: string;
  readonly orgId?: number;
  readonly annotations?: {
    readonly enabled?: boolean;
    readonly organizations?: unknown;
  };
}

/** Faults of the section `grafana` that no single key shows. */
export function faultsOfAnnotations(grafana: unknown): readonly string[] {
  const { url, orgId, annotations } = (grafana ?? {}) as GrafanaMapping;
  const ids = [orgId, ...listed(annotations?.organizations)].filter((id) => id !== undefined);
  return [
    ...(annotations?.enabled === true && url === undefined
      ? ["url is required for annotations"]
      : []),
    ...(new Set(ids).size < ids.length
      ? ["organizations of annotations must differ, from org_id too"]
      : []),
  ];
}

function listed(organizations: unknown): readonly (number | undefined)[] {
  if (!Array.isArray(organizations)) return [];
  return organizations.map((each: unknown) =>
    typeof each === "object" && each !== null && "orgId" in each ? Number(each.orgId) : undefined,
  );
}
