import { webcrypto } from "node:crypto";

/** SHA-256 in hex, worked out beside the calling thread. */
export async function digestBytes(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest("SHA-256", bytes)).toString("hex");
}
