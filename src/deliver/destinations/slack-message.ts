import type { AlertView, GroupView } from "../group-text.ts";
import { linesOf, titleOf } from "../group-text.ts";
import { cutText, splitText } from "../split-text.ts";

/** One message in Slack's Block Kit, with the text that notifications show. */
export interface SlackMessage {
  readonly text: string;
  readonly blocks: readonly SlackBlock[];
}

type SlackBlock =
  | {
      readonly type: "header";
      readonly text: { readonly type: "plain_text"; readonly text: string };
    }
  | { readonly type: "section"; readonly text: { readonly type: "mrkdwn"; readonly text: string } };

/**
 * Limits of Slack.
 *
 * @see https://docs.slack.dev/reference/block-kit/blocks
 */
export const SLACK_LIMITS = { blocks: 50, sectionChars: 3000, headerChars: 150, textChars: 4000 };

/** `&`, `<` and `>` are control characters of Slack's markup. */
export function escapeSlack(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/**
 * The messages for a group: as many as its text needs under Slack's limits, none of it left out.
 * `custom` is the text of a template instead of ours, already in Slack's markup.
 */
export function renderSlackMessages(
  view: GroupView,
  custom: string | undefined,
): readonly SlackMessage[] {
  const title = titleOf(view);
  const texts = custom === undefined ? view.alerts.map(alertText) : [custom];
  const sections = texts
    .flatMap((text) => splitEscaped(text))
    .map((text) => ({ type: "section", text: { type: "mrkdwn", text } }) as const);
  const header = {
    type: "header",
    text: { type: "plain_text", text: cutText(title, SLACK_LIMITS.headerChars) },
  } as const;
  const perMessage = SLACK_LIMITS.blocks - 1;
  const messages: SlackMessage[] = [];
  for (let from = 0; from === 0 || from < sections.length; from += perMessage) {
    const blocks = sections.slice(from, from + perMessage);
    messages.push({ text: escapeSlack(cutText(title, 2000)), blocks: [header, ...blocks] });
  }
  return messages;
}

/** The whole group as plain messages, for when blocks were refused. */
export function renderPlainMessages(view: GroupView): readonly { readonly text: string }[] {
  const text = [titleOf(view), ...view.alerts.flatMap(linesOf)].map(escapeSlack).join("\n");
  return splitEscaped(text, SLACK_LIMITS.textChars).map((piece) => ({ text: piece }));
}

/** What the thread of a group is told of an update: its title, and what was found later. */
export function renderUpdates(view: GroupView): readonly string[] {
  const found = view.late
    ? view.firing.flatMap(({ name, explanation }) =>
        explanation.length === 0 ? [] : [`*${escapeSlack(name)}*`, ...explanation.map(escapeSlack)],
      )
    : [];
  const text = [escapeSlack(titleOf(view)), ...found].join("\n");
  return splitEscaped(text, SLACK_LIMITS.textChars);
}

function alertText(alert: AlertView): string {
  const [first = "", ...rest] = linesOf(alert).map(escapeSlack);
  return [`*${first}*`, ...rest].join("\n");
}

// A cut inside `&amp;` would show half of it.
function splitEscaped(text: string, charsMax = SLACK_LIMITS.sectionChars): readonly string[] {
  const pieces: string[] = [];
  for (const piece of splitText(text, charsMax - 8)) {
    const before = pieces.at(-1);
    const half = before === undefined ? null : /&[a-z]{0,4}$/u.exec(before);
    if (half === null || pieces.length === 0) {
      pieces.push(piece);
      continue;
    }
    pieces[pieces.length - 1] = before?.slice(0, half.index) ?? "";
    pieces.push(half[0] + piece);
  }
  return pieces;
}
