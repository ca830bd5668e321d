import request from "supertest";
import { describe, expect, it, onTestFinished } from "vitest";
import { checkRecord } from "../../src/catalogue/record-schema.ts";
import type { KnownError } from "../../src/record/known-error.ts";
import { episodeJson, episodePageJson } from "../../src/web/episodes/episode-schemas.ts";
import { unmatchedJson } from "../../src/web/unmatched/unmatched-schemas.ts";
import { KNOWN_LINE } from "../support/create-kit.ts";
import { createTestService } from "../support/create-test-service.ts";
import { eventually } from "../support/eventually.ts";
import { startReceiver } from "../support/start-receiver.ts";
import { buildAlertBody, buildGroupBody } from "../support/webhook-body.ts";

const HOSTILE = `</code><script>alert(1)</script> \u001b[31m \u202e "quoted" ' &amp; \ud800`;

function groupOf(logs: string, wishes: Record<string, unknown> = {}) {
  const annotations = { log_excerpt: logs };
  return buildGroupBody({ alerts: [buildAlertBody({ annotations, ...wishes })] });
}

interface Listed {
  readonly episodes: readonly { readonly id: string; readonly outcome: string }[];
  readonly next?: string;
}

describe("the pages of an episode", () => {
  it("say cause and next step, and mark what was found", async () => {
    const { app } = await createTestService();
    await request(app)
      .post("/webhook?respond=enriched")
      .send(groupOf(`INFO before\n${KNOWN_LINE}\nINFO after`));
    const list = await request(app).get("/api/v1/episodes?status=open");
    expect(episodePageJson.strict().safeParse(list.body).error).toBeUndefined();
    const { episodes } = list.body as Listed;
    const id = episodes[0]?.id ?? "";
    const page = await request(app).get(`/episodes/${id}`);
    expect(page.status).toBe(200);
    expect(page.text).toContain("CheckpointError");
    expect(page.text).toContain("A checkpoint could not be written.");
    expect(page.text).toContain('<p class="first-step">Renew the credentials.</p>');
    expect(page.text).toContain('<mark class="literal">cannot write checkpoint </mark>');
    expect(page.text).toContain('<mark class="capture">71</mark>');
    expect(page.text).toContain("This is the first time.");
    const json = await request(app).get(`/api/v1/episodes/${id}`);
    expect(episodeJson.strict().safeParse(json.body).error).toBeUndefined();
    expect(json.body).toMatchObject({ outcome: "matched", excerpt: { linesTotal: 3 } });
    const overview = await request(app).get("/");
    expect(overview.text).toContain(`href="./episodes/${id}"`);
  });

  it("show hostile lines and labels as text", async () => {
    const { app } = await createTestService();
    const labels = { alertname: HOSTILE, pod: "javascript:alert(1)", [HOSTILE]: HOSTILE };
    await request(app)
      .post("/webhook?respond=enriched")
      .send(groupOf(`ERROR ${HOSTILE}\n${"x".repeat(200_000)}`, { labels }));
    const { episodes } = (await request(app).get("/api/v1/episodes")).body as Listed;
    for (const path of ["/", "/episodes", `/episodes/${episodes[0]?.id ?? ""}`, "/unmatched"]) {
      const { text, status } = await request(app).get(path);
      expect(status, path).toBe(200);
      expect(text, path).not.toMatch(/<script|\p{Cc}(?<![\n\t])|\u202e|href="javascript:/u);
      expect(text.length, path).toBeLessThan(100_000);
    }
  });

  it("are found by label and time, and say what is wrong with a filter", async () => {
    const { app } = await createTestService();
    await request(app).post("/webhook?respond=enriched").send(groupOf(KNOWN_LINE));
    const count = async (query: string) => {
      const answer = await request(app).get(`/api/v1/episodes?${query}`);
      return (answer.body as Listed).episodes.length;
    };
    const label = (text: string) => `label=${encodeURIComponent(text)}`;
    expect(await count(label('pod="meta-0",alertname="BarrierLatencyHigh"'))).toBe(1);
    expect(await count(label('pod!="meta-0"'))).toBe(0);
    expect(await count("since=1h&class=CheckpointError&decision=")).toBe(1);
    expect(await count("until=2000-01-01T00:00:00Z")).toBe(0);
    for (const query of ["label=%7B", "label=a%3D~b", "since=soon", "limit=0", "colour=red"]) {
      const json = await request(app).get(`/api/v1/episodes?${query}`);
      expect(json.status, query).toBe(400);
      expect(json.body, query).toMatchObject({ errors: [{ field: query.split("=")[0] }] });
      const page = await request(app).get(`/episodes?${query}`);
      expect(page.status, query).toBe(400);
      expect(page.text, query).toContain("The filter was not understood");
    }
  });

  it("are not there for a made-up id", async () => {
    const { app } = await createTestService();
    const page = await request(app).get("/episodes/0");
    expect(page.status).toBe(404);
    expect(page.text).toContain("There is nothing here");
    expect((await request(app).get("/api/v1/episodes/0")).status).toBe(404);
  });

  it("are named in error_url when it is known where people find them", async () => {
    const { app } = await createTestService({ web: { external_url: "https://lore.test/a" } });
    const answer = await request(app).post("/webhook?respond=enriched").send(groupOf(KNOWN_LINE));
    const { alerts } = answer.body as { alerts: { annotations: Record<string, string> }[] };
    const url = alerts[0]?.annotations["error_url"] ?? "";
    expect(url).toMatch(/^https:\/\/lore\.test\/a\/episodes\/[0-9a-f]{64}$/u);
    expect((await request(app).get(new URL(url).pathname.replace("/a/", "/"))).status).toBe(200);
  });
});

describe("unmatched texts", () => {
  it("become a record that is loaded and explains the next alert", async () => {
    const service = await createTestService();
    const { app } = service;
    const post = (logs: string) =>
      request(app)
        .post("/webhook?respond=enriched")
        .send(groupOf(logs, { fingerprint: logs.length.toString(16).padStart(16, "0") }));
    await post("ERROR shop::pay: payment 17 of order o-1 was declined by the <b>bank</b>");
    const list = await request(app).get("/api/v1/unmatched");
    expect(unmatchedJson.strict().safeParse(list.body).error).toBeUndefined();
    const { clusters } = list.body as { clusters: { id: string; shape: string }[] };
    const { id = "", shape: message = "" } = clusters[0] ?? {};
    expect(message).toBe("payment {} of order {} was declined by the <b>bank</b>");
    const place = `/unmatched/${id}`;
    const form = await request(app).get(place);
    expect(form.text).toContain("payment {} of order {} was declined by the &lt;b>bank");
    const wrong = await request(app).get(`${place}/draft?repo=shop&message=x`);
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain("must be owner/name");
    const fields = {
      repo: "acme/shop",
      message,
      meaning: "The bank said no.",
      steps: "1. Ask the bank.\n- Ask again.",
    };
    const draft = await request(app).get(`${place}/draft`).query(fields);
    expect(draft.headers["content-disposition"]).toBe('attachment; filename="draft.json"');
    const [record] = draft.body as KnownError[];
    expect(record?.solutions).toEqual(["Ask the bank.", "Ask again."]);
    expect(checkRecord(record).faults).toEqual([]);
    await service.writeRecords(record ? [record] : []);
    expect(await service.reload()).toEqual([]);
    const explained = await post("ERROR payment 2 of order o-22 was declined by the <b>bank</b>");
    const { alerts } = explained.body as { alerts: { annotations: Record<string, string> }[] };
    expect(alerts[0]?.annotations).toMatchObject({
      error_record: `acme/shop ${String(record?.id)}`,
    });
  });

  it("are counted page by page, and a wrong page is refused", async () => {
    const { app } = await createTestService();
    expect((await request(app).get("/unmatched")).text).toContain("Every alert with log lines");
    expect((await request(app).get("/api/v1/unmatched?page=0")).status).toBe(400);
    expect((await request(app).get("/unmatched?page=x")).status).toBe(404);
    expect((await request(app).get("/unmatched/0")).status).toBe(404);
  });
});

describe("the page of dead letters", () => {
  const dead = async () => {
    const receiver = await startReceiver(() => ({ status: 400 }));
    onTestFinished(() => receiver.stop());
    const service = await createTestService({
      destinations: [{ name: "hook", type: "alertmanager_webhook", url: receiver.url }],
    });
    await request(service.app).post("/webhook").send(groupOf(KNOWN_LINE));
    const letter = await eventually(
      async () => {
        const answer = await request(service.app).get("/api/v1/deliveries");
        return (answer.body as { deliveries: { id: string }[] }).deliveries[0];
      },
      { what: "the dead letter" },
    );
    return { ...service, id: letter.id };
  };

  it("sends one again on its own form's word, and on no other site's", async () => {
    const { app, id } = await dead();
    const page = await request(app).get("/deliveries");
    expect(page.text).toContain(`action="./deliveries/${id}/resend"`);
    expect(page.text).toContain("destination hook answered 400");
    const path = `/deliveries/${id}/resend`;
    for (const place of [path, `/api/v1${path}`]) {
      const foreign: readonly (readonly [string, string])[] = [
        ["Sec-Fetch-Site", "cross-site"],
        ["Sec-Fetch-Site", "same-site"],
        ["Origin", "https://evil.test"],
        ["Origin", "null"],
      ];
      for (const [name, value] of foreign) {
        expect((await request(app).post(place).set(name, value)).status, value).toBe(403);
      }
    }
    const sent = await request(app).post(path).set("Sec-Fetch-Site", "same-origin");
    expect(sent.status).toBe(303);
    expect(sent.headers["location"]).toBe("../../deliveries?result=due");
    const again = await request(app).post("/deliveries/nothing/resend");
    expect(again.headers["location"]).toBe("../../deliveries?result=gone");
  });

  it("is for those only who may send", async () => {
    const { app } = await createTestService({ web: { auth: { bearer_token: "s3cret" } } });
    expect((await request(app).get("/deliveries")).status).toBe(401);
    expect((await request(app).post("/deliveries/1/resend")).status).toBe(401);
  });
});
