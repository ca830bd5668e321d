import type { CatalogueRecord, KnownError } from "../record/known-error.ts";
import { RECORD_FIELD_RULES } from "./record-schema.ts";
import {
  isSelected,
  readRuleList,
  readSelector,
  readText,
  SELECTOR_KEYS,
} from "./record-selector.ts";
import type { RecordSelector, ReportFault, RuleFault } from "./record-selector.ts";
import { isRunbookUrl, RUNBOOK_URL_FORM } from "./runbook-url.ts";

type OverlaidFields = Partial<Pick<KnownError, "severity" | "handlingStrategy" | "solutions">>;

/** Fields of records that the operator changes, whoever wrote the records. */
export interface Overlay {
  /** As the evidence of a match shows it. */
  readonly name: string;
  readonly selector: RecordSelector;
  readonly fields: OverlaidFields;
  readonly runbookUrl: string | undefined;
}

/** Names in the file → fields of a record. */
const FIELD_KEYS = {
  severity: "severity",
  strategy: "handlingStrategy",
  solutions: "solutions",
} as const satisfies Readonly<Record<string, keyof KnownError>>;

/**
 * Reads the content of an overlay file: `overlays`, a list of selectors, each with a `name` and at least
 * one of `severity`, `strategy`, `solutions` and `runbook_url`.
 */
export function readOverlays(tree: unknown): {
  readonly overlays: readonly Overlay[];
  readonly faults: readonly RuleFault[];
} {
  const memberKeys = [...SELECTOR_KEYS, "name", ...Object.keys(FIELD_KEYS), "runbook_url"];
  const { members, faults } = readRuleList(tree, { key: "overlays", memberKeys }, readOverlay);
  return { overlays: members, faults };
}

function readOverlay(
  mapping: Readonly<Record<string, unknown>>,
  path: string,
  report: ReportFault,
): Overlay {
  if (mapping["name"] === undefined) report(`${path}.name`, "is required");
  const name = readText(mapping["name"], `${path}.name`, report) ?? path;
  const runbookUrl = readRunbookUrl(mapping["runbook_url"], `${path}.runbook_url`, report);
  const fields: Partial<Record<keyof KnownError, unknown>> = {};
  for (const [key, field] of Object.entries(FIELD_KEYS)) {
    const value = mapping[key];
    if (value === undefined) continue;
    const rule = RECORD_FIELD_RULES[field];
    if (!rule.accepts(value)) report(`${path}.${key}`, `must be ${rule.must}`);
    fields[field] = value;
  }
  if (Object.keys(fields).length === 0 && mapping["runbook_url"] === undefined) {
    report(path, `changes nothing: give one of ${Object.keys(FIELD_KEYS).join(", ")}, runbook_url`);
  }
  const selector = readSelector(mapping, path, report);
  return { name, selector, fields: fields as OverlaidFields, runbookUrl };
}

function readRunbookUrl(value: unknown, path: string, report: ReportFault): string | undefined {
  if (value === undefined) return undefined;
  if (isRunbookUrl(value)) return value;
  report(path, `must be ${RUNBOOK_URL_FORM}`);
  return undefined;
}

/**
 * Applies overlays in their order: of two that change one field the later wins. A changed record names
 * them with what they changed, e.g. `disk-full (severity, runbook_url)`.
 */
export function applyOverlays(
  records: readonly CatalogueRecord[],
  overlays: readonly Overlay[],
): readonly CatalogueRecord[] {
  if (overlays.length === 0) return records;
  return records.map((entry) => {
    const fitting = overlays.filter(({ selector }) => isSelected(selector, entry.record));
    return fitting.reduce(overlay, entry);
  });
}

function overlay(entry: CatalogueRecord, { name, fields, runbookUrl }: Overlay): CatalogueRecord {
  const changed = Object.entries(FIELD_KEYS).flatMap(([key, field]) =>
    field in fields ? [key] : [],
  );
  if (runbookUrl !== undefined) changed.push("runbook_url");
  return {
    ...entry,
    record: { ...entry.record, ...fields },
    overlays: [...entry.overlays, `${name} (${changed.join(", ")})`],
    runbookUrl: runbookUrl ?? entry.runbookUrl,
  };
}
