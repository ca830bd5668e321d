import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Provenance } from "../../../src/log/excerpt.ts";
import type { CatalogueRecord, KnownError } from "../../../src/record/known-error.ts";
import { isCurated } from "../../../src/record/known-error.ts";
import type { Confidence, Match, MatchKind } from "../../../src/record/match.ts";
import type { Recommendation } from "../../../src/record/recommendation.ts";
import { recommend } from "../../../src/recommend/recommend.ts";
import { CONFIDENCES, ERROR_TYPES } from "../../../src/recommend/read-matchers.ts";
import { SEVERITIES, STRATEGIES } from "../../../src/recommend/read-matchers.ts";
import { SAFEGUARD_NAMES } from "../../../src/recommend/verdict.ts";
import { buildEntry, buildMatch, lookUp, shippedRules } from "../../support/advice-builders.ts";
import { allowedValues } from "../../support/record-values.ts";
import { repositoryRoot } from "../../support/shared.ts";

const RULES = shippedRules();
const TYPES = allowedValues("errorType");
const LEVELS = allowedValues("severity");
const HANDLING = allowedValues("handlingStrategy");

/** The keys of an object that the compiler holds to be complete. */
const keysOf = <K extends string>(all: Readonly<Record<K, true>>) => Object.keys(all) as K[];
const KINDS = keysOf<MatchKind>({ exact: true, truncated: true, similar: true });
const CERTAINTIES = keysOf<Confidence>({ high: true, medium: true, low: true });
const PROVENANCES: readonly (Provenance | undefined)[] = [
  ...keysOf<Provenance>({
    ...{ excerpt: true, query: true, rule: true, pinned: true, widened: true, prose: true },
  }),
  undefined,
];

/** Who answers for a record. */
const OWNERS: Readonly<Record<string, (changes: Partial<KnownError>) => CatalogueRecord>> = {
  dataset: (changes) => buildEntry(changes, "dataset"),
  "dataset, with an overlay": (changes) => buildEntry(changes, "dataset", ["mine (solutions)"]),
  starter: (changes) => buildEntry(changes, "starter"),
  operator: (changes) => buildEntry(changes, "operator"),
};

const FAMILIES: readonly (string | null)[] = [
  ...[null, "connection-refused", "timeout", "rate-limited", "service-unavailable"],
  ...["resource-exhausted", "disk-full", "storage-quota-exceeded", "memory-limit"],
  ...["permission-denied", "license-invalid", "record-not-found", "invalid-argument"],
  ...["parse-failure", "misconfiguration", "vnode-mapping-mismatch", "io-failure"],
  ...["internal-invariant-violation", "data-corruption", "unique-violation", "not-in-the-table"],
];
const STATUSES: readonly (number | null)[] = [
  ...[null, 200, 400, 401, 403, 404, 407, 408, 409, 425, 429, 500, 502, 503, 504, 507, 511],
];

const TAGS = [
  ...[
    "data-corruption",
    "corruption",
    "checksum",
    "disk-full",
    "quota",
    "memory",
    "authentication",
  ],
  ...["duplicate-key", "network"],
];

interface Circumstance {
  readonly match?: Partial<Match>;
  readonly provenance?: Provenance | undefined;
}

function advise(entry: CatalogueRecord, around: Circumstance = {}): Recommendation {
  return recommend({
    matches: [buildMatch({ recordId: entry.record.id, captures: [], ...around.match })],
    recordOf: lookUp(entry),
    labels: {},
    status: "firing",
    provenance: "provenance" in around ? around.provenance : "query",
    nowMs: 0,
    history: {},
    rules: RULES,
  });
}

const cell = ({ decision, basedOn }: Recommendation) => `${decision} (${basedOn.rule})`;

/** Columns as wide as their widest cell. */
function tableOf(title: string, rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lines = rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return [`## ${title}`, "", ...lines, ""].join("\n");
}

function tableOfEnums(): string {
  const rows = ["dataset", "starter"].flatMap((owner) =>
    HANDLING.flatMap((handlingStrategy) =>
      TYPES.map((errorType) => [
        ...[owner, handlingStrategy ?? "none", errorType],
        ...LEVELS.map((severity) =>
          cell(advise(ownedBy(owner, { handlingStrategy, errorType, severity }))),
        ),
      ]),
    ),
  );
  const heads = ["record", "strategy", "type", ...LEVELS];
  return tableOf("Certain matches without family, tag and status", [heads, ...rows]);
}

function tableOfOwners(): string {
  const rows = Object.keys(OWNERS).flatMap((owner) =>
    [["Do this."], []].map((solutions) => [
      ...[owner, String(solutions.length)],
      ...HANDLING.map((handlingStrategy) =>
        cell(advise(ownedBy(owner, { handlingStrategy, solutions }))),
      ),
    ]),
  );
  const heads = ["record", "solutions", ...HANDLING.map((one) => one ?? "none")];
  return tableOf("By who answers for the record, with and without solutions", [heads, ...rows]);
}

function tableOfFamilies(): string {
  const rows = FAMILIES.flatMap((backgroundTag) =>
    ["dataset", "starter"].map((owner) => [
      ...[backgroundTag ?? "none", owner],
      ...HANDLING.map((handlingStrategy) =>
        cell(advise(ownedBy(owner, { handlingStrategy, backgroundTag }))),
      ),
    ]),
  );
  const heads = ["family", "record", ...HANDLING.map((one) => one ?? "none")];
  return tableOf("By family and strategy", [heads, ...rows]);
}

