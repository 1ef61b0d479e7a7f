#!/bin/sh
# import.sh DATABASE LABEL TRANSCRIPT [LIBRARY] - a coding agent's transcript as a session.
#
#   examples/import.sh agent.db main ~/transcripts/6513270e.jsonl build/turnstile
#
# Runs sql/scripts/import_transcript.sql, which says how it works, and prints its report. May be repeated:
# what is there already is not imported again, and a file that has grown adds what is new. All or
# nothing: after an error the database is as it was.
set -eu
usage='usage: import.sh DATABASE LABEL TRANSCRIPT [LIBRARY]'
database=${1:?$usage}
label=${2:?$usage}
transcript=${3:?$usage}
library=${4:-turnstile}
script=$(dirname "$0")/../sql/scripts/import_transcript.sql
[ -f "$transcript" ] || { echo "import.sh: there is no $transcript" >&2; exit 1; }
case $database in -*) database=./$database ;; esac

quote() {
  printf '%s' "$1" | sed "s/'/''/g"
}

sqlite3 -batch -init /dev/null -bail "$database" <<END
.load '$library'
.timeout 10000
.once /dev/null
SELECT turnstile_install();
CREATE TEMP TABLE import_source(label TEXT, transcript TEXT);
INSERT INTO import_source
  VALUES ('$(quote "$label")', CAST(readfile('$(quote "$transcript")') AS TEXT));
.mode line
.nullvalue none
.read '$script'
END
