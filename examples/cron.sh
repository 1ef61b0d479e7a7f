#!/bin/sh
# cron.sh DATABASE [LIBRARY] - what to run every few minutes: sweeps until nothing is left.
#
#   */10 * * * *  /srv/agent/cron.sh /srv/agent/agent.db
#
# sql/scripts/sweep.sql does the same a fixed number of times and needs no shell around it. This one goes
# on while the report says "more" (a hundred batches at most), and prints only reports in which
# something was done, so that cron sends mail only then. A database that stays locked for 10 s is
# an error and ends it; the next run goes on where this one stopped.
set -eu
database=${1:?usage: cron.sh DATABASE [LIBRARY]}
library=${2:-turnstile}
[ -f "$database" ] || { echo "cron.sh: there is no $database" >&2; exit 1; }

load=".load '$library'"
why=$(sqlite3 -batch -init /dev/null -bail -cmd "$load" :memory: "SELECT 1;" 2>&1) || {
  echo "cron.sh: can't load $library (${why#Error: }); run make install, or give LIBRARY: ./build/turnstile" >&2
  exit 1
}

batch=0
while [ "$batch" -lt 100 ]; do
  report=$(sqlite3 -batch -init /dev/null -bail -cmd "$load" -cmd ".timeout 10000" \
    "$database" "SELECT session_sweep();")
  case $report in
    *'":'[1-9]*) printf '%s\n' "$report" ;;
  esac
  case $report in
    *'"more":true'*) batch=$((batch + 1)) ;;
    *) break ;;
  esac
done
