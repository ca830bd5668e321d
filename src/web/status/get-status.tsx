import type { RequestHandler } from "express";
import { pageHandler } from "../frame/page.ts";
import type { PageKit } from "../frame/page.ts";
import type { ServiceStatus } from "./service-status.ts";
import { StatusPage } from "./status-page.tsx";
import { statusAsJson } from "./status-schemas.ts";

/** `GET /status`: what is in force, without a secret. */
export function getStatusPage(kit: PageKit, read: () => ServiceStatus): RequestHandler {
  return pageHandler(kit, () => ({
    title: "Status",
    section: "Status",
    body: <StatusPage status={read()} />,
  }));
}

/** `GET /api/v1/status`: the same as JSON. */
export function getStatus(read: () => ServiceStatus): RequestHandler {
  return (_request, response) => {
    response.json(statusAsJson(read()));
  };
}
