import { createHmac } from "node:crypto";
import type { AnnotationProfile } from "../../enrich/enrichment.ts";
import type { Destination } from "../destination.ts";
import { linesOf, titleOf, viewGroup } from "../group-text.ts";
import type { GroupView } from "../group-text.ts";
import type { HttpSender } from "../http-sender.ts";
import type { TextTemplate } from "../text-template.ts";

/** Any receiver of JSON. */
export interface WebhookOptions extends Omit<Destination, "deliver"> {
  readonly url: string;
  readonly profile: AnnotationProfile;
  readonly authorization: string | undefined;
  /** Key of the signature; `undefined`: none is sent. */
  readonly hmacSecret: string | undefined;
  /** Must give JSON. */
  readonly template: TextTemplate;
  readonly onTemplateFailure: (error: unknown) => void;
  readonly post: HttpSender;
  readonly nowMs: () => number;
}

/**
 * Creates the destination. With a secret each request carries `X-Alertlore-Timestamp` (seconds) and
 * `X-Alertlore-Signature: sha256=<hex>`, the HMAC-SHA256 of `<timestamp>.<body>`.
 */
export function createWebhook(options: WebhookOptions): Destination {
  const {
    url,
    profile,
    authorization,
    hmacSecret,
    template,
    onTemplateFailure,
    post,
    nowMs,
    ...destination
  } = options;
  return {
    ...destination,
    async deliver({ enriched, plain, late }) {
      const view = viewGroup(enriched, profile, { plain, late });
      const body = plain
        ? defaultBody(view)
        : renderJson(template, view, { name: destination.name, onTemplateFailure });
      const headers = {
        ...(authorization !== undefined && { Authorization: authorization }),
        ...(hmacSecret !== undefined && signatureOf(body, hmacSecret, nowMs())),
      };
      await post({ url, body, headers });
    },
  };
}

function renderJson(
  template: TextTemplate,
  view: GroupView,
  { onTemplateFailure }: { name: string; onTemplateFailure: (error: unknown) => void },
): string {
  try {
    const body = template.render(view);
    // Only to see that it is JSON: what the template wrote is what is sent.
    JSON.parse(body);
    return body;
  } catch (error) {
    onTemplateFailure(error);
    return defaultBody(view);
  }
}

/** What is sent when the template cannot be used: title and lines. */
function defaultBody(view: GroupView): string {
  const text = view.alerts.map((alert) => linesOf(alert).join("\n")).join("\n\n");
  return JSON.stringify({ status: view.status, title: titleOf(view), text });
}

/** The headers that prove where a body came from and when. */
function signatureOf(
  body: string,
  secret: string,
  nowMs: number,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const hex = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
  return { "X-Alertlore-Timestamp": timestamp, "X-Alertlore-Signature": `sha256=${hex}` };
}
