import type { AnnotationProfile } from "../../enrich/enrichment.ts";
import type { Destination } from "../destination.ts";
import { linesOf, titleOf, viewGroup } from "../group-text.ts";
import type { GroupView } from "../group-text.ts";
import type { HttpSender } from "../http-sender.ts";
import { cutText, splitText } from "../split-text.ts";
import { renderText } from "../text-template.ts";
import type { TextTemplate } from "../text-template.ts";

/** A channel or chat of Microsoft Teams, through a workflow with the trigger for webhook requests. */
export interface TeamsOptions extends Omit<Destination, "deliver"> {
  readonly url: string;
  readonly profile: AnnotationProfile;
  readonly template: TextTemplate | undefined;
  readonly onTemplateFailure: (error: unknown) => void;
  readonly post: HttpSender;
}

/**
 * Limit of Teams for one message in bytes.
 *
 * @see https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook
 */
export const TEAMS_MESSAGE_BYTES_MAX = 28 * 1024;

/**
 * Characters of one block: each may take 6 bytes as JSON, so that a block and the title fit on a card
 * whatever they say.
 */
const BLOCK_CHARS_MAX = 3000;

/** Creates the destination. A group that is too large for one card is told on several. */
export function createTeams(options: TeamsOptions): Destination {
  const { url, profile, template, onTemplateFailure, post, ...destination } = options;
  return {
    ...destination,
    async deliver({ enriched, plain, late }) {
      const view = viewGroup(enriched, profile, { plain, late });
      const text = () => view.alerts.flatMap(linesOf).join("\n\n");
      const custom =
        template === undefined || plain
          ? undefined
          : renderText(template, view, { text, onFailure: onTemplateFailure });
      for (const body of renderTeamsBodies(view, custom)) await post({ url, body });
    },
  };
}

/** The requests: a card each, with as many alerts as fit. */
function renderTeamsBodies(view: GroupView, custom?: string): readonly string[] {
  const whole =
    custom === undefined ? view.alerts.map((alert) => linesOf(alert).join("\n\n")) : [custom];
  const texts = whole.flatMap((text) => splitText(text, BLOCK_CHARS_MAX));
  const bodies: string[] = [];
  let blocks: string[] = [];
  for (const block of texts) {
    const next = cardOf(view, [...blocks, block]);
    if (Buffer.byteLength(next) > TEAMS_MESSAGE_BYTES_MAX && blocks.length > 0) {
      bodies.push(cardOf(view, blocks));
      blocks = [];
    }
    blocks.push(block);
  }
  return [...bodies, cardOf(view, blocks)];
}

function cardOf(view: GroupView, texts: readonly string[]): string {
  const title = {
    type: "TextBlock",
    size: "Large",
    weight: "Bolder",
    wrap: true,
    color: view.status === "firing" ? "Attention" : "Good",
    text: escapeMarkdown(cutText(titleOf(view), 500)),
  };
  const blocks = texts.map((text) => ({
    type: "TextBlock",
    wrap: true,
    separator: true,
    text: escapeMarkdown(text),
  }));
  return JSON.stringify({
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.4",
          body: [title, ...blocks],
        },
      },
    ],
  });
}

/** Text of an alert must not become a link, an image or a heading. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>#|]/gu, (mark) => `\\${mark}`);
}
