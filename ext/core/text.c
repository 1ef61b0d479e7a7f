/*
** text.c - the words of the product: every default template, and the small tools to fill them.
**
** A template is looked up by key in one table. What a person can be shown comes first, then what
** is written into notes and commits. The commands ask for a key, the config may replace its
** template, and ts_text_fill puts the values in. The options of a choice are templates of their
** own (option.KIND.ANSWER); the caller appends them to the prompt as "A) …" lines.
**
** Filling measures first and writes second, with the same walk over the template both times, so
** that a result takes exactly one allocation. A value goes in as it is: braces inside it are text,
** which keeps a message from smuggling in a placeholder.
**
** All strings handed out here are C strings. A NUL inside a value would end them early and lose
** the rest, so it is written as the replacement character.
*/
#include "text.h"

#include "turnstile.h"

#include <stdio.h>
#include <string.h>

#include "sqlite3ext.h"
SQLITE_EXTENSION_INIT3

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

static const struct {
  const char *key;
  const char *text;
} texts[] = {
    /* Choices: the question, then the two ways out of it. */
    {"prompt.stale", "Welcome back! You were working on: {task}\n\nWould you like to:"},
    {"option.stale.continue", "Continue that work"},
    {"option.stale.start_fresh", "Save it and start fresh"},
    {"prompt.new_task", "You have unfinished work on: {task}\n\nShould I:"},
    {"option.new_task.start_fresh", "Save that and start on your new request"},
    {"option.new_task.continue", "Continue where we left off"},
    {"prompt.unclear", "I am not sure what you mean. I was working on: {task}\n\nShould I:"},
    {"option.unclear.continue", "Go on with that"},
    {"option.unclear.start_fresh", "Take your message as something new"},
    {"prompt.saved",
     "Welcome back! After {duration} I had saved your work on: {task}\n\nShould I:"},
    {"option.saved.continue", "Pick that work up again"},
    {"option.saved.start_fresh", "Take your message as something new"},

    /* On return. */
    {"welcome.awaiting_user", "Welcome back! I was asking:\n\n{question}"},
    {"welcome.pending_complete",
     "Welcome back! I had finished:\n\n{summary}\n\nDoes this look good?"},
    {"welcome.running", "Welcome back! I was working on: {task}\n\nProgress so far:\n{progress}\n\n"
                        "Should I continue?"},
    {"welcome.interrupted", "Welcome back! You had said:\n\n{user_message}\n\n"
                            "I hadn't finished processing that. Should I continue?"},
    {"welcome.auto_saved", "Welcome back! After {duration} I have saved your work on: {task}\n\n"
                           "What would you like to do?"},
    {"note.merged", "{session} was merged into this conversation; turns of its own: {turns}"},
    {"note.merged_task", "It was working on: {task}"},
    {"note.merged_question", "It had asked: {question}"},
    {"commit.merged", "Saved when this conversation was merged into {session}: {task}"},
    {"context.interrupted",
     "No result: the turn ended before this tool call returned. It may or may "
     "not have taken effect."},
    {"context.pending", "No result yet: the conversation went on before this tool call returned. "
                        "The result may follow."},
    {"context.late_result", "The result of {tool} ({id}), an earlier tool call, has come:"},
    {"context.late_error", "The error of {tool} ({id}), an earlier tool call, has come:"},
    {"context.retried", "Please work on that again."},
    {"context.retried_of", "Please work on this again: {message}"},
    {"context.orphan_result", "The result of an earlier tool call, which is no longer shown:"},
    {"context.orphan_error", "The error of an earlier tool call, which is no longer shown:"},
    {"context.no_text", "(no text)"},
    {"context.opening", "(The conversation goes on.)"},
    {"welcome.none", "Welcome back! Nothing is in progress. What would you like to do?"},

    /* Replies that need no agent. */
    {"acknowledge", "Got it."},
    {"acknowledge.fresh", "Starting fresh. What would you like to do?"},
    {"acknowledge.dropped", "All right, I'll leave that request."},
    {"complete", "Great! This is done and saved:\n\n{summary}\n\n"
                 "Let me know if you need anything else."},
    {"abandon", "All right, I've stopped working on: {task}"},
    {"blocked", "Something went wrong in this conversation, and it is on hold. "
                "Your message is kept until it can go on."},
    {"rejected.archived", "This conversation is archived. Your message was not taken."},
    {"rejected.deleted", "The conversation that this message belonged to has been deleted."},
    {"duplicate.answer", "That was your answer already; it was taken."},
    {"rejected.over", "That is not asked any more. Your answer was not taken."},
    {"rejected.queue_full", "Too many messages are waiting here. Your message was not taken; "
                            "please try again later."},

    /* Notes. */
    {"note.question", "Question for user: {question}"},
    {"note.answer", "User response: {message}"},
    {"note.intervention", "User intervention: {message}"},
    {"note.request_more", "User requested continuation: {message}"},
    {"note.confirmation", "User confirmed task complete"},
    {"note.abandon", "User abandoned the task: {message}"},
    {"note.choice.continue", "User chose to continue {kind}"},
    {"note.choice.start_fresh", "User chose to start fresh {kind}"},
    {"note.held", "Asked for meanwhile, not started: {message}"},
    {"note.dropped", "Taken back: {message}"},
    {"note.stale_dropped", "\"{task}\" dropped: idle for {duration}, no work"},
    {"note.resumed", "Session resumed from suspended"},
    {"note.picked_up", "Picked up again: {task}"},
    {"note.undone", "The conversation went back: what was recorded after that turn is undone"},
    {"note.redone", "The conversation went forward again: what was undone holds again"},

    /* The progress of a task that has none. */
    {"progress.none", "Nothing recorded yet."},

    /* The {kind} of a choice in its notes. */
    {"kind.stale", "after idle period"},
    {"kind.new_task", "when a new request came"},
    {"kind.unclear", "after an unclear message"},
    {"kind.saved", "after the task had been saved"},

    /* Commits. */
    {"commit.stale", "Auto-saved: session idle for {duration}: {task}"},
    {"commit.switch", "Saved before starting new task: {task}"},
    {"commit.abandoned", "Abandoned by user"},
    {"commit.undone", "Undone: {task}"},

    /* What a worker's parent gets to know. */
    {"worker.failed", "Worker {worker} has failed: {reason}"},
    {"worker.left", "Worker {worker} has stopped without a report. It said last: {result}"},
    {"worker.timeout", "Worker {worker} has not reported within {duration}"},
    {"worker.question", "Worker {worker} asks: {question}"},

    /* Two messages handed over as one input. */
    {"label.earlier", "Earlier message, still open:"},
    {"label.newer", "Newer message:"},
};

