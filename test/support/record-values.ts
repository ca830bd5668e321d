import { RECORD_FIELD_RULES } from "../../src/catalogue/record-schema.ts";
import type { KnownError } from "../../src/record/known-error.ts";

/** Fields of a record that hold one of a closed list. */
type ListedField = "errorType" | "severity" | "handlingStrategy";

/**
 * Every value that the record schema allows in a field, in its order, `null` last where it is allowed.
 * They are read from what the schema says of itself, so that a value added there turns up in every
 * table of the tests.
 */
export function allowedValues<F extends ListedField>(field: F): readonly KnownError[F][] {
  const rule = RECORD_FIELD_RULES[field];
  const listed = /^one of: (?<values>.+?)(?:, or null)?$/u.exec(rule.must)?.groups?.["values"];
  const values = [...(listed?.split(", ") ?? []), ...(rule.accepts(null) ? [null] : [])];
  const isAllowed = (value: unknown): value is KnownError[F] => rule.accepts(value);
  const allowed = values.filter(isAllowed);
  if (allowed.length < 2 || allowed.length !== values.length) {
    throw new Error(`the schema no longer lists the values of ${field}: ${rule.must}`);
  }
  return allowed;
}
