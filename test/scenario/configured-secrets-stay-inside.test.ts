import type { RequestListener } from "node:http";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { configTable } from "../../src/config/config.ts";
import type { SettingTable } from "../../src/config/setting.ts";
import { KNOWN_LINE } from "../support/create-kit.ts";
import { createTestService } from "../support/create-test-service.ts";
import { eventually } from "../support/eventually.ts";
import { readSurfaces } from "../support/surfaces.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { buildAlertBody, buildGroupBody } from "../support/webhook-body.ts";

/** Nothing that masks credentials by their look would find it. */
const MARK = "zqflood";
/** Nobody listens there, so that every failure is told. */
const NOBODY = "127.0.0.1:1";

function token(name: string): string {
  return `${MARK}${name}`;
}

function basicAuth(name: string): object {
  return { basic_auth: { username: "alertlore", password: token(name) } };
}

function tls(): object {
  return { ca: token("ca"), cert: token("cert"), key: token("key") };
}

function firstWorld(folder: string): Record<string, unknown> {
  return {
    web: { auth: { bearer_token: token("bearer") } },
    log: { level: "debug" },
    webhook: { deadline: "2s", hmac: { secret: token("hmac"), previous_secret: token("before") } },
    store: `sqlite:${folder}/${token("store")}.db`,
    loki: {
      url: `http://user:${token("loki")}@${NOBODY}`,
      auth: { bearer_token: token("loki-bearer") },
      headers: [{ name: "X-Gateway", value: token("header") }],
      timeout: "1s",
    },
    records: {
      starter: false,
      sources: [
        { path: "records.json", curated: true },
        { url: `http://${NOBODY}/data/errors.json?token=${token("query")}` },
      ],
      cache: `${folder}/cache`,
      http: { proxy_url: `http://user:${token("proxy")}@${NOBODY}`, timeout: "1s" },
    },
    proxy: {
      upstreams: [
        { name: "am-0", url: `http://${NOBODY}`, auth: { bearer_token: token("am") } },
        { name: "am-1", url: `http://u:${token("am-url")}@${NOBODY}`, auth: basicAuth("am-basic") },
      ],
    },
    destinations: [
      hook("hook", { type: "alertmanager_webhook", auth: { bearer_token: token("hook") } }),
      hook("any", { type: "webhook", hmac_secret: token("sign"), body: "{}" }),
      hook("more", { type: "webhook", auth: basicAuth("more"), body: '{"text": "${TOKEN}"}' }),
      hook("chat", { type: "slack" }),
      hook("team", { type: "teams" }),
      { name: "bot", type: "slack", bot_token: token("bot"), channel: "C1", expire_after: "1s" },
      hook("pager", { type: "pagerduty", routing_key: token("routing") }),
    ],
  };
}

function hook(name: string, more: object): object {
  const url = `http://${NOBODY}/${token(`${name}-path`)}?key=${token(name)}`;
  return { name, url, timeout: "1s", expire_after: "1s", ...more };
}

/** The other forms of what may be there but once. */
function secondWorld(): Record<string, unknown> {
  return {
    web: { auth: basicAuth("basic") },
    log: { level: "debug" },
    loki: { url: `https://${NOBODY}`, auth: basicAuth("loki-basic"), tls: tls(), timeout: "1s" },
    proxy: { upstreams: [{ name: "am", url: `https://${NOBODY}`, tls: tls() }] },
    destinations: [],
  };
}

function secretPathsOf(table: SettingTable, prefix = ""): string[] {
  return Object.values(table).flatMap(({ key, inner, isList, isSecret }) => {
    const path = `${prefix}${key}`;
    if (inner === undefined) return isSecret ? [path] : [];
    return secretPathsOf(inner, isList ? `${path}[].` : `${path}.`);
  });
}

/** Paths of the values that hold the mark, members of lists as `[]`. */
function markedPaths(value: unknown, path = ""): string[] {
  if (typeof value === "string") return value.includes(MARK) ? [path] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const name = Array.isArray(value) ? `${path}[]` : path === "" ? key : `${path}.${key}`;
    return markedPaths(inner, name);
  });
}

