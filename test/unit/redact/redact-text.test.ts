import { describe, expect, it } from "vitest";
import { REDACT_DEFAULTS } from "../../../src/redact/redact-options.ts";
import { redactText } from "../../../src/redact/redact-text.ts";
import { NEAR_SECRETS, SECRETS } from "../../support/secrets.ts";

describe("redactText", () => {
  it("is shown at least 60 secrets and 60 that only look like some", () => {
    expect(SECRETS.length).toBeGreaterThanOrEqual(60);
    expect(NEAR_SECRETS.length).toBeGreaterThanOrEqual(60);
  });

  it.each(SECRETS)("masks %s", (marked) => {
    const text = marked.replaceAll(/[«»]/g, "");
    expect(redactText(text)).toBe(marked.replaceAll(/«[^»]*»/g, "***"));
  });

  it.each(NEAR_SECRETS)("leaves alone %s", (text) => {
    expect(redactText(text)).toBe(text);
  });

  it.each(SECRETS)("has nothing more to mask in its own output: %s", (marked) => {
    const once = redactText(marked.replaceAll(/[«»]/g, ""));
    expect(redactText(once)).toBe(once);
  });

  it.each(SECRETS)("masks in the middle of a line: %s", (marked) => {
    const text = `2026-03-11T08:14:22Z ERROR app::db: [x] ${marked.replaceAll(/[«»]/g, "")}`;
    for (const [, secret] of marked.matchAll(/«([^»]*)»/g)) {
      expect(redactText(text)).not.toContain(secret);
    }
  });

  it("leaves addresses and cards when the operator wants them", () => {
    const text = "bob@example.com paid with 4111 1111 1111 1111, password=x1";
    const options = { ...REDACT_DEFAULTS, emails: false, cardNumbers: false };
    expect(redactText(text, options)).toBe(
      "bob@example.com paid with 4111 1111 1111 1111, password=***",
    );
  });

  it("runs the operator's own masks last", () => {
    const extra = [(text: string) => text.replaceAll("***", "###")];
    expect(redactText("password=x1", { ...REDACT_DEFAULTS, extra })).toBe("password=###");
  });
});
