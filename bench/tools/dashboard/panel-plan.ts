/** One query of a panel: PromQL with Grafana's variables, and the name of its series. */
export interface PanelQuery {
  readonly expr: string;
  readonly legend: string;
}

/** What one panel shows; the widths of a row add up to 24, or to a multiple of it. */
export interface PanelPlan {
  readonly kind: "lines" | "bars" | "number" | "ranking";
  readonly title: string;
  /** What the engineer on call may want to know of the figures. */
  readonly description: string;
  readonly unit: string;
  readonly width: number;
  readonly queries: readonly PanelQuery[];
  /** From here on the number is red; numbers only. */
  readonly redFrom?: number;
  /** Page of Alertlore that a click on a series leads to, with Grafana's variables. */
  readonly link?: { readonly title: string; readonly page: string };
}

/** A headline with what stands below it. */
export interface RowPlan {
  readonly title: string;
  readonly panels: readonly PanelPlan[];
}

/** Names of what may be chosen at the top of the dashboard. */
export const VARIABLES = { datasource: "datasource", job: "job", url: "alertlore_url" } as const;

/** Matcher of the replicas chosen. */
export const JOB = 'job=~"$job"';
/** Adds series up by labels. */
export const sum = (by: string, expr: string) => `sum by (${by}) (${expr})`;
/** How much a counter grew; without a range, within one bar. */
export const increase = (metric: string, matchers = "", range = "$__interval") =>
  `increase(${metric}{${[JOB, matchers].filter(Boolean).join(",")}}[${range}])`;
/** A quantile of a histogram. */
export const quantile = (q: number, metric: string, by = "le") =>
  `histogram_quantile(${q}, sum by (${by}) (rate(${metric}_bucket{${JOB}}[$__rate_interval])))`;
