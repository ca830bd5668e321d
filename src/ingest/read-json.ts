import { raw } from "express";
import type { ErrorRequestHandler, RequestHandler, Response } from "express";
import { sendProblem } from "./problem.ts";

const RAW_BODY = "rawBody";

/** Why a body was refused before its fields were looked at. */
export type BodyFault = "too_large" | "not_json";

/**
 * Reads a JSON body of any content type: `curl -d @file` sends form data's, and what counts is
 * whether it parses. `request.body` is then the parsed value; `rawBodyOf` gives the bytes.
 *
 * A body over the limit is answered 413 and one that is not JSON in UTF-8 is answered 400; the
 * answer never quotes it. `onFault` hears of both.
 */
export function readJson(
  bodyBytesMax: number,
  onFault: (fault: BodyFault) => void,
): (RequestHandler | ErrorRequestHandler)[] {
  const refuseLarge: ErrorRequestHandler = (error: unknown, _request, response, next) => {
    if (!isTooLarge(error)) {
      next(error);
      return;
    }
    onFault("too_large");
    // The rest of the body was not read and would be taken for the next request.
    response.setHeader("Connection", "close");
    const detail = `The body is larger than ${bodyBytesMax} bytes`;
    sendProblem(response, { status: 413, title: "Body too large", detail });
  };
  const parse: RequestHandler = (request, response, next) => {
    const parsed = parseJson(request.body);
    if (parsed !== undefined) {
      response.locals[RAW_BODY] = request.body as unknown;
      request.body = parsed.value;
      next();
      return;
    }
    onFault("not_json");
    const detail = "The body is not JSON in UTF-8";
    sendProblem(response, { status: 400, title: "Invalid request", detail });
  };
  return [raw({ type: () => true, limit: bodyBytesMax }), refuseLarge, parse];
}

/** The bytes that `readJson` read, as they came: what a signature is about. Empty before it ran. */
export function rawBodyOf(response: Response): Uint8Array {
  const body: unknown = response.locals[RAW_BODY];
  return body instanceof Uint8Array ? body : new Uint8Array();
}

function parseJson(body: unknown): { value: unknown } | undefined {
  if (!(body instanceof Uint8Array)) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(body);
    return { value: JSON.parse(text) as unknown };
  } catch {
    // Either error's message quotes the body.
    return undefined;
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && "type" in error && error.type === "entity.too.large";
}
