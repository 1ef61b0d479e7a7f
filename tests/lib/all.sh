#!/bin/sh
# all.sh BUILDDIR - runs the suites of `make test`, as many at a time as there are processors, and adds
# up what they report.
#
# Every suite prints "NAME: N passed, N failed" lines and fails when anything in it failed. A suite
# that ends badly without saying so counts as one failure. JOBS says how many run at a time. The last lines but
# one say which suites took longest.
set -u
build=$1
here=$(dirname "$0")
jobs=${JOBS:-$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
n=0

# A suite to be run: its name, and its command.
suite() {
  n=$((n + 1))
  name=$1
  shift
  printf '%s\n' "$name" >"$dir/$n.name"
  for word in "$@"; do
    printf "'%s' " "$word"
  done >"$dir/$n.sh"
}

# The longest ones first.
for test in hostile check matrix import model/tree replay; do
  suite "$test" /usr/bin/python3 "$here/$test.py" "$build"
done
suite sql sh "$here/run.sh" "$build"
for test in "$build"/tests/test_*; do
  case $test in *.c | *.d | *.o | *.gcno | *.gcda) continue ;; esac
  suite "$(basename "$test")" "$test"
done
for test in foreign loading model/handoff document model/context model/providers legacy restart model/delete model/deliver model/order model/sweep upgrade homes demo docs \
  strict settings guards ids timers refused rules_fuzz budgets costs plans options; do
  suite "$test" /usr/bin/python3 "$here/$test.py" "$build"
done
suite model/identity /usr/bin/python3 "$here/model/identity.py" "$build" 6000
suite ctx sh "$here/ctx.sh" "$build"

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
