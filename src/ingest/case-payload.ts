import { z } from "zod";
import type { Labels } from "../alert/alert.ts";
import { WITH_INPUT, describeIssues } from "./describe-issues.ts";
import type { FieldFault } from "./problem.ts";
import { textMap } from "./text-map.ts";

/** An excerpt to explain, without an alert around it. */
export interface ExcerptCase {
  readonly id: string;
  /** Lines in order; a line may hold line feeds of its own. */
  readonly excerpt: readonly string[];
  readonly labels: Labels;
}

/** A readable case, or all that is wrong with it. */
export type CaseCheck =
  | { readonly case: ExcerptCase }
  | {
      readonly case: undefined;
      readonly id: string | undefined;
      readonly faults: readonly FieldFault[];
    };

const caseSchema = z.object({
  id: z.string(),
  excerpt: z.array(z.string()),
  labels: textMap.optional(),
});

/** Reads one case of `--cases` or of the match API: `{"id","excerpt":[…],"labels":{…}}`, labels optional. */
export function parseCase(body: unknown): CaseCheck {
  const parsed = caseSchema.safeParse(body, WITH_INPUT);
  if (parsed.success) {
    const { id, excerpt, labels } = parsed.data;
    return { case: { id, excerpt, labels: labels ?? {} } };
  }
  return { case: undefined, id: idOf(body), faults: describeIssues(parsed.error, "") };
}

function idOf(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || !("id" in body)) return undefined;
  return typeof body.id === "string" ? body.id : undefined;
}
