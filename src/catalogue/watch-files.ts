import { stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { listRecordFiles } from "./list-record-files.ts";

/**
 * Looks at files and folders again and again and tells when one of them has changed.
 *
 * It asks for sizes and times rather than for notifications: those do not come from network file
 * systems, nor for a mounted ConfigMap, whose files change by swapping a link above them. A change is
 * told once it has stood still for one round, so that half a copied folder is not loaded.
 */
export function watchFiles(
  paths: readonly string[],
  { intervalMs, signal }: { readonly intervalMs: number; readonly signal: AbortSignal },
  onChange: () => void,
): void {
  void follow(paths, { intervalMs, signal }, onChange).catch(() => undefined);
}

async function follow(
  paths: readonly string[],
  { intervalMs, signal }: { readonly intervalMs: number; readonly signal: AbortSignal },
  onChange: () => void,
): Promise<void> {
  let told = await fingerprintOf(paths);
  let last = told;
  for (;;) {
    await sleep(intervalMs, undefined, { signal, ref: false });
    const now = await fingerprintOf(paths);
    signal.throwIfAborted();
    if (now === last && now !== told) {
      told = now;
      onChange();
    }
    last = now;
  }
}

/** Names, sizes and times of everything below the paths: another one after any change. */
async function fingerprintOf(paths: readonly string[]): Promise<string> {
  const lines: string[] = [];
  for (const root of paths) {
    const { files, datasetVersion, faults } = await listRecordFiles(root);
    lines.push(
      `${root} ${datasetVersion}`,
      ...faults.map(({ file, message }) => `${file} ${message}`),
    );
    for (const { file } of files) lines.push(`${file} ${await describe(file)}`);
  }
  return lines.join("\n");
}

/** Bytes of all record files below the paths; infinite with a compressed one, which may become large. */
export async function bytesOfRecords(paths: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const root of paths) {
    for (const { file } of (await listRecordFiles(root)).files) {
      const size = await stat(file).then(
        (status) => status.size,
        () => 0,
      );
      bytes += file.endsWith(".gz") ? Infinity : size;
    }
  }
  return bytes;
}

async function describe(file: string): Promise<string> {
  try {
    const { size, mtimeNs, ctimeNs, ino } = await stat(file, { bigint: true });
    return `${size} ${mtimeNs} ${ctimeNs} ${ino}`;
  } catch {
    return "gone";
  }
}
