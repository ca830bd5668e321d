import type { Generated } from "kysely";

/** One firing of one alert; `docs/adr/0020-store.md` tells what each column is for. */
export interface EpisodeTable {
  id: string;
  source: string;
  tenant: string;
  fingerprint: string;
  /** Nanoseconds as decimal text: neither driver reads 64-bit integers exactly. */
  starts_at: string;
  ends_at: string | null;
  /** JSON with sorted names, so that equal labels are equal text. */
  labels: string;
  status: string;
  opened_ms: number;
  seen_ms: number;
  enrichment: string | null;
  outcome: string | null;
  record_id: string | null;
  retry_ms: number | null;
  counted: number;
  /** Class of the primary match as shown; null without one. */
  error_class: string | null;
  decision: string | null;
  enriched_ms: number | null;
  /** JSON of a `GrafanaPlace`; null where the alert named none. */
  place: string | null;
}

/** What Grafana was told of an episode, or of the storm that it was counted to. */
export interface RegionTable {
  key: string;
  /** `episode` or `storm`. */
  kind: string;
  /** 0 where the alert named none. */
  org_id: number;
  /** `wanted`, `open`, `closed`, `counted` (to a storm) or `dropped`. */
  state: string;
  /** Key of the storm; null unless counted. */
  storm: string | null;
  /** Id in Grafana; null until it is known. */
  annotation: string | null;
  /** Version that Grafana was told. */
  told: string;
  attempts: number;
  start_ms: number;
  /** Nothing is done before; of a closed one, until when its end may still move. */
  due_ms: number;
  /** End of an episode that was removed before Grafana was told of it, as in `ends_at`. */
  over_at: string | null;
  /** When the match was found, or the storm began. */
  created_ms: number;
}

/** Requests of the last minutes that make an annotation. */
export interface RegionRequestTable {
  key: string;
  sent_ms: number;
}

/** What of an episode's excerpt is kept to be shown; removed with the episode. */
export interface ExcerptTable {
  episode_id: string;
  /** JSON of a `KeptExcerpt`. */
  body: string;
}

/** Texts without a match, one row for all of one shape. */
export interface UnmatchedTable {
  /** Hash of the shape. */
  id: string;
  shape: string;
  /** JSON: the first lines that were seen, each different. */
  samples: string;
  /** Episodes that showed it. */
  episodes: number;
  first_ms: number;
  last_ms: number;
  last_episode: string;
}

/** A group that was accepted: first a job, then what its deliveries are rendered from. */
export interface GroupTable {
  id: Generated<number>;
  source: string;
  tenant: string;
  /** Hash of source, tenant, receiver and groupKey. */
  stream: string;
  body: string;
  /** JSON: for each alert its episode and whether it told nothing new, or null. */
  sightings: string;
  received_ms: number;
  state: string;
  owner: string;
  lease_ms: number;
  attempts: number;
}

/** What a destination is owed: at most one pending row for each destination and stream. */
export interface DeliveryTable {
  id: string;
  destination: string;
  stream: string;
  state: string;
  group_id: number;
  /** Grows with each newer body, so that a success of an older one is told apart. */
  version: number;
  firing: string;
  resolved: string;
  carried: string;
  plain: number;
  attempts: number;
  due_ms: number;
  owner: string;
  lease_ms: number;
  /**
   * Whether the destination may have taken the body although no success was recorded: 0 no, 1 after a
   * try without an answer, 2 while a try is under way, 3 both.
   */
  maybe_taken: number;
  created_ms: number;
  expires_ms: number;
  reason: string;
  /** 0 no; 1 a follow-up, which says what was found later and nothing else; 2 news with such a find. */
  late: number;
}

/** Which members were firing and resolved in the last body that a destination took. */
export interface NotificationLogTable {
  destination: string;
  stream: string;
  firing: string;
  resolved: string;
  sent_ms: number;
}

/** The logs of an episode that are to be looked for again. */
export interface LateLookTable {
  episode_id: string;
  alert: string;
  tenant: string;
  attempt: number;
  first_ms: number;
  due_ms: number;
  lease_ms: number;
}

/** Of each stream the latest group, as long as an episode of it may still be explained. */
export interface AwaitedEpisodeTable {
  episode_id: string;
  stream: string;
  group_id: number;
  until_ms: number;
}

/** What fires of a stream, over all bodies that told of it. */
export interface StreamMembersTable {
  stream: string;
  /** JSON: for each fingerprint when it was last told and its episode, or its labels where none is kept. */
  members: string;
  changed_ms: number;
}

/** Where the first message of a group stands. */
export interface MessageThreadTable {
  destination: string;
  stream: string;
  thread: string;
  used_ms: number;
}

/** What the store made up at its creation. */
export interface SecretTable {
  name: string;
  value: string;
}

/** Who does what only one replica is to do, and until when. */
export interface RoleClaimTable {
  role: string;
  owner: string;
  until_ms: number;
}

/** All tables by name. */
export interface Schema {
  episodes: EpisodeTable;
  groups: GroupTable;
  deliveries: DeliveryTable;
  notification_log: NotificationLogTable;
  late_looks: LateLookTable;
  awaited_episodes: AwaitedEpisodeTable;
  stream_members: StreamMembersTable;
  message_threads: MessageThreadTable;
  secrets: SecretTable;
  excerpts: ExcerptTable;
  unmatched: UnmatchedTable;
  role_claims: RoleClaimTable;
  regions: RegionTable;
  region_requests: RegionRequestTable;
}
