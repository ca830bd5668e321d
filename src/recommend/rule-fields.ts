/** One fault of a rule file. */
export interface RuleFault {
  /** Where in the parsed file, e.g. `rules[3].match.family`; empty for the whole file. */
  readonly path: string;
  /** A sentence that says what was expected and what came. */
  readonly message: string;
}

/**
 * A value of the parsed file with its place and the list that its faults go to. Readers add a fault and
 * give `undefined` where a value cannot be used; they never throw.
 */
export interface Field {
  readonly value: unknown;
  readonly path: string;
  readonly faults: RuleFault[];
}

const TEXT_LENGTH_MAX = 500;
const LIST_LENGTH_MAX = 1000;
const SHOWN_LENGTH_MAX = 60;

/** Adds a fault at the field's place. */
export function fault(field: Field, message: string): void {
  field.faults.push({ path: field.path, message });
}

/** What a value looks like in a message: bounded, on one line. */
export function shown(value: unknown): string {
  const text = spelled(value);
  return text.length <= SHOWN_LENGTH_MAX ? text : `${text.slice(0, SHOWN_LENGTH_MAX)}…`;
}

function spelled(value: unknown): string {
  switch (typeof value) {
    case "undefined":
      return "nothing";
    case "string":
      return JSON.stringify(value);
    case "number":
    case "bigint":
    case "boolean":
      return String(value);
    default:
      if (value === null) return "null";
      return Array.isArray(value) ? "a list" : "a mapping";
  }
}

/** Reads a mapping as fields by key and finds fault with keys that nobody asked for. */
export function readMapping(
  field: Field,
  keys: readonly string[],
): ((key: string) => Field) | undefined {
  const entries = mappingEntries(field);
  if (entries === undefined) return undefined;
  const known = new Map(entries);
  for (const key of known.keys()) {
    if (keys.includes(key)) continue;
    const message = `unknown key; expected one of ${keys.join(", ")}`;
    fault({ ...field, path: pathOf(field.path, key) }, message);
  }
  return (key) => ({ ...field, path: pathOf(field.path, key), value: known.get(key) });
}

/** Reads a mapping whose keys are free, e.g. label names. */
export function readFreeMapping(field: Field): readonly (readonly [string, Field])[] | undefined {
  const entries = mappingEntries(field);
  return entries?.map(([key, value]) => [key, { ...field, path: pathOf(field.path, key), value }]);
}

function mappingEntries(field: Field): readonly (readonly [string, unknown])[] | undefined {
  const { value } = field;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    fault(field, `expected a mapping, got ${shown(value)}`);
    return undefined;
  }
  return Object.entries(value);
}

/** Reads a list of fields; a single value stands for a list of one. */
export function readList(field: Field): readonly Field[] | undefined {
  const { value } = field;
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (values.length === 0) {
    fault(field, "expected at least one value, got an empty list");
    return undefined;
  }
  if (values.length > LIST_LENGTH_MAX) {
    fault(field, `expected at most ${LIST_LENGTH_MAX} values, got ${values.length}`);
    return undefined;
  }
  const isList = Array.isArray(value);
  return values.map((one, index) => ({
    ...field,
    path: isList ? `${field.path}[${index}]` : field.path,
    value: one,
  }));
}

/** Reads one line of text, 1 to 500 characters. */
export function readText(field: Field, meaning: string): string | undefined {
  const { value } = field;
  if (typeof value !== "string") {
    fault(field, `expected ${meaning}, got ${shown(value)}`);
    return undefined;
  }
  // A folded YAML text ends in a line feed; nobody means it.
  const text = value.trim();
  if (text === "") {
    fault(field, `expected ${meaning}, got an empty text`);
    return undefined;
  }
  if (text.length > TEXT_LENGTH_MAX) {
    fault(field, `expected at most ${TEXT_LENGTH_MAX} characters, got ${text.length} of them`);
    return undefined;
  }
  if (/\p{Cc}/u.test(text)) {
    fault(field, `expected ${meaning} on one line`);
    return undefined;
  }
  return text;
}

/** Reads one of the values of a closed list. */
export function readOneOf<T extends string>(field: Field, allowed: readonly T[]): T | undefined {
  const found = allowed.find((one) => one === field.value);
  if (found !== undefined) return found;
  fault(field, `expected one of ${allowed.join(", ")}, got ${shown(field.value)}`);
  return undefined;
}

/** Reads a number within bounds, both included. */
export function readNumber(
  field: Field,
  bounds: { readonly min: number; readonly max: number; readonly whole: boolean },
): number | undefined {
  const { value } = field;
  const { min, max, whole } = bounds;
  const fits = typeof value === "number" && value >= min && value <= max;
  if (fits && (!whole || Number.isInteger(value))) return value;
  const kind = whole ? "a whole number" : "a number";
  fault(field, `expected ${kind} from ${min} to ${max}, got ${shown(value)}`);
  return undefined;
}

const DURATION =
  /^(?:(\d{1,5})w)?(?:(\d{1,5})d)?(?:(\d{1,5})h)?(?:(\d{1,5})m)?(?:(\d{1,6})s)?(?:(\d{1,6})ms)?$/;
const UNITS_MS = [604_800_000, 86_400_000, 3_600_000, 60_000, 1000, 1];

/**
 * Reads a Prometheus duration such as `30s` or `1h30m` as milliseconds. The bounds are included and
 * written as durations themselves.
 *
 * @see https://prometheus.io/docs/prometheus/latest/querying/basics/#float-literals-and-time-durations
 */
export function readDuration(field: Field, min: string, max: string): number | undefined {
  const ms = durationMs(field.value);
  const low = durationMs(min) ?? 0;
  const high = durationMs(max) ?? 0;
  if (ms !== undefined && ms >= low && ms <= high) return ms;
  const expected = `a duration such as 30s or 1h30m, from ${min} to ${max}`;
  fault(field, `expected ${expected}, got ${shown(field.value)}`);
  return undefined;
}

function durationMs(value: unknown): number | undefined {
  if (typeof value !== "string" || value === "") return undefined;
  const parts = DURATION.exec(value);
  if (parts === null) return undefined;
  return UNITS_MS.reduce((sum, unitMs, index) => sum + unitMs * Number(parts[index + 1] ?? 0), 0);
}

function pathOf(parent: string, key: string): string {
  const name = /^[A-Za-z_][\w-]*$/.test(key) ? key : `[${shown(key)}]`;
  if (parent === "" || name.startsWith("[")) return parent + name;
  return `${parent}.${name}`;
}
