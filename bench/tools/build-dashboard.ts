/** Writes the dashboard over Alertlore's metrics. usage: npm run build:dashboard */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { renderDashboard } from "./dashboard/make-dashboard.ts";

const FILE = "config/grafana/dashboards/alertlore.json";

mkdirSync(path.dirname(FILE), { recursive: true });
writeFileSync(FILE, renderDashboard());
console.log(FILE);
