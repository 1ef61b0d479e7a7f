/*
** labelled.h - messages with the class that a reader gave them, from files of JSON lines.
**
** Each line is an object with state, message, label, and optionally id, lang, question and task. A file
** is named as FILE.jsonl, or as FILE.jsonl:work and FILE.jsonl:unseen for one half of it: of the
** messages of one label and language, in the order of a hash of their ids, every second one is unseen.
** The halves are the same on every machine, and stay the same when lines change places.
**
** A file LANG.txt, or LANG.WHO.txt, holds messages that were written for learning (tests/messages), one to a line behind the
** letter of its class (R M C A N Q U, in the order of the enum; Q asks):
**
**   > P|task|what the agent said last   the situation of the lines that follow, with the letter of its state
**   M make it blue                      a message in this situation
**   A/RP forget it                      one that means the same in any situation of these states: it counts
**                                       once for each, in the one its hash picks of those above
*/
#ifndef LABELLED_H
#define LABELLED_H

#include "load_rules.h"

typedef struct Item {
  const char *id, *lang, *state, *message;
  MessageClass label, got;
  unsigned hash;      /* of the id */
  int isWritten;      /* for learning */
  unsigned situation; /* messages of one are judged together */
  ClassifyInput in;
} Item;

static Item *items;
static int nItems;

/* A copy of a column's text. Exits when memory runs out. */
static const char *keep(sqlite3_stmt *q, int column, int *n) {
  int size = sqlite3_column_bytes(q, column);
  const char *text = (const char *)sqlite3_column_text(q, column);
  char *copy = malloc((size_t)size + 1);
  if (copy == 0) exit(2);
  memcpy(copy, text ? text : "", (size_t)size);
  copy[size] = 0;
  if (n) *n = size;
  return copy;
}

static void free_item(Item *it) {
  free((void *)it->id);
  free((void *)it->lang);
  if (!it->isWritten) free((void *)it->state);
  free((void *)it->in.question);
  free((void *)it->in.task);
  free((void *)it->message);
}

static void free_items(void) {
  for (int i = 0; i < nItems; i++)
    free_item(&items[i]);
  free(items);
}

/* FNV-1a, and the last steps of Murmur, so that every bit depends on every letter. */
static unsigned hash_id(const char *id) {
  unsigned h = 2166136261u;
  for (; *id; id++)
    h = (h ^ (unsigned char)*id) * 16777619u;
  h = (h ^ h >> 16) * 0x85EBCA6Bu;
  h = (h ^ h >> 13) * 0xC2B2AE35u;
  return h ^ h >> 16;
}

static Item read_item(sqlite3_stmt *q, const char *path) {
  Item it;
  const char *label;
  int n;
  memset(&it, 0, sizeof(it));
  it.id = keep(q, 0, 0);
  it.hash = hash_id(it.id);
  it.lang = keep(q, 1, 0);
  it.state = keep(q, 2, &n);
  it.in.state = (TaskState)ts_state_find(&ts_task_machine, it.state, n);
  it.in.question = keep(q, 3, &it.in.nQuestion);
  it.in.task = keep(q, 4, &it.in.nTask);
  it.message = it.in.message = keep(q, 5, &it.in.nMessage);
  label = keep(q, 6, &n);
  it.label = ts_class_find(label, n);
  free((void *)label);
  if ((int)it.in.state < 0 || it.label == CLASS_UNKNOWN) {
    fprintf(stderr, "%s: %s: bad state or label\n", path, it.id);
    exit(2);
  }
  return it;
}

/* Is this item of items[first …] in the unseen half? */
static int is_unseen(int first, int at) {
  const Item *it = &items[at];
  int rank = 0;
  for (int i = first; i < nItems; i++) {
    const Item *other = &items[i];
    if (other->label != it->label || strcmp(other->lang, it->lang) != 0) continue;
    rank += other->hash < it->hash || (other->hash == it->hash && strcmp(other->id, it->id) < 0);
  }
  return rank % 2;
}

/* Keeps one half of items[first …]. */
static void keep_half(int first, int unseen) {
  char *wanted = malloc((size_t)nItems + 1);
  int n = first;
  if (wanted == 0) exit(2);
  for (int i = first; i < nItems; i++)
    wanted[i] = is_unseen(first, i) == unseen;
  for (int i = first; i < nItems; i++) {
    if (wanted[i])
      items[n++] = items[i];
    else
      free_item(&items[i]);
  }
  nItems = n;
  free(wanted);
}

#define CLASS_LETTERS "RMCANQU"
#define STATE_LETTERS "NRAIP" /* in the order of the enum */
#define SITUATIONS_MAX 256

typedef struct Situation {
  TaskState state;
  const char *task, *question;
} Situation;

/* Which of the letters it is, -1: none. */
static int by_letter(const char *letters, char letter) {
  const char *at = letter ? strchr(letters, letter) : 0;
  return at == 0 ? -1 : (int)(at - letters);
}

