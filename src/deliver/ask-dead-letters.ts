import { Agent } from "node:http";
import axios from "axios";
import type { DeadLetter } from "../enrich/delivery-ports.ts";

/** The dead letters of an installation, whether it runs or not. */
export interface DeadLetters {
  /** The latest first. */
  list(max: number): Promise<readonly DeadLetter[]>;
  /** False when there is no such dead letter, or a newer body of its group is on its way. */
  resend(id: string): Promise<boolean>;
  close(): Promise<void>;
}

const ANSWER_MS = 10_000;

/**
 * The dead letters of a service that runs at a base URL; `undefined` when nobody listens there.
 *
 * @throws {Error} When it answers with something else than its dead letters.
 */
export async function askDeadLetters(
  baseUrl: string,
  authorization: string | undefined,
): Promise<DeadLetters | undefined> {
  const client = axios.create({
    baseURL: baseUrl,
    // A connection from before would look like a service that broke off, not like one that has ended.
    httpAgent: new Agent({ keepAlive: false }),
    headers: authorization === undefined ? {} : { Authorization: authorization },
    timeout: ANSWER_MS,
    proxy: false,
    maxRedirects: 0,
  });
  const list = async (max: number) => {
    const { data } = await client.get<{ deliveries: readonly DeadLetter[] }>("api/v1/deliveries");
    return data.deliveries.slice(0, max);
  };
  try {
    await list(1);
  } catch (error) {
    if (axios.isAxiosError(error) && error.code === "ECONNREFUSED") return undefined;
    throw error;
  }
  return {
    list,
    async resend(id) {
      const answer = await client.post(
        `api/v1/deliveries/${encodeURIComponent(id)}/resend`,
        undefined,
        { validateStatus: (status) => status === 202 || status === 404 },
      );
      return answer.status === 202;
    },
    close: () => Promise.resolve(),
  };
}
