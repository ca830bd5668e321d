/** Why nothing new was taken from a URL: a closed list. */
export type SyncReason =
  | "unreachable"
  | "status"
  | "too_large"
  | "not_json"
  | "schema"
  | "hash"
  | "gzip"
  | "version"
  | "records"
  | "disk";

/** Thrown when a URL did not give what was asked; the copy in force stays. The message has no credentials. */
export class SyncError extends Error {
  readonly reason: SyncReason;

  constructor(reason: SyncReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "SyncError";
    this.reason = reason;
  }
}

/** Parses JSON that came by URL. */
export function parseAnswer(bytes: Uint8Array, name: string): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch (cause) {
    const isPage = /^\s*</u.test(Buffer.from(bytes.subarray(0, 100)).toString("latin1"));
    const what = isPage ? "is a web page, not JSON" : "is not JSON";
    throw new SyncError("not_json", `${name} ${what}`, { cause });
  }
}
