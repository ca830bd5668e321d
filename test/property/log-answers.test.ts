import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutValues } from "../../src/retrieve/cut-values.ts";
import { readLogAnswer } from "../../src/retrieve/read-answer.ts";

const time = fc.bigInt({ min: 0n, max: 9_999_999_999_999_999_999n }).map(String);
const line = fc.oneof(
  fc.string({ unit: "binary" }),
  // Texts that look like what stands around them.
  fc.stringMatching(/^(?:"values":\[|\["1","|"\],|\\|"|\]|\}|,|x)*$/u),
);
const metadata = fc.oneof(
  fc.constant([]),
  fc.constant([{}]),
  fc.dictionary(line, line).map((labels) => [{ structuredMetadata: labels, parsed: {} }]),
);
const value = fc.tuple(time, line, metadata).map(([at, text, rest]) => [at, text, ...rest]);
const stream = fc.record({
  stream: fc.dictionary(fc.string(), line),
  values: fc.array(value, { maxLength: 8 }),
});
const answer = fc
  .array(stream, { maxLength: 4 })
  .map((result) => ({ status: "success", data: { resultType: "streams", result, stats: {} } }));

/** Read as JSON: the form with blanks is none that Loki writes. */
const readSlowly = (body: unknown) => {
  const text = JSON.stringify(body, null, 1);
  expect(cutValues(text)?.lists ?? []).toEqual([]);
  return readLogAnswer(text, 5000);
};

describe("answers of Loki", () => {
  it("are read alike whether the values are cut out or all is read as JSON", () => {
    fc.assert(
      fc.property(answer, (body) => {
        const text = JSON.stringify(body);
        expect(cutValues(text)?.lists.length).toBe(body.data.result.length);
        expect(readLogAnswer(text, 5000)).toEqual(readSlowly(body));
      }),
    );
  });

  it("that are broken off or bent are refused, or read as JSON is", () => {
    fc.assert(
      fc.property(answer, fc.nat(), fc.string({ maxLength: 3 }), (body, place, put) => {
        const text = JSON.stringify(body);
        const at = place % text.length;
        const bent = text.slice(0, at) + put + text.slice(at + 1);
        let whole: unknown;
        try {
          whole = JSON.parse(bent);
        } catch {
          // Not JSON: refused, or its lines are taken although something beside them is broken.
          try {
            readLogAnswer(bent, 5000);
          } catch (error) {
            expect(error).toMatchObject({ reason: "server" });
          }
          return;
        }
        const outcome = (read: () => unknown) => {
          try {
            return read();
          } catch (error) {
            return (error as { reason: unknown }).reason;
          }
        };
        expect(outcome(() => readLogAnswer(bent, 5000))).toEqual(outcome(() => readSlowly(whole)));
      }),
      { numRuns: 500 },
    );
  });
});
