# cues.awk - the lists of words in sql/cues/ as C. Used by the Makefile:
#
#   awk -v mode=names -f sql/cues.awk sql/cues/headings.txt          the enum of the lists
#   awk -v mode=lists -f sql/cues.awk sql/cues/headings.txt FILE…    their words
#
# The first file has all headings, and what each is for. The others are the languages:
#
#   [asks to end]            a list: CUE_ASKS_TO_END
#   stop | cancel | get rid  its words, on as many lines as it needs
#   no_ | _say?              a blank at the beginning or at the end of a word is written _
#   # text                   a comment, on a line of its own
#
# The words of all languages make one list; those of one file keep their order. A text in which they are looked for is in
# lower case as far as it is ASCII, so a word with such a capital, which would never be found, ends the build, and so does
# all else that can't be meant, with the file and the line.

function fail(what, where) {
  print (where ? where : FILENAME ":" FNR) ": " what > "/dev/stderr"
  failed = 1
  exit 1
}

# No list without words.
function end_list() {
  if (list != "" && below == 0) fail("no word stands below [" list "]", began)
}

function add(word) {
  gsub(/^[ \t]+|[ \t]+$/, "", word)
  if (word == "" || word == "_") fail("a word has no letters")
  if (word ~ /["\\\[\]]/) fail("there is a sign that means nothing here: " word)
  if (word ~ /[ABCDEFGHIJKLMNOPQRSTUVWXYZ]/) fail("a word with a capital of ASCII is never found: " word)
  if ((list, word) in place) fail("\"" word "\" stands in " place[list, word] " already")
  place[list, word] = FILENAME ":" FNR
  sub(/^_/, " ", word)
  sub(/_$/, " ", word)
  if (word ~ /_/) fail("a blank inside of a word is a blank: " word)
  words[list] = words[list] "    \"" word "\",\n"
  count[list]++
  below++
}

FNR == 1 {
  if (first == "") first = FILENAME
  end_list()
  list = ""
}

{ sub(/\r$/, "") }

/^#/ || /^[ \t]*$/ { next }

/^\[/ {
  if ($0 !~ /^\[[a-z][a-z ]*[a-z]\]$/) fail("a heading is [some words]")
  if (FILENAME != first) end_list()
  list = substr($0, 2, length($0) - 2)
  below = 0
  began = FILENAME ":" FNR
  if (FILENAME == first) {
    if (list in known) fail("[" list "] stands twice in this file")
    known[list] = 1
    names[++lists] = list
    list = ""
    next
  }
  if (!(list in known)) fail(first " has no heading [" list "]")
  if ((FILENAME, list) in seen) fail("[" list "] stands twice in this file")
  seen[FILENAME, list] = 1
  next
}

{
  if (FILENAME == first) fail("the first file has headings only")
  if (list == "") fail("a word stands below a heading: " first " has them")
  n = split($0, parts, "|")
  for (i = 1; i <= n; i++) add(parts[i])
}

function name_of(list) {
  list = toupper(list)
  gsub(/ /, "_", list)
  return "CUE_" list
}

END {
  if (failed) exit 1
  end_list()
  if (mode == "names") {
    print "/* Made from sql/cues/headings.txt by sql/cues.awk. */\ntypedef enum Cue {"
    for (k = 1; k <= lists; k++) print "  " name_of(names[k]) ","
    print "  CUES\n} Cue;"
    exit 0
  }
  print "/* Made from sql/cues/ by sql/cues.awk. */\n#include \"cues.h\""
  for (k = 1; k <= lists; k++) {
    if (!count[names[k]]) fail("no file has a word below [" names[k] "]")
    print "\nstatic const char *const words" k "[] = {\n" words[names[k]] "};"
  }
  print "\nconst CueList ts_cues[CUES] = {"
  for (k = 1; k <= lists; k++) print "    [" name_of(names[k]) "] = {words" k ", " count[names[k]] "},"
  print "};"
}
