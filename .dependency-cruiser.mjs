/**
 * Who may import whom, as a checked fact. The table stands in docs/adr/0001; `npm run lint:imports`
 * checks it, and test/unit/import-rules.test.ts shows that each rule can fail.
 */
const NOUNS = "alert|log|record";
const STEPS = "select|redact|parse|match|recommend|annotate";
const CORE = `${NOUNS}|${STEPS}|enrich|schedule`;

/** Edges with the packages that each may import, as regular expressions of package names. */
const EDGE_PACKAGES = {
  ingest: "express|zod",
  proxy: "express|axios|zod",
  retrieve: "axios|zod",
  deliver: "axios|liquidjs",
  grafana: "axios",
  store: "kysely|better-sqlite3|pg|dataloader",
  catalogue: "zod|axios",
  harvest: "web-tree-sitter",
  count: "prom-client|express",
  web: "express|zod|preact|preact-render-to-string|markdown-it",
  config: "zod|yaml|re2js",
};
const EDGES = Object.keys(EDGE_PACKAGES).join("|");

/** The pure packages that a step may import, each with its ADR (0008, 0007). */
const STEP_PACKAGES = {
  select: "@grafana/lezer-logql|@lezer/common",
  redact: "re2js",
};

const inPackage = (names) => `node_modules/(@types/)?(${names})/`;

const error = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

const packagesOf = (name, folder, packages) =>
  error(
    name,
    `src/${folder} imports no package but ${packages}.`,
    { path: `^src/${folder}(/|\\.ts$)` },
    { path: "node_modules/", pathNot: inPackage(packages) },
  );

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    error("no-cycle", "A cycle has no first step to read.", {}, { circular: true }),
    error(
      "not-to-unresolvable",
      "An import that leads nowhere is a typing slip or a missing package.",
      {},
      { couldNotResolve: true },
    ),
    error(
      "src-stands-alone",
      "What is shipped imports neither tests nor benches nor development packages.",
      { path: "^src/" },
      { path: "^(test|bench)/" },
    ),
    error(
      "no-development-package-in-src",
      "npm ci --omit=dev must leave everything that runs.",
      { path: "^src/" },
      { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"] },
    ),
    error(
      "nouns-stand-in-order",
      "alert imports nothing, log imports alert, record imports alert and log.",
      { path: "^src/(alert|log)/" },
      { path: `^src/(${NOUNS})/`, pathNot: ["^src/$1/", "^src/alert/"] },
    ),
    error(
      "alert-imports-nothing",
      "The innermost noun.",
      { path: "^src/alert/" },
      { path: `^src/(${NOUNS})/`, pathNot: "^src/alert/" },
    ),
    error(
      "nouns-know-no-step",
      "Data does not know what is done with it.",
      { path: `^src/(${NOUNS})/` },
      { path: `^src/(${STEPS}|enrich|schedule)/` },
    ),
    error(
      "steps-meet-only-in-enrich",
      "The order of the steps is spelled out in one place.",
      { path: `^src/(${STEPS})/` },
      { path: `^src/(${STEPS}|enrich|schedule)/`, pathNot: "^src/$1/" },
    ),
    error(
      "schedule-asks-enrich",
      "What runs later goes the same way as what runs now.",
      { path: "^src/schedule/" },
      { path: `^src/(${STEPS})/` },
    ),
    error(
      "enrich-knows-no-schedule",
      "The way of one alert does not depend on when it is walked.",
      { path: "^src/enrich/" },
      { path: "^src/schedule/" },
    ),
    error(
      "core-has-no-package",
      "Nouns, steps, enrich and schedule import no package and no node: module.",
      { path: `^src/(${CORE})/`, pathNot: Object.keys(STEP_PACKAGES).map((s) => `^src/${s}/`) },
      { pathNot: "^src/" },
    ),
    ...Object.entries(STEP_PACKAGES).map(([step, packages]) =>
      error(
        `core-has-no-package-but-${step}`,
        `src/${step} imports ${packages} and nothing else from outside src.`,
        { path: `^src/${step}/` },
        { pathNot: ["^src/", inPackage(packages)] },
      ),
    ),
    error(
      "core-knows-no-edge",
      "The core sees the world through the ports in enrich/ports.ts.",
      { path: `^src/(${CORE})/` },
      { path: `^src/(${EDGES}|app|cli)/|^src/main\\.ts$` },
    ),
    error(
      "edges-meet-only-in-app",
      "An edge can be replaced without touching another.",
      { path: `^src/(${EDGES})/` },
      { path: `^src/(${EDGES}|app|cli)/|^src/main\\.ts$`, pathNot: "^src/$1/" },
    ),
    error(
      "edges-see-ports-not-steps",
      "What an edge needs of a step comes through a port.",
      { path: `^src/(${EDGES})/` },
      {
        path: `^src/(${STEPS}|enrich|schedule)/`,
        pathNot:
          "^src/enrich/(ports|delivery-ports|reading-ports|region-ports|region-counters|outcome|enrichment)\\.ts$",
      },
    ),
    error(
      "express-in-ingest-and-web",
      "HTTP ends at the door: ingest, web, proxy, and count for /metrics.",
      { path: "^src/", pathNot: "^src/(ingest|web|proxy|count)/" },
      { path: inPackage("express") },
    ),
    error(
      "prom-client-in-count",
      "Everyone else counts through the port Counters.",
      { path: "^src/", pathNot: "^src/count/" },
      { path: inPackage("prom-client") },
    ),
    ...Object.entries(EDGE_PACKAGES).map(([edge, packages]) =>
      packagesOf(`packages-of-${edge}`, edge, packages),
    ),
    packagesOf("packages-of-app", "app", "pino"),
    packagesOf("packages-of-cli", "cli", "commander"),
    packagesOf("packages-of-main", "main", "commander"),
    error(
      "cli-asks-app",
      "The command line knows compositions and configuration, nothing below.",
      { path: "^src/(cli/|main\\.ts$)" },
      { path: "^src/", pathNot: "^src/(app|config|cli)/" },
    ),
    error(
      "nobody-imports-the-command-line",
      "app and below can be started by a test without flags.",
      { path: "^src/", pathNot: "^src/(cli/|main\\.ts$)" },
      { path: "^src/(cli/|main\\.ts$)" },
    ),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    // Type-only imports are arrows too.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "types"] },
  },
};
