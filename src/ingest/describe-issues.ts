import type { z } from "zod";
import type { FieldFault } from "./problem.ts";

type Issue = z.core.$ZodIssue;

/** To be given to `safeParse`: a missing field is told from a wrong one by its input alone. */
export const WITH_INPUT = { reportInput: true } as const;

/**
 * Turns zod's findings into faults that say what is wrong without repeating what was sent: zod's own
 * sentences may quote keys and values. `root` is the path of what was checked, put before each field;
 * empty for the whole body.
 */
export function describeIssues(error: z.ZodError, root: string): FieldFault[] {
  return error.issues.map((issue) => ({
    field: renderPath(root, issue.path),
    message: describeIssue(issue),
  }));
}

function renderPath(root: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>((field, part) => {
    if (typeof part === "number") return `${field}[${part}]`;
    return field === "" ? String(part) : `${field}.${String(part)}`;
  }, root);
}

function describeIssue(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is missing" : `must be ${article(issue.expected)}`;
    case "invalid_value":
      return issue.message.startsWith("must ")
        ? issue.message
        : `must be ${issue.values.map((value) => JSON.stringify(value)).join(" or ")}`;
    case "too_big":
      return `must be at most ${String(issue.maximum)}`;
    case "too_small":
      return issue.message.startsWith("must ")
        ? issue.message
        : `must be at least ${String(issue.minimum)}`;
    default:
      // Messages that our own schemas give; zod's begin with a capital letter.
      return issue.message.startsWith("must ") ? issue.message : "is not valid";
  }
}

function article(expected: string): string {
  if (expected === "int") return "a whole number";
  return /^[aeio]/u.test(expected) ? `an ${expected}` : `a ${expected}`;
}
