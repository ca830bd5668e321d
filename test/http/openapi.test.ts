import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import request from "supertest";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { createApp as CreateApp, Route } from "../../src/ingest/create-app.ts";
import { KNOWN_LINE } from "../support/create-kit.ts";
import { createTestService } from "../support/create-test-service.ts";
import { eventually } from "../support/eventually.ts";
import { startReceiver } from "../support/start-receiver.ts";
import { buildAlertBody, buildGroupBody } from "../support/webhook-body.ts";

const served: Route[] = [];

vi.mock("../../src/ingest/create-app.ts", async (importOriginal) => {
  const original: { createApp: typeof CreateApp } = await importOriginal();
  return {
    createApp: (...given: Parameters<typeof CreateApp>) => {
      served.push(...given[0]);
      return original.createApp(...given);
    },
  };
});

interface Media {
  readonly schema?: object;
}

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, { content: Readonly<Record<string, Media>> }>>;
}

interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

type Service = Awaited<ReturnType<typeof startWorld>>;

const UNKNOWN_LINE = "ERROR shop::pay: payment 17 of order o-1 was declined by the bank";

function groupOf(logs: string, fingerprint: string) {
  const alert = buildAlertBody({ annotations: { log_excerpt: logs }, fingerprint });
  return buildGroupBody({ alerts: [alert], groupKey: `{}:{f="${fingerprint}"}` });
}

/** A service with something behind every route. */
async function startWorld() {
  const receiver = await startReceiver(() => ({ status: 400 }));
  onTestFinished(() => receiver.stop());
  const service = await createTestService({
    loki: { url: "http://127.0.0.1:1" },
    destinations: [{ name: "hook", type: "alertmanager_webhook", url: receiver.url }],
  });
  const { app } = service;
  const post = (logs: string, fingerprint: string) =>
    request(app).post("/webhook?respond=enriched").send(groupOf(logs, fingerprint)).expect(200);
  await post(KNOWN_LINE, "1".repeat(16));
  await post(UNKNOWN_LINE, "2".repeat(16));
  const deliveryId = await eventually(
    async () => {
      const answer = await request(app).get("/api/v1/deliveries");
      return (answer.body as { deliveries: { id: string }[] }).deliveries[0]?.id;
    },
    { what: "a dead letter" },
  );
  const list = await request(app).get("/api/v1/episodes?outcome=matched");
  const { episodes } = list.body as { episodes: { id: string; recordId: string }[] };
  const { id = "", recordId = "" } = episodes[0] ?? {};
  const answer = await request(app).get(`/api/v1/records/${recordId}`);
  const { record } = answer.body as { record: { repo: string } };
  return { ...service, episodeId: id, recordId, repo: record.repo, deliveryId };
}

async function documentOf({ app }: Pick<Service, "app">): Promise<Document> {
  const answer = await request(app).get("/api/v1/openapi.json").expect(200);
  return answer.body as Document;
}

interface Call {
  /** Path with its parameters filled in, and the query. */
  readonly place: string;
  readonly body?: object;
  readonly status: number;
}

const NOWHERE = "0".repeat(64);
const CASE = { id: "a", excerpt: [KNOWN_LINE], labels: { app: "x" } };

/** How each operation is called: one call for each answer that a healthy service gives. */
function callsOf({
  episodeId,
  recordId,
  repo,
  deliveryId,
}: Service): Record<string, readonly Call[]> {
  const episode = `/api/v1/episodes/${episodeId}`;
  const line = encodeURIComponent(KNOWN_LINE);
  const notification = groupOf(KNOWN_LINE, "3".repeat(16));
  const webhook = [
    { place: "/webhook", body: notification, status: 200 },
    { place: "/webhook?respond=enriched&profile=full", body: notification, status: 200 },
    { place: "/webhook?respond=no", body: notification, status: 400 },
  ];
  return {
    listEpisodes: [ok("/api/v1/episodes?limit=1"), no("/api/v1/episodes?limit=0", 400)],
    getEpisode: [ok(episode), no(`/api/v1/episodes/${NOWHERE}`)],
    getRecommendation: [
      ok(`${episode}/recommendation`),
      no(`/api/v1/episodes/${NOWHERE}/recommendation`),
    ],
    listUnmatched: [ok("/api/v1/unmatched?page=1"), no("/api/v1/unmatched?page=0", 400)],
    listRecords: [ok("/api/v1/records?q=checkpoint&limit=1"), no("/api/v1/records?x=y", 400)],
    getRecord: [ok(`/api/v1/records/${recordId}`), no("/api/v1/records/0000000000000000")],
    explainText: [
      ok(`/api/v1/explain?line=${line}&record=${recordId}`),
      no("/api/v1/explain?record=x", 400),
    ],
    explainLines: [
      { place: "/api/v1/explain", body: { lines: [KNOWN_LINE], record: recordId }, status: 200 },
      { place: "/api/v1/explain", body: { lines: [] }, status: 400 },
      { place: "/api/v1/explain", body: { lines: ["x".repeat(600_000)] }, status: 413 },
    ],
    matchCase: [
      { place: "/api/v1/match", body: CASE, status: 200 },
      { place: "/api/v1/match", body: {}, status: 400 },
      { place: "/api/v1/match", body: { ...CASE, id: "x".repeat(2 ** 20) }, status: 413 },
    ],
    listDeadLetters: [ok("/api/v1/deliveries")],
    resendDeadLetter: [
      { place: `/api/v1/deliveries/${deliveryId}/resend`, body: {}, status: 202 },
      { place: "/api/v1/deliveries/nothing/resend", body: {}, status: 404 },
    ],
    getStatus: [ok("/api/v1/status")],
    getRecommendationSchema: [ok("/api/v1/schemas/recommendation.json")],
    getOpenapi: [ok("/api/v1/openapi.json")],
    postNotification: webhook,
    putNotification: webhook,
    searchErrors: [ok(`/api/search?q=${line}`), no("/api/search?q=", 400)],
    getError: [ok(`/api/errors/${recordId}`), no("/api/errors/x")],
    listRepos: [ok("/api/repos")],
    getManifest: [ok("/data/manifest.json")],
    getIndex: [ok("/data/index.json")],
    getIndexGzip: [ok("/data/index.json.gz")],
    getRepos: [ok("/data/repos.json")],
    getRepo: [ok(`/data/repos/${repo}.json`), no("/data/repos/a/b.json")],
  };
}

