/**
 * Compiles the scan kernel from AssemblyScript and writes it, base64, where the engine reads it from.
 * usage: npm run build:kernel
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { compileKernel } from "./compile-kernel.ts";

const target = join(import.meta.dirname, "../../src/match/kernel/kernel-bytes.ts");
writeFileSync(target, compileKernel());
