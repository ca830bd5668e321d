import type { Config } from "../config/config.ts";
import type { EnrichKit } from "../enrich/enrich-alert.ts";
import { maskAnnotations } from "../enrich/mask-incoming.ts";
import { PostedAlertsDesk } from "../enrich/posted-alerts.ts";
import type { Route } from "../ingest/create-app.ts";
import { FanOut } from "../proxy/fan-out.ts";
import type { Upstream } from "../proxy/fan-out.ts";
import { passThrough, refuseWrite } from "../proxy/pass-through.ts";
import { BytesInFlight, postAlerts } from "../proxy/post-alerts.ts";
import { LatePusher } from "../proxy/push-late.ts";
import { SenderHolds } from "../proxy/sender-holds.ts";
import { UpstreamClient } from "../proxy/upstream-client.ts";
import { CircuitBreaker } from "../retrieve/circuit-breaker.ts";
import { agentTls } from "../retrieve/loki-client.ts";
import { authorizationOf } from "./authorization-of.ts";
import { tlsOf } from "./tls-of.ts";

/** What of the proxy lives as long as the process. */
export interface ProxyState {
  readonly desk: PostedAlertsDesk;
  readonly pusher: LatePusher;
  readonly flights: BytesInFlight;
  readonly holds: SenderHolds;
}

/** The proxy under one configuration. */
export interface Proxy {
  readonly state: ProxyState;
  readonly routes: readonly Route[];
  /** Puts the configuration into force for what lives on. */
  activate(): void;
}

/** What the proxy is made of. */
export interface ProxyParts {
  readonly config: Config;
  readonly kit: EnrichKit;
  readonly version: string;
  /** Of the configuration before; `undefined` at the first. */
  readonly state: ProxyState | undefined;
  readonly authenticate: Route["handlers"][number];
}

const LIMITS = { episodesMax: 50_000, waitingMax: 20_000, atOnce: 8, storeMs: 1000 };
const BREAKER = { failures: 5, openMs: 2000, openMsMax: 30_000 };
/** What a silence is at most. */
const SILENCE_BYTES_MAX = 2 ** 20;
const SHOWN = [
  "/api/v2/status",
  "/api/v2/alerts",
  "/api/v2/alerts/groups",
  "/api/v2/receivers",
  "/api/v2/silences",
  "/api/v2/silence/:id",
];

/** Creates the proxy; `undefined` without an Alertmanager behind it. */
export function createProxy(parts: ProxyParts): Proxy | undefined {
  const { config, kit } = parts;
  if (config.proxy.upstreams.length === 0) return undefined;
  const upstreams = config.proxy.upstreams.map((each) => createUpstream(parts, each));
  const { clock, counters, logger } = kit;
  const fanOut = new FanOut(upstreams, { clock, counters, logger });
  const profile = config.proxy.profile ?? config.annotate.profiles.default;
  const pushParts = { fanOut, clock, counters };
  const state = parts.state ?? createState(kit, { config, profile, pushParts });
  return {
    state,
    routes: [...alertRoutes(parts, state, fanOut), ...shownRoutes(parts, upstreams)],
    activate() {
      state.desk.use(kit, profile);
      state.pusher.use({ ...pushParts, desk: state.desk });
      state.flights.max = config.proxy.inFlightBytesMax;
    },
  };
}

function createUpstream(
  { version }: ProxyParts,
  { name, url, auth, tls, timeoutMs }: Config["proxy"]["upstreams"][number],
): Upstream {
  const authorization = authorizationOf(auth);
  const client = new UpstreamClient({
    name,
    url,
    ...(authorization !== undefined && { authorization }),
    tls: agentTls(tlsOf(tls)),
    timeoutMs,
    userAgent: `Alertlore/${version}`,
  });
  return { client, breaker: new CircuitBreaker({ ...BREAKER, onChange: () => undefined }) };
}

type Profile = ConstructorParameters<typeof PostedAlertsDesk>[1];
type PushParts = Omit<ConstructorParameters<typeof LatePusher>[0], "desk">;

function createState(
  kit: EnrichKit,
  {
    config,
    profile,
    pushParts,
  }: { readonly config: Config; readonly profile: Profile; readonly pushParts: PushParts },
): ProxyState {
  const desk = new PostedAlertsDesk(kit, profile, LIMITS);
  const pusher = new LatePusher({ ...pushParts, desk });
  desk.onNews((fingerprint) => {
    pusher.announce(fingerprint);
  });
  const flights = new BytesInFlight(config.proxy.inFlightBytesMax);
  return { desk, pusher, flights, holds: new SenderHolds(kit.clock) };
}

function alertRoutes(
  { config, kit, authenticate }: ProxyParts,
  { desk, pusher, flights, holds }: ProxyState,
  fanOut: FanOut,
): Route[] {
  const { clock, counters, logger } = kit;
  const handler = postAlerts({
    prefix: config.annotate.prefix,
    mask: config.redact.incoming
      ? (annotations) => maskAnnotations(annotations, kit.settings.redact)
      : undefined,
    isOn: config.enrich.mode !== "off",
    holdMs: config.proxy.holdMs,
    bodyBytesMax: config.web.bodyBytesMax,
    tenantHeader: config.loki.tenantHeader,
    forwardHeaders: config.proxy.forwardHeaders.map((name) => name.toLowerCase()),
    ...{ fanOut, desk, pusher, flights, holds, clock, counters, logger },
  });
  return [{ method: "post", path: "/api/v2/alerts", handlers: [authenticate, handler] }];
}

function shownRoutes(
  { config, kit, authenticate }: ProxyParts,
  upstreams: readonly Upstream[],
): Route[] {
  const handler = passThrough({
    upstreams,
    answerBytesMax: config.proxy.answerBytesMax,
    bodyBytesMax: SILENCE_BYTES_MAX,
    isAuthenticated: config.web.auth !== undefined,
    clock: kit.clock,
    logger: kit.logger,
  });
  const write = config.proxy.silences ? handler : refuseWrite;
  return [
    ...SHOWN.map((path) => ({
      method: "get" as const,
      path,
      handlers: [authenticate, handler],
    })),
    { method: "post", path: "/api/v2/silences", handlers: [authenticate, write] },
    { method: "delete", path: "/api/v2/silence/:id", handlers: [authenticate, write] },
  ];
}
