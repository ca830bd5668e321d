import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { startFakeLoki } from "../support/fake-loki.ts";
import type { FakeLoki } from "../support/fake-loki.ts";

// The facts our client rests on. They are checked on the fake that the other tests use, and on a real
// Loki (2.9, no tenants) when LOKI_URL names one; so the fake cannot drift from the real one unseen.
let fake: FakeLoki | undefined;
let base = process.env["LOKI_URL"] ?? "";
const job = `alertlore-${process.pid}-${Date.now()}`;
const SELECTOR = `{job="${job}"}`;
const startMs = Date.now() - 60_000;

const at = (offset: number) => String(BigInt(startMs) * 1_000_000n + BigInt(offset));

beforeAll(async () => {
  if (base === "") {
    fake = await startFakeLoki();
    base = fake.url;
  }
  const streams = [
    {
      stream: { job, pod: "a" },
      values: [
        [at(0), "first"],
        [at(2), "third ERROR"],
        [at(2), "fourth"],
      ],
    },
    {
      stream: { job, pod: "b" },
      values: [
        [at(1), "second"],
        [at(1), "second"],
        [at(3), "multi\nline \u0000 ünï"],
      ],
    },
  ];
  const answer = await fetch(`${base}/loki/api/v1/push`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ streams }),
  });
  expect(answer.status).toBe(204);
  await eventually(async () => ((await lines({})).length === 5 ? true : undefined), {
    what: "the pushed lines to be found",
  });
});

afterAll(async () => {
  await fake?.stop();
});

interface Found {
  readonly data: {
    readonly result: readonly {
      readonly stream: Readonly<Record<string, string>>;
      readonly values: readonly (readonly [string, string])[];
    }[];
  };
}

function ask(parameters: Readonly<Record<string, string>>, method = "GET"): Promise<Response> {
  const wanted = { query: SELECTOR, start: at(0), end: at(10), ...parameters };
  const search = new URLSearchParams(wanted);
  const url = `${base}/loki/api/v1/query_range`;
  return method === "GET"
    ? fetch(`${url}?${search.toString()}`)
    : fetch(url, { method, body: search });
}

async function lines(parameters: Readonly<Record<string, string>>, method = "GET") {
  const { data } = (await (await ask(parameters, method)).json()) as Found;
  return data.result.flatMap(({ values }) => values.map(([, line]) => line));
}

describe("lines", () => {
  test.each<[name: string, parameters: Record<string, string>, expected: string[]]>([
    [
      "start is inclusive, end exclusive, to the nanosecond",
      { start: at(1), end: at(2) },
      ["second"],
    ],
    ["an equal start and end find nothing", { start: at(1), end: at(1) }, []],
    [
      "a line pushed twice is stored once",
      { query: `{job="${job}",pod="b"} |= "second"` },
      ["second"],
    ],
    [
      "forward keeps the push order of equal times",
      { query: `{job="${job}",pod="a"}`, direction: "forward" },
      ["first", "third ERROR", "fourth"],
    ],
    [
      "backward reverses it",
      { query: `{job="${job}",pod="a"}` },
      ["fourth", "third ERROR", "first"],
    ],
    ["the limit counts over all streams, newest first", { limit: "1" }, ["multi\nline \u0000 ünï"]],
    ["a filter is a case-sensitive substring", { query: `${SELECTOR} |= "error"` }, []],
    [
      "(?i) makes an expression blind to case",
      { query: `${SELECTOR} |~ "(?i)error"` },
      ["third ERROR"],
    ],
    [
      "a matcher's expression is anchored at both ends",
      { query: `{job="${job}",pod=~"."} |= "first"` },
      ["first"],
    ],
    [
      "a label that is missing is the empty text",
      { query: `{job="${job}",nosuch=""} |= "first"` },
      ["first"],
    ],
    [
      "a comment ends at the end of the line",
      { query: `${SELECTOR} # } |= "no"\n |= "first"` },
      ["first"],
    ],
    [
      "filters may be joined by or",
      { query: `{job="${job}",pod="a"} |= "first" or "fourth"`, direction: "forward" },
      ["first", "fourth"],
    ],
  ])("%s", async (_name, parameters, expected) => {
    expect(await lines(parameters)).toEqual(expected);
  });

  test("a form in the body is read like the query string", async () => {
    expect(await lines({ query: `${SELECTOR} |= "first"` }, "POST")).toEqual(["first"]);
  });

  test("13-digit milliseconds are taken for nanoseconds of 1970 and find nothing", async () => {
    expect(await lines({ start: String(startMs), end: String(startMs + 1000) })).toEqual([]);
  });

  test("the names of the labels are listed", async () => {
    const answer = await fetch(`${base}/loki/api/v1/labels`);
    expect(await answer.json()).toMatchObject({
      status: "success",
      data: expect.arrayContaining(["job", "pod"]) as unknown,
    });
  });
});

