import { describe, expect, it } from "vitest";
import { validateScopes } from "../../../src/match/validate-scopes.ts";
import { readShippedScopes } from "../../support/starter-corpus.ts";

describe("validateScopes", () => {
  it.each([
    ["a text", "x", ["", "must be a mapping"]],
    ["an unknown key", { rules: [] }, ["rules", "is not known; known are programs, scopes"]],
    [
      "a program without names",
      { programs: { "a/b": { names: [] } } },
      ["programs.a/b.names", "must have at least one name"],
    ],
    [
      "a repository without owner",
      { programs: { b: { names: ["b"] } } },
      ["programs.b", "must be a repository, owner/name"],
    ],
    [
      "matchers that do not parse",
      { scopes: [{ match: "app=~", repos: ["a/b"], strength: "weak", extra: 1 }] },
      ["scopes[0].extra", "is not known; known are match, repos, strength"],
    ],
    [
      "a scope without repositories",
      { scopes: [{ match: 'app="x"', repos: [] }] },
      ["scopes[0].repos", "must have at least one repository"],
    ],
    [
      "a strength that is none",
      { scopes: [{ match: 'app="x"', repos: ["a/b"], strength: "big" }] },
      ["scopes[0].strength", "must be strong or weak"],
    ],
    [
      "matchers that are no text",
      { scopes: [{ match: 7, repos: ["a/b"] }] },
      ["scopes[0].match", 'must be label matchers such as app=~"loki.*"'],
    ],
  ])("finds fault with %s and says where", (_, parsed, [path, message]) => {
    const { scopes, faults } = validateScopes(parsed);
    expect(scopes).toBeUndefined();
    expect(faults).toContainEqual({ path, message });
  });

  it("takes nothing for an empty table", () => {
    expect(validateScopes(undefined).scopes?.rules).toEqual([]);
  });

  it("reads the shipped table", () => {
    const { programs, rules } = readShippedScopes();
    expect(programs.get("risingwavelabs/risingwave")?.names).toContain("hummock");
    expect(rules.every(({ repos }) => repos.length > 0)).toBe(true);
  });
});
