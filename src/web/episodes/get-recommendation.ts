import type { RequestHandler } from "express";
import type { EpisodeDetail, EpisodeReader } from "../../enrich/reading-ports.ts";
import type { Recommendation } from "../../record/recommendation.ts";
import { refuse } from "../json/problem.ts";
import { pendingAnswer, recommendationSchema, waitSecondsOf } from "./recommendation-schema.ts";
import type { RecommendationAnswer } from "./recommendation-schema.ts";

/** What the route needs of the rest. */
export interface RecommendationParts {
  readonly reader: EpisodeReader;
  /** The advice as it holds now; `undefined` while nothing is known. */
  readonly advise: (episode: EpisodeDetail) => Promise<Recommendation | undefined>;
  /** Writes advice with the keys of the outside format. */
  readonly answer: (
    advice: Recommendation,
  ) => Omit<RecommendationAnswer, "episode" | "wait_seconds">;
}

/**
 * `GET /api/v1/episodes/:id/recommendation`: what may be done about the failed operation, as it holds
 * now. 404 for an episode that is not there (any more), which like `pending` means: do not retry.
 */
export function getRecommendation({ reader, advise, answer }: RecommendationParts): RequestHandler {
  return async (request, response) => {
    const episode = await reader.readEpisode(String(request.params["id"]));
    // An answer that a cache kept would outlive the end of the alert.
    response.setHeader("Cache-Control", "no-store");
    if (episode === undefined) {
      const detail =
        "There is no such episode, or it was removed after the retention time: do not retry";
      refuse(response, { status: 404, title: "Not found", detail });
      return;
    }
    const advice = await advise(episode);
    const { id } = episode;
    response.json(
      advice === undefined
        ? pendingAnswer(id)
        : { episode: id, ...answer(advice), wait_seconds: waitSecondsOf(advice) },
    );
  };
}

/** `GET /api/v1/schemas/recommendation.json`: the JSON Schema of the answer. */
export const getRecommendationSchema: RequestHandler = (_request, response) => {
  response.type("application/schema+json").end(JSON.stringify(recommendationSchema()));
};