function ok(place: string): Call {
  return { place, status: 200 };
}

function no(place: string, status = 404): Call {
  return { place, status };
}

/** The schema with every key that is not described forbidden, so that none is left out of it. */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== "object" || schema === null) return schema;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, strict(value)]),
  );
  return "properties" in inner && !("additionalProperties" in inner)
    ? { ...inner, additionalProperties: false }
    : inner;
}

function operationsOf({ paths }: Pick<Document, "paths">) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ path, method, described })),
  );
}

describe("the OpenAPI document", () => {
  it("is valid OpenAPI 3.1", async () => {
    const document = await documentOf(await startWorld());
    const { valid, errors } = await new Validator().validate({ ...structuredClone(document) });
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(document.openapi).toMatch(/^3\.1\./u);
  });

  it("names every parameter of a path, and every operation once", async () => {
    const document = await documentOf(await startWorld());
    const operations = operationsOf(document);
    const ids = operations.map(({ described }) => described.operationId);
    expect(ids).toHaveLength(new Set(ids).size);
    for (const { path, described } of operations) {
      const places = [...path.matchAll(/\{(\w+)\}/gu)].map(([, name]) => name);
      const named = described.parameters?.filter((each) => each.in === "path") ?? [];
      expect(
        named.map(({ name }) => name),
        path,
      ).toEqual(places);
    }
  });

  it("describes every route that answers JSON, and no other", async () => {
    served.length = 0;
    const document = await documentOf(await startWorld());
    const routes = served
      .filter(({ path }) => /^\/(?:api|data|webhook)(?:\/|$)/u.test(path))
      // Of ErrLookup's API nothing but reading is answered: every other method is 405.
      .filter(({ method, path }) => method === "get" || !/^\/api\/(?!v1\/)/u.test(path))
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/gu, "{$1}")}`);
    expect(routes.length).toBeGreaterThan(20);
    const described = operationsOf(document).map(({ method, path }) => `${method} ${path}`);
    expect(described.sort()).toEqual([...new Set(routes)].sort());
  });

  it("is kept by the answers of the running service, which hold nothing that it does not name", async () => {
    const world = await startWorld();
    const document = await documentOf(world);
    const ajv = new Ajv2020({ strict: true, allErrors: true });
    addFormats.default(ajv);
    const calls = callsOf(world);
    for (const { method, described } of operationsOf(document)) {
      const own = calls[described.operationId] ?? [];
      expect(own.length, `${described.operationId} is called`).toBeGreaterThan(0);
      for (const { place, body, status } of own) {
        const called = request(world.app)[method as "get"](place);
        const answer = await (body === undefined ? called : called.send(body));
        const what = `${method} ${place}`.slice(0, 120);
        expect(answer.status, `${what}: ${answer.text}`.slice(0, 400)).toBe(status);
        const media = described.responses[status]?.content[answer.type];
        expect(media, `${what} answers ${answer.type}`).toBeDefined();
        if (media?.schema === undefined) continue;
        const isValid = ajv.compile(strict(media.schema) as object);
        const faults = isValid(JSON.parse(answer.text)) ? [] : isValid.errors;
        expect(faults, what).toEqual([]);
      }
    }
  });

  it("says 401 where credentials are missing, and 403 where another site asks", async () => {
    const { app } = await createTestService({ web: { auth: { bearer_token: "t" } } });
    const ajv = new Ajv2020({ strict: true });
    const { paths } = await documentOf({ app });
    const guarded = operationsOf({ paths }).flatMap(({ path, method, described: { responses } }) =>
      "401" in responses ? [{ path, method, media: responses["401"].content }] : [],
    );
    expect(guarded).toHaveLength(5);
    for (const { path, method, media } of guarded) {
      const answer = await request(app)[method as "get"](path.replace("{id}", "1"));
      expect(answer.status, path).toBe(401);
      const isValid = ajv.compile(strict(media[answer.type]?.schema ?? false) as object);
      expect(isValid(JSON.parse(answer.text)), path).toBe(true);
    }
    const foreign = await request(app)
      .post("/api/v1/deliveries/1/resend")
      .set("Authorization", "Bearer t")
      .set("Sec-Fetch-Site", "cross-site");
    expect(foreign.status).toBe(403);
    const described =
      paths["/api/v1/deliveries/{id}/resend"]?.["post"]?.responses["403"]?.content[foreign.type];
    expect(ajv.validate(strict(described?.schema ?? false) as object, foreign.body)).toBe(true);
  });
});
