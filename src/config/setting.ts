import { z } from "zod";
import { nearestName } from "./nearest-name.ts";

/** One key of the configuration file: its name there, what it may hold, and what it is by default. */
export interface Setting<T> {
  /** snake_case, as written in the file. */
  readonly key: string;
  readonly schema: z.ZodType<T>;
}

/** The keys of one section, by the name that the program uses for them. */
export type SettingTable = Readonly<Record<string, Setting<unknown>>>;

/** What a section is once it is read. Docstrings of the table carry over. */
export type SettingValues<T extends SettingTable> = {
  readonly [K in keyof T]: T[K] extends Setting<infer V> ? V : never;
};

/**
 * A key with its default, written as in the file (`"5s"`, not 5000), so that a default passes the
 * same checks as what an operator writes.
 */
export function setting<T>(key: string, schema: z.ZodType<T>, fallback: unknown): Setting<T> {
  return { key, schema: (schema as z.ZodType<T, unknown>).prefault(fallback) };
}

/** A key without which its section is a fault. */
export function required<T>(key: string, schema: z.ZodType<T>): Setting<T> {
  return { key, schema };
}

/** A key that may be left out: then it is `undefined`. */
export function optional<T>(key: string, schema: z.ZodType<T>): Setting<T | undefined> {
  return { key, schema: schema.optional() };
}

/** A section of which every key has a default, so that it may be left out as a whole. */
export function section<T extends SettingTable>(key: string, table: T): Setting<SettingValues<T>> {
  return setting(key, settingsSchema(table), {});
}

const keysBySchema = new WeakMap<z.ZodType, readonly string[]>();

/** The keys that a schema made by `settingsSchema` knows; empty for any other. */
export function keysOf(schema: z.ZodType): readonly string[] {
  return keysBySchema.get(schema) ?? [];
}

/**
 * Turns a table into a schema that takes the mapping of the file and gives the program's names.
 *
 * Every fault of the mapping is reported, unknown keys too, each under the path of its own key.
 */
export function settingsSchema<T extends SettingTable>(table: T): z.ZodType<SettingValues<T>> {
  const entries = Object.entries(table);
  const shape = Object.fromEntries(entries.map(([, { key, schema }]) => [key, schema]));
  const known = Object.keys(shape);
  const schema = z
    .looseObject(shape, { error: "must be a mapping of keys to values" })
    .superRefine(
      (mapping, context) => {
        for (const key of Object.keys(mapping)) {
          if (Object.hasOwn(shape, key)) continue;
          context.addIssue({ code: "custom", path: [key], message: unknownKey(key, known) });
        }
      },
      // Runs although a value was found faulty, for an operator wants to see all faults at once.
      { when: ({ value }) => typeof value === "object" && value !== null },
    )
    .transform((mapping) => {
      const named = entries.map(([name, { key }]) => [name, mapping[key]]);
      return Object.fromEntries(named) as SettingValues<T>;
    });
  return schema;
}

function unknownKey(key: string, known: readonly string[]): string {
  const near = nearestName(key, known);
  return near === undefined ? "is no known key" : `is no known key; did you mean "${near}"?`;
}
