import type { RequestHandler } from "express";

/** What the landing page tells of the program. */
export interface LandingPage {
  readonly version: string;
}

/** Serves `GET /`: name, version and links, as Prometheus's own programs do. */
export function getLandingPage({ version }: LandingPage): RequestHandler {
  const page = renderPage(version);
  return (_request, response) => {
    response.setHeader("Content-Type", "text/html; charset=UTF-8");
    response.setHeader("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'");
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.end(page);
  };
}

function renderPage(version: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Alertlore</title>
<style>body{font-family:system-ui,sans-serif;margin:3rem auto;max-width:40rem;padding:0 1rem}</style>
</head>
<body>
<h1>Alertlore</h1>
<p>Version ${escapeHtml(version)}. Explains alerts: recognises known errors in the log lines behind them.</p>
<ul>
<li><a href="metrics">Metrics</a></li>
<li><a href="-/healthy">Health</a></li>
<li><a href="-/ready">Readiness</a></li>
</ul>
<p>Alertmanager posts to <code>/webhook</code>.</p>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/gu, (character) => `&#${character.charCodeAt(0)};`);
}
