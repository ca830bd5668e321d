import { describe, expect, it } from "vitest";
import { parseDuration, renderDuration } from "../../../src/config/duration.ts";

describe("parseDuration", () => {
  it.each([
    ["0", 0],
    ["0s", 0],
    ["300ms", 300],
    ["5s", 5_000],
    ["1h30m", 5_400_000],
    ["1d", 86_400_000],
    ["2w", 1_209_600_000],
    ["1y", 31_536_000_000],
    ["1y2w3d4h5m6s7ms", 31_536_000_000 + 1_209_600_000 + 259_200_000 + 14_706_007],
    ["90m", 5_400_000],
  ])("reads %s as %d ms", (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each([
    "",
    "5",
    "s",
    "5 s",
    "5S",
    "1.5s",
    "-5s",
    "+5s",
    "30m1h",
    "1s1s",
    "5sec",
    "1e3s",
    "5s ",
    "1m\n",
    "999999999999999y",
  ])("refuses %j", (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });
});

describe("renderDuration", () => {
  it.each([
    [0, "0s"],
    [300, "300ms"],
    [1_500, "1s500ms"],
    [5_400_000, "1h30m"],
    [691_200_000, "1w1d"],
  ])("writes %d ms as %s", (ms, text) => {
    expect(renderDuration(ms)).toBe(text);
  });
});
