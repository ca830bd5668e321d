import request from "supertest";
import { beforeEach, describe, expect, it } from "vitest";
import { KNOWN_LINE } from "../support/create-kit.ts";
import { createTestService } from "../support/create-test-service.ts";
import type { TestService } from "../support/create-test-service.ts";
import { requireBinary } from "../support/require-binary.ts";
import { readJob, runJob, runScript } from "../support/retry-examples.ts";
import type { ExampleRun, RunExample } from "../support/retry-examples.ts";
import { startReceiver } from "../support/start-receiver.ts";
import { buildAlertBody, buildGroupBody } from "../support/webhook-body.ts";

const ID = "ab".repeat(32);
const GOOD = {
  episode: ID,
  decision: "retry",
  max_attempts: 1,
  wait_seconds: 30,
  backoff: { initial: "30s", factor: 2, max: "5m", jitter: 0.2 },
  steps: [],
  reason: "It passes.",
  valid_until: "2999-01-01T00:00:00.000Z",
  based_on: { record: "0000000000000001", rule: "curated-timeout", curated: true },
};

const NOTHING: ExampleRun = { code: 75, ran: false, waits: [] };
const RAN: ExampleRun = { code: 0, ran: true, waits: [30] };

const EXAMPLES: readonly (readonly [string, RunExample])[] = [
  ["docs/examples/retry-if-advised.sh", runScript],
  ["docs/examples/retry-job.yaml", runJob],
];

const ANSWERS: readonly (readonly [string, number, unknown, ExampleRun])[] = [
  ["retry", 200, GOOD, RAN],
  ["retry with keys that it does not know", 200, { ...GOOD, mood: "calm" }, RAN],
  ["a word that it does not know", 200, { ...GOOD, decision: "retry_now" }, NOTHING],
  ["pending", 200, { ...GOOD, decision: "pending" }, NOTHING],
  ["investigate", 200, { ...GOOD, decision: "investigate" }, NOTHING],
  ["do_not_retry", 200, { ...GOOD, decision: "do_not_retry" }, NOTHING],
  ["retry_after_fix", 200, { ...GOOD, decision: "retry_after_fix" }, NOTHING],
  ["advice that has expired", 200, { ...GOOD, valid_until: "2020-01-01T00:00:00Z" }, NOTHING],
  ["advice without an end", 200, { ...GOOD, valid_until: null }, NOTHING],
  ["advice on another episode", 200, { ...GOOD, episode: "cd".repeat(32) }, NOTHING],
  ["no number of attempts", 200, { ...GOOD, max_attempts: null }, NOTHING],
  ["a wait that is negative", 200, { ...GOOD, wait_seconds: -1 }, NOTHING],
  ["a format of another version", 200, { version: 2, advice: GOOD }, NOTHING],
  ["two answers in one", 200, `${JSON.stringify(GOOD)}${JSON.stringify(GOOD)}`, NOTHING],
  ["a page", 200, "<html>retry</html>", NOTHING],
  ["no body", 200, "", NOTHING],
  ["a redirection", 302, GOOD, NOTHING],
  ["500", 500, GOOD, NOTHING],
];

beforeEach((context) => {
  requireBinary(context, "curl");
  requireBinary(context, "jq");
});

describe.each(EXAMPLES)("%s", (_file, run) => {
  it.for(ANSWERS)("does what is safe on %s", async ([, status, answer, expected], context) => {
    const body = typeof answer === "string" ? answer : JSON.stringify(answer);
    const server = await startReceiver(() => ({ status, body }));
    context.onTestFinished(server.stop);
    expect(await run(server.url, ID)).toMatchObject(expected);
  });

  it("runs nothing when nobody answers, or the connection breaks", async (context) => {
    const server = await startReceiver(() => ({ status: undefined }));
    context.onTestFinished(server.stop);
    expect(await run("http://127.0.0.1:1", ID)).toMatchObject(NOTHING);
    expect(await run(server.url, ID)).toMatchObject(NOTHING);
  });

  it.for(["", "../x", "ab;reboot"])("asks nobody for the id %j", async (id, context) => {
    const server = await startReceiver(() => ({ status: 200, body: JSON.stringify(GOOD) }));
    context.onTestFinished(server.stop);
    expect(await run(server.url, id)).toMatchObject(NOTHING);
    expect(server.requests).toEqual([]);
  });

  it("runs nothing when the advice is taken back while it waits", async (context) => {
    const later = { ...GOOD, decision: "investigate" };
    const server = await startReceiver((index) => ({
      status: 200,
      body: JSON.stringify(index === 0 ? GOOD : later),
    }));
    context.onTestFinished(server.stop);
    expect(await run(server.url, ID)).toMatchObject({ ...NOTHING, waits: [30] });
  });

  it("retries what a running service calls safe, after the wait that it names", async () => {
    const { url, advised } = await serve([alertOf(1, KNOWN_LINE)]);
    const [[id, decision] = ["", ""]] = await advised();
    expect([decision, await run(url, id)]).toMatchObject(["retry", RAN]);
  });

  it("retries nothing else that a running service says", async () => {
    const { url, advised } = await serve([
      alertOf(2, GONE_LINE),
      alertOf(3, REFUSED_LINE),
      alertOf(4, "ERROR nothing that is known"),
      alertOf(5, ""),
      // Found in prose, which is too weak to act on.
      alertOf(6, "", { annotations: { description: KNOWN_LINE } }),
    ]);
    const all = await advised();
    const decisions = all.map(([, decision]) => decision).sort();
    expect(decisions).toEqual([
      ...["do_not_retry", "investigate", "investigate", "pending", "retry_after_fix"],
    ]);
    for (const [id, decision] of all) {
      expect(await run(url, id), decision).toMatchObject(NOTHING);
    }
    expect(await run(url, "0".repeat(64))).toMatchObject(NOTHING);
  });

  it("retries nothing once the alert is over, and nothing when the service is gone", async () => {
    const { url, advised, service } = await serve([alertOf(1, KNOWN_LINE)]);
    const [[id] = [""]] = await advised();
    const over = { status: "resolved", endsAt: "2026-03-14T10:00:00Z" };
    await send(service, [alertOf(1, KNOWN_LINE, over)], { status: "resolved" });
    expect(await run(url, id)).toMatchObject(NOTHING);
    await service.close();
    expect(await run(url, id)).toMatchObject(NOTHING);
  });
});