describe("refusals are plain text", () => {
  const long = `{job="${"x".repeat(5113)}"}`;
  test.each<[parameters: Record<string, string>, status: number, body: string]>([
    [{ query: "" }, 400, "parse error : syntax error: unexpected $end"],
    [
      { query: "{" },
      400,
      "parse error at line 1, col 2: syntax error: unexpected $end, expecting IDENTIFIER or }",
    ],
    [
      { query: '{job="q"' },
      400,
      "parse error at line 1, col 9: syntax error: unexpected $end, expecting } or ,",
    ],
    [
      { query: "{job=q}" },
      400,
      "parse error at line 1, col 6: syntax error: unexpected IDENTIFIER, expecting STRING",
    ],
    [
      { query: '{job="q",}' },
      400,
      "parse error at line 1, col 10: syntax error: unexpected }, expecting IDENTIFIER",
    ],
    [
      { query: '{"job"="q"}' },
      400,
      "parse error at line 1, col 2: syntax error: unexpected STRING, expecting IDENTIFIER or }",
    ],
    [
      { query: 'job="q"' },
      400,
      "parse error at line 1, col 1: syntax error: unexpected IDENTIFIER",
    ],
    [
      { query: '{job="q"} |= foo' },
      400,
      "parse error at line 1, col 14: syntax error: unexpected IDENTIFIER, expecting STRING or ip",
    ],
    [{ query: '{job="q"} |= "x' }, 400, "parse error at line 1, col 14: literal not terminated"],
    [{ query: long }, 400, "parse error : input size too long (5121 > 5120)"],
    [{ limit: "0" }, 400, "limit must be a positive value"],
    [{ limit: "abc" }, 400, 'strconv.Atoi: parsing "abc": invalid syntax'],
    [
      { limit: "5001" },
      400,
      "max entries limit per query exceeded, limit > max_entries_limit (5001 > 5000)",
    ],
    [{ direction: "up" }, 400, "invalid direction 'up'"],
    [{ start: at(5), end: at(4) }, 400, "end timestamp must not be before or equal to start time"],
    [
      { start: "0", end: "2595601" },
      400,
      "the query time range exceeds the limit (query length: 721h0m1s, limit: 30d1h)",
    ],
    [
      { start: "zz" },
      400,
      "could not parse 'start' parameter: strconv.ParseInt: parsing \"zz\": invalid syntax",
    ],
  ])("%j → %i", async (parameters, status, body) => {
    const answer = await ask(parameters);
    expect([answer.status, await answer.text()]).toEqual([status, body]);
  });

  test.each(["{}", '{job=""}', '{job=~".*"}', '{job=~"q|"}', '{job!="q"}', '{nosuch=""}'])(
    "%s has no matcher that excludes the empty text",
    async (query) => {
      const answer = await ask({ query });
      expect(answer.status).toBe(400);
      expect(await answer.text()).toMatch(/^parse error : queries require at least one regexp/u);
    },
  );

  test("a filter's bad expression is 500, a matcher's 400", async () => {
    expect((await ask({ query: `${SELECTOR} |~ "("` })).status).toBe(500);
    expect((await ask({ query: '{job=~"("}' })).status).toBe(400);
  });

  test("other methods get 405 without a body, other paths 404", async () => {
    const deleted = await ask({}, "DELETE");
    expect([deleted.status, await deleted.text()]).toEqual([405, ""]);
    const lost = await fetch(`${base}/loki/api/v1/nowhere`);
    expect([lost.status, await lost.text()]).toEqual([404, "404 page not found\n"]);
  });
});
