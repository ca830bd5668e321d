import type { RequestHandler } from "express";
import { pageHandler } from "../frame/page.ts";
import type { PageKit } from "../frame/page.ts";
import { OverviewPage } from "./overview-page.tsx";

/** `GET /`: what fires now, and how the service is. */
export function getOverview(kit: PageKit): RequestHandler {
  return pageHandler(kit, () => ({
    title: "Overview",
    section: "Overview",
    body: <OverviewPage />,
  }));
}
