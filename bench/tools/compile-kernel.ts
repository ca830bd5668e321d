import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const SOURCE = join(ROOT, "src/match/kernel/scan-kernel.as");
const COMPILER = join(ROOT, "node_modules/.bin/asc");
const OPTIONS =
  "-O3 --runtime stub --importMemory --noAssert --noExportMemory --enable simd --outFile kernel.wasm";
const LINE_LENGTH = 96;

/**
 * Compiles `scan-kernel.as` with all optimisations and no runtime of its own.
 *
 * @returns The source text of the module that carries the result.
 * @throws {Error} With the compiler's messages.
 */
export function compileKernel(): string {
  const folder = mkdtempSync(join(tmpdir(), "alertlore-kernel-"));
  try {
    // The compiler takes no other name than .ts, which every other tool would take for TypeScript.
    cpSync(SOURCE, join(folder, "kernel.ts"));
    const { status, stderr } = spawnSync(COMPILER, ["kernel.ts", ...OPTIONS.split(" ")], {
      cwd: folder,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`the kernel does not compile: ${stderr}`);
    return moduleOf(readFileSync(join(folder, "kernel.wasm")));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function moduleOf(binary: Buffer): string {
  const lines = binary.toString("base64").match(new RegExp(`.{1,${LINE_LENGTH}}`, "g")) ?? [];
  return [
    "/** The compiled scan kernel, made from `scan-kernel.as` by `npm run build:kernel`. */",
    "// prettier-ignore",
    "export const KERNEL_BYTES =",
    ...lines.map((line, i) => `  "${line}"${i < lines.length - 1 ? " +" : ";"}`),
    "",
  ].join("\n");
}
