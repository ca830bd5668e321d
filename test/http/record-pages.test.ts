import request from "supertest";
import { describe, expect, it } from "vitest";
import { buildRecord } from "../support/build-record.ts";
import { KNOWN_LINE } from "../support/create-kit.ts";
import { createTestService } from "../support/create-test-service.ts";
import { HOSTILE } from "../support/page-world.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { buildAlertBody, buildGroupBody } from "../support/webhook-body.ts";

const { id } = buildRecord(1).record;
/** What a browser would run or follow, and characters that mislead. */
const DANGEROUS = /<script|<img|href="(?![.#]|https?:)|\p{Cc}(?<![\n\t])|\u202e/u;

describe("the pages of records", () => {
  it("list records, narrow them and lead to each", async () => {
    const { app, writeRecords, reload } = await createTestService();
    await writeRecords([{}, { repo: "beta/db", errorMessage: "disk {} is full" }]);
    await reload();
    const all = await request(app).get("/records");
    expect(all.status).toBe(200);
    expect(all.text).toContain(`href="./records/${id}"`);
    expect(all.text).toContain('href="./records?repo=beta%2Fdb"');
    const some = await request(app).get("/records?q=full&repo=beta%2Fdb");
    expect(some.text).toContain("1 record<");
    expect(some.text).toContain('href="./records?q=full"');
    const none = await request(app).get("/records?q=nothing+of+the+kind");
    expect(none.text).toContain("No record holds all of these words.");
    const wrong = await request(app).get("/records?severity=awful");
    expect([wrong.status, wrong.text.includes('role="alert"')]).toEqual([400, true]);
  });

  it("show a record: placeholders, advice, source lines and where it was seen", async () => {
    const { app, writeRecords, reload } = await createTestService();
    const source = { sourceCode: "fn a() {\n  bail!();\n}", sourceCodeStart: 6, sourceCodeEnd: 8 };
    await writeRecords([
      { ...source, documentation: "It **failed**.", preventionTips: ["Renew early."] },
      { repo: "beta/db" },
    ]);
    await reload();
    const alert = buildAlertBody({ annotations: { log_excerpt: KNOWN_LINE } });
    await request(app)
      .post("/webhook?respond=enriched")
      .send(buildGroupBody({ alerts: [alert] }));
    const { text, status } = await request(app).get(`/records/${id}`);
    expect(status).toBe(200);
    expect(text).toContain("cannot write checkpoint <mark");
    expect(text).toContain("It <strong>failed</strong>.");
    expect(text).toMatch(
      /<li class="hit"><span class="line-number soft">7<\/span><code> {2}bail!/u,
    );
    expect(text).toContain("Renew early.");
    expect(text).toContain("Restart the engine.");
    expect(text).toContain(buildRecord(1).record.githubUrl);
    expect(text).toContain(`href="../records/${buildRecord(2).record.id}"`);
    expect(text).toMatch(/href="\.\.\/episodes\/[0-9a-f]{64}"/u);
    expect((await request(app).get("/records/ffffffffffffffff")).status).toBe(404);
  });

  it("say which records of its id a record was taken before, and which overlay changed what", async () => {
    const { app, writeRecords, writeConfig, reload } = await createTestService();
    const overlay = { overlays: [{ id: [id], name: "ours", severity: "info" }] };
    const folder = createTemporaryFolder({ "overlay.yaml": JSON.stringify(overlay) });
    const sources = [{ path: "records.json", curated: true }];
    await writeConfig({
      records: { starter: false, sources, overlays: [`${folder}/overlay.yaml`] },
    });
    await writeRecords([{ analyzedAt: "2025-01-01T00:00:00Z" }, { id }]);
    await reload();
    const { text } = await request(app).get(`/records/${id}`);
    expect(text).toMatch(/files and folders \([^)]*records\.json\[1\]\) over files and folders/u);
    expect(text).toContain("ours (severity)");
  });

  it("are reached by ErrLookup's address too", async () => {
    const { app } = await createTestService();
    for (const [path, location] of [
      ["/acme/engine/error-1/", `../../../records/${id}`],
      ["/acme/engine/error-1", `../../records/${id}`],
    ] as const) {
      const { status, headers } = await request(app).get(path);
      expect([status, headers["location"]], path).toEqual([302, location]);
    }
    expect((await request(app).get("/acme/engine/error-2/")).status).toBe(404);
  });

  it("show hostile records as text", async () => {
    const { app, writeRecords, reload } = await createTestService();
    const text = `${HOSTILE} [x](javascript:alert(1)) <https://x"onclick=y>`;
    const texts = {
      ...{ errorMessage: `bad {} ${text}`, errorClass: text, errorCode: text, filePath: text },
      ...{ documentation: text, triggerScenarios: text, commonSituations: text, sourceCode: text },
      ...{ solutions: [text], preventionTips: [text], exampleFix: text, tryCatchPattern: text },
    };
    await writeRecords([
      { ...texts, repo: "evil/<script>" },
      { ...texts, repo: "evil/<script>" },
    ]);
    expect(await reload()).toEqual([]);
    for (const path of [
      "/records",
      `/records?q=bad&class=${encodeURIComponent(text.replaceAll("\ud800", ""))}`,
      `/records/${id}`,
    ]) {
      const page = await request(app).get(path);
      expect(page.status, path).toBe(200);
      // What a form sends again must be what it was; a hidden field shows nothing.
      const seen = page.text.replace(/<input type="hidden" name="class" value="[^"]*"/gu, "");
      expect(seen, path).not.toMatch(DANGEROUS);
      expect(page.text.length, path).toBeLessThan(100_000);
    }
  });

  it("stay small whatever a record holds", async () => {
    const { app, writeRecords, reload } = await createTestService();
    const long = "word ".repeat(20_000);
    const many = Array.from({ length: 100 }, () => long);
    await writeRecords([
      { documentation: long, triggerScenarios: long, commonSituations: long, solutions: many },
    ]);
    await reload();
    const { text } = await request(app).get(`/records/${id}`);
    expect(text.length).toBeLessThan(100_000);
  });
});

