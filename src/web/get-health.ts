import type { RequestHandler } from "express";

/** `GET /-/healthy`: 200 as long as requests are answered at all. */
export const getHealthy: RequestHandler = (_request, response) => {
  sendText(response, 200, "Alertlore is Healthy.\n");
};

/** `GET /-/ready`: 200 while alerts are taken, 503 before and after. */
export function getReady(isReady: () => boolean): RequestHandler {
  return (_request, response) => {
    if (isReady()) sendText(response, 200, "Alertlore is Ready.\n");
    else sendText(response, 503, "Alertlore is not ready.\n");
  };
}

/** `POST /-/reload`: 200 when the new configuration is in force, 500 with the reasons when it is not. */
export function postReload(reload: () => Promise<readonly string[]>): RequestHandler {
  return async (_request, response) => {
    const faults = await reload();
    if (faults.length === 0) sendText(response, 200, "");
    else sendText(response, 500, `${faults.join("\n")}\n`);
  };
}

function sendText(response: Parameters<RequestHandler>[1], status: number, text: string): void {
  response.status(status).setHeader("Content-Type", "text/plain; charset=utf-8");
  response.end(text);
}
