import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildLogQuery, buildLogSource, buildLokiClient } from "../../support/build-log-source.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { startFakeLoki } from "../../support/fake-loki.ts";
import type { FakeLoki, FakeLokiOptions, Misbehaviour } from "../../support/fake-loki.ts";
import { pushLines } from "../../support/push-lines.ts";

let loki: FakeLoki;
const bomb = gzipSync(Buffer.alloc(100 * 2 ** 20));
const never = new AbortController().signal;

beforeEach(async () => {
  loki = await startFakeLoki();
});

afterEach(async () => {
  await loki.stop();
});

async function restart(options: FakeLokiOptions): Promise<void> {
  await loki.stop();
  loki = await startFakeLoki(options);
}

const saying =
  (status: number, body = "", headers: Record<string, string> = {}): Misbehaviour =>
  (_request, response) => {
    response.writeHead(status, { "content-type": "text/plain", ...headers }).end(body);
  };

describe("a question to Loki", () => {
  it("gets the newest lines, oldest first, with exact times", async () => {
    await pushLines(loki.url, { job: "test" }, [
      ["1773480461120331001", "first"],
      ["1773480461120331002", "second"],
      ["1773480461120331003", "third"],
    ]);
    const { entries, cut } = await buildLokiClient(loki.url).queryRange(
      buildLogQuery({ entriesMax: 2 }),
      never,
    );
    expect(entries.map(({ timestampNs, text }) => [timestampNs, text])).toEqual([
      [1_773_480_461_120_331_002n, "second"],
      [1_773_480_461_120_331_003n, "third"],
    ]);
    expect(cut).toBe(true);
  });

  it("goes through a gateway's path with credentials, tenant and extra headers", async () => {
    await restart({ prefix: "/gateway", tenants: true, compress: true });
    await pushLines(`${loki.url}/gateway`, { job: "test" }, [["1773480461120331001", "x"]], "t1");
    const client = buildLokiClient(`${loki.url}/gateway`, {
      authorization: "Bearer secret",
      headers: { "X-Extra": "1" },
    });
    const ask = (tenant: string) => client.queryRange(buildLogQuery({ tenant }), never);
    expect((await ask("t1")).entries).toHaveLength(1);
    expect((await ask("t2")).entries).toHaveLength(0);
    await expect(ask("")).rejects.toMatchObject({ reason: "no_tenant" });
    expect(loki.requests[0]).toMatchObject({
      path: "/gateway/loki/api/v1/query_range",
      headers: { authorization: "Bearer secret", "x-extra": "1", "x-scope-orgid": "t1" },
    });
  });

  it("is posted when it is long, and refused in words when Loki would refuse it", async () => {
    const client = buildLokiClient(loki.url);
    const long = `{job="test"} |= "${"x".repeat(5000)}"`;
    expect((await client.queryRange(buildLogQuery({ query: long }), never)).entries).toEqual([]);
    expect(loki.requests[0]).toMatchObject({ method: "POST" });
    const query = `{job="test"} |= "${"x".repeat(5120 - 18)}"`;
    await expect(client.queryRange(buildLogQuery({ query }), never)).rejects.toMatchObject({
      reason: "bad_query",
      message: "query of 5120 bytes not sent: Loki takes less than 5120 (loki.max_query_size)",
    });
    expect(loki.requests).toHaveLength(1);
  });

  it.each<[status: number, body: string, reason: string]>([
    [400, "parse error at line 1, col 11: syntax error: unexpected $end", "bad_query"],
    [500, "rpc error: code = Unknown desc = parse error : stage", "bad_query"],
    [
      400,
      "max entries limit per query exceeded, limit > max_entries_limit (5001 > 5000)",
      "too_large",
    ],
    [
      400,
      "the query time range exceeds the limit (query length: 800h0m0s, limit: 30d1h)",
      "too_large",
    ],
    [400, "the query would read too many bytes (query: 1, limit: 2)", "too_large"],
    [413, "response larger than the max message size (1 vs 2)", "too_large"],
    [401, "no org id\n", "no_tenant"],
    [400, "rpc error: code = Code(400) desc = tenant ID 'a/b' contains unsupported", "no_tenant"],
    [401, "<html>gateway</html>", "unauthorized"],
    [403, "", "unauthorized"],
    [429, "too many outstanding requests", "throttled"],
    [499, "the request was cancelled by the client", "timeout"],
    [504, "request timed out, decrease the duration", "timeout"],
    [500, "rpc error: code = Unavailable desc = error reading from server: EOF", "server"],
    [502, "<html>bad gateway</html>", "server"],
    [503, "Ingester not ready: waiting for 15s after being ready\n", "server"],
    [404, "404 page not found\n", "refused"],
    [301, "", "refused"],
  ])("that is answered %i %j failed with reason %s", async (status, body, reason) => {
    loki.misbehave(saying(status, body));
    const asked = buildLokiClient(loki.url).queryRange(buildLogQuery(), never);
    await expect(asked).rejects.toMatchObject({ reason });
  });

  it("has what a refusal quotes masked, and no page of a gateway repeated", async () => {
    const client = buildLokiClient(loki.url, {
      redact: (text) => text.replace("hunter2", "<masked>"),
    });
    loki.misbehave(saying(400, 'parse error : "hunter2"'));
    await expect(client.queryRange(buildLogQuery(), never)).rejects.toMatchObject({
      message: 'Loki answered 400: parse error : "<masked>"',
    });
    loki.misbehave(saying(502, "<html>hunter2</html>"));
    await expect(client.queryRange(buildLogQuery(), never)).rejects.toMatchObject({
      message: "Loki answered 502",
    });
  });

  it.each<[name: string, misbehaviour: Misbehaviour, reason: string]>([
    ["garbage", saying(200, "\u0000{{{"), "server"],
    [
      "half an answer",
      (_request, response) => {
        response.writeHead(200, { "content-length": "1000" });
        response.write('{"status":');
        setImmediate(() => response.destroy());
      },
      "unreachable",
    ],
    [
      "100 MB",
      (_request, response) => {
        response.writeHead(200);
        const chunk = Buffer.alloc(2 ** 20, "x");
        const write = (left: number): void => {
          if (left === 0 || response.destroyed) response.end();
          else
            response.write(chunk, () => {
              write(left - 1);
            });
        };
        write(100);
      },
      "too_large",
    ],
    [
      "gzip that unpacks to 100 MB",
      (_request, response) => {
        response.writeHead(200, { "content-encoding": "gzip" });
        response.end(bomb);
      },
      "too_large",
    ],
    ["nothing at all", () => undefined, "timeout"],
    [
      "a head and then nothing",
      (_request, response) => {
        response.writeHead(200);
        response.write("{");
      },
      "timeout",
    ],
  ])("answered with %s fails with a reason", async (_name, misbehaviour, reason) => {
    loki.misbehave(misbehaviour);
    const timeoutMs = reason === "timeout" ? 50 : 20_000;
    const asked = buildLokiClient(loki.url, { timeoutMs }).queryRange(buildLogQuery(), never);
    await expect(asked).rejects.toMatchObject({ reason });
  });

  it("to a dead Loki is unreachable, and says no URL", async () => {
    const client = buildLokiClient("http://user:secret@127.0.0.1:1");
    const failure = await client
      .queryRange(buildLogQuery(), never)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({
      reason: "unreachable",
      message: "Loki is unreachable (ECONNREFUSED)",
    });
  });
});

