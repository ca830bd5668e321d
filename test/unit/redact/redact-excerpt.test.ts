import { describe, expect, it } from "vitest";
import type { Excerpt, LogEntry } from "../../../src/log/excerpt.ts";
import { redactExcerpt } from "../../../src/redact/redact-excerpt.ts";
import { REDACT_DEFAULTS } from "../../../src/redact/redact-options.ts";

const BODY = "MIIEpAIBAAKCAQEAwJ0pQz6b5xk2Y8nR3tVd7cF1hG4mL9sP";

function entry(text: string, stream = "a", timestampNs?: bigint): LogEntry {
  return { text, stream, timestampNs };
}

function excerptOf(...entries: readonly LogEntry[]): Excerpt {
  return { entries, provenance: "pinned", cut: true };
}

const textsOf = (excerpt: Excerpt, options = REDACT_DEFAULTS) =>
  redactExcerpt(excerpt, options).entries.map(({ text }) => text);

describe("redactExcerpt", () => {
  it("keeps everything but the secrets", () => {
    const harmless = entry("started", "a", 5n);
    const excerpt = excerptOf(harmless, entry("x\npassword=hunter2\ny", "b", 7n));
    expect(redactExcerpt(excerpt, REDACT_DEFAULTS)).toEqual({
      ...excerpt,
      entries: [harmless, entry("x\npassword=***\ny", "b", 7n)],
    });
  });

  it("does not copy entries without secrets", () => {
    const harmless = entry("started");
    const { entries } = redactExcerpt(excerptOf(harmless, entry("token=a1")), REDACT_DEFAULTS);
    expect(entries[0]).toBe(harmless);
  });

  it("masks a private key over the entries of its stream and no other", () => {
    const excerpt = excerptOf(
      entry("-----BEGIN PRIVATE KEY-----"),
      entry("ordinary line of another stream", "b"),
      entry(BODY),
      entry(`2026-03-11T08:14:22Z stdout F ${BODY}`),
      entry("abc="),
      entry("-----END PRIVATE KEY-----"),
      entry("ordinary line"),
    );
    expect(textsOf(excerpt)).toEqual([
      "-----BEGIN PRIVATE KEY-----",
      "ordinary line of another stream",
      "***",
      "***",
      "***",
      "-----END PRIVATE KEY-----",
      "ordinary line",
    ]);
  });

  it("masks a private key that is cut off as far as it goes", () => {
    const excerpt = excerptOf(
      entry("key: -----BEGIN RSA PRIVATE KEY-----"),
      entry("Proc-Type: 4,ENCRYPTED"),
      entry(`stderr F ${BODY}`),
      entry("the next line has nothing to hide"),
      entry(BODY),
    );
    expect(textsOf(excerpt)).toEqual([
      "key: -----BEGIN RSA PRIVATE KEY-----",
      "Proc-Type: 4,ENCRYPTED",
      "stderr F ***",
      "the next line has nothing to hide",
      BODY,
    ]);
  });

  it("finds the two halves of an AWS key on two lines", () => {
    const id = ["AKIA", "IOSFODNN7EXAMPLE"].join("");
    const secret = ["wJalrXUtnFEMI/K7MDENG/", "bPxRfiCYzEXAMPLE42"].join("");
    expect(textsOf(excerptOf(entry(`id ${id}`), entry(`and ${secret}.`)))).toEqual([
      "id ***",
      "and ***.",
    ]);
    expect(textsOf(excerptOf(entry(`sum ${secret}.`)))).toEqual([`sum ${secret}.`]);
  });

  it("lets no value reach into the next entry", () => {
    const excerpt = excerptOf(
      entry('password="cut'),
      entry('off" user=bob'),
      entry("token="),
      entry("x"),
    );
    expect(textsOf(excerpt)).toEqual(['password="***', 'off" user=bob', "token=", "x"]);
  });

  it("runs the operator's masks on each entry", () => {
    const extra = [(text: string) => text.replace(/^x/, "y")];
    const excerpt = excerptOf(entry("xa"), entry("xb"));
    expect(textsOf(excerpt, { ...REDACT_DEFAULTS, extra })).toEqual(["ya", "yb"]);
  });

  it("takes an excerpt without entries", () => {
    expect(textsOf(excerptOf())).toEqual([]);
  });
});