describe("docs/examples/retry-if-advised.sh", () => {
  it("gives up after the attempts that the advice allows, each after a longer wait", async (context) => {
    const answer = JSON.stringify({ ...GOOD, max_attempts: 3 });
    const server = await startReceiver(() => ({ status: 200, body: answer }));
    context.onTestFinished(server.stop);
    const done = await runScript(server.url, ID, ["sh", "-c", "echo tried; exit 3"]);
    expect(done).toMatchObject({ code: 3, stdout: "tried\n".repeat(3), waits: [30, 60, 120] });
  });

  it("keeps the exit of a command that failed when the advice changes then", async (context) => {
    const server = await startReceiver((index) => ({
      status: 200,
      body: JSON.stringify({ ...GOOD, max_attempts: 3, decision: index < 2 ? "retry" : "pending" }),
    }));
    context.onTestFinished(server.stop);
    const done = await runScript(server.url, ID, ["sh", "-c", "echo tried; exit 3"]);
    expect(done).toMatchObject({ code: 3, stdout: "tried\n" });
  });
});

describe("docs/examples/retry-job.yaml", () => {
  it("lets Kubernetes repeat neither the question nor the operation", () => {
    const { spec } = readJob();
    expect(spec.backoffLimit).toBe(0);
    expect(spec.template.spec.restartPolicy).toBe("Never");
  });

  it("has a script that Kubernetes passes on as it stands", () => {
    const [ask] = readJob().spec.template.spec.initContainers;
    const script = ask.args.join("\n");
    // `$$` becomes `$`, and `$(NAME)` the value of a variable of the container.
    expect(script).not.toContain("$$");
    for (const { name } of ask.env) expect(script).not.toContain(`$(${name})`);
  });
});

const GONE_LINE = "2026-03-14T09:30:01Z ERROR engine::read: snapshot 17 of table t-9 is gone";
const REFUSED_LINE = "2026-03-14T09:30:01Z ERROR engine::read: user etl may not read bucket b-2";

/** A service that listens, with records for `retry`, `do_not_retry` and `retry_after_fix`. */
async function serve(alerts: readonly object[]) {
  const service = await createTestService({ web: { listen_address: "127.0.0.1:0" } });
  await service.writeRecords([
    {},
    {
      errorMessage: "snapshot {} of table {} is gone",
      backgroundTag: "snapshot-not-found",
      handlingStrategy: "validation",
    },
    { errorMessage: "user {} may not read bucket {}", backgroundTag: "permission-denied" },
  ]);
  await request(service.app).post("/-/reload").expect(200);
  const url = `http://127.0.0.1:${(await service.listen()).port}`;
  await send(service, alerts);
  const advised = async () => {
    const listed = await request(service.app).get("/api/v1/episodes");
    const { episodes } = listed.body as { episodes: readonly { id: string }[] };
    return Promise.all(
      episodes.map(async ({ id }): Promise<readonly [string, string]> => {
        const answer = await request(service.app).get(`/api/v1/episodes/${id}/recommendation`);
        return [id, (answer.body as { decision: string }).decision];
      }),
    );
  };
  return { url, advised, service };
}

function alertOf(number: number, logs: string, wishes: Record<string, unknown> = {}) {
  return buildAlertBody({
    labels: { alertname: "Checkpoint", pod: `p-${number}` },
    fingerprint: String(number).padStart(16, "0"),
    annotations: logs === "" ? {} : { log_excerpt: logs },
    ...wishes,
  });
}

async function send({ app }: TestService, alerts: readonly object[], wishes = {}): Promise<void> {
  const body = buildGroupBody({ alerts, ...wishes });
  await request(app).post("/webhook?respond=enriched").send(body).expect(200);
}
