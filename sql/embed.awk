# embed.awk - turns the SQL files into C. Used by the Makefile:
#
#   awk -v mode=statements -f sql/embed.awk sql/statements/*/*.sql   the enum and the texts
#   awk -v mode=script -f sql/embed.awk sql/schema/schema.sql …           one C string per file,
#                                   and lists of rules/*.sql and migrate/*.sql
#
# In a statements file "-- :name" begins a statement; comment lines are for readers only. "-- :name+id"
# begins an INSERT of which there are two: name leaves the column id to SQLite, and name_at, the next in
# the enum, takes it as one more parameter, the last.

# is_json(X): does the column X hold JSON? json_of(X): X, or {} where it holds none. Before SQLite 3.42
# json_valid takes a lack of memory for "no JSON", so a no is asked for once more.
function written_out(s,    call, x) {
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

# The INSERT with one more column.
function with_column(s, column,    rest, n) {
  n = 0
  for (rest = s; match(rest, /\?[0-9]+/); rest = substr(rest, RSTART + RLENGTH)) {
    if (substr(rest, RSTART + 1, RLENGTH - 1) + 0 > n) n = substr(rest, RSTART + 1, RLENGTH - 1) + 0
  }
  sub(/\) VALUES \(/, ", " column ") VALUES (", s)
  sub(/\)$/, ", ?" (n + 1) ")", s)
  return s
}

# sql/schema/turn.sql is turn; of rules and migrations there are many: rules_en, migrate_1_2.
function name_of(path,    folder) {
  folder = path ~ /\/rules\// ? "rules_" : path ~ /\/migrate\// ? "migrate_" : ""
  sub(/.*\//, "", path)
  sub(/\.sql$/, "", path)
  return folder path
}

mode == "script" {
  if (FNR == 1) {
    if (NR > 1) {
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
  printf "  \"%s\\n\"\n", quote(written_out($0))
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
  current = upper
  next
}

/^--/ || /^[ \t]*$/ { next }

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
  line = written_out($0)
  sub(/;[ \t]*$/, "", line)
  sub(/^[ \t]+/, " ", line)
  sub(/^ /, text[current] == "" ? "" : " ", line)
  if (text[current] != "" && line !~ /^ /) line = " " line
  text[current] = text[current] line
}

END {
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
    if (names[i] in columns) text[names[i] "_AT"] = with_column(text[names[i]], columns[names[i]])
  }
  print "#ifdef TS_STATEMENT_TEXTS"
  print "static const char *const statementTexts[] = {"
  for (i = 0; i < count; i++) printf "  /* SQL_%s */ \"%s\",\n", names[i], quote(text[names[i]])
  print "};"
  print "#elif defined(TS_STATEMENT_NAMES)"
  print "static const char *const statementNames[] = {"
  for (i = 0; i < count; i++) printf "  \"%s\",\n", tolower(names[i])
  print "};"
  print "#else"
  print "enum {"
  for (i = 0; i < count; i++) printf "  SQL_%s,\n", names[i]
  print "  SQL_COUNT"
  print "};"
  print "#endif"
}