/* What else a template may name, beside the placeholders of its default. */
static const struct {
  const char *key;
  const char *more;
} further[] = {
    {"prompt.stale", "{duration}"},         {"prompt.new_task", "{duration}"},
    {"prompt.unclear", "{duration}"},       {"welcome.awaiting_user", "{task}"},
    {"welcome.pending_complete", "{task}"}, {"welcome.interrupted", "{task}"},
    {"note.confirmation", "{message}"},
};

const char *ts_text_default(const char *key) {
  for (int i = 0; i < COUNT(texts); i++) {
    if (strcmp(texts[i].key, key) == 0) return texts[i].text;
  }
  return NULL;
}

const char *ts_text_key(int i) {
  return i >= 0 && i < COUNT(texts) ? texts[i].key : NULL;
}

/* The length of the placeholder that a template has here, its braces included; 0: none. */
static int placeholder(const char *z) {
  size_t n = *z == '{' ? strspn(z + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                       "0123456789_.- ")
                       : 0;
  return n > 0 && z[n + 1] == '}' ? (int)n + 2 : 0;
}

static int holds(const char *text, const char *name, int n) {
  for (; text && *text; text++) {
    if (placeholder(text) == n && memcmp(text, name, (size_t)n) == 0) return 1;
  }
  return 0;
}

static const char *furtherOf(const char *key) {
  for (int i = 0; i < COUNT(further); i++) {
    if (strcmp(further[i].key, key) == 0) return further[i].more;
  }
  return NULL;
}

const char *ts_text_unknown(const char *key, const char *tmpl, int *n) {
  const char *preset = ts_text_default(key), *more = furtherOf(key);
  for (; preset && *tmpl; tmpl++) {
    *n = placeholder(tmpl);
    if (*n && !holds(preset, tmpl, *n) && !holds(more, tmpl, *n)) return tmpl;
  }
  return NULL;
}

static void listIn(sqlite3_str *list, const char *text, const char *seen) {
  for (const char *z = text; z && *z; z++) {
    int n = placeholder(z);
    if (!n || (seen && holds(seen, z, n))) continue;
    sqlite3_str_appendf(list, "%s%.*s", sqlite3_str_length(list) ? ", " : "", n, z);
  }
}

char *ts_text_placeholders(const char *key) {
  const char *preset = ts_text_default(key);
  sqlite3_str *list = sqlite3_str_new(NULL);
  listIn(list, preset, NULL);
  listIn(list, furtherOf(key), preset);
  if (sqlite3_str_length(list) == 0) sqlite3_str_appendall(list, "none");
  return sqlite3_str_finish(list);
}

/* ---- Filling --------------------------------------------------------------------------------- */

/* Where text goes: counted always, written when there is a buffer. */
typedef struct Output {
  char *bytes; /* NULL while measuring */
  size_t n;
} Output;

static void put(Output *o, const char *text, size_t n) {
  if (o->bytes && n) memcpy(o->bytes + o->n, text, n);
  o->n += n;
}

static void putValue(Output *o, const char *text, size_t n) {
  while (n) {
    const char *nul = memchr(text, 0, n);
    size_t run = nul ? (size_t)(nul - text) : n;
    put(o, text, run);
    if (!nul) return;
    put(o, "\xEF\xBF\xBD", 3);
    text += run + 1;
    n -= run + 1;
  }
}