function tableOfStatuses(): string {
  const rows = STATUSES.map((httpStatus) => [
    String(httpStatus ?? "none"),
    ...["dataset", "starter"].flatMap((owner) =>
      (["retry", null] as const).map((handlingStrategy) =>
        cell(advise(ownedBy(owner, { handlingStrategy, httpStatus, errorType: "http" }))),
      ),
    ),
  ]);
  const heads = ["status", "dataset, retry", "dataset, none", "starter, retry", "starter, none"];
  return tableOf("By HTTP status", [heads, ...rows]);
}

function tableOfTags(): string {
  const rows = TAGS.map((tag) => [
    tag,
    ...["dataset", "starter"].flatMap((owner) =>
      (["retry", null] as const).map((handlingStrategy) =>
        cell(advise(ownedBy(owner, { handlingStrategy, tags: [tag] }))),
      ),
    ),
  ]);
  const heads = ["tag", "dataset, retry", "dataset, none", "starter, retry", "starter, none"];
  return tableOf("By tag", [heads, ...rows]);
}

/** One record for each decision that a certain match can get. */
const SURE: readonly CatalogueRecord[] = [
  ownedBy("starter", { handlingStrategy: "retry" }),
  ownedBy("dataset", { handlingStrategy: "fallback" }),
  ownedBy("dataset", { handlingStrategy: "validation" }),
  ownedBy("dataset", { handlingStrategy: "try-catch" }),
];

function tableOfDoubts(): string {
  const rows = KINDS.flatMap((kind) =>
    CERTAINTIES.flatMap((confidence) =>
      PROVENANCES.map((provenance) => [
        ...[kind, confidence, provenance ?? "not known"],
        ...SURE.map((entry) => cell(advise(entry, { match: { kind, confidence }, provenance }))),
      ]),
    ),
  );
  const heads = ["kind", "confidence", "lines from", ...SURE.map((entry) => cell(advise(entry)))];
  return tableOf("What is left of a certain decision, by what the match rests on", [
    heads,
    ...rows,
  ]);
}

function ownedBy(owner: string, changes: Partial<KnownError>): CatalogueRecord {
  const build = OWNERS[owner];
  if (build === undefined) throw new Error(`no owner ${owner}`);
  return build(changes);
}

/** All that may have the last word. */
const NAMED = new Set([
  ...RULES.rules.map(({ name }) => name),
  ...SAFEGUARD_NAMES.map((name) => `safeguard:${name}`),
]);

describe("the shipped retry table", () => {
  const tables = [
    "What the shipped rules and the safeguards make of a match, and which of them had the last word.\n",
    ...[tableOfEnums(), tableOfOwners(), tableOfFamilies(), tableOfStatuses(), tableOfTags()],
    tableOfDoubts(),
  ].join("\n");

  it("decides as the tables in test/golden/recommend say", async () => {
    const golden = path.join(repositoryRoot, "test/golden/recommend/decisions.txt");
    await expect(tables).toMatchFileSnapshot(golden);
  });

  it("has no rule that these tables do not show at work", () => {
    const idle = RULES.rules.filter(({ name }) => !tables.includes(`(${name})`));
    expect(idle.map(({ name }) => name)).toEqual([]);
  });

  it("knows every value of the record schema, and no other", () => {
    expect([...ERROR_TYPES].sort()).toEqual([...TYPES].sort());
    expect([...SEVERITIES].sort()).toEqual([...LEVELS].sort());
    expect([...STRATEGIES].sort()).toEqual(HANDLING.map((one) => one ?? "none").sort());
    expect([...CONFIDENCES].sort()).toEqual([...CERTAINTIES].sort());
  });

  it("falls to a named rule or safeguard, and retries only what is certain and curated", () => {
    const unnamed = new Set<string>();
    const rash = new Set<string>();
    for (const entry of everyRecord())
      for (const [match, provenance] of EVERY_CIRCUMSTANCE) {
        const { decision, basedOn } = advise(entry, { match, provenance });
        if (!NAMED.has(basedOn.rule)) unnamed.add(basedOn.rule);
        if (decision === "retry" && !mayRetry(entry, match, provenance)) {
          rash.add(JSON.stringify([entry, match, provenance]));
        }
      }
    expect([...unnamed]).toEqual([]);
    expect([...rash]).toEqual([]);
  });
});

const EVERY_CIRCUMSTANCE = KINDS.flatMap((kind) =>
  CERTAINTIES.flatMap((confidence) =>
    PROVENANCES.map((provenance) => [{ kind, confidence }, provenance] as const),
  ),
);

/** Every value of the enums, from every owner, with and without solutions. */
function everyRecord(): readonly CatalogueRecord[] {
  return Object.values(OWNERS).flatMap((build) =>
    HANDLING.flatMap((handlingStrategy) =>
      TYPES.flatMap((errorType) =>
        LEVELS.flatMap((severity) =>
          [["Do this."], []].map((solutions) =>
            build({ handlingStrategy, errorType, severity, solutions }),
          ),
        ),
      ),
    ),
  );
}

function mayRetry(
  entry: CatalogueRecord,
  { kind, confidence }: Pick<Match, "kind" | "confidence">,
  provenance: Provenance | undefined,
): boolean {
  const isSure = kind !== "similar" && confidence === "high";
  const isOwn = provenance !== undefined && provenance !== "widened" && provenance !== "prose";
  return isSure && isOwn && isCurated(entry) && entry.record.handlingStrategy === "retry";
}