/** The same service for whoever has the credentials. */
function withCredentials(app: RequestListener, authorization: string): RequestListener {
  return (incoming, response) => {
    incoming.headers.authorization = authorization;
    app(incoming, response);
  };
}

function isAllTried(metrics: string, config: Record<string, unknown>): boolean {
  const { destinations, proxy } = config as {
    destinations: readonly { name: string }[];
    proxy: { upstreams: readonly { name: string; tls?: object }[] };
  };
  // What is no PEM fails before anything is sent.
  const named = proxy.upstreams.filter(({ tls: pem }) => pem === undefined);
  const tried = (metric: string, label: string, names: readonly { name: string }[]) =>
    names.every(({ name }) => {
      const lines = metrics.split("\n").filter((line) => line.startsWith(`${metric}{`));
      return lines.some((line) => line.includes(`${label}="${name}"`) && !line.endsWith(" 0"));
    });
  return (
    tried("alertlore_proxy_upstream_requests_total", "upstream", named) &&
    tried("alertlore_deliveries_total", "destination", destinations)
  );
}

/** What a service under a configuration lets out while everything around it fails. */
async function surfacesOf(config: Record<string, unknown>, authorization: string) {
  const service = await createTestService(config, { TOKEN: token("variable") });
  const app = withCredentials(service.app, authorization);
  const group = buildGroupBody({ alerts: [buildAlertBody({ annotations: { logql: "{a=`b`}" } })] });
  const known = buildAlertBody({ annotations: { log_excerpt: KNOWN_LINE } });
  const answers = [
    await request(app).post("/webhook?respond=enriched").send(group),
    await request(app)
      .post("/webhook")
      .send(buildGroupBody({ alerts: [known] })),
    await request(app)
      .post("/api/v2/alerts")
      .send([{ labels: { alertname: "A" } }]),
    await request(service.app).post("/webhook").set("Authorization", "Bearer x").send(group),
    await request(app).post("/-/reload"),
  ];
  // Every upstream and every destination has been tried, and told of.
  await eventually(
    async () => {
      const { text } = await request(app).get("/metrics");
      return isAllTried(text, config) || undefined;
    },
    { what: "failures of everything around" },
  );
  const { logLines } = service;
  const bodies = answers.map(({ text }) => text);
  const folder = createTemporaryFolder({});
  return readSurfaces({ app, logLines, folder, bodies });
}

describe("secrets of the configuration", () => {
  it("are all set by these two worlds", () => {
    const marked = new Set([
      ...markedPaths({ ...firstWorld(""), store: { url: token("store") } }),
      ...markedPaths(secondWorld()),
    ]);
    const alike = (path: string) => path.replace(/^.*\.(?=(?:auth|tls)\.)/u, "");
    const covered = new Set([...marked].map(alike));
    expect(secretPathsOf(configTable).filter((path) => !covered.has(alike(path)))).toEqual([]);
  });

  it.each([
    ["first", () => firstWorld(createTemporaryFolder({})), `Bearer ${token("bearer")}`],
    [
      "second",
      secondWorld,
      `Basic ${Buffer.from(`alertlore:${token("basic")}`).toString("base64")}`,
    ],
  ])(
    "are in no byte of page, JSON, metric or log: %s world",
    async (_name, world, credentials) => {
      const surfaces = await surfacesOf(world(), credentials);
      expect(surfaces.map(({ name }) => name)).toEqual(
        expect.arrayContaining(["log", "GET /status (200)", "GET /api/v1/status (200)"]),
      );
      const secrets = [MARK, ...["basic", "loki-basic"].map((name) => base64Of(name))];
      const found = surfaces.filter(({ text }) =>
        secrets.some((secret) => text.toLowerCase().includes(secret.toLowerCase())),
      );
      expect(found.map(({ name, text }) => [name, around(text)])).toEqual([]);
    },
    60_000,
  );
});

function base64Of(name: string): string {
  return Buffer.from(`alertlore:${token(name)}`).toString("base64");
}

function around(text: string): string {
  const at = Math.max(0, text.toLowerCase().indexOf(MARK));
  return text.slice(Math.max(0, at - 80), at + 80);
}
