import request from "supertest";
import { expect, test } from "vitest";
import { buildRecord } from "../support/build-record.ts";
import { KNOWN_LINE } from "../support/create-kit.ts";
import { createTestService } from "../support/create-test-service.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { buildAlertBody, buildGroupBody } from "../support/webhook-body.ts";

const { id, ...fields } = buildRecord(1).record;
const OURS = "https://wiki.example/ours";
const RECORDS = "https://wiki.example/record";

interface Case {
  readonly curated: boolean;
  readonly record?: string;
  readonly overlay?: string;
  readonly own?: string;
}

test.each<[string, Case, string | undefined]>([
  ["an overlay's", { curated: false, overlay: OURS }, OURS],
  ["a curated record's", { curated: true, record: RECORDS }, RECORDS],
  ["the overlay's before the record's", { curated: true, record: RECORDS, overlay: OURS }, OURS],
  ["none of a record that nobody answers for", { curated: false, record: RECORDS }, undefined],
  ["the alert's own before all", { curated: true, overlay: OURS, own: "own" }, "own"],
  ["none where nobody gave one", { curated: true }, undefined],
])("the runbook link of an alert is %s", async (_, { curated, record, overlay, own }, expected) => {
  const overlays = overlay === undefined ? [] : [{ id: [id], name: "o", runbook_url: overlay }];
  const folder = createTemporaryFolder({
    "records.json": JSON.stringify([{ ...fields, id, runbookUrl: record }]),
    "overlay.yaml": JSON.stringify({ overlays }),
  });
  const { app } = await createTestService({
    records: {
      starter: false,
      sources: [{ path: `${folder}/records.json`, curated }],
      overlays: [`${folder}/overlay.yaml`],
    },
  });
  const annotations = { log_excerpt: KNOWN_LINE, ...(own !== undefined && { runbook_url: own }) };
  const answer = await request(app)
    .post("/webhook?respond=enriched")
    .send(buildGroupBody({ alerts: [buildAlertBody({ annotations })] }));
  const [alert] = (answer.body as { alerts: { annotations: Record<string, string> }[] }).alerts;
  expect(alert?.annotations["error_summary"]).toContain("nown error");
  expect(alert?.annotations["runbook_url"]).toBe(expected);
});
