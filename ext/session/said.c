/*
** said.c - the words that give a message its meaning. See said.h.
**
** All other code reads a message through this file: the classifier, the reading of choices and of
** reports. The message that is handed over stays as it was said.
*/
#include "said.h"

#include "address.h"
#include "answer.h"
#include "decide.h"
#include "json.h"
#include "queue.h"

SQLITE_EXTENSION_INIT3

/* ---- What is said ------------------------------------------------------------------------------ */

/* A worker's task and its reports are plain words, whatever they contain. */
static int isWords(const Inbound *in) {
  return in->source == SOURCE_AGENT && (in->isExempt || ts_text_is(in->channel, "worker"));
}

/* Who it is said to. Only people call each other. */
static Address addressOf(const Inbound *in) {
  Address a = {.to = ADDRESSED_NOBODY, .said = in->message.z, .nSaid = in->message.n};
  if (in->source == SOURCE_USER)
    ts_address_read(in->message.z, in->message.n, in->names.z, in->names.n, &a);
  return a;
}

/* Is it said to somebody else? A mention alone may be an answer: "who reviews it?" "@bob" */
static int isElsewhere(const Address *a) {
  return a->to == ADDRESSED_ELSEWHERE && !a->isCall;
}

int ts_said_is_call(const Inbound *in, int answers) {
  Address a = addressOf(in);
  if (!a.isCall || in->isGiven || in->source != SOURCE_USER) return 0;
  return !answers || (in->names.z && a.to == ADDRESSED_HERE && !in->answersQuestion);
}

/* The slash word of a message whose addressee is known. */
static int slashOf(const Inbound *in, const Address *a, Slash *slash) {
  return in->source == SOURCE_USER && ts_slash_beside(a, in->names, slash);
}

int ts_said_slash(const Inbound *in, Slash *slash) {
  Address a = addressOf(in);
  return slashOf(in, &a, slash);
}

int ts_asks_compact(const Inbound *in, Text *focus) {
  Slash slash;
  if (isWords(in)) return 0;
  if (in->source == SOURCE_USER ? !ts_said_slash(in, &slash)
                                : !ts_slash_read(in->message, none, &slash))
    return 0;
  if (!slash.isFor || !ts_slash_is_compact(slash.word)) return 0;
  *focus = slash.rest;
  return 1;
}

void ts_asks_put(Json *j, const Inbound *in) {
  Text focus;
  if (!ts_asks_compact(in, &focus)) return;
  ts_json_put_string(j, "action", ts_action_names[ACTION_COMPACT]);
  ts_json_put(j, "focus", focus);
}

int ts_is_command(const Inbound *in) {
  Slash slash;
  Address a;
  if (in->source != SOURCE_USER || in->isGiven) return 0;
  if (in->isAside) return 1;
  a = addressOf(in);
  if (isElsewhere(&a)) return 1;
  if (!slashOf(in, &a, &slash)) return 0;
  return !slash.isFor || (!ts_slash_is_stop(slash.word) && !ts_slash_is_compact(slash.word));
}

Text ts_said(Cmd *c, const Inbound *in) {
  return in->source == SOURCE_USER ? ts_slash_understood(c, in->message, in->names) : in->message;
}

/* ---- To somebody else -------------------------------------------------------------------------- */

#define NAME_BYTES 256 /* of the name to find */

static int isAlike(char a, char b) {
  return sqlite3_strnicmp(&a, &b, 1) == 0;
}

/* How much of a name is repeated at the end of its first i + 1 bytes: so much is already matched
** when the next byte differs. */
static void readAgain(Text name, unsigned char *again) {
  again[0] = 0;
  for (int i = 1, n = 0; i < name.n; i++) {
    while (n && !isAlike(name.z[i], name.z[n]))
      n = again[n - 1];
    n += isAlike(name.z[i], name.z[n]);
    again[i] = (unsigned char)n;
  }
}

/* Does a text contain the name? Then the text is about it. Each byte is read once, whatever is
** repeated. */
static int speaksOf(Text text, Text name) {
  unsigned char again[NAME_BYTES] = {0};
  if (name.n > NAME_BYTES) name.n = NAME_BYTES;
  readAgain(name, again);
  for (int i = 0, n = 0; text.z && i < text.n; i++) {
    while (n && !isAlike(text.z[i], name.z[n]))
      n = again[n - 1];
    n += isAlike(text.z[i], name.z[n]);
    if (n == name.n) return 1;
  }
  return 0;
}

Text ts_said_beside(const Inbound *in, Text question, Text task) {
  Address a = addressOf(in);
  Text name = {a.name, a.nName};
  if (!a.nName || in->isGiven || in->answersQuestion) return none;
  if (name.z[0] != '@' && ts_choice_knows(name.z, name.n)) return none;
  return speaksOf(question, name) || speaksOf(task, name) ? none : (Text){a.beside, a.nBeside};
}

int ts_is_compact(const Inbound *in) {
  Text focus;
  return ts_asks_compact(in, &focus);
}
