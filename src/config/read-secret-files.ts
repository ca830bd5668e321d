import path from "node:path";
import { renderKeyPath } from "./key-path.ts";
import type { KeyPath } from "./key-path.ts";
import { FileReadError, readTextFile } from "./read-text-file.ts";

const SECRET_BYTES_MAX = 65_536;

/** What replacing the `_file` keys found. */
export interface SecretFiles {
  /** Rendered paths of the values that came from a file. */
  readonly fromFile: ReadonlySet<string>;
  /** Rendered paths of the values that are missing because their file could not be read. */
  readonly unread: ReadonlySet<string>;
  readonly faults: readonly { readonly path: KeyPath; readonly message: string }[];
}

/**
 * Puts the content of each file named under `<key>_file` in the place of `<key>`, white space at both
 * ends taken off. Changes the tree. Relative names are relative to `folder`.
 */
export function readSecretFiles(
  tree: unknown,
  keys: ReadonlySet<string>,
  folder: string,
): SecretFiles {
  const fromFile = new Set<string>();
  const unread = new Set<string>();
  const faults: { path: KeyPath; message: string }[] = [];
  const visit = (value: unknown, at: KeyPath): void => {
    if (Array.isArray(value)) {
      value.forEach((member, index) => {
        visit(member, [...at, index]);
      });
    } else if (isMapping(value)) {
      for (const key of Object.keys(value)) visit(value[key], [...at, key]);
      for (const key of keys) {
        const name = `${key}_file`;
        if (value[name] === undefined) continue;
        const message = replaceByContent(value, key, folder);
        const found = message === undefined ? fromFile : unread;
        if (message !== undefined) faults.push({ path: [...at, name], message });
        if (message === undefined || value[key] === undefined)
          found.add(renderKeyPath([...at, key]));
      }
    }
  };
  visit(tree, []);
  return { fromFile, unread, faults };
}

/** The fault, or `undefined` when the mapping now holds the content. */
function replaceByContent(
  mapping: Record<string, unknown>,
  key: string,
  folder: string,
): string | undefined {
  const name = mapping[`${key}_file`];
  if (mapping[key] !== undefined) return `excludes ${key}: exactly one of both`;
  if (typeof name !== "string" || name === "") return "must be the name of a file";
  try {
    const content = readTextFile(path.resolve(folder, name), SECRET_BYTES_MAX).trim();
    if (content === "") return `${name}: the file is empty`;
    mapping[key] = content;
    Reflect.deleteProperty(mapping, `${key}_file`);
    return undefined;
  } catch (error) {
    if (!(error instanceof FileReadError)) throw error;
    return `${name}: ${error.message}`;
  }
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
