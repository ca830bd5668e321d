import { expect, test } from "vitest";
import { publishedVersion } from "../../../../src/web/errlookup/published-version.ts";

const DATASET = "2026-08-02T00:00:00.000Z";

test("a dataset that was left as it is keeps its version", () => {
  const facts = { datasetVersion: DATASET, analyzedAt: "2026-01-01T00:00:00Z", digest: undefined };
  expect(publishedVersion(facts)).toBe(DATASET);
});

test.each([
  [DATASET, "2026-01-01T00:00:00Z", /^2026-08-02T00:00:00\.000\d{12}Z$/u],
  ["", "2026-01-01T00:00:00Z", /^2026-01-01T00:00:00\.000\d{12}Z$/u],
  ["v7", "", /^1970-01-01T00:00:00\.000\d{12}Z$/u],
])(
  "other records change the version %j but leave it a time",
  (datasetVersion, analyzedAt, form) => {
    const one = publishedVersion({ datasetVersion, analyzedAt, digest: "a" });
    expect(one).toMatch(form);
    expect(publishedVersion({ datasetVersion, analyzedAt, digest: "a" })).toBe(one);
    expect(publishedVersion({ datasetVersion, analyzedAt, digest: "b" })).not.toBe(one);
  },
);
