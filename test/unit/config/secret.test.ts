import { format, inspect } from "node:util";
import { expect, test } from "vitest";
import { Secret } from "../../../src/config/secret.ts";

const secret = new Secret("hunter2");

test.each([
  ["a template string", `${secret}`], // eslint-disable-line @typescript-eslint/restrict-template-expressions -- the slip that is tested
  ["String", String(secret)],
  ["a sum", "token " + secret], // eslint-disable-line @typescript-eslint/restrict-plus-operands -- the slip that is tested
  ["JSON", JSON.stringify({ secret })],
  ["inspect", inspect({ deep: { secret } }, { showHidden: true, depth: 9 })],
  ["format", format("%s %o %j", secret, secret, secret)],
  ["its entries", JSON.stringify(Object.entries(secret))],
  ["an error", String(new Error(String(secret)))],
])("%s does not show the text", (_, shown) => {
  expect(shown).not.toContain("hunter2");
});

test("reveal gives the text", () => {
  expect(secret.reveal()).toBe("hunter2");
});
