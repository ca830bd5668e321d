#!/bin/sh
# Runs COMMAND again if, and only if, Alertlore says that a retry of the failed operation is safe.
#
#   retry-if-advised.sh EPISODE_ID COMMAND [ARGUMENT]...
#
# EPISODE_ID: last part of the `error_url` annotation, or `id` in GET /api/v1/episodes.
# COMMAND must be idempotent: Alertlore knows the error, not the operation.
# ALERTLORE_URL: default http://localhost:9845.
#
# Exit: that of COMMAND when it ran; 75 when it did not (EX_TEMPFAIL: a person decides); 64 for wrong use.
# Whatever is not known for certain (no answer, `pending`, a word this script does not know, advice that
# has expired, an answer for another episode) runs nothing. Needs curl, jq, date and sleep.
set -u

attempt=1
status=75

stop() {
  echo "not retried: $1" >&2
  exit "$status"
}

[ $# -ge 2 ] || {
  echo "usage: $0 EPISODE_ID COMMAND [ARGUMENT]..." >&2
  exit 64
}
episode=$1
shift
# Only then is it safe in a URL.
case $episode in
  '' | *[!0-9a-f]*) stop "this is not the id of an episode" ;;
esac
url=${ALERTLORE_URL:-http://localhost:9845}/api/v1/episodes/$episode/recommendation

# Prints the seconds to wait before this attempt, or nothing unless every part of the advice is as it
# must be and allows it.
read_advice() {
  jq -r --arg episode "$episode" --argjson attempt "$attempt" --argjson now "$(date -u +%s)" '
    select(.episode == $episode and .decision == "retry")
    | select((.max_attempts | type) == "number" and .max_attempts >= $attempt)
    | select((.wait_seconds | type) == "number" and .wait_seconds >= 0)
    | select((.backoff.factor | type) == "number" and .backoff.factor >= 1)
    | select((.valid_until | sub("\\.[0-9]+Z$"; "Z") | fromdateiso8601) > $now)
    | .wait_seconds * pow(.backoff.factor; $attempt - 1) | ceil'
}

ask() {
  answer=$(curl --silent --show-error --max-time 10 --write-out '%{http_code}' "$url") ||
    stop "Alertlore did not answer"
  case $answer in
    *200) ;;
    *) stop "Alertlore has no advice on this" ;;
  esac
  wait=$(printf '%s' "${answer%200}" | read_advice 2>/dev/null) || stop "the answer was not understood"
  case $wait in
    '' | *[!0-9]*) stop "the advice is not to retry, or not to retry again" ;;
  esac
}

while :; do
  ask
  sleep "$wait"
  # While it slept the error may have become widespread, or the alert may have ended.
  ask
  "$@"
  status=$?
  [ "$status" -ne 0 ] || exit 0
  attempt=$((attempt + 1))
done
