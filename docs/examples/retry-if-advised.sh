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
# has expired, an answer for another episode) runs nothing. Needs curl, jq and date.
set -u

not_now() {
  echo "not retried: $1" >&2
  exit 75
}

[ $# -ge 2 ] || {
  echo "usage: $0 EPISODE_ID COMMAND [ARGUMENT]..." >&2
  exit 64
}
episode=$1
shift
# Only then is it safe in a URL.
case $episode in
  '' | *[!0-9a-f]*) not_now "this is not the id of an episode" ;;
esac
url=${ALERTLORE_URL:-http://localhost:9845}/api/v1/episodes/$episode/recommendation

ask() {
  curl --silent --show-error --fail --max-time 10 "$url"
}

# Prints attempts and seconds to wait, or nothing unless every part of the advice is as it must be.
read_advice() {
  jq -r --arg episode "$episode" --argjson now "$(date -u +%s)" '
    select(.episode == $episode and .decision == "retry")
    | select((.max_attempts | type) == "number" and .max_attempts >= 1)
    | select((.wait_seconds | type) == "number" and .wait_seconds >= 0)
    | select((.valid_until | sub("\\.[0-9]+Z$"; "Z") | fromdateiso8601) > $now)
    | "\(.max_attempts | floor) \(.wait_seconds | ceil)"'
}

attempt=1
status=75
while :; do
  # Asked before every attempt: the error may have become widespread, or the alert may have ended.
  answer=$(ask) || not_now "Alertlore did not answer"
  advice=$(printf '%s' "$answer" | read_advice 2>/dev/null) || not_now "the answer was not understood"
  [ -n "$advice" ] || not_now "the advice is not to retry"
  attempts=${advice% *}
  wait=${advice#* }
  [ "$attempt" -le "$attempts" ] || exit "$status"
  sleep "$((wait * attempt))"
  "$@"
  status=$?
  [ "$status" -ne 0 ] || exit 0
  attempt=$((attempt + 1))
done
