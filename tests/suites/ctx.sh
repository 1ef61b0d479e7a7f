#!/bin/sh
# ctx.sh BUILDDIR - the command line tool examples/ctx, called as a person would.
#
# Every call is a process of its own on a database file, so whatever a call finds was left there by
# the call before it. The shell that runs the tool can be chosen with CTX_SHELL (sh).

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-$here/../../build}" && pwd) || exit 1
tool=$here/../../examples/ctx
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work" || exit 1

CTX_EXTENSION=$build/turnstile
CTX_DB=$work/agent.db
CTX_SESSION=main
export CTX_EXTENSION CTX_DB CTX_SESSION
passed=0
failed=0

ctx() {
  ${CTX_SHELL:-sh} "$tool" "$@"
}

# check WHAT GOT WANT
check() {
  if [ "$2" = "$3" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf 'not ok: %s\n--- expected\n%s\n--- got\n%s\n' "$1" "$3" "$2"
  fi
}

# like WHAT GOT PATTERN: the same with a shell pattern
like() {
  # shellcheck disable=SC2254
  case $2 in
    $3) passed=$((passed + 1)) ;;
    *)
      failed=$((failed + 1))
      printf 'not ok: %s\n--- expected\n%s\n--- got\n%s\n' "$1" "$3" "$2"
      ;;
  esac
}

query() {
  sqlite3 -batch -init /dev/null -list -noheader "$CTX_DB" "$1"
}

# ---- A task from its start to its commit --------------------------------------------------------

check 'start' "$(ctx start 'Add retries to uploads')" 'task 1'
check 'status of a new task' "$(ctx stage status)" 'session  main (active)
state    Running
task     Add retries to uploads
steps    1'
check 'note' "$(ctx note 'There is one call to post()')" 'note 1'
like 'status names what is unstaged' "$(ctx stage status)" '*
unstaged 1'
step=$(ctx stage flush)
check 'flush gives the id of the head step' "$step" "$(query 'SELECT head_step_id FROM tasks')"
check 'the note is in the step' "$(query "SELECT step_id FROM observations WHERE id = 1")" "$step"
check 'flush again: the same step' "$(ctx stage flush)" "$step"
like 'recover asks whether to go on' "$(ctx stage recover)" \
  'Welcome back! I was working on: Add retries to uploads*There is one call to post()*Should I continue?'
commit=$(ctx stage compact 'Uploads are retried five times')
check 'compact gives the commit' "$commit" "$(query 'SELECT id FROM commits')"
check 'compact again: the same commit' "$(ctx stage compact)" "$commit"
check 'status without a task' "$(ctx stage status)" 'session  main (active)
state    None'
like 'log' "$(ctx log)" "commit $commit
Normal, ????-??-?? ??:??:?? UTC

    Uploads are retried five times"

# ---- Messages -----------------------------------------------------------------------------------

check 'deliver starts a task' "$(ctx deliver 'make the nightly report start at midnight')" \
  'start (NewTask, Running)'
like 'the message waits until it is taken up' "$(ctx stage status)" '*
waiting  1'
ctx note 'ops/crontab has the entry' >/dev/null
like 'deliver stops it' "$(ctx deliver 'forget it')" 'abandon (Abandon, None)
All right*make the nightly report start at midnight'
check 'two commits' "$(query "SELECT group_concat(commit_type, ' ') FROM commits")" \
  'Normal Abandoned'

# ---- Any text -----------------------------------------------------------------------------------

