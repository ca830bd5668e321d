import type { AnnotationProfile } from "../../enrich/enrichment.ts";
import { renderAlertmanagerBody } from "../alertmanager-webhook-body.ts";
import type { Destination, Notification } from "../destination.ts";
import type { HttpSender } from "../http-sender.ts";

/** A receiver that reads Alertmanager's webhook payload, version 4. */
export interface AlertmanagerWebhookOptions extends Omit<Destination, "deliver"> {
  /** May hold credentials; never logged. */
  readonly url: string;
  readonly profile: AnnotationProfile;
  /** Complete `Authorization` header. */
  readonly authorization: string | undefined;
  readonly post: HttpSender;
}

/** Creates the destination. Its plain form is the group as it came. */
export function createAlertmanagerWebhook(options: AlertmanagerWebhookOptions): Destination {
  const { url, profile, authorization, post, ...destination } = options;
  const headers = authorization === undefined ? {} : { Authorization: authorization };
  return {
    ...destination,
    async deliver({ enriched, plain }: Notification) {
      const sent = plain ? { ...enriched, enrichments: [] } : enriched;
      await post({ url, body: renderAlertmanagerBody(sent, profile), headers });
    },
  };
}
