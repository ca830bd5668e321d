import path from "node:path";
import { repositoryRoot } from "./shared.ts";

/** What runs the program from its sources, in whatever folder: arguments of Node, and environment. */
export const SOURCE_PROGRAM = {
  args: ["--import", import.meta.resolve("tsx"), path.join(repositoryRoot, "src/main.ts")],
  // In another folder the settings of the pages would not be found.
  env: { TSX_TSCONFIG_PATH: path.join(repositoryRoot, "tsconfig.json") },
} as const;
