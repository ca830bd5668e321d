import type { Labels } from "../alert/alert.ts";

/** Which of Loki's tenants an alert's lines are looked for in. */
export interface TenantOptions {
  /**
   * A tenant, several as `a|b`, or a text with places for labels such as `{{ .Labels.tenant }}`; empty
   * when Loki has no tenants.
   */
  readonly tenant: string;
  /** Tenants that a label or a sender's header may name; empty: every one. */
  readonly allowed: readonly string[];
}

const PLACEHOLDER = /\{\{-?\s*\.Labels\.([a-zA-Z_][a-zA-Z0-9_]*)\s*-?\}\}/gu;

/**
 * Chooses the tenant: the one that the sender named in its header, else the configured one.
 *
 * What comes from outside must be one tenant's name as Loki takes them, so that it can neither widen the
 * question to other tenants (`a|b`) nor break the header.
 *
 * @returns `undefined` when there is no such tenant, and Loki must not be asked.
 */
export function selectTenant(
  fromSender: string,
  labels: Labels,
  { tenant, allowed }: TenantOptions,
): string | undefined {
  const isTemplate = tenant.includes("{{");
  if (fromSender === "" && !isTemplate) return tenant;
  const named = fromSender === "" ? fillTenant(tenant, labels) : fromSender;
  return isTenant(named) && (allowed.length === 0 || allowed.includes(named)) ? named : undefined;
}

function fillTenant(template: string, labels: Labels): string {
  return template.replace(PLACEHOLDER, (_all, name: string) =>
    Object.hasOwn(labels, name) ? (labels[name] ?? "") : "",
  );
}

/** At most 150 characters of Loki's set; never a path's dots. */
function isTenant(name: string): boolean {
  return /^[A-Za-z0-9!\-_.*'()]{1,150}$/u.test(name) && name !== "." && name !== "..";
}
