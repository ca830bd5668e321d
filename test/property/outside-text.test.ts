import fc from "fast-check";
import { expect, test } from "vitest";
import { renderLogfmt } from "../../src/app/logfmt.ts";
import { renderAlertmanagerBody } from "../../src/deliver/alertmanager-webhook-body.ts";
import { parseGroup } from "../../src/ingest/group-payload.ts";
import { buildAlertBody, buildGroupBody } from "../support/webhook-body.ts";

const anyText = fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" }));
const textMap = fc.dictionary(
  fc.oneof(anyText, fc.constantFrom("__proto__", "constructor", "error_retry", "a")),
  anyText,
  { noNullPrototype: true },
);

test("a log line is one line and shows no control character, whatever the values are", () => {
  fc.assert(
    fc.property(textMap, (fields) => {
      const line = renderLogfmt(fields);
      expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]/u);
      // Outside quotes there are as many pairs as fields.
      const bare = line.replace(/"(?:[^"\\]|\\.)*"/gu, "Q");
      expect(bare.split(" ").filter((pair) => pair !== "")).toHaveLength(
        Object.keys(fields).length,
      );
    }),
  );
});

test("reading a notification never throws and quotes nothing, whatever is sent", () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.constantFrom("alerts", "groupLabels", "version"),
      (value, field) => {
        for (const body of [value, buildGroupBody({ [field]: value })]) {
          const check = parseGroup(body, "error_");
          const faults = check.group === undefined ? check.faults : [];
          for (const { message } of faults) expect(message).toMatch(/^(?:must be|must hold|is) /u);
        }
      },
    ),
  );
});

test("what is taken is sent on as it came, less what stands under our prefix", () => {
  fc.assert(
    fc.property(textMap, textMap, fc.jsonValue(), (labels, annotations, extra) => {
      const sent = buildAlertBody({ labels, annotations, extra });
      const { group } = parseGroup(buildGroupBody({ alerts: [sent], extra }), "error_");
      if (group === undefined) throw new Error("refused");
      const text = renderAlertmanagerBody({ group, enrichments: [] }, "full");
      const body = JSON.parse(text) as ReturnType<typeof buildGroupBody>;
      const [alert] = body["alerts"] as ReturnType<typeof buildAlertBody>[];
      expect(alert?.["labels"]).toEqual(asSent(labels));
      const own = Object.entries(annotations).filter(([name]) => !name.startsWith("error_"));
      expect(alert?.["annotations"]).toEqual(asSent(Object.fromEntries(own)));
      expect([alert?.["extra"], body["extra"]]).toEqual([asSent(extra), asSent(extra)]);
    }),
  );
});

/** What JSON makes of a value: -0 becomes 0. */
function asSent(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
