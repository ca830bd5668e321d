import request from "supertest";
import { describe, expect, it } from "vitest";
import { explainAnswer } from "../../src/web/explain/explain-schemas.ts";
import { recordAnswer, recordPageJson } from "../../src/web/records/record-schemas.ts";
import { buildRecord } from "../support/build-record.ts";
import { KNOWN_LINE } from "../support/create-kit.ts";
import { createTestService } from "../support/create-test-service.ts";

const ID = buildRecord(1).record.id;

/** Of supertest, whose body may be anything. */
interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

describe("records as JSON", () => {
  it("are found by words and facets, page by page", async () => {
    const { app, writeRecords, reload } = await createTestService();
    await writeRecords([{}, { errorMessage: "disk {} is full", severity: "critical" }, {}]);
    expect(await reload()).toEqual([]);
    const all = await request(app).get("/api/v1/records?limit=2");
    expect(recordPageJson.strict().safeParse(all.body).error).toBeUndefined();
    expect(all.body).toMatchObject({ total: 3, next: 2 });
    const rest = await request(app).get("/api/v1/records?limit=2&offset=2");
    expect(rest.body).toMatchObject({ total: 3, records: [{ id: buildRecord(3).record.id }] });
    expect(rest.body).not.toHaveProperty("next");
    const found = await request(app).get("/api/v1/records?q=disk+full&repo=");
    expect(found.body).toMatchObject({
      total: 1,
      records: [{ errorMessage: "disk {} is full", class: "CheckpointError", origin: "operator" }],
      facets: { severity: [{ value: "critical", count: 1 }] },
    });
  });

  it("are answered one by one as ErrLookup's API does", async () => {
    const { app } = await createTestService();
    const body: unknown = (await request(app).get(`/api/v1/records/${ID}`)).body;
    expect(recordAnswer.strict().safeParse(body).error).toBeUndefined();
    expect(body).toEqual({ record: buildRecord(1).record, datasetVersion: "" });
    for (const id of ["ffffffffffffffff", "x", "%F0%9F%92%A5"]) {
      const missing = await request(app).get(`/api/v1/records/${id}`);
      expect(missing.status, id).toBe(404);
      expect(missing.headers["content-type"]).toContain("application/problem+json");
    }
  });

  it("change with a reload, also in what is searched", async () => {
    const { app, writeRecords, reload } = await createTestService();
    await request(app).get("/api/v1/records");
    await writeRecords([{ errorMessage: "a new kind of failure {}" }]);
    await reload();
    const body: unknown = (await request(app).get("/api/v1/records?q=new+kind")).body;
    expect(body).toMatchObject({ total: 1 });
  });

  it.each([
    ["limit=0", "limit"],
    ["limit=201", "limit"],
    ["offset=-1", "offset"],
    ["severity=awful", "severity"],
    [`q=${"x".repeat(513)}`, "q"],
    ["colour=red", "colour"],
    ["q=a&q=b", "q"],
  ])("say what is wrong with %s", async (query, field) => {
    const { app } = await createTestService();
    const answer = await request(app).get(`/api/v1/records?${query}`);
    const { status, body, headers } = answer as Answer;
    expect(status).toBe(400);
    expect(headers["content-type"]).toContain("application/problem+json");
    expect(body).toMatchObject({ title: "Invalid request", errors: [{ field }] });
  });
});

describe("explaining lines", () => {
  const encoded = encodeURIComponent(KNOWN_LINE);

  it("says what was recognised, and why a record was or was not", async () => {
    const { app } = await createTestService();
    const body: unknown = (await request(app).get(`/api/v1/explain?line=${encoded}&record=${ID}`))
      .body;
    expect(explainAnswer.strict().safeParse(body).error).toBeUndefined();
    expect(body).toMatchObject({ matches: [{ recordId: ID }], linesTotal: 1 });
    expect((body as { why: string[] }).why.join(" ")).toContain("is found on line 0");
    const none = await request(app).get(`/api/v1/explain?line=all+is+well&record=${ID}`);
    expect(none.body).toMatchObject({ matches: [], recommendation: { decision: "investigate" } });
    expect((none.body as { why: string[] }).why.join(" ")).toContain("is not found");
  });

  it("takes many lines and labels in a body", async () => {
    const { app } = await createTestService();
    const lines = ["INFO start", KNOWN_LINE, "INFO end"];
    const body: unknown = (
      await request(app)
        .post("/api/v1/explain")
        .send({ lines, labels: { app: "engine" } })
    ).body;
    expect(explainAnswer.strict().safeParse(body).error).toBeUndefined();
    expect(body).toMatchObject({ matches: [{ recordId: ID, line: 1 }], linesTotal: 3 });
    expect(body).not.toHaveProperty("why");
  });

  it("masks secrets before it shows a line, and keeps lines out of the log", async () => {
    const { app, logLines } = await createTestService({ log: { level: "debug" } });
    const line = `${KNOWN_LINE} password=hunter2secret`;
    const { text } = await request(app).get(`/api/v1/explain?line=${encodeURIComponent(line)}`);
    expect(text).not.toContain("hunter2secret");
    await request(app).get(`/api/v1/explain?line=${encodeURIComponent(line)}&record=broken`);
    expect(logLines.join("")).not.toContain("hunter2secret");
    expect(logLines.join("")).not.toContain("cannot write checkpoint");
  });

  it.each([
    [{ lines: [] }, "lines"],
    [{ lines: "one" }, "lines"],
    [{ lines: ["x".repeat(65_536)] }, "lines"],
    [{ lines: ["x"], record: "nope" }, "record"],
    [{ lines: ["x"], colour: "red" }, "colour"],
  ])("says what is wrong with a body", async (sent, field) => {
    const { app } = await createTestService();
    const answer = await request(app).post("/api/v1/explain").send(sent);
    const { status, body } = answer as Answer;
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ field }] });
  });

  it("asks for a line", async () => {
    const { app } = await createTestService();
    const { status, body } = (await request(app).get("/api/v1/explain")) as Answer;
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ field: "line" }] });
  });
});
