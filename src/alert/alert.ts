/** Names to values that identify an alert, as Alertmanager means them. */
export type Labels = Readonly<Record<string, string>>;
/** Names to texts that describe an alert and play no part in its identity. */
export type Annotations = Readonly<Record<string, string>>;

/** Of an alert alone or of a whole group, as Alertmanager spells it. */
export type AlertStatus = "firing" | "resolved";

/** Nanoseconds since the Unix epoch. A `Date` would drop six of the nine fraction digits. */
export type TimestampNs = bigint;

/** One alert of a group, with everything that is needed to send it on as it came. */
export interface Alert {
  readonly status: AlertStatus;
  readonly labels: Labels;
  /** As the sender wrote them, less the keys under our own prefix. */
  readonly annotations: Annotations;
  readonly startsAtNs: TimestampNs;
  /**
   * When the alert was resolved; `undefined` while it fires. The webhook then sends year 1
   * (`0001-01-01T00:00:00Z`), Go's zero time.
   */
  readonly endsAtNs: TimestampNs | undefined;
  /** The sender's own spelling of both times, re-emitted unchanged. */
  readonly startsAt: string;
  readonly endsAt: string;
  /** Empty when the sender gave none. Parsed, never fetched. */
  readonly generatorURL: string;
  /** Alertmanager's 16 lower-case hex digits over the labels. */
  readonly fingerprint: string;
  /** Fields this version does not know, re-emitted unchanged. */
  readonly unknownFields: Readonly<Record<string, unknown>>;
}

/** One notification of Alertmanager (webhook payload version 4) or of a Grafana contact point. */
export interface AlertGroup {
  readonly version: string;
  /** Route key and group labels; equal on all peers, of any length and with any character. */
  readonly groupKey: string;
  /** As sent: Alertmanager regex-quotes it. */
  readonly receiver: string;
  /** As sent; not to be trusted when `truncatedAlerts` is above 0. */
  readonly status: AlertStatus;
  /** How many alerts `max_alerts` cut off; 0 when none. */
  readonly truncatedAlerts: number;
  readonly externalURL: string;
  readonly groupLabels: Labels;
  readonly commonLabels: Labels;
  readonly commonAnnotations: Annotations;
  /** In the order of the sender; never empty. */
  readonly alerts: readonly Alert[];
  readonly unknownFields: Readonly<Record<string, unknown>>;
}
