import type { MatchEvidence } from "../record/match.ts";
import {
  type MessageEdges,
  edgesOf,
  endOf,
  isErrorField,
  reachesEnd,
  startOf,
} from "./message-edges.ts";
import { POINTS, basePoints, roundScore } from "./points.ts";
import type { FoundTemplate } from "./verify-template.ts";

/** Evidence that does not depend on the record: how the text stands in its view. */
export function textEvidence(found: FoundTemplate): MatchEvidence[] {
  const points = roundScore(basePoints(found.bits));
  return [
    { name: "literals", points, detail: `${found.bits.toFixed(1)} bits of literal text` },
    ...edgeEvidence(found),
    ...kindEvidence(found),
    ...levelEvidence(found),
    ...valueEvidence(found),
  ];
}

function edgeEvidence(found: FoundTemplate): MatchEvidence[] {
  const edges = edgesOf(found);
  const evidence: MatchEvidence[] = [];
  if (!edges.left && edges.isClause) {
    evidence.push({
      name: "left_edge",
      points: POINTS.clauseEdge,
      detail: "begins behind a comma",
    });
  } else if (!edges.left) {
    evidence.push({
      name: "left_edge",
      points: POINTS.leftEdge,
      detail: "begins inside a sentence",
    });
  }
  if (!edges.right) {
    evidence.push({
      name: "right_edge",
      points: POINTS.rightEdge,
      detail: "ends inside a sentence",
    });
  }
  if (edges.left && edges.right && found.kind === "exact")
    evidence.push(wholeEvidence(found, edges));
  if (found.bits < PART_BITS && !reachesEnd(found)) {
    evidence.push({
      name: "part",
      points: POINTS.part,
      detail: "few words that explain a part of the text only",
    });
  }
  if (edges.isInnermost) {
    evidence.push({
      name: "innermost",
      points: POINTS.innermost,
      detail: "ends a printed chain of causes",
    });
  }
  return evidence;
}

/** Below this the words alone could stand in many messages. */
const PART_BITS = 20;

/** A placeholder at an end reaches to the next edge by itself: that edge then says nothing. */
function wholeEvidence(found: FoundTemplate, edges: MessageEdges): MatchEvidence {
  if (
    startOf(found) < (found.literals[0]?.start ?? 0) ||
    endOf(found) > (found.literals.at(-1)?.end ?? 0)
  ) {
    return {
      name: "whole",
      points: POINTS.wholeOpen,
      detail: "stands as a message of its own, one end open",
    };
  }
  return edges.isValue
    ? { name: "whole", points: POINTS.wholeValue, detail: "is all of a value or a line" }
    : { name: "whole", points: POINTS.whole, detail: "stands as a message of its own" };
}

function kindEvidence(found: FoundTemplate): MatchEvidence[] {
  const evidence: MatchEvidence[] = [];
  if (found.isFolded) {
    evidence.push({ name: "letter_case", points: POINTS.folded, detail: "other letter case" });
  }
  if (found.kind === "truncated") {
    evidence.push(
      found.isCutClear
        ? {
            name: "truncated",
            points: POINTS.truncated,
            detail: "the text is cut off inside the template",
          }
        : {
            name: "truncated",
            points: POINTS.unclearCut,
            detail: "the text ends before the template does",
          },
    );
  }
  if (found.kind === "similar") {
    evidence.push({ name: "similar", points: POINTS.similar, detail: "the wording differs" });
  }
  return evidence;
}

const SUCCESS = /\b(?:successfully|succeeded|success|recovered|finished|completed)\b/i;

/** A quiet line is no error, unless the text stands where errors do. */
function levelEvidence(found: FoundTemplate): MatchEvidence[] {
  const { level } = found.view.event.facts;
  if (level !== "info" && level !== "debug" && level !== "trace") return [];
  if (isErrorField(found)) return [];
  const quiet = { name: "level", points: POINTS.info, detail: `printed at level ${level}` };
  if (!SUCCESS.test(lineAround(found))) return [quiet];
  return [quiet, { name: "success", points: POINTS.success, detail: "the line reports success" }];
}

function lineAround(found: FoundTemplate): string {
  const { text } = found.view;
  const at = found.literals[0]?.start ?? 0;
  const start = text.lastIndexOf("\n", at - 1) + 1;
  const end = text.indexOf("\n", at);
  return text.slice(start, Math.min(end < 0 ? text.length : end, start + 1_000));
}

function valueEvidence(found: FoundTemplate): MatchEvidence[] {
  const evidence: MatchEvidence[] = [];
  if (hasSentence(found)) {
    evidence.push({
      name: "sentence",
      points: POINTS.sentence,
      detail: "a value reads like a part of it",
    });
  }
  if (crossesField(found)) {
    evidence.push({
      name: "crosses_field",
      points: POINTS.crossesField,
      detail: "a value runs into the next field",
    });
  }
  if (crossesLine(found)) {
    evidence.push({
      name: "crosses_line",
      points: POINTS.crossesLine,
      detail: "a value runs over a line end",
    });
  }
  return evidence;
}

const PLAIN_WORDS = /^[a-z]+(?: [a-z]+)+$/;
const FUNCTION_WORD =
  /\b(?:or|and|is|are|was|were|the|an|of|to|in|for|not|no|with|on|by|at|be|as|from|that|this|it|but|has|have|can|could|will|would|does|did)\b/;
const VALUE_MAX = 200;

/** Whether a value in the middle of a sentence is made of plain words, so that the sentence is likely another one. */
function hasSentence(found: FoundTemplate): boolean {
  const { text } = found.view;
  return found.captures.some((each) => {
    const isInside =
      /[a-z] $/i.test(text.slice(Math.max(0, each.start - 2), each.start)) &&
      /^ [a-z]/i.test(text.slice(each.end, each.end + 2));
    if (!isInside) return false;
    const value = text.slice(each.start, Math.min(each.end, each.start + VALUE_MAX));
    return PLAIN_WORDS.test(value) && FUNCTION_WORD.test(value);
  });
}

const NEXT_FIELD = /\s(?:err|error|msg|message|level|cause|reason|status)=/;

/** Whether a value in the middle swallows the next field of a plain line: its end belongs to another message. */
function crossesField(found: FoundTemplate): boolean {
  const { text, kind } = found.view;
  if (kind !== "plain") return false;
  return found.captures
    .slice(0, -1)
    .some((each) => NEXT_FIELD.test(text.slice(each.start, each.end)));
}

/** A line break in a value is plausible before a closing or an indented part of it only. */
const LINE_BREAK = /\n(?!\s+[\w)\]}"])/;

function crossesLine(found: FoundTemplate): boolean {
  const { text, kind } = found.view;
  if (kind !== "plain") return false;
  return found.captures
    .slice(0, -1)
    .some((each) => LINE_BREAK.test(text.slice(each.start, each.end)));
}
