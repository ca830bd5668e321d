import { describe, expect, it } from "vitest";
import { expandEnvironment } from "../../../src/config/expand-environment.ts";

const env = { HOST: "db-1", EMPTY: "", NESTED: "${HOST}$$", _x9: "y" };

function expand(text: string) {
  const reported: string[] = [];
  const expanded = expandEnvironment(text, env, (message) => reported.push(message));
  return { expanded, reported };
}

describe("expandEnvironment", () => {
  it.each([
    ["plain", "plain"],
    ["http://${HOST}:1/${HOST}", "http://db-1:1/db-1"],
    ["a${EMPTY}b", "ab"],
    ["${_x9}", "y"],
    ["$$", "$"],
    ["$${HOST}", "${HOST}"],
    ["$$$${HOST}", "$${HOST}"],
    ["$$${HOST}", "$db-1"],
    ['alertname=~"foo$"', 'alertname=~"foo$"'],
    ["$HOST", "$HOST"],
    ["5$", "5$"],
    ["${NESTED}", "${HOST}$$"],
  ])("makes %j %j", (text, expanded) => {
    expect(expand(text)).toEqual({ expanded, reported: [] });
  });

  it.each([
    ["${MISSING}", "environment variable MISSING is not set"],
    ["${toString}", "environment variable toString is not set"],
    ["${HOST", "the closing } of"],
    ["${}", "must hold the name of an environment variable"],
    ["${HOST:-x}", "must hold the name of an environment variable"],
    ["${9A}", "must hold the name of an environment variable"],
  ])("reports %j: %s", (text, message) => {
    expect(expand(text).reported).toEqual([expect.stringContaining(message)]);
  });

  it("reports each reference that cannot be resolved", () => {
    expect(expand("${A}${B}").reported).toHaveLength(2);
  });
});
