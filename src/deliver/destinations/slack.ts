import type { AnnotationProfile } from "../../enrich/enrichment.ts";
import { DeliveryError } from "../delivery-error.ts";
import type { Destination, Notification } from "../destination.ts";
import { viewGroup } from "../group-text.ts";
import type { GroupView } from "../group-text.ts";
import type { HttpSender } from "../http-sender.ts";
import { renderText } from "../text-template.ts";
import type { TextTemplate } from "../text-template.ts";
import {
  escapeSlack,
  renderPlainMessages,
  renderSlackMessages,
  renderUpdates,
} from "./slack-message.ts";

/** A channel of Slack, through an incoming webhook or the Web API. */
export interface SlackOptions extends Omit<Destination, "deliver"> {
  readonly profile: AnnotationProfile;
  readonly template: TextTemplate | undefined;
  readonly onTemplateFailure: (error: unknown) => void;
  readonly post: HttpSender;
  readonly through:
    | { readonly type: "webhook"; readonly url: string }
    | {
        readonly type: "bot";
        /** Base of the Web API. */
        readonly url: string;
        readonly token: string;
        readonly channel: string;
        readonly threads: SlackThreads;
      };
}

/** Where the first message of a group stands, so that later ones edit it and answer in its thread. */
export interface SlackThreads {
  find(stream: string): Promise<string | undefined>;
  keep(stream: string, ts: string | undefined): Promise<void>;
}

/** Errors of the Web API that the same message would get again. */
const PERMANENT = new Set([
  "invalid_blocks",
  "invalid_blocks_format",
  "msg_too_long",
  "no_text",
  "invalid_arguments",
  "msg_blocks_too_long",
  "too_many_attachments",
]);

/**
 * Creates the destination. An incoming webhook posts a message for each notification, also for what was
 * found later; a bot edits the group's first message to its latest state and tells each update in its
 * thread.
 */
export function createSlack(options: SlackOptions): Destination {
  const { profile, post, through, ...destination } = options;
  return {
    ...destination,
    async deliver(notification) {
      const view = viewGroup(notification.enriched, profile, notification);
      const messages = messagesOf(options, view, notification);
      if (through.type === "bot") {
        await deliverAsBot({ ...through, post, name: destination.name }, notification, {
          view,
          messages,
        });
        return;
      }
      for (const message of messages) {
        const { text } = await post({ url: through.url, body: JSON.stringify(message) });
        // An incoming webhook says "ok" when it took the message.
        if (text.trim() !== "ok") {
          throw new DeliveryError("refused", `destination ${destination.name} did not say ok`, {
            permanent: true,
          });
        }
      }
    },
  };
}

type Message = Readonly<Record<string, unknown>>;

function messagesOf(
  { template, onTemplateFailure }: SlackOptions,
  view: GroupView,
  { plain }: Notification,
): readonly Message[] {
  if (plain) return renderPlainMessages(view).map((message) => ({ ...message }));
  let custom: string | undefined;
  if (template !== undefined) {
    const text = () => view.alerts.map((alert) => escapeSlack(alert.name)).join("\n");
    custom = renderText(template, view, { text, onFailure: onTemplateFailure });
  }
  return renderSlackMessages(view, custom).map((message) => ({ ...message }));
}

interface Bot {
  readonly name: string;
  readonly url: string;
  readonly token: string;
  readonly channel: string;
  readonly threads: SlackThreads;
  readonly post: HttpSender;
}

async function deliverAsBot(
  bot: Bot,
  { stream }: Notification,
  { view, messages }: { view: GroupView; messages: readonly Message[] },
): Promise<void> {
  const [first, ...rest] = messages;
  if (first === undefined) return;
  const { channel, threads } = bot;
  const known = await threads.find(stream);
  const edited = known !== undefined && (await edit(bot, { ...first, channel, ts: known }));
  const root = edited ? known : await call(bot, "chat.postMessage", { ...first, channel });
  if (edited) {
    for (const text of renderUpdates(view)) {
      await call(bot, "chat.postMessage", { channel, thread_ts: root, text });
    }
  } else {
    // At once: a message further on may fail, and the next try must not begin anew.
    await threads.keep(stream, root);
  }
  for (const message of rest) {
    await call(bot, "chat.postMessage", { ...message, channel, thread_ts: root });
  }
  // The next firing of the group gets a message of its own, and so a notification on the phone.
  await threads.keep(stream, view.firing.length > 0 || view.truncatedAlerts > 0 ? root : undefined);
}

/** False when the message is not there any more. */
async function edit(bot: Bot, message: Message): Promise<boolean> {
  try {
    await call(bot, "chat.update", message);
    return true;
  } catch (error) {
    if (error instanceof DeliveryError && error.message.endsWith("message_not_found")) return false;
    throw error;
  }
}

/** The `ts` of the message. A 200 with `ok: false` is a failure. */
async function call(bot: Bot, method: string, message: Message): Promise<string> {
  const { text } = await bot.post({
    url: `${bot.url}/${method}`,
    body: JSON.stringify(message),
    headers: {
      Authorization: `Bearer ${bot.token}`,
      "Content-Type": "application/json; charset=utf-8",
    },
  });
  const answer = parseAnswer(text);
  if (answer.ok) return answer.ts;
  const { error } = answer;
  const isThrottled = error === "ratelimited" || error === "rate_limited";
  const message_ = `destination ${bot.name}: Slack answered ${error}`;
  throw new DeliveryError(isThrottled ? "throttled" : "refused", message_, {
    permanent: PERMANENT.has(error),
  });
}

function parseAnswer(text: string): { ok: true; ts: string } | { ok: false; error: string } {
  try {
    const answer = JSON.parse(text) as Readonly<Record<string, unknown>> | null;
    if (answer?.["ok"] === true) {
      return { ok: true, ts: typeof answer["ts"] === "string" ? answer["ts"] : "" };
    }
    const error = answer?.["error"];
    // Slack's error names; anything else is not repeated.
    const isName = typeof error === "string" && /^[a-z_]{1,64}$/u.test(error);
    return { ok: false, error: isName ? error : "unknown" };
  } catch {
    return { ok: false, error: "no_json" };
  }
}