describe("the page that explains lines", () => {
  it("shows what is recognised, and why, for a link and for a form", async () => {
    const { app } = await createTestService();
    const pages = [
      await request(app).get(`/explain?line=${encodeURIComponent(KNOWN_LINE)}&record=${id}`),
      await request(app).post("/explain").type("form").send({ line: KNOWN_LINE, record: id }),
    ];
    for (const { status, text } of pages) {
      expect(status).toBe(200);
      expect(text).toContain('<mark class="capture">71</mark>');
      expect(text).toContain(`href="./records/${id}"`);
      expect(text).toContain("is found on line 0");
      expect(text).toContain("Renew the credentials.");
    }
  });

  it("says why not, and which records have such words", async () => {
    const { app } = await createTestService();
    const line = "the checkpoint of the shard: cannot write, the lease has expired";
    const { text } = await request(app).post("/explain").type("form").send({ line, record: id });
    expect(text).toContain("No known error is recognised");
    expect(text).toContain("is not found");
    expect(text).toContain(`href="./records/${id}"`);
  });

  it("says what is wrong with what was sent", async () => {
    const { app } = await createTestService();
    const cases = [
      [{ line: "x".repeat(65_600) }, 400],
      [{ line: "x".repeat(2 ** 20) }, 413],
      [{ line: "x", record: "nope" }, 400],
    ] as const;
    for (const [sent, expected] of cases) {
      const { status, text } = await request(app).post("/explain").type("form").send(sent);
      expect(status).toBe(expected);
      expect(text).toContain('role="alert"');
      expect(text.length).toBeLessThan(100_000);
    }
    expect((await request(app).post("/explain").type("form").send({})).status).toBe(200);
  });

  it("shows hostile lines as text and keeps them out of the log", async () => {
    const { app, logLines } = await createTestService({ log: { level: "debug" } });
    const line = `${HOSTILE}\n${KNOWN_LINE} ${HOSTILE} password=hunter2secret`;
    const page = await request(app).post("/explain").type("form").send({ line });
    expect(page.text).not.toMatch(DANGEROUS);
    expect(page.text).not.toContain("hunter2secret");
    const again = encodeURIComponent(line.replaceAll("\ud800", ""));
    await request(app).get(`/explain?line=${again}`);
    expect(logLines.join("")).not.toMatch(/hunter2secret|cannot write checkpoint/u);
  });
});
