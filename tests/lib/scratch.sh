#!/bin/sh
# scratch.sh - makes a folder for the files of a run of tests, and prints it.
#
# It lies in memory where there is room: a disk takes milliseconds for each of many thousand commits, and no test
# asks whether they outlast a loss of power. TMPDIR, when it is set, says where else.
set -eu
dir=
free() { df -Pk "$1" | awk 'NR == 2 { print int($4 / 1048576) }'; }
if [ -z "${TMPDIR:-}" ] && [ -w /dev/shm ] && [ "$(free /dev/shm)" -ge 4 ]; then
  dir=$(mktemp -d /dev/shm/turnstile.XXXXXX)
  # Tests load libraries and start programs from it.
  printf '#!/bin/sh\n' >"$dir/probe"
  chmod +x "$dir/probe"
  if "$dir/probe" 2>/dev/null; then rm "$dir/probe"; else rm -rf "$dir" && dir=; fi
fi
[ -n "$dir" ] || dir=$(mktemp -d)
echo "$dir"
