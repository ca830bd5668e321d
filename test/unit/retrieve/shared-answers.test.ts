import { describe, expect, it } from "vitest";
import type { LogAnswer } from "../../../src/enrich/ports.ts";
import { SharedAnswers } from "../../../src/retrieve/shared-answers.ts";

const answer: LogAnswer = { entries: [], cut: false };
const never = new AbortController().signal;

describe("shared answers", () => {
  it("asks once for equal questions, while one is under way and shortly after", async () => {
    let asked = 0;
    let nowMs = 0;
    const shared = new SharedAnswers({ keepMs: 1000, charsMax: 1000 });
    const get = (key: string) =>
      shared.get(
        key,
        () => {
          asked += 1;
          return Promise.resolve(answer);
        },
        { signal: never, nowMs: () => nowMs },
      );
    await Promise.all([get("a"), get("a"), get("b")]);
    expect(asked).toBe(2);
    nowMs = 999;
    await get("a");
    expect(asked).toBe(2);
    nowMs = 1000;
    await get("a");
    expect(asked).toBe(3);
  });

  it("keeps no more text than it may, and no failure", async () => {
    const shared = new SharedAnswers({ keepMs: 1000, charsMax: 50 });
    let asked = 0;
    const get = (key: string, chars: number) =>
      shared.get(
        key,
        () => {
          asked += 1;
          if (chars === 0) return Promise.reject(new Error("down"));
          const entries = [{ timestampNs: 1n, text: "x".repeat(chars), stream: "" }];
          return Promise.resolve({ entries, cut: false });
        },
        { signal: never, nowMs: () => 0 },
      );
    await get("a", 30);
    await get("b", 30);
    await get("b", 30);
    await get("a", 30);
    expect(asked).toBe(3);
    await expect(get("c", 0)).rejects.toThrow("down");
    await expect(get("c", 0)).rejects.toThrow("down");
    expect(asked).toBe(5);
  });

  it("ends the request when everybody gave up, and only then", async () => {
    const shared = new SharedAnswers({ keepMs: 0, charsMax: 0 });
    const [one, two] = [new AbortController(), new AbortController()];
    let own: AbortSignal | undefined;
    const get = (signal: AbortSignal) =>
      shared.get(
        "a",
        (asked) => {
          own = asked;
          return new Promise<LogAnswer>(() => undefined);
        },
        { signal, nowMs: () => 0 },
      );
    const answers = [get(one.signal), get(two.signal)].map((got) => got.catch(() => "given up"));
    one.abort();
    expect(await answers[0]).toBe("given up");
    expect(own?.aborted).toBe(false);
    two.abort();
    expect(await answers[1]).toBe("given up");
    expect(own?.aborted).toBe(true);
  });
});
