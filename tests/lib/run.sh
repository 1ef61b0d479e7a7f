#!/bin/sh
# run.sh - runs the SQL tests.
#
#   tests/lib/run.sh BUILDDIR [name…]      all of tests/*/*.sql, or those named: turn/fork, or fork
#
# A test file is a script for the sqlite3 shell, in a fresh WAL database with the extension and
# tests/lib/error_of.c loaded. A row of three columns is a case: its name, what came, what should have
# come. It passes when the second IS the third. A row of one column is a step on the way and is not
# looked at; any other row, an error of any statement, and a file without cases are failures.
#
# The rows leave the shell as INSERTs and are compared by SQLite itself, so that types, NULL and
# line breaks survive.

set -u
tests=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "${1:?usage: tests/lib/run.sh BUILDDIR [name…]}" && pwd) || exit 2
shift
shell=${SQLITE3:-sqlite3}

extension=$build/turnstile.so
[ -f "$extension" ] || extension=$build/turnstile.dylib
[ -f "$extension" ] || { echo "run.sh: no turnstile library in $build" >&2; exit 2; }

scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
trap 'exit 2' HUP INT TERM

helper=$build/tests/error_of.so
if [ ! -f "$helper" ] || [ "$tests/lib/error_of.c" -nt "$helper" ]; then
  mkdir -p "$build/tests"
  ${CC:-cc} -std=c11 -Wall -Wextra -Werror -O1 -shared -fPIC -o "$helper" "$tests/lib/error_of.c" ||
    exit 2
fi

run_file() {
  name=$1
  [ -f "$tests/$name.sql" ] || name=$(cd "$tests" && ls -- */"$1".sql 2> /dev/null | sed -n '1s/\.sql$//p')
  dir=$scratch/${name:=$1}
  mkdir -p "$dir"
  if [ ! -f "$tests/$name.sql" ]; then
    echo "$name: 0 passed, 1 failed (there is no $name.sql)"
    return 1
  fi
  {
    printf '.load "%s"\n.load "%s"\nPRAGMA journal_mode = WAL;\n' "$extension" "$helper"
    printf '.mode insert cases\n'
    cat "$tests/$name.sql"
  } > "$dir/script"
  head=4 # lines in front of the file's own
  (cd "$dir" && "$shell" -batch -init /dev/null test.db < script) > "$dir/rows" 2> "$dir/errors"
  ended=$?

  # The rows into a table. The complaint about a single value is a step, not a case.
  {
    echo 'CREATE TABLE cases("case", got, expected);'
    sed 1d "$dir/rows" # what the pragma answered
    echo 'CREATE TEMP TABLE t AS SELECT count(*) AS n,'
    echo ' coalesce(sum(got IS NOT expected), 0) AS bad FROM cases;'
    printf '.mode list\n.output "%s/failures"\n' "$dir"
    echo "SELECT '  ' || \"case\" || char(10) || '    got      ' || quote(got) || char(10) ||"
    echo "       '    expected ' || quote(expected) FROM cases WHERE got IS NOT expected;"
    printf '.output "%s/counts"\n' "$dir"
    echo "SELECT (n - bad) || ' ' || bad FROM t;"
  } > "$dir/compare"
  "$shell" -batch -init /dev/null :memory: < "$dir/compare" 2> "$dir/complaints" > "$dir/noise"
  grep -v 'table cases has 3 columns but 1 values' "$dir/complaints" |
    grep -v '^  *INSERT INTO cases\|^  *\^--- error here\|^ *error here ---^' > "$dir/misfits"

  read -r passed failed < "$dir/counts" || { passed=0; failed=1; }
  errors=$(grep -c 'near line\|^Error' "$dir/errors")
  misfits=$(grep -c 'near line\|^Error' "$dir/misfits")
  [ "$errors" -eq 0 ] && [ -s "$dir/errors" ] && errors=1
  [ "$errors" -eq 0 ] && [ "$ended" -gt 1 ] && errors=1 && echo "  the shell ended with $ended"
  failed=$((failed + errors + misfits))
  cat "$dir/failures" 2> /dev/null
  # Line numbers as in the file.
  awk -v head=$head -v name="$name.sql" '
    match($0, /near line [0-9]+/) {
      n = substr($0, RSTART + 10, RLENGTH - 10)
      $0 = substr($0, 1, RSTART - 1) "near " name " line " (n - head) substr($0, RSTART + RLENGTH)
    } { print "  " $0 }' "$dir/errors"
  [ "$misfits" -gt 0 ] && sed 's/^/  a row that is no case: /' "$dir/misfits"
  [ $((passed + failed)) -eq 0 ] && failed=1 && echo "  no case in the file"
  echo "$name: $passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}

if [ $# -eq 0 ]; then
  for file in "$tests"/*/*.sql; do
    file=${file#"$tests"/}
    set -- "$@" "${file%.sql}"
  done
fi

status=0
for name; do
  run_file "$name" || status=1
done
exit $status
