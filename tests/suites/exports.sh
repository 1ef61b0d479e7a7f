#!/bin/sh
# exports.sh - what the library gives away: exactly one symbol, exactly these functions and modules.
#
#   tests/suites/exports.sh BUILDDIR
#
# A function's kind says who may call it:
#   direct   SQLITE_DIRECTONLY: not from triggers, views and the like of a file
#   inside   SQLITE_INNOCUOUS: also there
#   pure     SQLITE_INNOCUOUS and SQLITE_DETERMINISTIC
# The lists are what the connection has more after loading than before.

set -u
build=${1:?usage: tests/suites/exports.sh BUILDDIR}
shell=${SQLITE3:-sqlite3}
passed=0
failed=0

library=$build/turnstile.so
[ -f "$library" ] || library=$build/turnstile.dylib
[ -f "$library" ] || { echo "exports.sh: no turnstile library in $build" >&2; exit 2; }

# same WHAT GOT EXPECTED
same() {
  if [ "$2" = "$3" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf '%s\n  got\n%s\n  expected\n%s\n' "$1" "$2" "$3"
  fi
}

case $library in
*.dylib) symbols=$(nm -gU "$library" | awk '{print $NF}' | sed 's/^_//') ;;
*) symbols=$(nm -D --defined-only "$library" | awk '{print $NF}') ;;
esac
same "exported symbols" "$symbols" "sqlite3_turnstile_init"

got=$("$shell" -batch -init /dev/null :memory: <<EOF
CREATE TEMP TABLE f AS SELECT DISTINCT name, narg FROM pragma_function_list;
CREATE TEMP TABLE m AS SELECT name FROM pragma_module_list;
.load $library sqlite3_turnstile_init
.mode list
.separator ' '
SELECT name, narg, CASE flags & (0x80000 | 0x200000 | 0x800) WHEN 0x80000 THEN 'direct'
  WHEN 0x200000 THEN 'inside' WHEN 0x200800 THEN 'pure' ELSE 'flags ' || flags END
FROM pragma_function_list WHERE (name, narg) NOT IN (SELECT name, narg FROM f) ORDER BY name, narg;
SELECT name, 'module' FROM pragma_module_list WHERE name NOT IN (SELECT name FROM m) ORDER BY name;
EOF
)
same "functions and modules" "$got" "classification_parse 1 pure
classification_prompt -1 pure
classify_message -1 direct
delivery_classify -1 direct
delivery_correct -1 direct
identity_link -1 direct
identity_unlink -1 direct
queue_cancel -1 direct
queue_front -1 direct
queue_push -1 direct
queue_retry -1 direct
resolve_session -1 direct
session_alias -1 direct
session_archive -1 direct
session_choose -1 direct
session_compact -1 direct
session_delete -1 direct
session_deliver -1 direct
session_diagram -1 direct
session_export -1 direct
session_fail -1 direct
session_flush -1 direct
session_fork -1 direct
session_import -1 direct
session_key -1 pure
session_key_parse 1 pure
session_needs_compaction -1 direct
session_note -1 direct
session_observe -1 direct
session_progress -1 direct
session_recover -1 direct
session_relate -1 direct
session_reopen -1 direct
session_report -1 direct
session_resume -1 direct
session_rewind -1 direct
session_route -1 direct
session_run -1 direct
session_spawn -1 direct
session_start -1 direct
session_state -1 direct
session_status_from_legacy -1 pure
session_stop -1 direct
session_suspend -1 direct
session_sweep -1 direct
session_transition -1 direct
session_unarchive -1 direct
session_usage -1 direct
state_diagram -1 pure
turn_abort -1 direct
turn_ancestor -1 direct
turn_append -1 direct
turn_begin -1 direct
turn_common_ancestor -1 direct
turn_compact -1 direct
turn_compact_begin -1 direct
turn_complete -1 direct
turn_fail -1 direct
turn_heartbeat -1 direct
turn_is_ancestor -1 direct
turn_message -1 direct
turn_phase -1 direct
turn_steering -1 direct
turn_tool_call -1 direct
turn_tool_result -1 direct
turnstile_classifier -1 direct
turnstile_clock 1 direct
turnstile_config -1 direct
turnstile_dispatch 5 inside
turnstile_install -1 direct
turnstile_legacy_check 1 inside
turnstile_legacy_text 1 pure
turnstile_policy_check 3 inside
turnstile_renew -1 direct
turnstile_result 0 direct
turnstile_rule_check 4 inside
turnstile_schema -1 direct
turnstile_startup -1 direct
turnstile_use 1 direct
turnstile_use 2 direct
turnstile_version 0 pure
classify module
policy_replay module
session_context module
stale_sessions module
turn_path module
turn_tree module
turnstile_cache module
turnstile_check module"

# Loading writes nothing and prepares nothing: it works on a file that can't be written.
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
"$shell" "$scratch/f.db" 'CREATE TABLE t(x)'
before=$(cksum < "$scratch/f.db")
got=$("$shell" -batch -init /dev/null -readonly "$scratch/f.db" 2>&1 <<EOF
.load $library sqlite3_turnstile_init
SELECT turnstile_version() <> '';
EOF
)
same "loading on a read-only connection" "$got" "1"
"$shell" -batch -init /dev/null "$scratch/f.db" ".load $library sqlite3_turnstile_init" "SELECT count(*) FROM t" > "$scratch/out" 2>&1
same "loading leaves the file as it is" "$(cksum < "$scratch/f.db")" "$before"

echo "exports: $passed passed, $failed failed"
[ "$failed" = 0 ]
