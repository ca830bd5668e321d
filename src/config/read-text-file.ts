import { readFileSync, statSync } from "node:fs";

/** A file that could not be read; the message says why in words, without the path. */
export class FileReadError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "FileReadError";
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "no such file",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EISDIR: "is a folder",
  ENOTDIR: "a part of the path is no folder",
  ELOOP: "symbolic links lead in a circle",
};

/**
 * Reads a small UTF-8 file whole.
 *
 * @throws {FileReadError} When it cannot be read or is larger than `bytesMax`.
 */
export function readTextFile(file: string, bytesMax: number): string {
  try {
    const { size } = statSync(file);
    if (size > bytesMax) throw new FileReadError(`is larger than ${String(bytesMax)} bytes`);
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof FileReadError) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
    throw new FileReadError(REASONS[code] ?? code, { cause: error });
  }
}
