import type { Route } from "../ingest/create-app.ts";
import { currentAdvice } from "../enrich/current-advice.ts";
import type { EpisodeDetail } from "../enrich/reading-ports.ts";
import type { Recommendation } from "../record/recommendation.ts";
import { getDeliveriesPage, postResendForm } from "../web/deliveries/deliveries-page.tsx";
import { getDeliveries, postResend } from "../web/deliveries/deliveries.ts";
import {
  getEpisode,
  getEpisodePage,
  getEpisodes,
  getEpisodesPage,
} from "../web/episodes/get-episodes.tsx";
import { getRecommendation, getRecommendationSchema } from "../web/episodes/get-recommendation.ts";
import { ASSETS } from "../web/frame/assets.ts";
import { requireSameOrigin } from "../web/frame/same-origin.ts";
import { getOverview } from "../web/overview/get-overview.tsx";
import { getStatus, getStatusPage } from "../web/status/get-status.tsx";
import { answerRecommendation } from "./case-answer.ts";
import {
  getClusterPage,
  getDraft,
  getUnmatched,
  getUnmatchedPage,
} from "../web/unmatched/get-unmatched.tsx";
import { createRecordRoutes } from "./record-routes.ts";
import type { RouteParts } from "./route-parts.ts";
import { createStatusReader } from "./service-status.ts";

type Handler = Route["handlers"][number];

/** The pages for people, the JSON beside them, and what they fetch. */
export function createPageRoutes(parts: RouteParts, authenticate: Handler): Route[] {
  const kit = { clock: parts.kit.clock, version: parts.version };
  const { reader, deliveries } = parts;
  const status = createStatusReader(parts);
  const { records } = parts.kit;
  const episodes = { reader, records, prefix: parts.config.annotate.prefix };
  const advice = {
    reader,
    advise: (episode: EpisodeDetail) => currentAdvice(parts.kit, episode),
    answer: (given: Recommendation) => {
      const { steps, ...answer } = answerRecommendation(given);
      return { ...answer, steps: [...steps] };
    },
  };
  return [
    ...ASSETS.map(({ path, handler }) => route("get", path, handler)),
    route("get", "/", getOverview(kit, { reader, records, deliveries, status })),
    route("get", "/episodes", getEpisodesPage(kit, episodes)),
    route("get", "/episodes/:id", getEpisodePage(kit, episodes)),
    route("get", "/api/v1/episodes", getEpisodes(kit.clock, episodes)),
    route("get", "/api/v1/episodes/:id", getEpisode(episodes)),
    route("get", "/api/v1/episodes/:id/recommendation", getRecommendation(advice)),
    route("get", "/api/v1/schemas/recommendation.json", getRecommendationSchema),
    route("get", "/unmatched", getUnmatchedPage(kit, reader)),
    route("get", "/unmatched/:id", getClusterPage(kit, reader)),
    route("get", "/unmatched/:id/draft", getDraft(kit, reader)),
    route("get", "/api/v1/unmatched", getUnmatched(reader)),
    route("get", "/status", getStatusPage(kit, status)),
    route("get", "/api/v1/status", getStatus(status)),
    ...deliveryRoutes(parts, authenticate),
    ...createRecordRoutes(parts),
  ];
}

/** They name receivers and group keys, so they are shown to those only who may also send. */
function deliveryRoutes({ config, kit, version, deliveries }: RouteParts, authenticate: Handler) {
  const lifeMsOf = (destination: string) =>
    config.destinations.find(({ name }) => name === destination)?.expireAfterMs;
  const options = { deliveries, clock: kit.clock, lifeMsOf };
  const page = getDeliveriesPage({ clock: kit.clock, version }, options);
  const isOurs = requireSameOrigin(config.web.externalUrl);
  return [
    route("get", "/deliveries", authenticate, page),
    route("post", "/deliveries/:id/resend", authenticate, isOurs, postResendForm(options)),
    route("get", "/api/v1/deliveries", authenticate, getDeliveries(deliveries)),
    route("post", "/api/v1/deliveries/:id/resend", authenticate, isOurs, postResend(options)),
  ];
}

function route(method: Route["method"], path: string, ...handlers: Handler[]): Route {
  return { method, path, handlers };
}
