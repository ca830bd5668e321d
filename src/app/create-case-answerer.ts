import { explainCase } from "../enrich/explain-case.ts";
import type { CaseKit } from "../enrich/explain-case.ts";
import type { ExcerptCase } from "../ingest/case-payload.ts";
import { answerMatch, answerRecommendation } from "./case-answer.ts";
import type { CaseAnswer } from "./case-answer.ts";

/** Creates what turns a case into its answer, the same for the command line and the API. */
export function createCaseAnswerer(kit: CaseKit): (excerptCase: ExcerptCase) => CaseAnswer {
  return ({ id, excerpt, labels }) => {
    const { matches, recommendation } = explainCase(kit, excerpt, labels);
    return {
      id,
      matches: matches.map(answerMatch),
      recommendation: answerRecommendation(recommendation),
    };
  };
}
