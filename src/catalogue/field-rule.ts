/** What a field of a record may hold. */
export interface FieldRule {
  accepts(value: unknown): boolean;
  /** Completes "must be …". */
  readonly must: string;
}

/** Longest prose or source text of a field, in UTF-16 units: a guard, far above what is published. */
const TEXT_CHARS_MAX = 262_144;
/** Longest message, name or path. */
export const LINE_CHARS_MAX = 16_384;

/** Any text up to a length, the empty one too. */
export function anyText(charsMax = TEXT_CHARS_MAX): FieldRule {
  return {
    accepts: (value) => typeof value === "string" && value.length <= charsMax,
    must: `text of at most ${charsMax} characters`,
  };
}

/** Text that says something. */
export function filledText(charsMax = TEXT_CHARS_MAX): FieldRule {
  return {
    accepts: (value) => typeof value === "string" && value.length > 0 && value.length <= charsMax,
    must: `text of 1 to ${charsMax} characters`,
  };
}

/** Text of one form. The expression has to be linear: records are input. */
export function formedText(form: RegExp, must: string): FieldRule {
  return {
    accepts: (value) =>
      typeof value === "string" && value.length <= LINE_CHARS_MAX && form.test(value),
    must,
  };
}

/** A whole number between two bounds, both allowed. */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): FieldRule {
  return {
    accepts: (value) =>
      Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max,
    must:
      max === Number.MAX_SAFE_INTEGER
        ? `a whole number of at least ${min}`
        : `a whole number from ${min} to ${max}`,
  };
}

/** One of a closed list. */
export function oneOf(values: readonly (string | number)[]): FieldRule {
  const allowed = new Set<unknown>(values);
  return {
    accepts: (value) => allowed.has(value),
    must: values.length === 1 ? String(values[0]) : `one of: ${values.join(", ")}`,
  };
}

/** As the rule says, or `null`. */
export function nullable(rule: FieldRule): FieldRule {
  return {
    accepts: (value) => value === null || rule.accepts(value),
    must: `${rule.must}, or null`,
  };
}

/** As the rule says, or not there at all. */
export function optional(rule: FieldRule): FieldRule {
  return { ...rule, accepts: (value) => value === undefined || rule.accepts(value) };
}

/** A list of which every member is as the rule says. */
export function listOf(rule: FieldRule, membersMax: number): FieldRule {
  return {
    accepts: (value) =>
      Array.isArray(value) &&
      value.length <= membersMax &&
      value.every((member) => rule.accepts(member)),
    must: `a list of at most ${membersMax}, each ${rule.must}`,
  };
}
