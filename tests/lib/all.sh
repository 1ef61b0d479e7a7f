#!/bin/sh
# all.sh BUILDDIR - runs the suites of `make test`, as many at a time as there are processors, and adds
# up what they report.
#
# Every suite prints "NAME: N passed, N failed" lines and fails when anything in it failed. A suite
# that ends badly without saying so counts as one failure. JOBS says how many run at a time; ONLY names the
# tests to be run: `make test ONLY=turn/fork`. The last lines but
# one say which suites took longest.
set -u
build=$1
tests=$(cd "$(dirname "$0")/.." && pwd)
python=${PYTHON:-/usr/bin/python3}
jobs=${JOBS:-$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)}
dir=$(sh "$tests/lib/scratch.sh") || exit 2
export TMPDIR="$dir"
trap 'rm -rf "$dir"' EXIT
n=0

# Is a suite among those that ONLY names? turn/fork is the one of that room and word, fork that word in
# whichever room, turn the whole room. Tests in C begin with test_, models end in _model; it need not be said.
found=
wanted() {
  [ -n "${ONLY:-}" ] || return 0
  plain=$(printf '%s' "$1" | sed 's,/test_,/,; s,_model$,,')
  for word in $ONLY; do
    case $1 in "$word" | */"$word" | "$word"/*) found="$found $word " && return 0 ;; esac
    case $plain in "$word" | */"$word") found="$found $word " && return 0 ;; esac
  done
  return 1
}

# A suite to be run: its name, and its command.
suite() {
  wanted "$1" || return 0
  n=$((n + 1))
  name=$1
  shift
  printf '%s\n' "$name" >"$dir/$n.name"
  for word in "$@"; do
    printf "'%s' " "$word"
  done >"$dir/$n.sh"
}

# The longest ones first.
for test in suites/hostile handoff/handoff_model suites/matrix suites/costs care/check turn/tree_model \
  deliver/refused scripts/legacy care/delete_model scripts/transcript suites/replay; do
  suite "$test" "$python" "$tests/$test.py" "$build"
done
if [ -z "${ONLY:-}" ]; then
  suite sql sh "$tests/lib/run.sh" "$build"
else
  for test in "$tests"/*/*.sql; do
    test=${test#"$tests"/}
    suite "${test%.sql}" sh "$tests/lib/run.sh" "$build" "${test%.sql}"
  done
fi
for test in "$build"/tests/*/test_*; do
  case $test in *.c | *.d | *.o | *.gcno | *.gcda) continue ;; esac
  suite "${test#"$build"/tests/}" "$test"
done
for test in suites/foreign suites/loading handoff/document turn/context_model turn/providers_model \
  suites/restart deliver/deliver_model deliver/order_model care/sweep_model suites/upgrade identity/homes \
  suites/demo suites/docs suites/strict suites/settings suites/guards core/ids care/timers \
  classify/rules_fuzz classify/evidence suites/budgets suites/plans suites/written suites/options; do
  suite "$test" "$python" "$tests/$test.py" "$build"
done
suite identity/identity_model "$python" "$tests/identity/identity_model.py" "$build" 6000
suite suites/ctx sh "$tests/suites/ctx.sh" "$build"
suite suites/rooms "$python" "$tests/suites/rooms.py" "$build"
suite suites/deps sh "$tests/suites/deps.sh" "$build"
suite suites/statements "$python" "$tests/suites/statements.py" "$build"

# What is no part of `make test` runs when it is named.
for word in ${ONLY:-}; do
  case $found in *" $word "*) continue ;; esac
  before=$n
  for test in "$tests/$word.py" "$tests"/*/"$word.py" "$tests/$word.sh" "$tests"/*/"$word.sh"; do
    [ -f "$test" ] && [ $n = $before ] || continue
    name=${test#"$tests"/}
    case $test in *.py) suite "${name%.*}" "$python" "$test" "$build" ;; *) suite "${name%.*}" sh "$test" "$build" ;; esac
  done
  [ $n != $before ] || {
    echo "there is no test '$word'; ONLY names rooms (turn), tests (turn/fork) or words (fork)" >&2
    exit 2
  }
done

i=0
while [ $i -lt $n ]; do
  i=$((i + 1))
  echo $i
done | xargs -P "$jobs" -n 1 sh -c '
  status=0
  began=$(date +%s)
  sh "$0/$1.sh" >"$0/$1.out" 2>&1 || status=$?
  echo $status >"$0/$1.status"
  echo "$(($(date +%s) - began)) s $(cat "$0/$1.name")" >"$0/$1.time"
  cat "$0/$1.out"' "$dir"

i=0
passed=0
failed=0
while [ $i -lt $n ]; do
  i=$((i + 1))
  name=$(cat "$dir/$i.name")
  status=$(cat "$dir/$i.status" 2>/dev/null || echo none)
  counts=$(awk '/: [0-9]+ passed, [0-9]+ failed$/ {
      n = split($0, w, " "); passed += w[n - 3]; failed += w[n - 1]; lines++ }
    END { if (lines) print passed + 0, failed + 0 }' "$dir/$i.out")
  if [ -z "$counts" ]; then
    echo "$name: said nothing of what it checked (status $status)"
    echo "$name: 0 passed, 1 failed"
    failed=$((failed + 1))
    continue
  fi
  passed=$((passed + ${counts% *}))
  failed=$((failed + ${counts#* }))
  if [ "$status" != 0 ] && [ "${counts#* }" = 0 ]; then
    echo "$name: ended with status $status"
    echo "$name: 0 passed, 1 failed"
    failed=$((failed + 1))
  fi
done
echo "longest: $(cat "$dir"/*.time | sort -rn | head -n 12 | tr '\n' ',' | sed 's/,$//; s/,/, /g')"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
