import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactExcerpt } from "../../src/redact/redact-excerpt.ts";
import { REDACT_DEFAULTS } from "../../src/redact/redact-options.ts";
import { redactText } from "../../src/redact/redact-text.ts";

const FRAGMENTS = [
  ...'password= |"password":"|\\"token\\":\\"|secret: |api_key=|--password |Authorization: '.split(
    "|",
  ),
  ..."Bearer |Basic |Cookie: a=|://|:|@|a.b|tcp(h:1)|eyJhbGci|eyJ0.eyJ1.x|AKIAIOSFODNN7EXAMPLE".split(
    "|",
  ),
  ...[
    "-----BEGIN PRIVATE KEY-----",
    "-----END ",
    "MIIEpAIBAAKCAQEAwJ0pQz6b5",
    "4111 1111 1111 1111",
  ],
  ...[
    "ghp_",
    "sk-",
    "xoxb-",
    '"',
    "'",
    "\\",
    "\\n",
    "\n",
    "\r\n",
    " ",
    "=",
    ",",
    "&",
    "{",
    "}",
    "***",
  ],
  ...[
    "hunter2",
    "null",
    "\u001b[0m",
    "😀",
    "\ud800",
    "é",
    "identified by '",
    "<password>",
    "</",
    "1",
  ],
];
const arbText = fc
  .array(fc.oneof(fc.constantFrom(...FRAGMENTS), fc.string({ unit: "binary", maxLength: 8 })), {
    maxLength: 30,
  })
  .map((parts) => parts.join(""));

const linesOf = (text: string) => text.split(/\r\n|[\n\r]/).length;

/** Fixed parts between which a generated secret must not survive. */
const CARRIERS: readonly (readonly [string, string])[] = [
  ["password=", " user=bob"],
  ['{"password":"', '","n":1}'],
  ['msg="{\\"token\\":\\"', '\\"}"'],
  ["Authorization: Bearer ", "\n"],
  ["db.password: ", ""],
  ["postgres://app:", "@db:5432/x"],
  ["--client-secret ", " --x"],
  ["GET /x?access_token=", "&y=1"],
  ["<password>", "</password>"],
];

describe("redaction of any text", () => {
  it("keeps the number of lines and entries and never throws", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(arbText, fc.constantFrom("a", "b")), { maxLength: 6 }),
        (texts) => {
          const entries = texts.map(([text, stream]) => ({ text, stream, timestampNs: undefined }));
          const redacted = redactExcerpt(
            { entries, provenance: "query", cut: false },
            REDACT_DEFAULTS,
          );
          expect(redacted.entries.map(({ text }) => linesOf(text))).toEqual(
            entries.map(({ text }) => linesOf(text)),
          );
        },
      ),
      { numRuns: 500 },
    );
  });

  it("lets no generated secret survive in any spelling", () => {
    // Letters and digits, as every carrier can hold them unescaped.
    const arbSecret = fc
      .tuple(fc.stringMatching(/^[A-Za-z0-9]{7,40}$/), fc.nat({ max: 9 }))
      .map(([text, digit]) => `${text}q${digit}`);
    fc.assert(
      fc.property(
        fc.constantFrom(...CARRIERS),
        arbSecret,
        arbText,
        ([before, after], secret, noise) => {
          const text = `${noise}\n${before}${secret}${after}`;
          expect(redactText(text)).not.toContain(secret);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("takes 64 KiB of every fragment repeated, and of it unfinished", () => {
    for (const fragment of FRAGMENTS) {
      const text = fragment.repeat(Math.ceil(65_536 / fragment.length));
      expect(linesOf(redactText(text)), fragment).toBe(linesOf(text));
    }
  });
});
