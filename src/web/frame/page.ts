import type { RequestHandler, Response } from "express";
import type { Clock } from "../../enrich/ports.ts";
import { renderDocument } from "./document.tsx";
import type { PageView } from "./page-view.ts";

/** What every page is made with. */
export interface PageKit {
  readonly clock: Clock;
  /** Of the program, as in `package.json`. */
  readonly version: string;
}

/** One request for a page; every text of it is hostile. */
export interface PageRequest {
  /** Parts of the path, e.g. `id` of `/episodes/:id`. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Milliseconds since the Unix epoch; one time for the whole page. */
  readonly nowMs: number;
  /** For forms: the fields that were posted; `undefined` unless a handler before this one read them. */
  readonly form: URLSearchParams | undefined;
}

/** Nothing may run and nothing may be fetched but the style sheet and the icon. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/**
 * Makes a page: a route whose handler reads what it shows and returns a `PageView`.
 *
 * How a page is made:
 *
 * 1. A component in a `.tsx` file, a pure function of what was read. Texts in braces are escaped, as
 *    are attributes; `dangerouslySetInnerHTML` is refused by the linter but for rendered Markdown.
 * 2. Text from outside goes through `shown()` (`text.ts`) where control characters could mislead the
 *    eye, and through `Lines` where it may be long. Links out are `OutLink`, which drops whatever is
 *    not `https:` or `http:`; links within are `Link`, relative to wherever the service is mounted.
 * 3. `pageHandler(kit, async (request) => ({ title, section, body: <ThePage … /> }))` in the route
 *    list; `undefined` becomes the page "not found".
 * 4. Classes come from `style/`; a `style` attribute is blocked by the CSP, and so is every script.
 *
 * What the handler throws goes to express, so that the log names it and the answer does not.
 */
export function pageHandler(
  kit: PageKit,
  view: (request: PageRequest) => Promise<PageView | undefined> | PageView | undefined,
): RequestHandler {
  return async (request, response) => {
    const query = request.originalUrl.split("?").slice(1).join("?");
    const nowMs = kit.clock.nowMs();
    const shown = await view({
      params: request.params as Readonly<Record<string, string>>,
      query: new URLSearchParams(query),
      nowMs,
      form: request.body instanceof URLSearchParams ? request.body : undefined,
    });
    sendDocument(response, {
      ...(shown === undefined ? { status: 404 } : { status: shown.status ?? 200 }),
      html: renderDocument(shown, { root: rootOf(request.path), nowMs, version: kit.version }),
    });
  };
}

/**
 * The way from a path back to where the service is mounted, e.g. `../` for `/episodes/x`: a proxy in
 * front may serve it below any prefix, which nobody has to configure.
 */
export function rootOf(path: string): string {
  return "../".repeat(path.split("/").length - 2) || "./";
}

function sendDocument(response: Response, page: { status: number; html: string }): void {
  response.status(page.status);
  response.setHeader("Content-Type", "text/html; charset=utf-8");
  setSecurityHeaders(response);
  // Other people's log lines: a shared cache must not keep them.
  response.setHeader("Cache-Control", "private, no-cache");
  response.end(page.html);
}

/** What keeps a page from being framed, sniffed, or from telling others where it was read. */
function setSecurityHeaders(response: Response): void {
  response.setHeader("Content-Security-Policy", CONTENT_SECURITY_POLICY);
  response.setHeader("X-Content-Type-Options", "nosniff");
  // Not `no-referrer`, which would take the origin from our own forms.
  response.setHeader("Referrer-Policy", "same-origin");
  response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
  response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
}
