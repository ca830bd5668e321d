import { createHash } from "node:crypto";
import type { RequestHandler } from "express";
import { COMPONENTS } from "../style/components.ts";
import { LAYOUT } from "../style/layout.ts";
import { TOKENS } from "../style/tokens.ts";

const STYLE = TOKENS + LAYOUT + COMPONENTS;

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#24496b"/><path d="M4 11.5 8 4l4 7.5M5.6 9h4.8" fill="none" stroke="#fff" stroke-width="1.6"/></svg>`;

/** Where the style sheet is, without a leading slash; the name changes with its text. */
export const STYLE_PATH = `assets/style-${hashOf(STYLE)}.css`;
/** Where the icon is, likewise. */
export const ICON_PATH = `assets/icon-${hashOf(ICON)}.svg`;

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

/** All that pages fetch beside themselves, as path, media type and text. */
export const ASSETS: readonly { readonly path: string; readonly handler: RequestHandler }[] = [
  { path: `/${STYLE_PATH}`, handler: serveText("text/css; charset=utf-8", STYLE) },
  { path: `/${ICON_PATH}`, handler: serveText("image/svg+xml", ICON) },
];

function serveText(type: string, text: string): RequestHandler {
  return (_request, response) => {
    response.setHeader("Content-Type", type);
    response.setHeader("X-Content-Type-Options", "nosniff");
    // Opened by itself the icon is a document too.
    response.setHeader("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'");
    response.setHeader("Cache-Control", "public, max-age=31536000, immutable");
    response.end(text);
  };
}
