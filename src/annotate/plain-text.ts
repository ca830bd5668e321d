/**
 * What receivers take for more than text, and the plain spelling in its place. Slack reads `<!here>`
 * and `<url|label>`, mail and Teams read tags, chats read `@here` and `[label](url)`, and three
 * backticks would end the block that a message template puts around a log.
 */
const MARKUP: readonly (readonly [RegExp, string])[] = [
  [/</g, "‹"],
  [/>/g, "›"],
  [/\]\(/g, "] ("],
  [/`{3}/g, "'''"],
  [/@(?=(?:here|channel|everyone|all)\b)/gi, "@ "],
];

/** Colour and cursor sequences of terminals. */
// eslint-disable-next-line no-control-regex -- colours begin with an escape character
const TERMINAL = /\u001b\[[0-9;?]*[A-Za-z]/g;
const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;
/** Controls, invisible and direction-changing characters, and halves of surrogate pairs. */
const UNSEEN = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}]/gu;

/** What any of the above may begin with; most texts have nothing of it. */
const SUSPECT = /[^\u0020-\u007e]|[<>`@]|\]\(/u;

/**
 * Text of a record or a log as plain text that may have several lines: no controls, no invisible
 * characters, nothing that a receiver would take for markup. Tabs become blanks. Time is linear.
 */
export function plainText(text: string): string {
  if (!SUSPECT.test(text)) return text;
  const visible = text
    .replaceAll(TERMINAL, "")
    .replaceAll(LINE_BREAK, "\n")
    .replaceAll("\t", " ")
    .replaceAll(UNSEEN, "");
  return MARKUP.reduce((sofar, [markup, plain]) => sofar.replaceAll(markup, plain), visible);
}

/** The same on one line, with runs of white space as one blank and none at the ends. */
export function plainLine(text: string): string {
  return plainText(text).split(/\s+/u).filter(Boolean).join(" ");
}