static const char *copy_text(const char *text, int *n) {
  size_t size = strlen(text);
  char *copy = malloc(size + 1);
  if (copy == 0) exit(2);
  memcpy(copy, text, size + 1);
  if (n) *n = (int)size;
  return copy;
}

static void add_item(const Item *it) {
  items = realloc(items, (size_t)(nItems + 1) * sizeof(*items));
  if (items == 0) exit(2);
  items[nItems++] = *it;
}

static void add_written(const char *lang, const Situation *at, int label, const char *message,
                        unsigned situation) {
  Item it;
  memset(&it, 0, sizeof(it));
  it.id = copy_text(message, 0);
  it.hash = hash_id(message);
  it.lang = copy_text(lang, 0);
  it.state = ts_task_machine.states[at->state];
  it.in.state = at->state;
  it.in.question = copy_text(at->question, &it.in.nQuestion);
  it.in.task = copy_text(at->task, &it.in.nTask);
  it.message = it.in.message = copy_text(message, &it.in.nMessage);
  it.label = (MessageClass)label;
  it.isWritten = 1;
  it.situation = situation;
  add_item(&it);
}

/* Adds a message in one situation of a state, unless there is none. */
static void add_general(const char *lang, const Situation *all, int n, int state, int label,
                        const char *message) {
  int ofState = 0, pick;
  for (int i = 0; i < n; i++)
    ofState += all[i].state == (TaskState)state;
  if (ofState == 0) return;
  pick = (int)(hash_id(message) % (unsigned)ofState);
  for (int i = 0; i < n; i++)
    if (all[i].state == (TaskState)state && pick-- == 0)
      add_written(lang, &all[i], label, message, hash_id(message));
}

static void bad_line(const char *path, const char *line) {
  fprintf(stderr, "%s: neither a situation nor a message: %s\n", path, line);
  exit(2);
}

/* "> P|task|question" */
static Situation read_situation(const char *path, char *line) {
  char *task = strchr(line, '|'), *question = task ? strchr(task + 1, '|') : 0;
  int state = strncmp(line, "> ", 2) == 0 ? by_letter(STATE_LETTERS, line[2]) : -1;
  if (question == 0 || state < 0) bad_line(path, line);
  *question = 0;
  return (Situation){(TaskState)state, task + 1, question + 1};
}

static void load_written(const char *path) {
  char lang[8] = "", *text = read_file(path, 0), *line;
  const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
  Situation all[SITUATIONS_MAX];
  int n = 0;
  snprintf(lang, sizeof(lang), "%.*s", (int)strcspn(name, "."), name);
  for (line = strtok(text, "\n"); line != 0; line = strtok(0, "\n")) {
    int label = by_letter(CLASS_LETTERS, line[0]);
    const char *message = strchr(line, ' ');
    if (line[0] == '>' && n < SITUATIONS_MAX)
      all[n++] = read_situation(path, line);
    else if (label < 0 || message == 0 || n == 0 || (line[1] != ' ' && line[1] != '/'))
      bad_line(path, line);
    else if (line[1] == ' ')
      add_written(lang, &all[n - 1], label, message + 1, hash_id(all[n - 1].question));
    else
      for (const char *at = line + 2; at < message; at++)
        add_general(lang, all, n, by_letter(STATE_LETTERS, *at), label, message + 1);
  }
  free(text);
}

static int is_written_file(const char *path) {
  size_t n = strlen(path);
  return n > 4 && strcmp(path + n - 4, ".txt") == 0;
}

/* Adds the messages of a file, or of a half of it. Exits with the error when it is bad. */
static void load_items(sqlite3 *db, const char *named) {
  char path[1024], *half, *text, *line;
  int first = nItems;
  Item item;
  sqlite3_stmt *q = 0;
  if (is_written_file(named)) {
    load_written(named);
    return;
  }
  snprintf(path, sizeof(path), "%s", named);
  half = strrchr(path, ':');
  if (half != 0) *half++ = 0;
  if (half != 0 && strcmp(half, "work") != 0 && strcmp(half, "unseen") != 0) {
    fprintf(stderr, "%s: a half is called work or unseen\n", named);
    exit(2);
  }
  text = read_file(path, 0);
  sqlite3_prepare_v2(db,
                     "SELECT ?1->>'id', ?1->>'lang', ?1->>'state', ?1->>'question', ?1->>'task',"
                     " ?1->>'message', ?1->>'label'",
                     -1, &q, 0);
  for (line = strtok(text, "\n"); line != 0; line = strtok(0, "\n")) {
    sqlite3_bind_text(q, 1, line, -1, SQLITE_STATIC);
    if (sqlite3_step(q) != SQLITE_ROW) {
      fprintf(stderr, "%s: not JSON: %s\n", path, line);
      exit(2);
    }
    item = read_item(q, path);
    add_item(&item);
    sqlite3_reset(q);
  }
  sqlite3_finalize(q);
  free(text);
  if (half != 0) keep_half(first, strcmp(half, "unseen") == 0);
}

#endif
