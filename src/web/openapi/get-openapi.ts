import type { RequestHandler } from "express";
import { buildDocument } from "./build-document.ts";
import type { DocumentWishes } from "./build-document.ts";

/** `GET /api/v1/openapi.json`: the document of all that is answered in JSON. */
export function getOpenapi(wishes: DocumentWishes): RequestHandler {
  let text: string | undefined;
  return (_request, response) => {
    text ??= JSON.stringify(buildDocument(wishes));
    response.type("application/json").end(text);
  };
}
