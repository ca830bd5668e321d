import type { RequestHandler } from "express";
import { pageHandler } from "../frame/page.ts";
import type { PageKit } from "../frame/page.ts";
import { StatusPage } from "./status-page.tsx";
import type { ServiceStatus } from "./status-page.tsx";

/** `GET /status`: what is in force, without a secret. */
export function getStatusPage(kit: PageKit, read: () => ServiceStatus): RequestHandler {
  return pageHandler(kit, () => ({
    title: "Status",
    section: "Status",
    body: <StatusPage status={read()} />,
  }));
}

/**
 * `GET /api/v1/status`: the same as JSON. `loki` is `null` when none is configured; `datasetVersion`
 * is empty when the records come from no dataset.
 */
export function getStatus(read: () => ServiceStatus): RequestHandler {
  return (_request, response) => {
    const { loki = null, ...status } = read();
    response.json({ ...status, loki });
  };
}
