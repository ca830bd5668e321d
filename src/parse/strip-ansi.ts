import { type MappedText, MappedTextBuilder, locate } from "../log/mapped-text.ts";

const ESCAPE = "\u001b";

/** CSI sequences (colours, cursor) and OSC sequences (titles, links), bounded so that a lone escape costs little. */
// eslint-disable-next-line no-control-regex -- escape characters are what this is about
const SEQUENCE = /\u001b(?:\[[0-9;:?]{0,32}[A-Za-z]|\][^\u0007\u001b]{0,512}(?:\u0007|\u001b\\))/g;

/** Takes terminal colours out of a line. Text without escape characters is returned as it is. */
export function stripAnsi(mapped: MappedText): MappedText {
  if (!mapped.text.includes(ESCAPE)) return mapped;
  const builder = new MappedTextBuilder();
  let from = 0;
  for (const found of mapped.text.matchAll(SEQUENCE)) {
    if (found.index > from)
      builder.append(mapped.text.slice(from, found.index), locate(mapped, from));
    from = found.index + found[0].length;
  }
  if (from < mapped.text.length) builder.append(mapped.text.slice(from), locate(mapped, from));
  return builder.build();
}
