#!/bin/sh
# deps.sh BUILDDIR - make says what is missing and installs nothing; make deps would.
set -u
unset MAKEFLAGS MAKELEVEL MFLAGS
tests=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0
failed=0

check() {
  if [ "$2" = "$3" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf '%s\n  got      %s\n  expected %s\n' "$1" "$2" "$3"
  fi
}

# A machine that lacks awk. Its package manager leaves a trace when it is called.
for tool in sh make dirname id sort tr sed ls cc uname env; do
  ln -s "$(command -v $tool)" "$scratch/$tool"
done
printf '#!/bin/sh\necho "$*" >> "%s/called"\n' "$scratch" >"$scratch/apt-get"
printf '#!/bin/sh\n[ "$1" = -n ] || exec "$@"\n' >"$scratch/sudo"
chmod +x "$scratch/apt-get" "$scratch/sudo"

said=$(cd "$tests/.." && PATH=$scratch make BUILD="$scratch/build" 2>&1)
check "make fails" "$?" 2
check "it names what is missing" "$(printf '%s\n' "$said" | sed -n '1s/mawk.*/mawk/p')" "Missing: mawk"
check "it says how to install it" "$(printf '%s\n' "$said" | grep -c 'make deps')" 1
check "it installs nothing" "$(cat "$scratch/called" 2>/dev/null)" ""
check "it builds nothing" "$(ls "$scratch/build" 2>/dev/null)" ""
(cd "$tests/.." && PATH=$scratch make deps >/dev/null 2>&1)
check "make deps installs it" "$(grep -c '^install .*mawk' "$scratch/called" 2>/dev/null)" 1

echo "deps: $passed passed, $failed failed"
[ $failed = 0 ]
