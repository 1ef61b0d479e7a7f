#!/bin/sh
# shell.sh - the extension in the sqlite3 shell: shell.sh BUILDDIR
#
# Loads it as a user would, installs, delivers by sugar and by the door, works in a transaction, and
# looks whether errors come through with their message and stop a script.

set -u
build=$(cd "${1:?usage: shell.sh BUILDDIR}" && pwd) || exit 2
shell=${SQLITE3:-sqlite3}
library=$build/turnstile
if [ ! -f "$library.so" ] && [ ! -f "$library.dylib" ]; then
  echo "shell.sh: no turnstile library in $build" >&2
  exit 2
fi
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
db=$scratch/test.db
passed=0
failed=0

# same WHAT GOT EXPECTED
same() {
  if [ "$2" = "$3" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf '%s\n  got      %s\n  expected %s\n' "$1" "$2" "$3"
  fi
}

# sql STATEMENTS, each call a shell of its own
sql() {
  { printf '.load %s\n' "$library"; printf '%s\n' "$1"; } |
    "$shell" -batch -bail -init /dev/null "$db" 2>&1
}

same "the entry point is found by the file's name" "$(sql "SELECT turnstile_version() <> ''")" 1
same "install" "$(sql "SELECT turnstile_install() > 0")" 1
same "install again" "$(sql "SELECT turnstile_install() > 0")" 1
same "sugar" \
  "$(sql "SELECT session_deliver('main', 'write the report') ->> '$.action'")" start
same "the door" \
  "$(sql "INSERT INTO turnstile(command, args) VALUES('session_transition',
    '[\"main\",\"AwaitingUser\",{\"question\":\"Which format?\"}]')
    RETURNING turnstile_result()")" \
  AwaitingUser
same "another process answers" \
  "$(sql "SELECT session_deliver('main', 'as a table') ->> '$.class'")" Response
same "rollback" \
  "$(sql "BEGIN; SELECT session_note('main', 'gone') > 0; ROLLBACK;
    SELECT count(*) FROM observations WHERE data LIKE '%gone%'")" "1
0"
same "commit" \
  "$(sql "BEGIN; SELECT session_note('main', 'kept') > 0; COMMIT;
    SELECT count(*) FROM observations WHERE data LIKE '%kept%'")" "1
1"
got=$(sql "SELECT session_transition('main', 'Complete'); SELECT 'went on'")
case $got in
*"session_transition: "*Running*Complete*) same "an error has its message and stops" ok ok ;;
*) same "an error has its message and stops" "$got" "session_transition: …" ;;
esac
case $got in *"went on"*) same "the script stops" "$got" "no more output" ;; esac
got=$(sql "INSERT INTO turnstile(command, args) VALUES('session_note', '[\"main\"]')")
case $got in
*"session_note: text is missing"*) same "an error through the door" ok ok ;;
*) same "an error through the door" "$got" "session_note: text is missing" ;;
esac
same "a table-valued function" \
  "$(sql "SELECT label, band FROM stale_sessions WHERE include_fresh = 1")" "main|fresh"

# The file without the extension: readable, dumpable, restorable.
plain() { "$shell" -batch -init /dev/null "$@" 2>&1; }
same "readable without the extension" "$(plain "$db" 'SELECT label FROM sessions')" main
plain "$db" .dump > "$scratch/dump.sql"
plain "$scratch/restored.db" < "$scratch/dump.sql" > "$scratch/errors"
same "restored from a dump" "$(cat "$scratch/errors")" ""
db=$scratch/restored.db
same "the restored file works" \
  "$(sql "SELECT session_deliver('main', 'and shorter', '{\"class\":\"Modification\"}')
    ->> '$.action'")" \
  continue
same "integrity" "$(plain "$db" 'PRAGMA integrity_check')" ok

echo "driver shell: $passed passed, $failed failed"
[ "$failed" = 0 ]