describe("many questions", () => {
  it("that are equal are asked once", async () => {
    const source = buildLogSource(buildLokiClient(loki.url));
    await Promise.all(Array.from({ length: 20 }, () => source.query(buildLogQuery(), never)));
    await source.query(buildLogQuery(), never);
    expect(loki.queries()).toHaveLength(1);
  });

  it("stay within the budget", async () => {
    const clock = createManualClock();
    const source = buildLogSource(buildLokiClient(loki.url), { clock, queriesPerMinute: 5 });
    const ask = (count: number) => source.query(buildLogQuery({ entriesMax: count }), never);
    const asked = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) => ask(index + 1)),
    );
    expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    expect(source.counters.tally).toMatchObject({
      "lokiAsked success": 5,
      "lokiRefused budget": 7,
    });
    clock.advance(60_000);
    expect((await ask(100)).entries).toEqual([]);
  });

  it("stop when Loki fails, as long as it asks for, and begin with one", async () => {
    const clock = createManualClock();
    const source = buildLogSource(buildLokiClient(loki.url, { clock }), { clock, concurrency: 1 });
    let count = 0;
    const ask = () => source.query(buildLogQuery({ entriesMax: (count += 1) }), never);
    loki.misbehave(saying(429, "too many outstanding requests", { "retry-after": "30" }));
    await expect(ask()).rejects.toMatchObject({ reason: "throttled" });
    expect(source.isAvailable()).toBe(false);
    await expect(ask()).rejects.toMatchObject({ reason: "refused" });
    clock.advance(29_999);
    await expect(ask()).rejects.toMatchObject({ reason: "refused" });
    clock.advance(1);
    loki.misbehave(undefined);
    expect((await ask()).entries).toEqual([]);
    expect(source.isAvailable()).toBe(true);
    expect(loki.queries()).toHaveLength(2);
  });

  it("that Loki finds wrong do not open the breaker", async () => {
    const source = buildLogSource(buildLokiClient(loki.url));
    for (let count = 1; count <= 5; count += 1) {
      const query = buildLogQuery({ query: "{", entriesMax: count });
      await expect(source.query(query, never)).rejects.toMatchObject({ reason: "bad_query" });
    }
    expect(source.isAvailable()).toBe(true);
  });

  it("for label names are kept, and unknown when Loki fails", async () => {
    const clock = createManualClock();
    const source = buildLogSource(buildLokiClient(loki.url, { clock }), { clock });
    loki.misbehave(saying(500));
    expect(await source.labelNames("", never)).toBeUndefined();
    loki.misbehave(undefined);
    await pushLines(loki.url, { job: "test", pod: "a" }, [["1773480461120331001", "x"]]);
    expect(await source.labelNames("", never)).toBeUndefined();
    clock.advance(30_000);
    expect(await source.labelNames("", never)).toEqual(new Set(["job", "pod"]));
    await source.labelNames("", never);
    expect(loki.requests).toHaveLength(2);
  });
});
