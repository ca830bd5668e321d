import { z } from "zod";
import { nearestName } from "./nearest-name.ts";

/** One key of the configuration file: its name there, what it may hold, and what it is by default. */
export interface Setting<T> {
  /** snake_case, as written in the file. */
  readonly key: string;
  readonly schema: z.ZodType<T>;
  /** The keys below it: those of the section, or of each member of the list. */
  readonly inner: SettingTable | undefined;
  /** Whether `inner` describes the members of a list. */
  readonly isList: boolean;
  /** Whether `<key>_file` may name a file that holds the value. */
  readonly isSecret: boolean;
  /** The default as written in the file; `undefined` for a key that has none. */
  readonly fallback: unknown;
  /** The key of a section that a text in the section's place stands for; `undefined`: none may. */
  readonly shortKey?: string;
}

/** The keys of one section, by the name that the program uses for them. */
export type SettingTable = Readonly<Record<string, Setting<unknown>>>;

/** What a section is once it is read. Docstrings of the table carry over. */
export type SettingValues<T extends SettingTable> = {
  readonly [K in keyof T]: T[K] extends Setting<infer V> ? Unchanging<V> : never;
};

type Unchanging<V> = V extends readonly (infer M)[] ? readonly M[] : V;

/** A fault that no single key shows, reported for one key of the mapping. */
export type MappingCheck = (
  mapping: Readonly<Record<string, unknown>>,
  report: (key: string, message: string) => void,
) => void;

const tables = new WeakMap<z.ZodType, SettingTable>();

function describe<T>(
  key: string,
  schema: z.ZodType<T>,
  { source = schema, fallback }: { source?: z.ZodType; fallback?: unknown } = {},
): Setting<T> {
  const isList = source instanceof z.ZodArray;
  const inner = tables.get(isList ? (source.element as z.ZodType) : source);
  return { key, schema, inner, isList, isSecret: false, fallback };
}

/**
 * A key with its default, written as in the file (`"5s"`, not 5000), so that a default passes the
 * same checks as what an operator writes.
 */
export function setting<T>(key: string, schema: z.ZodType<T>, fallback: unknown): Setting<T> {
  return describe(key, schema.prefault(fallback), { source: schema, fallback });
}

/** A key without which its section is a fault. */
export function required<T>(key: string, schema: z.ZodType<T>): Setting<T> {
  return describe(key, schema);
}

/** A key that may be left out: then it is `undefined`. */
export function optional<T>(key: string, schema: z.ZodType<T>): Setting<T | undefined> {
  return describe(key, schema.optional(), { source: schema });
}

/** Lets the value also come from a file, named under `<key>_file`. */
export function secretly<T>(plain: Setting<T>): Setting<T> {
  return { ...plain, isSecret: true };
}

/** A section of which every key has a default, so that it may be left out as a whole. */
export function section<T extends SettingTable>(key: string, table: T): Setting<SettingValues<T>> {
  return setting(key, settingsSchema(table), {});
}

/**
 * Turns a table into a schema that takes the mapping of the file and gives the program's names.
 *
 * Every fault of the mapping is reported, unknown keys too, each under the path of its own key.
 */
export function settingsSchema<T extends SettingTable>(
  table: T,
  check?: MappingCheck,
): z.ZodType<SettingValues<T>> {
  const entries = Object.entries(table);
  const shape = Object.fromEntries(entries.map(([, { key, schema }]) => [key, schema]));
  const schema = z
    .looseObject(shape, {
      error: ({ input }) =>
        input === undefined ? "is required" : "must be a mapping of keys to values",
    })
    .superRefine(
      (mapping, context) => {
        const report = (key: string, message: string): void => {
          context.addIssue({ code: "custom", path: [key], message });
        };
        reportUnknownKeys(mapping, Object.values(table), report);
        check?.(mapping, report);
      },
      // Runs although a value was found faulty, for an operator wants to see all faults at once.
      { when: ({ value }) => typeof value === "object" && value !== null && !Array.isArray(value) },
    )
    .transform((mapping) => {
      const named = entries.map(([name, { key }]) => [name, mapping[key]]);
      return Object.fromEntries(named) as SettingValues<T>;
    });
  tables.set(schema, table);
  return schema;
}

function reportUnknownKeys(
  mapping: Readonly<Record<string, unknown>>,
  settings: readonly Setting<unknown>[],
  report: (key: string, message: string) => void,
): void {
  const known = settings.flatMap(({ key, isSecret }) => (isSecret ? [key, `${key}_file`] : [key]));
  for (const key of Object.keys(mapping)) {
    if (known.includes(key)) continue;
    const near = nearestName(key, known);
    report(
      key,
      near === undefined ? "is no known key" : `is no known key; did you mean "${near}"?`,
    );
  }
}

/**
 * Every key of a table and below it, as paths: `web.listen_address`, `destinations[].name`. Sections
 * stand before their keys.
 */
export function keyPathsOf(table: SettingTable, prefix = ""): readonly string[] {
  return Object.values(table).flatMap(({ key, inner, isList }) => {
    const path = `${prefix}${key}`;
    if (inner === undefined) return [path];
    return [path, ...keyPathsOf(inner, isList ? `${path}[].` : `${path}.`)];
  });
}

/** The keys of a table and below it that may be given as `<key>_file`. */
export function secretKeysOf(table: SettingTable): ReadonlySet<string> {
  const keys = Object.values(table).flatMap(({ key, inner, isSecret }) => [
    ...(isSecret ? [key] : []),
    ...(inner === undefined ? [] : secretKeysOf(inner)),
  ]);
  return new Set(keys);
}
