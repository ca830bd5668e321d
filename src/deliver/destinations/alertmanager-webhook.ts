import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { Readable } from "node:stream";
import axios from "axios";
import type { AxiosInstance } from "axios";
import type { Labels } from "../../alert/alert.ts";
import type { AnnotationProfile } from "../../enrich/enrichment.ts";
import { UpstreamError } from "../../enrich/outcome.ts";
import type { UpstreamReason } from "../../enrich/outcome.ts";
import { renderAlertmanagerBody } from "../alertmanager-webhook-body.ts";
import type { Destination } from "../destination.ts";
import { filterGroup } from "../filter-group.ts";

/** A receiver that reads Alertmanager's webhook payload, version 4. */
export interface AlertmanagerWebhookOptions {
  readonly name: string;
  /** May hold credentials; never logged. */
  readonly url: string;
  readonly profile: AnnotationProfile;
  /** For one try, from connecting to the head of the answer. */
  readonly timeoutMs: number;
  /** Complete `Authorization` header. */
  readonly authorization?: string;
  readonly userAgent: string;
  /** Which alerts go there. */
  accepts(labels: Labels): boolean;
  /** Waits between two tries. */
  pause(durationMs: number): Promise<void>;
}

// Alertmanager gives one notification at least 10 s and then begins anew, so a receiver that is only
// restarting is waited for here, and a longer outage is left to its back-off.
const WAITS_MS = [250, 500, 1000];
/** No answer of a webhook is read beyond this; a longer one costs the connection, not the delivery. */
const ANSWER_BYTES_MAX = 65_536;

/** Creates the destination. Connections are kept alive; redirects are failures, for a redirected POST becomes a GET without body. */
export function createAlertmanagerWebhook(options: AlertmanagerWebhookOptions): Destination {
  const client = createClient(options);
  return {
    name: options.name,
    render(enriched) {
      const accepted = filterGroup(enriched, (labels) => options.accepts(labels));
      return accepted && renderAlertmanagerBody(accepted, options.profile);
    },
    async send(body) {
      const bytes = Buffer.from(body);
      for (const waitMs of WAITS_MS) {
        const failure = await tryOnce(client, options, bytes);
        if (failure === undefined) return;
        if (!isWorthAnotherTry(failure.reason)) throw failure;
        await options.pause(waitMs);
      }
      const failure = await tryOnce(client, options, bytes);
      if (failure !== undefined) throw failure;
    },
  };
}

function createClient({ userAgent, authorization }: AlertmanagerWebhookOptions): AxiosInstance {
  return axios.create({
    httpAgent: new HttpAgent({ keepAlive: true }),
    httpsAgent: new HttpsAgent({ keepAlive: true }),
    headers: {
      "Content-Type": "application/json",
      "User-Agent": userAgent,
      ...(authorization !== undefined && { Authorization: authorization }),
    },
    maxRedirects: 0,
    maxBodyLength: Infinity,
    proxy: false,
    responseType: "stream",
    validateStatus: () => true,
  });
}

async function tryOnce(
  client: AxiosInstance,
  { name, url, timeoutMs }: AlertmanagerWebhookOptions,
  body: Buffer,
): Promise<UpstreamError | undefined> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await client.post<Readable>(url, body, { signal });
    discard(response.data);
    const reason = reasonOfStatus(response.status);
    if (reason === undefined) return undefined;
    return new UpstreamError(reason, `destination ${name} answered ${response.status}`);
  } catch (error) {
    const code = axios.isAxiosError(error) ? error.code : undefined;
    const reason = code === "ERR_CANCELED" || code === "ETIMEDOUT" ? "timeout" : "unreachable";
    const detail = reason === "timeout" ? `gave no answer in ${timeoutMs} ms` : "is unreachable";
    // The code alone: axios's message and request hold the URL, which may be secret.
    return new UpstreamError(reason, `destination ${name} ${detail} (${code ?? "unknown"})`);
  }
}

// Reads the rest of an answer, so that the connection can be used again.
function discard(answer: Readable): void {
  let bytes = 0;
  answer.on("error", () => {
    answer.destroy();
  });
  answer.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) answer.destroy();
  });
}

function reasonOfStatus(status: number): UpstreamReason | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status >= 500) return "server";
  if (status === 401 || status === 403) return "unauthorized";
  if (status === 408) return "timeout";
  if (status === 413) return "too_large";
  return status === 429 ? "throttled" : "refused";
}

// A time-out is not tried again here: the receiver may well have taken the body and be at work on it.
function isWorthAnotherTry(reason: UpstreamReason): boolean {
  return reason === "server" || reason === "unreachable";
}
