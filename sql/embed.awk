# embed.awk - turns the SQL files into C. Used by the Makefile:
#
#   awk -v mode=statements -f sql/embed.awk include/turnstile.h sql/word_lists.txt sql/statements/*/*.sql
#                                   the enums of statements and of their columns; mode=texts: what they say
#   awk -v mode=script -f sql/embed.awk include/turnstile.h sql/word_lists.txt sql/schema/schema.sql …
#                                   one C string per file, and lists of rules/*.sql and migrate/*.sql
#   awk -v mode=words -f sql/embed.awk sql/word_lists.txt
#                                   the lists of words
#
# The header says where turns and messages lie. SQL has these of it:
#
#   #DEPTH_BITS, #DEPTH_MASK        id = branch << #DEPTH_BITS | depth
#   #SEQUENCE_BITS, #SEQUENCE_MASK  place = id << #SEQUENCE_BITS | sequence; #SEQUENCES: how many there are
#   first_place(X), last_place(X)   of the turn X
#   #MAX_BRANCH                     the highest id of a branch
#
# word_lists.txt has the words of columns: state IN (#LIST_TASK_STATE). A list with IN is a table that SQLite builds at
# each run, so what runs often has comparisons in its place:
#
#   one_of(X, TASK_ASKS)            X = 'AwaitingUser' OR X = 'PendingComplete'; parentheses stand beside it
#   none_of(X, TASK_ASKS)           X <> 'AwaitingUser' AND X <> 'PendingComplete'
#
# (A library that is built with lower limits writes the same SQL: TURNSTILE_MAX_DEPTH is no mask.)
#
# In a statements file a heading begins a statement. It says what the statement takes and gives:
#
#   -- :queue_get (id) → status, rank: what a reader should know, on as many comment lines as it needs
#   -- :queue_next (session_label) → :queue_get: gives the same columns as queue_get
#   -- :queue_rank (id, rank)
#
# Parameters stand in the order of ?1, ?2, …, in any words, separated by commas. Columns are names: status
# becomes COL_QUEUE_GET_STATUS. A heading that names more or fewer parameters than the SQL has ends the
# build; tests/core/test_statements.c compares the columns. Other comment lines are for readers only.
#
# "-- :name+id (…)" begins an INSERT of which there are two: name leaves the column id to SQLite, and
# name_at, the next in the enum, takes it as one more parameter, the last.

# What stands before the SQL: the header's numbers, and lists of words.
FILENAME ~ /\.h$/ {
  if (/^#define TURNSTILE_DEPTH_BITS /) {
    constants["DEPTH_BITS"] = $3
    constants["DEPTH_MASK"] = sprintf("%d", 2 ^ $3 - 1)
  } else if (/^#define TURNSTILE_SEQUENCE_BITS /) {
    constants["SEQUENCE_BITS"] = $3
    constants["SEQUENCE_MASK"] = sprintf("%d", 2 ^ $3 - 1)
    constants["SEQUENCES"] = sprintf("%d", 2 ^ $3)
  } else if (/^#define TURNSTILE_MAX_BRANCH /) {
    constants["MAX_BRANCH"] = $3
  }
  before = NR
  next
}

