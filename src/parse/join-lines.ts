import { type MappedText, MappedTextBuilder } from "../log/mapped-text.ts";
import { startsEvent } from "./log-header.ts";
import type { StrippedLine } from "./strip-prefix.ts";

/** Lines that were printed as one message. */
export interface JoinedLines {
  readonly content: MappedText;
  readonly programs: readonly string[];
  readonly firstLine: number;
  readonly endLine: number;
}

/** A physical line with its number in the excerpt and the stream it came from. */
export interface NumberedLine extends StrippedLine {
  readonly line: number;
  readonly stream: string;
  /** The line before it in its stream; -1 when it is the first. */
  readonly previous: number;
}

const LINES_MAX = 64;
const LENGTH_MAX = 64 * 1024;

interface OpenJoin {
  readonly builder: MappedTextBuilder;
  readonly programs: Set<string>;
  readonly firstLine: number;
  lastLine: number;
  lines: number;
  partial: boolean;
}

/**
 * Joins the lines of each stream: a line goes on with the previous one when it has no header of its
 * own or continues a CRI `P` part, up to 64 lines and 64 KiB.
 *
 * @returns In the order of their first lines.
 */
export function joinLines(lines: readonly NumberedLine[]): readonly JoinedLines[] {
  const joined: OpenJoin[] = [];
  const open = new Map<string, OpenJoin>();
  for (const line of lines) {
    const previous = open.get(line.stream);
    if (previous !== undefined && continues(previous, line)) {
      extend(previous, line);
      continue;
    }
    const begun = begin(line);
    open.set(line.stream, begun);
    joined.push(begun);
  }
  return joined.map((each) => ({
    content: each.builder.build(),
    programs: [...each.programs],
    firstLine: each.firstLine,
    endLine: each.lastLine + 1,
  }));
}

function begin(line: NumberedLine): OpenJoin {
  const builder = new MappedTextBuilder();
  builder.appendMapped(line.content);
  return {
    builder,
    programs: new Set(line.programs),
    firstLine: line.line,
    lastLine: line.line,
    lines: 1,
    partial: line.partial,
  };
}

function continues(previous: OpenJoin, line: NumberedLine): boolean {
  if (previous.lines >= LINES_MAX || line.previous !== previous.lastLine) return false;
  if (previous.builder.length + line.content.text.length > LENGTH_MAX) return false;
  return previous.partial || !startsEvent(line.content.text);
}

function extend(previous: OpenJoin, line: NumberedLine): void {
  // The line feed between two lines belongs to the end of the first, so that a capture that ends
  // there still maps to the line it began in.
  if (!previous.partial) previous.builder.append("\n", { line: previous.lastLine, column: 0 });
  previous.builder.appendMapped(line.content);
  for (const program of line.programs) previous.programs.add(program);
  previous.lastLine = line.line;
  previous.lines += 1;
  previous.partial = line.partial;
}
