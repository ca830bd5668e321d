import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";

// Each bench is one file of this folder with its own figures; this one only finds and starts them.
const folder = import.meta.dirname;
const benches = readdirSync(folder)
  .filter((file) => file.endsWith(".ts") && file !== path.basename(import.meta.filename))
  .map((file) => file.slice(0, -".ts".length))
  .sort();

const [name, ...rest] = process.argv.slice(2);
if (name === undefined || !benches.includes(name)) {
  if (name !== undefined) console.error(`bench: there is no bench "${name}"`);
  console.error("usage: npm run -s bench -- NAME [ARGUMENT]...");
  console.error(benches.length > 0 ? `benches: ${benches.join(", ")}` : "benches: none yet");
  process.exitCode = 2;
} else {
  // A process of its own: one bench's heap and compiled code must not colour the next one's figures.
  const child = spawnSync(
    process.execPath,
    ["--import", "tsx", path.join(folder, `${name}.ts`), ...rest],
    { stdio: "inherit" },
  );
  if (child.error) throw child.error;
  process.exitCode = child.status ?? 1;
}
