import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import {
  GrafanaRefusal,
  makeAnnotation,
  patchAnnotation,
  readAnnotationWish,
} from "./fake-annotations.ts";
import type { FakeAnnotation } from "./fake-annotations.ts";

export type { FakeAnnotation };

/** What a token may do; `…:dashboard` and `…:organization` are the two scopes of annotations. */
export type FakePermission =
  | "annotations:create:dashboard"
  | "annotations:create:organization"
  | "annotations:write:dashboard"
  | "annotations:write:organization"
  | "annotations:read"
  | "dashboards:read";

/** What the role Editor may do. */
const EDITOR: readonly FakePermission[] = [
  "annotations:create:dashboard",
  "annotations:create:organization",
  "annotations:write:dashboard",
  "annotations:write:organization",
  "annotations:read",
  "dashboards:read",
];

/** What the role Viewer may do. */
export const VIEWER: readonly FakePermission[] = ["annotations:read", "dashboards:read"];

/** A service account token belongs to one organisation. */
export interface FakeToken {
  readonly orgId: number;
  readonly permissions: readonly FakePermission[];
}

/** One request as it came. */
export interface GrafanaRequest {
  readonly method: string;
  /** Path without the query string. */
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/**
 * What happens to a request instead: `away`: nobody is there; `lost`: it is done and the answer gets lost;
 * else an answer of something in front of Grafana.
 */
export type GrafanaTrouble = "away" | "lost" | { readonly status: number; readonly body: string };

/** A stand-in for Grafana's HTTP API of annotations. */
export interface FakeGrafana {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string;
  readonly requests: GrafanaRequest[];
  readonly annotations: FakeAnnotation[];
  readonly tokens: Map<string, FakeToken>;
  /** UIDs of dashboards, with the organisation of each and whether the tokens may edit it. */
  readonly dashboards: Map<string, { readonly orgId: number; readonly canEdit: boolean }>;
  trouble: (request: GrafanaRequest) => GrafanaTrouble | undefined;
  /** How many requests of a method came. */
  count(method: string): number;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Starts one on a free port of loopback with the token `glsa_editor` of organisation 1; ended with the test. */
export async function startFakeGrafana(firstId = 4711n): Promise<FakeGrafana> {
  let nextId = firstId;
  const server = createServer((request, response) => void receive(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const requests: GrafanaRequest[] = [];
  const grafana: FakeGrafana = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    annotations: [],
    tokens: new Map([["glsa_editor", { orgId: 1, permissions: EDITOR }]]),
    dashboards: new Map([["rw-streaming", { orgId: 1, canEdit: true }]]),
    trouble: () => undefined,
    count: (method) => requests.filter((request) => request.method === method).length,
  };
  const receive = async (incoming: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(incoming.url ?? "", grafana.url);
    const { method = "", headers } = incoming;
    const request = { method, path: pathname, headers, body: await text(incoming) };
    requests.push(request);
    const trouble = grafana.trouble(request);
    if (trouble === "away") return incoming.socket.destroy();
    if (typeof trouble === "object") return response.writeHead(trouble.status).end(trouble.body);
    const answer = answerOf(grafana, request, { searchParams, newId: () => String(nextId++) });
    if (trouble === "lost") return incoming.socket.destroy();
    response.writeHead(answer.status, { "content-type": "application/json" });
    // Ids are numbers on the wire, however large.
    return response.end(JSON.stringify(answer.body).replaceAll(/"id":"(\d+)"/gu, '"id":$1'));
  };
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return grafana;
}

interface Asked {
  readonly searchParams: URLSearchParams;
  readonly newId: () => string;
}

function answerOf(grafana: FakeGrafana, request: GrafanaRequest, asked: Asked): Answer {
  try {
    const token = tokenOf(grafana, request);
    if (token === undefined) return { status: 401, body: unauthorized(request) };
    return route(grafana, request, { ...asked, token });
  } catch (error) {
    if (!(error instanceof GrafanaRefusal)) throw error;
    return { status: error.status, body: { message: error.message } };
  }
}

function tokenOf({ tokens }: FakeGrafana, { headers }: GrafanaRequest): FakeToken | undefined {
  return tokens.get(/^Bearer (.+)$/u.exec(headers.authorization ?? "")?.[1] ?? "");
}

function unauthorized({ headers }: GrafanaRequest) {
  const rest = { extra: null, statusCode: 401, traceID: "" };
  return headers.authorization === undefined
    ? { message: "Unauthorized", messageId: "auth.unauthorized", ...rest }
    : { message: "Invalid API key", messageId: "api-key.invalid", ...rest };
}

type Signed = Asked & { readonly token: FakeToken };

function route(grafana: FakeGrafana, request: GrafanaRequest, signed: Signed): Answer {
  const { method, path } = request;
  const uid = /^\/api\/dashboards\/uid\/([^/]+)$/u.exec(path)?.[1];
  if (uid !== undefined && method === "GET") return readDashboard(grafana, uid, signed);
  if (path === "/api/annotations") {
    if (method === "POST") return create(grafana, request.body, signed);
    if (method === "GET") return search(grafana, signed);
  }
  const id = /^\/api\/annotations\/([^/]+)$/u.exec(path)?.[1];
  if (id !== undefined && method === "PATCH") return change(grafana, { id, ...request }, signed);
  return { status: 404, body: { message: "Not found" } };
}

function readDashboard(grafana: FakeGrafana, uid: string, { token }: Signed): Answer {
  demand(token, "dashboards:read");
  const isThere = grafana.dashboards.get(uid)?.orgId === token.orgId;
  if (!isThere) return { status: 404, body: { message: "Dashboard not found" } };
  return { status: 200, body: { dashboard: { uid }, meta: {} } };
}

function create(grafana: FakeGrafana, body: string, { token, newId }: Signed): Answer {
  const wish = readAnnotationWish(body);
  const dashboard = grafana.dashboards.get(wish.dashboardUID);
  // A look-up that failed is ignored: it becomes an annotation of the organisation.
  const isBound = dashboard?.orgId === token.orgId;
  demand(token, `annotations:create:${isBound ? "dashboard" : "organization"}`);
  if (isBound && !dashboard.canEdit) {
    throw new GrafanaRefusal(403, "Access denied to this dashboard");
  }
  const place = isBound
    ? { dashboardUID: wish.dashboardUID, panelId: wish.panelId }
    : { dashboardUID: "", panelId: 0 };
  const id = newId();
  const { orgId } = token;
  grafana.annotations.push(makeAnnotation(wish, { id, orgId, ...place, nowMs: Date.now() }));
  return { status: 200, body: { id, message: "Annotation added" } };
}

function search({ annotations }: FakeGrafana, { token, searchParams }: Signed): Answer {
  demand(token, "annotations:read");
  const tags = searchParams.getAll("tags");
  const isAny = searchParams.get("matchAny") === "true";
  const found = annotations
    .filter(({ orgId }) => orgId === token.orgId)
    .filter((each) =>
      isAny
        ? tags.some((tag) => each.tags.includes(tag))
        : tags.every((tag) => each.tags.includes(tag)),
    )
    .toSorted((left, right) => right.timeEnd - left.timeEnd)
    .slice(0, Number(searchParams.get("limit") ?? 100));
  return { status: 200, body: found.map(({ orgId: _orgId, ...each }) => each) };
}

function change(
  { annotations }: FakeGrafana,
  { id, body }: { readonly id: string; readonly body: string },
  { token }: Signed,
): Answer {
  if (!/^\d+$/u.test(id)) throw new GrafanaRefusal(400, "annotationId is invalid");
  const index = annotations.findIndex((each) => each.id === id && each.orgId === token.orgId);
  const before = annotations[index];
  if (before === undefined) throw new GrafanaRefusal(404, "Annotation not found");
  demand(token, `annotations:write:${before.dashboardUID === "" ? "organization" : "dashboard"}`);
  annotations[index] = patchAnnotation(before, readAnnotationWish(body));
  return { status: 200, body: { message: "Annotation patched" } };
}

function demand({ permissions }: FakeToken, permission: FakePermission): void {
  if (permissions.includes(permission)) return;
  const action = permission.split(":").slice(0, 2).join(":");
  throw new GrafanaRefusal(
    403,
    `You'll need additional permissions to perform this action. Permissions needed: ${action}`,
  );
}
