import { MASK } from "./secret.ts";
import type { Setting, SettingTable } from "./setting.ts";

/** One key of the configuration in force, fit to be shown to anybody. */
export interface SettingInForce {
  /** `web.listen_address`, `destinations[0].name`; ends in `_file` where a file holds a secret. */
  readonly path: string;
  /**
   * As written in the file, or the default; `null`: not set. A secret is `<secret>`, as are user,
   * password and query of a URL; `${NAME}` stays as it was written.
   */
  readonly value: string | readonly string[] | null;
  /** Whether it means something else than the default; a key without default: whether it is set. */
  readonly isChanged: boolean;
}

/**
 * Lists every key of a table with what a file says of it.
 *
 * `tree` is the file before variables and secret files are put in, so that nothing of them can be
 * shown, whatever key they stand under. It has passed the table's own check.
 */
export function settingsInForce(table: SettingTable, tree: unknown): readonly SettingInForce[] {
  return settingsBelow(table, tree, "");
}

function settingsBelow(
  table: SettingTable,
  tree: unknown,
  prefix: string,
): readonly SettingInForce[] {
  const mapping = isMapping(tree) ? tree : {};
  return Object.values(table).flatMap((setting) => {
    const path = `${prefix}${setting.key}`;
    const file = setting.isSecret ? mapping[`${setting.key}_file`] : undefined;
    if (file !== undefined) return [{ path: `${path}_file`, value: textOf(file), isChanged: true }];
    const written = mapping[setting.key];
    if (setting.inner === undefined) return [leafOf(setting, written, path)];
    return setting.isList
      ? membersOf(setting.inner, written, path)
      : sectionOf(setting, setting.inner, { written, path });
  });
}

function membersOf(inner: SettingTable, written: unknown, path: string): readonly SettingInForce[] {
  const members: readonly unknown[] = Array.isArray(written) ? written : [];
  if (members.length === 0) return [{ path, value: [], isChanged: false }];
  return members.flatMap((member, index) => settingsBelow(inner, member, `${path}[${index}].`));
}

function sectionOf(
  { fallback, shortKey }: Setting<unknown>,
  inner: SettingTable,
  { written, path }: { readonly written: unknown; readonly path: string },
): readonly SettingInForce[] {
  if (written === undefined && fallback === undefined) {
    return [{ path, value: null, isChanged: false }];
  }
  const isShort = shortKey !== undefined && !isMapping(written) && written !== undefined;
  return settingsBelow(inner, isShort ? { [shortKey]: written } : written, `${path}.`);
}

function leafOf(setting: Setting<unknown>, written: unknown, path: string): SettingInForce {
  const isChanged = differs(setting, written);
  const value = written ?? setting.fallback;
  if (value === undefined) return { path, value: null, isChanged };
  // A default is in the documentation, so it is no secret.
  if (setting.isSecret && isChanged) return { path, value: MASK, isChanged };
  const isList = Array.isArray(value);
  return { path, value: isList ? value.map(textOf) : textOf(value), isChanged };
}

function differs({ schema, fallback, isSecret }: Setting<unknown>, written: unknown): boolean {
  if (written === undefined) return false;
  if (isSecret || fallback === undefined) return written !== fallback;
  // "60s" and "1m" are the same; as text, for compiled expressions are equal to nothing.
  const meaning = (value: unknown) => JSON.stringify(schema.safeParse(value).data);
  return meaning(written) !== meaning(fallback);
}

/** One value as text; lists of matchers may be lists themselves. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  return withoutCredentials(isMapping(value) ? JSON.stringify(value) : String(value));
}

/** Any text may be a URL or hold one. */
function withoutCredentials(text: string): string {
  const anonymous = text.replace(/:\/\/[^/\s"']*@/gu, `://${MASK}@`);
  return /^[a-z][a-z0-9+.-]*:\/\//iu.test(anonymous)
    ? anonymous.replace(/([?#])[^]*$/u, `$1${MASK}`)
    : anonymous;
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