FILENAME ~ /\.txt$/ {
  before = NR
  if (/^#/ || NF == 0) next
  list = ""
  for (i = 2; i <= NF; i++) list = list (i > 2 ? ", " : "") "\"" $i "\""
  if (mode == "words") print "#define LIST_" $1 " " list
  gsub(/"/, "'", list)
  constants["LIST_" $1] = list
  next
}

# one_of(X, LIST) and none_of(X, LIST) as comparisons.
function compared(call,    none, x, word, n, i, s) {
  none = call ~ /^none/
  gsub(/^[a-z_]*\(|\)$/, "", call)
  split(call, x, ", ")
  if (!("LIST_" x[2] in constants)) {
    print FILENAME ":" FNR ": word_lists.txt has no " x[2] > "/dev/stderr"
    failed = 1
  }
  n = split(constants["LIST_" x[2]], word, ", ")
  for (i = 1; i <= n; i++) s = s (i == 1 ? "" : none ? " AND " : " OR ") x[1] (none ? " <> " : " = ") word[i]
  return s
}

# is_json(X): does the column X hold JSON? json_of(X): X, or {} where it holds none. Before SQLite 3.42
# json_valid takes a lack of memory for "no JSON", so a no is asked for once more.
function written_out(s,    call, x, rest) {
  while (match(s, /(first|last)_place\([a-z_.?0-9]+\)/)) {
    call = substr(s, RSTART, RLENGTH)
    x = call
    gsub(/^[a-z_]*\(|\)$/, "", x)
    call = x " << #SEQUENCE_BITS" (call ~ /^last/ ? " | #SEQUENCE_MASK" : "")
    s = substr(s, 1, RSTART - 1) call substr(s, RSTART + RLENGTH)
  }
  for (rest = s; match(rest, /#[A-Z][A-Z_]+/); rest = substr(rest, RSTART + RLENGTH)) {
    x = substr(rest, RSTART + 1, RLENGTH - 1)
    if (x in constants) sub("#" x, constants[x], s)
  }
  while (match(s, /(one|none)_of\([a-z_.]+, [A-Z_]+\)/)) {
    if (substr(s, RSTART, 3) == "one" && (substr(s, 1, RSTART - 1) ~ /(AND|NOT) $/ || substr(s, RSTART + RLENGTH) ~ /^ AND/)) {
      print FILENAME ":" FNR ": one_of stands in parentheses beside AND and NOT" > "/dev/stderr"
      failed = 1
    }
    s = substr(s, 1, RSTART - 1) compared(substr(s, RSTART, RLENGTH)) substr(s, RSTART + RLENGTH)
  }
  while (match(s, /(is_json|json_of)\([a-z_."]+\)/)) {
    call = substr(s, RSTART, RLENGTH)
    x = substr(call, 9, length(call) - 9)
    call = substr(call, 1, 7) == "is_json" ? "(json_valid(" x ") OR json_valid(" x "))" \
                                           : "iif(json_valid(" x ") OR json_valid(" x "), " x ", '{}')"
    s = substr(s, 1, RSTART - 1) call substr(s, RSTART + RLENGTH)
  }
  return s
}

function quote(s) {
  gsub(/\\/, "&&", s)
  gsub(/"/, "\\\"", s)
  return s
}

# How many parameters SQL has: the highest ?N. A number that is left out is none at all.
function parameters_of(s,    n, used, i) {
  n = 0
  for (; match(s, /\?[0-9]+/); s = substr(s, RSTART + RLENGTH)) {
    i = substr(s, RSTART + 1, RLENGTH - 1) + 0
    used[i] = 1
    if (i > n) n = i
  }
  for (i = 1; i <= n; i++) if (!(i in used)) return 0
  return n
}

# The INSERT with one more column.
function with_column(s, column, n) {
  sub(/\) VALUES \(/, ", " column ") VALUES (", s)
  sub(/\)$/, ", ?" n ")", s)
  return s
}

function wrong(upper, message) {
  print where[upper] ": " tolower(upper) ": " message > "/dev/stderr"
  failed = 1
}

# What a heading says into parameters[], and shape[] or same[].
function read_heading(upper,    s, part) {
  s = heading[upper]
  if (!match(s, /^:[a-z_+]+ \([^)]*\)/)) {
    wrong(upper, "a heading names its parameters: -- :name (a, b)")
    return
  }
  part = substr(s, 1, RLENGTH - 1)
  s = substr(s, RLENGTH + 1)
  sub(/^[^(]*\(/, "", part)
  parameters[upper] = gsub(/,/, ",", part) + (part != "")
  if (sub(/^ → /, "", s)) {
    if (match(s, /^:[a-z_]+/)) {
      same[upper] = toupper(substr(s, 2, RLENGTH - 1))
      s = substr(s, RLENGTH + 1)
    } else {
      while (match(s, /^[a-z_][a-z_0-9]*/)) {
        shape[upper] = shape[upper] (shape[upper] == "" ? "" : " ") substr(s, 1, RLENGTH)
        s = substr(s, RLENGTH + 1)
        if (!sub(/^, /, "", s)) break
      }
      if (shape[upper] == "") wrong(upper, "columns are names")
    }
    if (s !~ /^($|: )/) wrong(upper, "a colon ends the columns, which are names: " substr(s, 1, 30))
  } else if (s !~ /^($|[:.] )/) {
    wrong(upper, "an arrow and the columns, a colon, or nothing follows the parameters")
  }
}

# The columns of a statement, its own or those of the one that it names.
function shape_of(upper) {
  if (!(upper in same)) return shape[upper]
  if (!(same[upper] in shape)) wrong(upper, "no statement has the columns of " tolower(same[upper]))
  return shape[same[upper]]
}

# sql/schema/turn.sql is turn; of rules and migrations there are many: rules_en, migrate_1_2.
function name_of(path,    folder) {
  folder = path ~ /\/rules\// ? "rules_" : path ~ /\/migrate\// ? "migrate_" : ""
  sub(/.*\//, "", path)
  sub(/\.sql$/, "", path)
  return folder path
}

# CREATE GUARD #name BEFORE …, #another BEFORE … ON ##table, a condition or none, FAILS 'text'; stands for one
# trigger for each name: it raises the text where the condition holds, unless the guards stand open.
function guard_lines(fails,    list, table, n, i, one, unless) {
  table = guard
  sub(/^.* ON /, "", table)
  list = guard
  sub(/ ON [^ ]*$/, "", list)
  n = split(list, one, ", #")
  unless = "NOT EXISTS (SELECT 1 FROM ##turnstile_meta WHERE key = 'unguarded')"
  sub(/^FAILS /, "", fails)
  sub(/;$/, "", fails)
  for (i = 1; i <= n; i++) {
    sub(/^#/, "", one[i])
    if (i > 1) line_out("")
    line_out("CREATE TRIGGER #" one[i] " ON " table)
    if (condition != "") printf "%s", condition
    line_out((condition == "" ? "WHEN " : " AND ") unless)
    line_out("BEGIN")
    line_out("  SELECT RAISE(FAIL, " fails ");")
    line_out("END;")
  }
  guard = ""
}

function line_of(s) {
  return "  \"" quote(written_out(s)) "\\n\"\n"
}

function line_out(s) {
  printf "%s", line_of(s)
}

mode == "script" {
  if (FNR == 1) {
    if (NR > before + 1) {
      print "  ;"
    } else {
      print "#include \"scripts.h\""
    }
    name = name_of(FILENAME)
    if (name ~ /^rules_/) rules[nRules++] = name
    if (name ~ /^migrate_/) migrations[nMigrations++] = name
    if (name ~ /_/) printf "static "
    printf "const char ts_script_%s[] =\n", name
  }
  if (/^CREATE GUARD /) {
    guard = substr($0, 14)
    condition = ""
  } else if (guard == "") {
    line_out($0)
  } else if (/^FAILS /) {
    guard_lines($0)
  } else {
    condition = condition line_of($0)
  }
  next
}

/^-- :/ {
  name = $2
  sub(/^:/, "", name)
  column = name
  if (sub(/^[a-z_]*\+/, "", column)) {
    sub(/\+.*/, "", name)
  } else {
    column = ""
  }
  upper = toupper(name)
  names[count++] = upper
  if (column != "") {
    columns[upper] = column
    names[count++] = upper "_AT"
  }
  text[upper] = ""
  where[upper] = FILENAME ":" FNR
  heading[upper] = substr($0, 4)
  current = upper
  inHeading = 1
  next
}

/^--/ {
  if (inHeading) {
    sub(/^--[ \t]*/, "")
    heading[current] = heading[current] " " $0
  }
  next
}

/^[ \t]*$/ {
  inHeading = 0
  next
}

{
  if (current == "") {
    print FILENAME ":" FNR ": SQL before the first -- :name" > "/dev/stderr"
    exit 1
  }
  # turnstile_check tries once more all that a statement of its own finds.
  if ($0 ~ /json_valid\(/ && FILENAME !~ /check\.sql$/) {
    print FILENAME ":" FNR ": json_valid is asked once only; use is_json or json_of" > "/dev/stderr"
    exit 1
  }
  inHeading = 0
  line = written_out($0)
  sub(/;[ \t]*$/, "", line)
  sub(/^[ \t]+/, " ", line)
  sub(/^ /, text[current] == "" ? "" : " ", line)
  if (text[current] != "" && line !~ /^ /) line = " " line
  text[current] = text[current] line
}

END {
  if (mode == "words") exit
  if (failed) exit 1
  if (mode == "script") {
    if (NR > 0) print "  ;"
    print "const char *const ts_script_rules[] = {"
    for (i = 0; i < nRules; i++) printf "  ts_script_%s,\n", rules[i]
    print "  0\n};"
    print "const char *const ts_script_migrations[] = {"
    for (i = 0; i < nMigrations; i++) printf "  ts_script_%s,\n", migrations[i]
    print "  0\n};"
    exit
  }
  for (i = 0; i < count; i++) {
    if (!(names[i] in heading)) continue
    read_heading(names[i])
    n = parameters_of(text[names[i]])
    if (parameters[names[i]] != n) {
      wrong(names[i], "the heading names " parameters[names[i]] " parameters, and the SQL has " n)
    }
    if (names[i] in columns) {
      text[names[i] "_AT"] = with_column(text[names[i]], columns[names[i]], n + 1)
      parameters[names[i] "_AT"] = n + 1
    }
  }
  if (mode == "texts") {
    print "#ifdef TS_STATEMENT_TEXTS"
    print "static const char *const statementTexts[] = {"
    for (i = 0; i < count; i++) printf "  /* SQL_%s */ \"%s\",\n", names[i], quote(text[names[i]])
    print "};"
    print "#elif defined(TS_STATEMENT_NAMES)"
    print "static const char *const statementNames[] = {"
    for (i = 0; i < count; i++) printf "  \"%s\",\n", tolower(names[i])
    print "};"
    print "#elif defined(TS_STATEMENT_SHAPES)"
    print "static const struct {"
    print "  int parameters;"
    print "  const char *columns; /* their names, with a space between them */"
    print "} statementShapes[] = {"
    for (i = 0; i < count; i++) printf "  {%d, \"%s\"},\n", parameters[names[i]], shape_of(names[i])
    print "};"
    print "#endif"
  } else {
    print "enum {"
    for (i = 0; i < count; i++) {
      place = names[i] in where ? where[names[i]] : ""
      sub(/^.*statements\//, "", place)
      sub(/:[0-9]+$/, "", place)
      printf "  SQL_%s,%s\n", names[i], place == "" ? "" : " /* " place " */"
    }
    print "  SQL_COUNT"
    print "};"
    for (i = 0; i < count; i++) {
      if (!(names[i] in shape) || shape[names[i]] == "") continue
      n = split(toupper(shape[names[i]]), word, " ")
      printf "enum {"
      for (j = 1; j <= n; j++) printf "%s COL_%s_%s", j == 1 ? "" : ",", names[i], word[j]
      print " };"
    }
  }
  if (failed) exit 1
}
