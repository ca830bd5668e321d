import { raw } from "express";
import type { RequestHandler } from "express";
import { sendProblem } from "./problem.ts";

/**
 * Reads a JSON body of any content type: `curl -d @file` sends form data's, and what counts is
 * whether it parses. `request.body` is then the parsed value.
 *
 * A body over the limit is answered 413 and one that is not JSON in UTF-8 is answered 400; the
 * answer never quotes it. `onProblem` hears of both.
 */
export function readJson(
  bodyBytesMax: number,
  onProblem: (reason: "too_large" | "not_json") => void,
): RequestHandler[] {
  const readBytes = raw({ type: () => true, limit: bodyBytesMax });
  return [
    (request, response, next) => {
      readBytes(request, response, (error?: unknown) => {
        if (error === undefined) {
          next();
          return;
        }
        if (!isTooLarge(error)) {
          next(error);
          return;
        }
        onProblem("too_large");
        response.setHeader("Connection", "close");
        const detail = `The body is larger than ${bodyBytesMax} bytes`;
        sendProblem(response, { status: 413, title: "Body too large", detail });
      });
    },
    (request, response, next) => {
      const parsed = parseJson(request.body);
      if (parsed === undefined) {
        onProblem("not_json");
        const detail = "The body is not JSON in UTF-8";
        sendProblem(response, { status: 400, title: "Invalid request", detail });
        return;
      }
      request.body = parsed.value;
      next();
    },
  ];
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
