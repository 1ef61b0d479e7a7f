#!/bin/sh
# run.sh BUILDDIR - the drivers: the sqlite3 shell, /usr/bin/python3, and Node.js with better-sqlite3
# 12, which is installed here first.
here=$(dirname "$0")
build=${1:?usage: run.sh BUILDDIR}
status=0
sh "$here/shell.sh" "$build" || status=1
"${PYTHON:-/usr/bin/python3}" "$here/python.py" "$build" || status=1
if [ ! -d "$here/node_modules/better-sqlite3" ]; then
  (cd "$here" && npm install --no-audit --no-fund --silent) || status=1
fi
node "$here/node.js" "$build" || status=1
exit $status
