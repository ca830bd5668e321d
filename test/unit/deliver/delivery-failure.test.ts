import { describe, expect, it } from "vitest";
import { DeliveryError } from "../../../src/deliver/delivery-error.ts";
import { failureOf, waitOf } from "../../../src/deliver/delivery-failure.ts";

const NOW = 1_000_000;
const around = (claim: { attempts?: number; plain?: boolean; expiresMs?: number } = {}) => ({
  claim: { attempts: 1, plain: false, expiresMs: NOW + 86_400_000, ...claim },
  destination: { name: "pager", fallback: "log" },
  nowMs: NOW,
  random: 1,
});

describe("a failed try", () => {
  it("is followed by another after a growing wait of at most a minute", () => {
    expect([1, 2, 3, 12, 1000].map((attempts) => waitOf(attempts, 1))).toEqual([
      500, 750, 1125, 43_249, 60_000,
    ]);
    expect(waitOf(1, 0)).toBe(250);
  });

  it.each([
    ["a 500", new DeliveryError("server", "x"), {}, { retryAtMs: NOW + 500, plain: false }],
    [
      "Retry-After",
      new DeliveryError("throttled", "x", { retryAfterMs: 7000 }),
      {},
      { retryAtMs: NOW + 7000 },
    ],
    [
      "a refusal, with plain text",
      new DeliveryError("refused", "x", { permanent: true }),
      {},
      { retryAtMs: NOW, plain: true },
    ],
    [
      "a refusal of plain text, never",
      new DeliveryError("refused", "x", { permanent: true }),
      { plain: true },
      { retryAtMs: undefined },
    ],
    [
      "its expiry, never",
      new DeliveryError("server", "x"),
      { expiresMs: NOW },
      { retryAtMs: undefined },
    ],
    [
      "a fault of our own, with plain text",
      new TypeError("y"),
      {},
      { retryAtMs: NOW, plain: true },
    ],
  ])("after %s", (_, error, claim, expected) => {
    expect(failureOf(error, around(claim))).toMatchObject({ fallback: "log", ...expected });
  });
});
