import { PanelBuilder as BarGaugeBuilder } from "@grafana/grafana-foundation-sdk/bargauge";
import type { Builder } from "@grafana/grafana-foundation-sdk/cog";
import {
  GraphDrawStyle,
  ReduceDataOptionsBuilder,
  SortOrder,
  StackingConfigBuilder,
  StackingMode,
  TooltipDisplayMode,
  VizOrientation,
  VizTooltipOptionsBuilder,
} from "@grafana/grafana-foundation-sdk/common";
import {
  AnnotationQueryBuilder,
  AnnotationTargetBuilder,
  DashboardBuilder,
  DashboardCursorSync,
  DashboardLinkBuilder,
  DashboardLinkType,
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  RowBuilder,
  TextBoxVariableBuilder,
  ThresholdsConfigBuilder,
  ThresholdsMode,
  VariableRefresh,
} from "@grafana/grafana-foundation-sdk/dashboard";
import type { Dashboard, Panel } from "@grafana/grafana-foundation-sdk/dashboard";
import { DataqueryBuilder } from "@grafana/grafana-foundation-sdk/prometheus";
import { PanelBuilder as StatBuilder } from "@grafana/grafana-foundation-sdk/stat";
import { PanelBuilder as TimeSeriesBuilder } from "@grafana/grafana-foundation-sdk/timeseries";
import { errors, numbers, outcomes } from "./alert-panels.ts";
import { VARIABLES } from "./panel-plan.ts";
import type { PanelPlan, RowPlan } from "./panel-plan.ts";
import { deliveries, loaded } from "./service-panels.ts";

const PROMETHEUS = { type: "prometheus", uid: `\${${VARIABLES.datasource}}` };
const DEFAULT_URL = "http://localhost:9845";
/** Bars count what fell into them; a shorter one could hold less than two scrapes. */
const BAR_MIN = "2m";
/** Pages that the head of the dashboard leads to. */
const PAGES = [
  ["Overview", ""],
  ["Episodes", "episodes"],
  ["Unmatched", "unmatched"],
  ["Deliveries", "deliveries"],
  ["Records", "records"],
  ["Status", "status"],
] as const;

/** The dashboard, from what happened to what it runs on. */
const ROWS: readonly RowPlan[] = [
  { title: "Now", panels: numbers },
  { title: "Known errors", panels: errors },
  { title: "Alerts", panels: outcomes },
  { title: "Deliveries", panels: deliveries },
  { title: "What is loaded", panels: loaded },
];

/** Makes the dashboard over Alertlore's metrics; equal plans give equal objects. */
// eslint-disable-next-line @typescript-eslint/no-deprecated -- version 2 is read by Grafana 12 and later only
function makeDashboard(): Dashboard {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- as above
  const dashboard = new DashboardBuilder("Alertlore")
    .uid("alertlore")
    .description("Known errors behind alerts, and how Alertlore does.")
    .tags(["alertlore"])
    .time({ from: "now-24h", to: "now" })
    .timezone("browser")
    .refresh("1m")
    .tooltip(DashboardCursorSync.Crosshair)
    .variables(makeVariables())
    .annotations([makeAnnotations()])
    .links(PAGES.map(([title, page]) => linkTo(title, page)));
  let id = 1;
  for (const { title, panels } of ROWS) {
    dashboard.withRow(new RowBuilder(title).id(id));
    id += 1;
    for (const plan of panels) {
      dashboard.withPanel(makePanel(plan, id));
      id += 1;
    }
  }
  return dashboard.build();
}

function makeVariables() {
  return [
    new DatasourceVariableBuilder(VARIABLES.datasource).label("Prometheus").type("prometheus"),
    new QueryVariableBuilder(VARIABLES.job)
      .label("Job")
      .datasource(PROMETHEUS)
      .query("label_values(alertlore_build_info, job)")
      .refresh(VariableRefresh.OnDashboardLoad)
      .multi(true)
      .includeAll(true)
      .allValue(".+")
      .current({ selected: true, text: "All", value: "$__all" }),
    new TextBoxVariableBuilder(VARIABLES.url)
      .label("Alertlore")
      .description("web.external_url, for the links.")
      .defaultValue(DEFAULT_URL)
      .current({ selected: true, text: DEFAULT_URL, value: DEFAULT_URL }),
  ];
}