ctx start 'any text' >/dev/null
nl='
'
# shellcheck disable=SC1003,SC2016
for text in "it's" "''" "'; DROP TABLE tasks; --" '"double"' '$HOME $(id) `id` ${x}' \
  "two${nl}lines" "newline at the end${nl}" "${nl}.exit${nl}.shell false${nl}" \
  'back\slash \n \' '%s %d %%' '*' '-n' '--' '; ; ;' '/* comment' '-- comment' 'Grüße, 世界 🙂' \
  "tab	here" '?1 :a @b $c' '{"json": [1, "x"]}' "go${nl}go${nl}/${nl}"; do
  id=$(ctx note "$text")
  got=$(query "SELECT json_extract(data, '\$.text') || '.' FROM observations
               WHERE id = ${id#note }")
  check "note: $text" "$got" "$text."
  id=$(printf '%s' "$text" | ctx note -)
  got=$(query "SELECT json_extract(data, '\$.text') || '.' FROM observations
               WHERE id = ${id#note }")
  check "note from the standard input: $text" "$got" "$text."
done
check 'the tables are there still' "$(query 'SELECT count(*) FROM tasks')" 3
summary="it's \"done\" for \$5${nl}and more"
ctx stage compact "$summary" >/dev/null
check 'compact with any text' "$(query 'SELECT message FROM commits ORDER BY seq DESC LIMIT 1')" \
  "$summary"
printf '%s' "it's in" | ctx start - >/dev/null
check 'start from the standard input' \
  "$(query 'SELECT description FROM tasks ORDER BY id DESC LIMIT 1')" "it's in"
ctx deliver "it's \"urgent\": cap \$RETRIES at 5${nl}please" >/dev/null
check 'deliver any text' "$(query 'SELECT message FROM deliveries ORDER BY id DESC LIMIT 1')" \
  "it's \"urgent\": cap \$RETRIES at 5${nl}please"

# ---- Sessions and files -------------------------------------------------------------------------

CTX_SESSION="o'brien \"x\" \$y"
check 'a session by another name is unknown' "$(ctx stage status)" "no session $CTX_SESSION"
check 'recover of an unknown session' "$(ctx stage recover)" "no session $CTX_SESSION"
check 'it can be made' "$(ctx start 'its own task')" 'task 5'
like 'its status' "$(ctx stage status)" "session  $CTX_SESSION (active)*its own task*"
CTX_SESSION=main
like 'the other one is as it was' "$(ctx stage status)" "*it's in*"
CTX_DB="$work/a file's \$name.db"
check 'a database of any name' "$(ctx start there)" 'task 1'
check 'is there' "$([ -f "$CTX_DB" ] && echo yes)" yes
CTX_DB=-dashes.db
check 'even one that looks like an option' "$(ctx start there)" 'task 1'
check 'is there too' "$([ -f ./-dashes.db ] && echo yes)" yes
CTX_DB=$work/agent.db

# ---- Errors -------------------------------------------------------------------------------------

# refused WHAT STATUS PATTERN ARGUMENTS…: its exit status, and the standard error in one line
refused() {
  what=$1
  want=$2
  pattern=$3
  shift 3
  out=$(ctx "$@" 2>error)
  check "$what: exit status" "$?" "$want"
  check "$what: nothing on the standard output" "$out" ''
  like "$what: message" "$(head -n 1 error)" "$pattern"
  if [ "$want" = 1 ]; then check "$what: one line" "$(wc -l <error | tr -d ' ')" 1; fi
}

refused 'a second task' 1 "ctx: session_start: session 'main' has an open task*" start another
refused 'empty note' 1 'ctx: session_note: text is empty*' note ''
refused 'empty message' 1 'ctx: session_deliver: message is empty*' deliver '  '
ctx stage compact 'end' >/dev/null
refused 'note without a task' 1 "ctx: session_note: session 'main' has no open task*" note x
refused 'flush without a task' 1 "ctx: session_flush: session 'main' has no open task*" stage flush
refused 'compact with another message' 1 'ctx: session_compact: *no open task*' stage compact x
CTX_SESSION=nobody
refused 'flush of nobody' 1 "ctx: session_flush: there is no session 'nobody'*" stage flush
CTX_SESSION=main
refused 'no command' 2 '  ctx start TASK*'
refused 'unknown command' 2 'ctx: dance is unknown' dance
refused 'unknown stage command' 2 'ctx: stage dance is unknown' stage dance
refused 'too few arguments' 2 'ctx: wrong number of arguments' start
refused 'too many arguments' 2 'ctx: wrong number of arguments' note a b
refused 'too many arguments for stage' 2 'ctx: wrong number of arguments' stage flush x
CTX_DB=$work/none.db
refused 'no database' 1 "ctx: there is no database '$work/none.db'*" stage status
check 'and it is not made' "$([ -e "$CTX_DB" ] || echo none)" none
CTX_DB=$work/agent.db
CTX_EXTENSION=$work/nothing
refused 'no library' 1 'ctx: *nothing*' stage status
CTX_EXTENSION=$build/turnstile
printf 'this is not a database, but long enough to be looked at as if it were one' >junk.db
CTX_DB=$work/junk.db
refused 'not a database' 1 'ctx: *not a database*' stage status
CTX_DB=$work/agent.db

printf 'ctx: %d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
