import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** A folder for one test, and what removes it. */
export interface TestFolder {
  readonly path: string;
  /** Writes a file below it, values other than text and bytes as JSON; its absolute path. */
  write(name: string, content: unknown): Promise<string>;
  remove(): Promise<void>;
}

/** Makes an empty folder beside those of other tests. */
export async function makeTestFolder(): Promise<TestFolder> {
  const folder = await mkdtemp(path.join(tmpdir(), "alertlore-test-"));
  return {
    path: folder,
    async write(name, content) {
      const file = path.join(folder, name);
      await mkdir(path.dirname(file), { recursive: true });
      const isPlain = typeof content === "string" || content instanceof Uint8Array;
      await writeFile(file, isPlain ? content : JSON.stringify(content));
      return file;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
