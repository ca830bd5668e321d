import type { View } from "../log/view.ts";
import type { MatchEvidence } from "../record/match.ts";
import { POINTS, basePoints, roundScore } from "./points.ts";
import type { FoundTemplate } from "./verify-template.ts";

const ERROR_FIELD =
  /^(?:err|error|errors|error_message|errormessage|cause|exception|exc_info|stack_trace|stacktrace|reason|failure|panic|error\.message|exception\.message)$/;
const ERROR_KEY =
  /(?:^|[\s{,(])(?:err|error|cause|exception|reason|failure)=["']?$|(?:error|exception|failure|caused by|panic)\b[^:\n]{0,60}: $/i;

/** Whether the text around a match says that it was printed as an error, whatever the level. */
export function isErrorField(found: FoundTemplate): boolean {
  const { view } = found;
  if (ERROR_FIELD.test(view.field)) return true;
  const start =
    found.captures[0] === undefined
      ? (found.literals[0]?.start ?? 0)
      : Math.min(found.captures[0].start, found.literals[0]?.start ?? 0);
  const line = view.text.lastIndexOf("\n", start - 1) + 1;
  const before = view.text.slice(Math.max(line, start - 400), start);
  return (
    ERROR_KEY.test(before) ||
    /(?:[\s{,(]|^)(?:err|error|cause|exception)=["']?(?:[^"'=]{1,200}: )?$/i.test(before)
  );
}

const EDGE_LEFT = /(?:^|[\n\t:=("'`[{<>|;,.!?\]})]\s*| - |\d: |\s\| )$/;
const EDGE_RIGHT = /^(?:$|\s*[\n"'`)\]}>;,.:!?|]|\s+[\w.]+=|\s*\(|\s+\[| - |\s*\t)/;

interface Edges {
  readonly left: boolean;
  readonly right: boolean;
  /** Whether both ends are those of a value, a list item or a line. */
  readonly isValue: boolean;
  /** Whether outer links of a chain stand before it and nothing after it. */
  readonly isInnermost: boolean;
}

const VALUE_LEFT = /(?:^|[\n=("'`[{]\s*|\d: )$/;
const VALUE_RIGHT = /^(?:$|\s*\n|["'`)\]}]|\s+[\w.]+=)/;
const NEXT_LINK = /^\s*(?:\d{1,3}: |caused by)/i;

/** Whether the template's text begins and ends where a message does, and not in the middle of a sentence. */
export function edgesOf(found: FoundTemplate): Edges {
  const { text } = found.view;
  const first = found.literals[0];
  const last = found.literals.at(-1);
  const lead = found.captures[0];
  const start =
    lead !== undefined && first !== undefined && lead.start < first.start
      ? lead.start
      : (first?.start ?? 0);
  const tail = found.captures.at(-1);
  const end =
    tail !== undefined && last !== undefined && tail.end > last.end ? tail.end : (last?.end ?? 0);
  const header = text.slice(Math.max(0, start - 48), start);
  const after = text.slice(end, end + 48);
  const isValueRight = VALUE_RIGHT.test(after);
  const isChained = /(?:[a-zA-Z)\]]: |\d: |Caused by: )$/.test(header);
  return {
    left: EDGE_LEFT.test(header) || HEADER_LEFT.test(header),
    right: EDGE_RIGHT.test(after),
    isValue: VALUE_LEFT.test(header) && isValueRight,
    isInnermost: isChained && isValueRight && !NEXT_LINK.test(after),
  };
}

/** Level words, thread names and klog heads end without a colon. */
const HEADER_LEFT =
  /(?:\b(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|LOG)\b\s*|\d [#*.-] )$/;

const SUCCESS = /\b(?:successfully|succeeded|success|recovered|finished|completed)\b/i;

/** Evidence that does not depend on the record: how the text stands in its view. */
export function textEvidence(found: FoundTemplate): MatchEvidence[] {
  const evidence: MatchEvidence[] = [
    {
      name: "literals",
      points: roundScore(basePoints(found.bits)),
      detail: `${found.bits.toFixed(1)} bits of literal text`,
    },
  ];
  const add = (name: string, points: number, detail: string): void => {
    evidence.push({ name, points, detail });
  };
  const { view } = found;
  const edges = edgesOf(found);
  const inError = isErrorField(found);
  if (!edges.left) add("left_edge", POINTS.leftEdge, "begins inside a sentence");
  if (!edges.right) add("right_edge", POINTS.rightEdge, "ends inside a sentence");
  if (edges.left && edges.right && found.kind === "exact") {
    if (edges.isValue) add("whole", POINTS.wholeValue, "is all of a value or a line");
    else add("whole", POINTS.whole, "stands as a message of its own");
  }
  if (edges.isInnermost) add("innermost", POINTS.innermost, "ends a printed chain of causes");
  if (found.isFolded) add("letter_case", POINTS.folded, "other letter case");
  if (found.kind === "truncated")
    add("truncated", POINTS.truncated, "the text ends inside the template");
  if (found.kind === "similar") add("similar", POINTS.similar, "the wording differs");
  const { level } = view.event.facts;
  const isQuiet = level === "info" || level === "debug" || level === "trace";
  if (isQuiet && !inError) add("level", POINTS.info, `printed at level ${level}`);
  const line = lineAround(view, found.literals[0]?.start ?? 0);
  if (!inError && isQuiet && SUCCESS.test(line))
    add("success", POINTS.success, "the line reports success");
  if (hasSentence(found)) add("sentence", POINTS.sentence, "a value reads like a part of it");
  if (crossesLine(found)) add("crosses_line", POINTS.crossesLine, "a value runs over a line end");
  return evidence;
}

const PLAIN_WORDS = /^[a-z]+(?: [a-z]+)+$/;
const FUNCTION_WORD =
  /\b(?:or|and|is|are|was|were|the|an|of|to|in|for|not|no|with|on|by|at|be|as|from|that|this|it|but|has|have|can|could|will|would|does|did)\b/;

/** Whether a value in the middle of a sentence is made of plain words, so that the sentence is likely another one. */
function hasSentence(found: FoundTemplate): boolean {
  const { text } = found.view;
  return found.captures.some((each) => {
    if (
      !/[a-z] $/i.test(text.slice(each.start - 2, each.start)) ||
      !/^ [a-z]/i.test(text.slice(each.end, each.end + 2))
    )
      return false;
    const value = text.slice(each.start, Math.min(each.end, each.start + 200));
    return PLAIN_WORDS.test(value) && FUNCTION_WORD.test(value);
  });
}

function crossesLine(found: FoundTemplate): boolean {
  const { text, kind } = found.view;
  if (kind !== "plain") return false;
  return found.captures.some(
    (each, i) =>
      i < found.captures.length - 1 && /\n(?!\s+[\w)\]}"])/.test(text.slice(each.start, each.end)),
  );
}

function lineAround(view: View, at: number): string {
  const start = view.text.lastIndexOf("\n", at - 1) + 1;
  const end = view.text.indexOf("\n", at);
  return view.text.slice(start, Math.min(end < 0 ? view.text.length : end, start + 1_000));
}
