/** One thing that is wrong with a file the operator wrote. */
export interface ConfigFault {
  /** As the operator named it, or the name of a flag. */
  readonly file: string;
  /** Counted from 1; `undefined` where no place in the file can be named. */
  readonly line: number | undefined;
  /** Keys from the top, e.g. `destinations[0].url`; empty for the file as a whole. */
  readonly path: string;
  /** Never holds a secret. */
  readonly message: string;
}

/**
 * One line, e.g. `config/alertlore.yaml:12: destinations[0].url: is required`. Control characters,
 * which file names and keys may hold, are written as `\uXXXX`.
 */
export function renderFault({ file, line, path, message }: ConfigFault): string {
  const place = line === undefined ? file : `${file}:${String(line)}`;
  const text = path === "" ? `${place}: ${message}` : `${place}: ${path}: ${message}`;
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u${code.toString(16).padStart(4, "0")}`;
  });
}
