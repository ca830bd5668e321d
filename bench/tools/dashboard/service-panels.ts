import { JOB, increase, quantile, sum } from "./panel-plan.ts";
import type { PanelPlan } from "./panel-plan.ts";

/** What went out. */
export const deliveries: readonly PanelPlan[] = [
  {
    kind: "bars",
    title: "Tries to deliver",
    description: "A failure is tried again with back-off.",
    unit: "short",
    width: 8,
    queries: [
      {
        expr: sum("destination, result", increase("alertlore_deliveries_total")),
        legend: "{{destination}}: {{result}}",
      },
    ],
    link: { title: "Deliveries", page: "deliveries" },
  },
  {
    kind: "lines",
    title: "Waiting in the outbox",
    description: "Counted over the whole store, so that replicas show the same.",
    unit: "short",
    width: 8,
    queries: [
      {
        expr: `max by (destination) (alertlore_deliveries_pending{${JOB}})`,
        legend: "{{destination}}",
      },
    ],
  },
  {
    kind: "lines",
    title: "Time of a delivery, 99 %",
    description: "Of one try.",
    unit: "s",
    width: 8,
    queries: [
      {
        expr: quantile(0.99, "alertlore_delivery_duration_seconds", "le, destination"),
        legend: "{{destination}}",
      },
    ],
  },
  {
    kind: "bars",
    title: "Not sent",
    description: "copy, replaced and dropped say nothing new; dead was given up.",
    unit: "short",
    width: 8,
    queries: [
      { expr: sum("how", increase("alertlore_deliveries_ended_total")), legend: "{{how}}" },
    ],
  },
  {
    kind: "bars",
    title: "Posts to the Alertmanagers behind the proxy",
    description: "Nothing without the proxy.",
    unit: "short",
    width: 8,
    queries: [
      {
        expr: sum("upstream, result", increase("alertlore_proxy_upstream_requests_total")),
        legend: "{{upstream}}: {{result}}",
      },
    ],
  },
  {
    kind: "bars",
    title: "Failures of store and templates",
    description: "refused: senders got 503. passed_through: alerts went on unexplained.",
    unit: "short",
    width: 8,
    queries: [
      { expr: sum("answer", increase("alertlore_store_failures_total")), legend: "{{answer}}" },
      {
        expr: `${sum("destination", increase("alertlore_template_failures_total"))} > 0`,
        legend: "template of {{destination}}",
      },
    ],
  },
];

/** What Alertlore runs on. */
export const loaded: readonly PanelPlan[] = [
  {
    kind: "number",
    title: "Age of the dataset",
    description: "Since it was exported; nothing without a dataset.",
    unit: "s",
    width: 6,
    redFrom: 14 * 86_400,
    queries: [{ expr: `time() - max(alertlore_dataset_timestamp_seconds{${JOB}})`, legend: "" }],
  },
  {
    kind: "number",
    title: "Reloads that failed",
    description:
      "Replicas that run with an older configuration or catalogue than their files hold.",
    unit: "short",
    width: 6,
    redFrom: 1,
    queries: [
      {
        expr: `count(alertlore_config_last_reload_successful{${JOB}} == 0 or alertlore_catalogue_last_reload_successful{${JOB}} == 0) or vector(0)`,
        legend: "",
      },
    ],
    link: { title: "Status", page: "status" },
  },
  {
    kind: "lines",
    title: "Records",
    description: "By what became of them at the last load.",
    unit: "short",
    width: 12,
    queries: [
      {
        expr: `max by (state) (alertlore_catalogue_records{${JOB}})`,
        legend: "{{state}}",
      },
    ],
    link: { title: "Records", page: "records" },
  },
  {
    kind: "lines",
    title: "Memory",
    description: "Resident, by replica.",
    unit: "bytes",
    width: 12,
    queries: [{ expr: `process_resident_memory_bytes{${JOB}}`, legend: "{{instance}}" }],
  },
  {
    kind: "lines",
    title: "Event loop, 99 %",
    description: "How late a replica comes to its work.",
    unit: "s",
    width: 12,
    queries: [{ expr: `nodejs_eventloop_lag_p99_seconds{${JOB}}`, legend: "{{instance}}" }],
  },
];
