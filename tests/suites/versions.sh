#!/bin/sh
# versions.sh BUILDDIR NAME… - the suites on other versions of SQLite than the system's.
#
# Each NAME is one that .ci/sqlite builds. On it run the SQL tests, replay and matrix, upgrades, files of
# strangers, settings, JSON, guards, a sample of the faults, and versions.py, which compares what a log
# comes to with what it comes to on the system's version, and written.py. "newest" runs the SQL tests, replay, upgrades,
# these two, and the plans of all statements: the rest runs on "debug", the same version with assertions.
# Every line that counts names the version, and none counts for another one: before anything else the
# interpreter, the shell and the C programs have to say that they run on it.
#
# VERSIONS_MATRIX (1): the matrix takes every so many-th command, on each version others; of the build with
# assertions, which is slow, half of that. VERSIONS_EVERY (24) is how many series of faults one is taken of, VERSIONS_POINTS (3) how many faults of each, and
# with VERSIONS_FULL=1 nothing is left out.
set -u
build=$(cd "${1:?usage: versions.sh BUILDDIR NAME…}" && pwd) || exit 2
shift
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-/usr/bin/python3}
every=${VERSIONS_EVERY:-24}
points=${VERSIONS_POINTS:-3}
full=${VERSIONS_FULL:-}
[ -n "$full" ] && every=1 points=30
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
trap 'exit 2' HUP INT TERM
status=0

# Runs one suite on $name; its counts get the version's name in front.
suite() {
  ended=0
  LD_LIBRARY_PATH=$library "$@" >"$scratch/out" 2>&1 || ended=$?
  sed -E "s/^(.*: [0-9]+ passed, [0-9]+ failed)\$/SQLite $version ($name), \1/" "$scratch/out"
  [ $ended = 0 ] && return
  status=1
  grep -qE ', [1-9][0-9]* failed$' "$scratch/out" ||
    echo "SQLite $version ($name), $* ended with $ended: 0 passed, 1 failed"
}

# What the library says that it is, to whoever asks.
says() {
  LD_LIBRARY_PATH=$library "$@" 2>&1
}

$python "$here/versions.py" "$build" record "$scratch/recorded" >"$scratch/out" 2>&1 || {
  cat "$scratch/out"
  echo "versions: nothing was recorded to compare with: 0 passed, 1 failed"
  exit 1
}
cat "$scratch/out"

for name; do
  library=$(sh "$here/../../.ci/sqlite" "$name" "$build/sqlite") || {
    echo "SQLite ($name): it can't be built: 0 passed, 1 failed"
    status=1
    continue
  }
  version=$(cat "$library/version")
  asked="SELECT sqlite_version() || sqlite_compileoption_used('DEBUG') ||
    sqlite_compileoption_used('ENABLE_API_ARMOR') || sqlite_compileoption_used('DQS=0') ||
    sqlite_compileoption_used('STRICT_SUBTYPE')"
  case $name in debug) expected=${version}1111 ;; *) expected=${version}0000 ;; esac
  by_python=$(says $python -c "import sqlite3, sys
print(sqlite3.connect(':memory:').execute(sys.argv[1]).fetchone()[0])" "$asked")
  by_shell=$(cd "$scratch" && says "${SQLITE3:-sqlite3}" -batch -init /dev/null :memory: "$asked")
  by_c=$(says "$build/faults" version)
  if [ "$by_python" != "$expected" ] || [ "$by_shell" != "$expected" ] || [ "$by_c" != "$version" ]; then
    echo "SQLite $version ($name): expected $expected, but Python has $by_python, the shell $by_shell, C $by_c"
    echo "SQLite $version ($name), what runs: 0 passed, 1 failed"
    status=1
    continue
  fi
  echo "SQLite $version ($name), what runs: 3 passed, 0 failed"
  share=${VERSIONS_MATRIX:-1}
  case $name in oldest) first=0 ;; newest) first=1 ;; debug) first=2 share=$((share * 2)) ;; *) first=3 ;; esac
  [ -n "$full" ] && share=1
  suite sh "$here/../lib/run.sh" "$build"
  suite $python "$here/versions.py" "$build" compare "$scratch/recorded"
  suite $python "$here/replay.py" "$build"
  suite $python "$here/upgrade.py" "$build"
  suite $python "$here/written.py" "$build"
  # The plans are the same whatever the planner knows, also that of the newest version.
  [ $name = newest ] && suite $python "$here/plans.py" "$build"
  [ $name = newest ] && [ -z "$full" ] && continue
  for test in foreign loading settings strict guards; do
    suite $python "$here/$test.py" "$build"
  done
  suite $python "$here/matrix.py" "$build" $share $first
  suite "$build/faults" "sqlite=$version" "old=$here/../data/schema_v1.db" "every=$every" "points=$points"
done
exit $status
