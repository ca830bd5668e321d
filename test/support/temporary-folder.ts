import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

/** A folder with these files, by relative name, that is removed when the running test ends. */
export function createTemporaryFolder(
  files: Readonly<Record<string, string | Uint8Array>> = {},
): string {
  const folder = mkdtempSync(path.join(tmpdir(), "alertlore-test-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return folder;
}