/** Firings that Alertlore marks in Grafana, whatever dashboard they belong to. */
function makeAnnotations(): AnnotationQueryBuilder {
  const byTag = new AnnotationTargetBuilder().type("tags").tags(["alertlore"]).limit(100);
  return new AnnotationQueryBuilder()
    .name("Known errors")
    .datasource({ type: "grafana", uid: "-- Grafana --" })
    .enable(true)
    .iconColor("red")
    .target({
      // The SDK wants every target to be a query, of which this is the only one that is none.
      build: () => ({ ...byTag.matchAny(false).build(), _implementsDataqueryVariant: () => {} }),
    });
}

function linkTo(title: string, page: string): DashboardLinkBuilder {
  return new DashboardLinkBuilder(title)
    .type(DashboardLinkType.Link)
    .url(`\${${VARIABLES.url}}/${page}`)
    .targetBlank(true);
}

const BUILDERS: Readonly<Record<PanelPlan["kind"], (plan: PanelPlan) => PanelBuilder>> = {
  lines: () => timeSeries().drawStyle(GraphDrawStyle.Line).fillOpacity(10),
  bars: () =>
    timeSeries()
      .interval(BAR_MIN)
      .drawStyle(GraphDrawStyle.Bars)
      .fillOpacity(80)
      .lineWidth(0)
      .stacking(new StackingConfigBuilder().mode(StackingMode.Normal)),
  number: ({ redFrom }) =>
    new StatBuilder()
      .reduceOptions(lastValue())
      .thresholds(
        new ThresholdsConfigBuilder()
          .mode(ThresholdsMode.Absolute)
          .steps([
            { value: null, color: redFrom === undefined ? "blue" : "green" },
            ...(redFrom === undefined ? [] : [{ value: redFrom, color: "red" }]),
          ]),
      ),
  ranking: () =>
    new BarGaugeBuilder().orientation(VizOrientation.Horizontal).reduceOptions(lastValue()),
};
type PanelBuilder = TimeSeriesBuilder | StatBuilder | BarGaugeBuilder;

function timeSeries(): TimeSeriesBuilder {
  return new TimeSeriesBuilder()
    .min(0)
    .tooltip(
      new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi).sort(SortOrder.Descending),
    );
}

function lastValue(): ReduceDataOptionsBuilder {
  return new ReduceDataOptionsBuilder().calcs(["lastNotNull"]);
}

function makePanel(plan: PanelPlan, id: number): Builder<Panel> {
  const panel = BUILDERS[plan.kind](plan)
    .id(id)
    .title(plan.title)
    .description(plan.description)
    .datasource(PROMETHEUS)
    .unit(plan.unit)
    .span(plan.width)
    .height(plan.kind === "number" ? 4 : 8)
    .targets(plan.queries.map((query, index) => makeQuery(plan, query, index)));
  const { link } = plan;
  return link === undefined ? panel : panel.dataLinks([linkTo(link.title, link.page)]);
}

/** Numbers and rankings ask once for the whole time shown. */
function makeQuery(
  { kind }: PanelPlan,
  { expr, legend }: PanelPlan["queries"][number],
  index: number,
): DataqueryBuilder {
  const query = new DataqueryBuilder()
    .refId(String.fromCharCode("A".charCodeAt(0) + index))
    .datasource(PROMETHEUS)
    .expr(expr)
    .legendFormat(legend);
  return kind === "number" || kind === "ranking" ? query.instant() : query.range();
}

/** The dashboard as the text of its file. */
export function renderDashboard(): string {
  return `${JSON.stringify(makeDashboard(), null, 2)}\n`;
}