static const TextField *findField(const char *name, size_t n, const TextField *fields,
                                  int nFields) {
  for (int i = 0; i < nFields; i++) {
    if (strlen(fields[i].name) == n && memcmp(fields[i].name, name, n) == 0) return &fields[i];
  }
  return NULL;
}

/* After so many bytes no more values are put in: a template may name a long message again and again. */
#define FILLED_MAX TURNSTILE_MAX_TEXT

static void fill(Output *o, const char *tmpl, const TextField *fields, int nFields) {
  for (;;) {
    const char *open = strchr(tmpl, '{');
    if (!open) break;
    put(o, tmpl, (size_t)(open - tmpl));
    size_t n = strcspn(open + 1, "{}");
    const TextField *field = open[1 + n] == '}' ? findField(open + 1, n, fields, nFields) : NULL;
    if (!field) {
      /* Only the brace is passed on: a placeholder may follow right behind it. */
      put(o, "{", 1);
      tmpl = open + 1;
      continue;
    }
    if (field->value && o->n <= FILLED_MAX) {
      putValue(o, field->value, field->n < 0 ? strlen(field->value) : (size_t)field->n);
    }
    tmpl = open + 1 + n + 1;
  }
  put(o, tmpl, strlen(tmpl));
}

char *ts_text_fill(const char *tmpl, const TextField *fields, int nFields) {
  Output size = {NULL, 0};
  fill(&size, tmpl, fields, nFields);
  Output out = {sqlite3_malloc64((sqlite3_uint64)size.n + 1), 0};
  if (!out.bytes) return NULL;
  fill(&out, tmpl, fields, nFields);
  out.bytes[out.n] = 0;
  return out.bytes;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

/* Blank for trimming: white space of any script, control characters, the byte order mark. */
static int isBlankCharacter(unsigned c) {
  return c <= ' ' || (c >= 0x7F && c <= 0xA0) || c == 0x1680 || (c >= 0x2000 && c <= 0x200B) ||
         c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000 || c == 0xFEFF;
}

#define ZERO_WIDTH_JOINER 0x200D

/* Belongs to the character before it: accents, joiners, variants, skin tones. */
static int isAttached(unsigned c) {
  return (c >= 0x300 && c <= 0x36F) || c == ZERO_WIDTH_JOINER || c == 0x20E3 ||
         (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0x1F3FB && c <= 0x1F3FF);
}

/* Finds the first line that has anything on it. Returns its length, trimmed, and its start. */
static int firstLine(const char *text, int n, int *start) {
  int i = 0, end = 0, found = 0;
  while (i < n) {
    unsigned c;
    int len = ts_utf8_next(text + i, n - i, &c);
    if (found && (c == '\n' || c == '\r')) break;
    if (!isBlankCharacter(c)) {
      if (!found) *start = i;
      found = 1;
      end = i + len;
    }
    i += len;
  }
  return found ? end - *start : 0;
}

int ts_text_blank(const char *text, int n) {
  for (int i = 0; i < n;) {
    unsigned c;
    i += ts_utf8_next(text + i, n - i, &c);
    if (!isBlankCharacter(c)) return 0;
  }
  return 1;
}

char *ts_first_line(const char *text, int n, int maxChars) {
  static const char ellipsis[] = "\xE2\x80\xA6";
  int start = 0, i = 0, chars = 0;
  n = firstLine(text, n, &start);
  if (n) text += start; /* text may be NULL when there is nothing */

  /* cut is the last place where the line can be cut so that an ellipsis still fits: never between
  ** a character and what is attached to it. */
  int cut = 0;
  unsigned before = 0;
  while (i < n) {
    unsigned c;
    int len = ts_utf8_next(text + i, n - i, &c);
    if (chars < maxChars && !isAttached(c) && before != ZERO_WIDTH_JOINER) cut = i;
    if (chars >= maxChars) break;
    before = c;
    chars++;
    i += len;
  }
  int whole = i == n;
  int keep = whole ? n : cut;
  if (!whole) {
    int unused = 0;
    /* No blank before the ellipsis: the kept part is trimmed once more. */
    keep = firstLine(text, keep, &unused);
  }

  /* An unpaired byte takes three as a replacement character. */
  char *line = sqlite3_malloc64((sqlite3_uint64)keep * 3 + sizeof(ellipsis));
  if (!line) return NULL;
  Output out = {line, 0};
  for (i = 0; i < keep;) {
    unsigned c;
    int len = ts_utf8_next(text + i, keep - i, &c);
    if (c == 0 || (c == TS_REPLACEMENT_CHARACTER && len == 1)) {
      put(&out, "\xEF\xBF\xBD", 3);
    } else {
      put(&out, text + i, (size_t)len);
    }
    i += len;
  }
  if (!whole && maxChars > 0) put(&out, ellipsis, sizeof(ellipsis) - 1);
  line[out.n] = 0;
  return line;
}
