import { describe, expect, it } from "vitest";
import { counted, cut, grouped, shown } from "../../../../src/web/frame/text.ts";
import {
  absoluteWords,
  durationWords,
  relativeWords,
} from "../../../../src/web/frame/time-words.ts";

describe("text from outside", () => {
  it.each([
    ["a\tb\nc", "a\tb\nc"],
    ["a\r\nb", "a\nb"],
    ["\u001b[31mred", "␛[31mred"],
    ["\u0000\u007f", "␀␡"],
    ["a\u202egnp.exe", "a[U+202E]gnp.exe"],
    ["\u0085", "[U+0085]"],
    ["half \ud800 a character", "half \ufffd a character"],
    ["\u{1f600}", "\u{1f600}"],
  ])("%j is shown as %j", (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it("is cut between characters and says so", () => {
    expect(cut("abc", 3)).toBe("abc");
    expect(cut("abcd", 3)).toBe("ab…");
    expect(cut("a\u{1f600}bcd", 3)).toBe("a…");
  });
});

describe("numbers and times in words", () => {
  it("groups thousands and counts", () => {
    expect(grouped(1234567)).toBe("1\u202f234\u202f567");
    expect(counted(1, "episode")).toBe("1 episode");
    expect(counted(2, "class", "classes")).toBe("2 classes");
  });

  it.each([
    [250, "250 ms"],
    [1500, "1.5 s"],
    [30_000, "30 s"],
    [90_000, "1 min 30 s"],
    [3 * 3_600_000 + 5 * 60_000, "3 h 5 min"],
    [2 * 86_400_000, "2 d"],
    [-5, "0 ms"],
  ])("%d ms last %s", (ms, words) => {
    expect(durationWords(ms)).toBe(words);
  });

  it.each([
    [9_000, "just now"],
    [59_000, "59 s ago"],
    [47 * 3_600_000, "47 h ago"],
    [72 * 3_600_000, "3 d ago"],
    [-60_000, "in 1 min"],
  ])("%d ms before now is %s", (age, words) => {
    expect(relativeWords(1e12 - age, 1e12)).toBe(words);
  });

  it("has no words for what is no time", () => {
    expect(absoluteWords(Date.UTC(2026, 11, 1, 12, 3, 11))).toBe("2026-12-01 12:03:11 UTC");
    expect(absoluteWords(Number.NaN)).toBe("");
    expect(absoluteWords(9e15)).toBe("");
  });
});
