import type { FoundTemplate } from "./verify-template.ts";

/** How the text of a template stands in its surroundings. */
export interface MessageEdges {
  /** Whether it begins where a message does, and not in the middle of a sentence. */
  readonly left: boolean;
  /** Whether it begins behind a comma: perhaps a clause of another message. */
  readonly isClause: boolean;
  /** Whether it ends where a message does. */
  readonly right: boolean;
  /** Whether both ends are those of a value, a list item or a line. */
  readonly isValue: boolean;
  /** Whether outer links of a chain stand before it and nothing after it. */
  readonly isInnermost: boolean;
}

const LEFT = /(?:^|[\n\t:=("'`[{<>|;.!?\]})]\s*| - |\d: |\s\| )$/;
/** Level words, thread names and klog heads end without a colon. */
const HEADER_LEFT =
  /(?:\b(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|LOG)\b\s*|\d [#*.-] )$/;
const RIGHT = /^(?:$|\s*[\n"'`)\]}>;,.:!?|]|\s+[\w.]+=|\s*\(|\s+\[| - |\s*\t)/;
const VALUE_LEFT = /(?:^|[\n=("'`[{]\s*|\d: )$/;
const VALUE_RIGHT = /^(?:$|\s*\n|["'`)\]}]|\s+[\w.]+=)/;
const CHAINED = /(?:[a-zA-Z)\]]: |\d: |Caused by: )$/;
const NEXT_LINK = /^\s*(?:\d{1,3}: |caused by)/i;
const AROUND = 48;

/** First offset of a template's text, its leading capture included. */
export function startOf(found: FoundTemplate): number {
  const first = found.literals[0]?.start ?? 0;
  return Math.min(first, found.captures[0]?.start ?? first);
}

/** Offset after a template's text, its trailing capture included. */
export function endOf(found: FoundTemplate): number {
  const last = found.literals.at(-1)?.end ?? 0;
  return Math.max(last, found.captures.at(-1)?.end ?? last);
}

/** Whether a template's text goes to the end of its value or line. */
export function reachesEnd(found: FoundTemplate): boolean {
  const end = endOf(found);
  return VALUE_RIGHT.test(found.view.text.slice(end, end + AROUND));
}

/** Looks at what stands right before and right after a template's text. */
export function edgesOf(found: FoundTemplate): MessageEdges {
  const { text } = found.view;
  const start = startOf(found);
  const end = endOf(found);
  const before = text.slice(Math.max(0, start - AROUND), start);
  const after = text.slice(end, end + AROUND);
  const isValueRight = VALUE_RIGHT.test(after);
  return {
    left: LEFT.test(before) || HEADER_LEFT.test(before),
    isClause: /, $/.test(before),
    right: RIGHT.test(after),
    isValue: isValueRight && VALUE_LEFT.test(before),
    isInnermost: isValueRight && CHAINED.test(before) && !NEXT_LINK.test(after),
  };
}

const ERROR_FIELD =
  /^(?:err|error|errors|error_message|errormessage|cause|exception|exc_info|stack_trace|stacktrace|reason|failure|panic|error\.message|exception\.message)$/;
const ERROR_KEY =
  /(?:[\s{,(]|^)(?:err|error|cause|exception|reason|failure)=["']?(?:[^"'=]{1,200}: )?$|(?:error|exception|failure|caused by|panic)\b[^:\n]{0,60}: $/i;

/** Whether the text around a template says that it was printed as an error, whatever the level. */
export function isErrorField(found: FoundTemplate): boolean {
  const { view } = found;
  if (ERROR_FIELD.test(view.field)) return true;
  const start = startOf(found);
  const line = view.text.lastIndexOf("\n", start - 1) + 1;
  return ERROR_KEY.test(view.text.slice(Math.max(line, start - 400), start));
}
