/**
 * Log statements that report no error, written for the bench: `{n}` a number, `{w}` a word, `{h}` a host,
 * `{t}` a duration, `{p}` a path, `{i}` an id. The first letter is the level: `i`nfo, `d`ebug, `w`arning.
 */
export const NOISE_STATEMENTS: readonly string[] = `
i started listening on {h}
i request completed method=GET path={p} status=200 duration={t}
i connected to {h} after {n} attempts
i flushed {n} records to segment {i} in {t}
i committed offsets for group {w} at generation {n}
i leader elected for partition {w}-{n} in term {n}
i compaction of level {n} finished, {n} bytes read and {n} written
i snapshot {i} saved at index {n}
i applied configuration version {n}
i reloaded {n} rules from {p}
i barrier {n} collected from {n} actors
i checkpoint {n} committed in {t}
i recovered {n} streaming jobs from metadata
i successfully joined group {w} with generation {n}
i synced {n} objects of type {w} from cache
i scaled deployment {w} from {n} to {n} replicas
i pulled image {w}:{n} in {t}
i created container {i} in sandbox {i}
i vacuum of table {w} removed {n} dead rows
i opened wal segment {p} with size {n}
i client {i} subscribed to channel {w}
i replication to {h} is {n} bytes behind
i uploaded object {p} of {n} bytes
i deleted {n} expired tokens
i session {i} established for user {w}
i scheduled job {w} next run in {t}
i health check of {h} passed
i loaded certificate {p} valid for {n} days
i query finished id={i} rows={n} elapsed={t}
i index {w} rebuilt with {n} entries
i assigned splits {n} to reader {i}
i watermark of source {w} advanced to {n}
i watch on {w} restarted from resource version {n}
i pushed {n} samples to {h} in {t}
i evaluated rule group {w} with {n} rules in {t}
i alert {w} resolved after {t}
i notification sent to receiver {w} integration {w}
i silences garbage collected deleted={n}
i topology changed, {n} workers alive
i sink {n} delivered epoch {n} with {n} rows
d cache hit for key {i}
d dispatching task {i} to worker {n}
d polled {n} records from {w}-{n} at offset {n}
d heartbeat from {h} took {t}
d acquired lock {w} after {t}
d parsed frame of {n} bytes stream {n}
d reusing connection {i} to {h}
d evaluated expression over chunk of {n} rows
d sent append entries to peer {n} at index {n}
d released buffer of {n} bytes to pool {w}
w slow query took {t} id={i} rows={n}
w request queue is {n} deep, above the soft limit of {n}
w clock skew of {t} between {h} and {h}
w retrying call to {h} in {t}, attempt {n}
w memory usage at {n} of {n} bytes, evicting {n} entries
w disk usage of {p} is at {n} percent
w deprecated option {w} is set, use {w} instead
w connection to {h} idle for {t}, closing it
w consumer {i} lags {n} messages behind on {w}-{n}
w certificate {p} is due in {n} days
w committing took {t}, longer than usual, sink {n}
w throttled client {i} for {t}
w checkpoint interval stretched to {t} under load
w {n} replicas of {w} are pending
w large transaction of {n} statements held locks for {t}
`
  .trim()
  .split("\n");
