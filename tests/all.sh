#!/bin/sh
# all.sh BUILDDIR - runs the suites of `make test` and adds up what they report.
#
# Every suite prints "NAME: N passed, N failed" lines and fails when anything in it failed. A suite
# that ends badly without saying so counts as one failure.
set -u
build=$1
here=$(dirname "$0")
log=$(mktemp)
trap 'rm -f "$log"' EXIT
broken=0

suite() {
  name=$1
  shift
  before=$(grep -c ' failed$' "$log")
  status=0
  "$@" >"$log.one" 2>&1 || status=$?
  cat "$log.one"
  cat "$log.one" >>"$log"
  rm -f "$log.one"
  after=$(grep -c ' failed$' "$log")
  if [ "$after" = "$before" ]; then
    echo "$name: said nothing of what it checked"
    broken=$((broken + 1))
  elif [ "$status" != 0 ] && ! tail -n $((after - before)) "$log" | grep -q '[1-9][0-9]* failed$'; then
    echo "$name: ended with status $status"
    broken=$((broken + 1))
  fi
}

for test in "$build"/tests/test_*; do
  case $test in *.c | *.d | *.o) continue ;; esac
  suite "$(basename "$test")" "$test"
done
suite sql sh "$here/run.sh" "$build"
for test in matrix replay model/deliver model/tree hostile upgrade import demo docs; do
  suite "$test" /usr/bin/python3 "$here/$test.py" "$build"
done
suite ctx sh "$here/ctx.sh" "$build"

awk -v broken="$broken" '
  /: [0-9]+ passed, [0-9]+ failed$/ {
    n = split($0, w, " ")
    passed += w[n - 3]
    failed += w[n - 1]
  }
  END {
    failed += broken
    printf "%d passed, %d failed\n", passed, failed
    exit failed > 0
  }' "$log"
