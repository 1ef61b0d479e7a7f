/*
** foreign.c - telling what a library has made in a file from what somebody else has put there.
**
** A file may come from a stranger. Its schema is looked at in sqlite_schema, as text, before anything
** in it is used: reading a view or a virtual table, or writing to a table that has triggers, CHECKs or
** generated columns, would run what the stranger has written.
**
** A table or an index is ours when it holds no other words than the scripts of sql/ (comments aside),
** its own name and the names of its columns. So columns and indexes that an application has added pass;
** a function, a collation or an operator that is a function does not.
*/
#include "foreign.h"

#include "scripts.h"

#include <stdlib.h>
#include <string.h>

SQLITE_EXTENSION_INIT3

/* What these asked for, turnstile_policy_check does. */
const char ts_retired_triggers[] = "\nCREATE TRIGGER #session_policies_first"
                                   "\nCREATE TRIGGER #session_policies_move"
                                   "\nCREATE TRIGGER #session_policies_shape_first"
                                   "\nCREATE TRIGGER #session_policies_shape_move"
                                   "\nCREATE TRIGGER #session_policies_type_first"
                                   "\nCREATE TRIGGER #session_policies_type_move";

static const char *const tableScripts[] = {ts_script_schema, ts_script_turns, ts_script_identities};
static const char *const otherScripts[] = {ts_script_views, ts_script_guards, ts_script_door,
                                           ts_retired_triggers};
#define N_TABLE_SCRIPTS ((int)(sizeof(tableScripts) / sizeof(tableScripts[0])))
#define N_OTHER_SCRIPTS ((int)(sizeof(otherScripts) / sizeof(otherScripts[0])))

static int isNameByte(char ch) {
  return ch == '_' || (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') ||
         (ch >= '0' && ch <= '9') || (ch & 0x80);
}

void ts_each_created(Cmd *c, const char *script, CreatedVisit visit, void *arg) {
  const char *z = script;
  while (c->rc == SQLITE_OK && (z = strstr(z, "\nCREATE ")) != NULL) {
    const char *kind = z + 8;
    const char *name = strchr(z, '#');
    char *full;
    int n = 0;
    if (!name) break;
    if (strncmp(kind, "UNIQUE ", 7) == 0) kind += 7;
    name++;
    while (isNameByte(name[n]))
      n++;
    full = ts_printf(c, "%s%.*s", c->target->prefix, n, name);
    if (full) visit(c, kind[1] == 'R' ? 'G' : kind[0], full, arg); /* TRIGGER: G, TABLE: T */
    z = name + n;
  }
}

typedef struct Words {
  int n;
  Text *list; /* sorted */
} Words;

/* ---- Names that are ours --------------------------------------------------------------------- */

typedef struct Made {
  struct Made *next;
  char kind;
  const char *name;
  Words columns; /* of a table, once they were asked for */
} Made;

static void addMade(Cmd *c, char kind, const char *name, void *arg) {
  Made **list = arg, *m = ts_alloc(c, sizeof(*m));
  if (!m) return;
  m->kind = kind;
  m->name = name;
  m->next = *list;
  *list = m;
}

/* What the library makes; of tables alone when told so. */
static Made *allMade(Cmd *c, int tablesOnly) {
  Made *list = NULL;
  for (int i = 0; i < N_TABLE_SCRIPTS; i++)
    ts_each_created(c, tableScripts[i], addMade, &list);
  for (int i = 0; i < N_OTHER_SCRIPTS && !tablesOnly; i++)
    ts_each_created(c, otherScripts[i], addMade, &list);
  return list;
}

/* The name as one of ours, or NULL. */
static Made *findMade(Made *list, const char *name) {
  while (list && sqlite3_stricmp(list->name, name) != 0)
    list = list->next;
  return list;
}

/* The kind under which the name is ours, or 0. */
static char kindOf(Made *list, const char *name) {
  const Made *m = findMade(list, name);
  return m ? m->kind : 0;
}

/* ---- Words of SQL ---------------------------------------------------------------------------- */

/* Where what begins at z and ends with the byte `end`, doubled inside, is over. */
static const char *afterQuoted(const char *z, char end) {
  for (z++; *z; z++) {
    if (*z != end) continue;
    if (z[1] != end) return z + 1;
    z++;
  }
  return z;
}

static const char *afterComment(const char *z) {
  const char *end = strstr(z + 2, z[0] == '-' ? "\n" : "*/");
  if (!end) return z + strlen(z);
  return end + (z[0] == '-' ? 1 : 2);
}

/* The next name at or after *z, quotes taken off; 0 when there is none. Comments, texts, numbers and
** signs are passed over; the markers of our scripts as well. */
static int nextWord(const char **z, Text *word) {
  const char *p = *z;
  while (*p) {
    const char *start = p;
    if ((p[0] == '-' && p[1] == '-') || (p[0] == '/' && p[1] == '*')) {
      p = afterComment(p);
    } else if (*p == '\'') {
      p = afterQuoted(p, '\'');
    } else if (*p == '"' || *p == '`' || *p == '[') {
      p = afterQuoted(p, *p == '[' ? ']' : *p);
      *word = (Text){start + 1, (int)(p - start) - (p[-1] == *start || p[-1] == ']' ? 2 : 1)};
      *z = p;
      return 1;
    } else if (*p >= '0' && *p <= '9') {
      while (isNameByte(*p))
        p++;
    } else if (isNameByte(*p)) {
      while (isNameByte(*p))
        p++;
      *word = (Text){start, (int)(p - start)};
      *z = p;
      return 1;
    } else {
      p++;
    }
  }
  *z = p;
  return 0;
}

static int compareWords(const void *a, const void *b) {
  const Text *x = a, *y = b;
  int n = x->n < y->n ? x->n : y->n, d = sqlite3_strnicmp(x->z, y->z, n);
  return d ? d : x->n - y->n;
}

static int hasWord(const Words *words, Text word) {
  return words->n && bsearch(&word, words->list, (size_t)words->n, sizeof(word), compareWords);
}

static int isWord(Text t, const char *z) {
  return (int)strlen(z) == t.n && sqlite3_strnicmp(t.z, z, t.n) == 0;
}

/* Every word of a script, counted only while there is no list to put it into. */
static void addWords(Words *words, const char *script, int limit) {
  Text word;
  while (nextWord(&script, &word)) {
    if (words->list && words->n < limit) words->list[words->n] = word;
    words->n++;
  }
}

static void addAllWords(Words *words, int limit) {
  /* Types that a column of a STRICT table can have beside ours. */
  addWords(words, "INT BLOB", limit);
  for (int i = 0; i < N_TABLE_SCRIPTS; i++)
    addWords(words, tableScripts[i], limit);
}

static Words ourWords(Cmd *c) {
  Words words = {0, NULL};
  int n;
  addAllWords(&words, 0);
  n = words.n;
  words.n = 0;
  words.list = ts_alloc(c, (size_t)n * sizeof(Text));
  if (!words.list) return words;
  addAllWords(&words, n);
  qsort(words.list, (size_t)n, sizeof(Text), compareWords);
  return words;
}

/* ---- One object of the file ------------------------------------------------------------------ */

/* Runs a statement that is not worth keeping; NULL once the command has failed. */
static sqlite3_stmt *prepare(Cmd *c, const char *sql) {
  sqlite3_stmt *stmt = NULL;
  if (!sql || c->rc != SQLITE_OK) return NULL;
  if (sqlite3_prepare_v2(c->db, sql, -1, &stmt, NULL) != SQLITE_OK) {
    ts_fail_db(c, sqlite3_extended_errcode(c->db));
  }
  return stmt;
}

static int step(Cmd *c, sqlite3_stmt *stmt) {
  int rc = stmt && c->rc == SQLITE_OK ? sqlite3_step(stmt) : SQLITE_DONE;
  if (rc != SQLITE_ROW && rc != SQLITE_DONE) ts_fail_db(c, sqlite3_extended_errcode(c->db));
  return rc == SQLITE_ROW;
}

static const char *column(Cmd *c, sqlite3_stmt *stmt, int i) {
  const char *z = (const char *)sqlite3_column_text(stmt, i);
  if (!z && sqlite3_column_type(stmt, i) != SQLITE_NULL && c->rc == SQLITE_OK) c->rc = SQLITE_NOMEM;
  return z ? z : "";
}

/* The names of a table's columns as words. PRAGMA, because a file can hold a table called
** pragma_table_xinfo. */
static Words columnsOf(Cmd *c, const char *table) {
  Words words = {0, NULL};
  int room = 0;
  sqlite3_stmt *stmt =
      prepare(c, ts_printf(c, "PRAGMA \"%w\".table_xinfo(\"%w\")", c->target->schema, table));
  while (step(c, stmt)) {
    if (words.n == room) {
      Text *more = ts_alloc(c, (size_t)(2 * room + 16) * sizeof(Text));
      if (!more) break;
      if (room) memcpy(more, words.list, (size_t)room * sizeof(Text));
      words.list = more;
      room = 2 * room + 16;
    }
    words.list[words.n] = ts_copy(c, column(c, stmt, 1), sqlite3_column_bytes(stmt, 1));
    words.n++;
  }
  sqlite3_finalize(stmt);
  if (words.n) qsort(words.list, (size_t)words.n, sizeof(Text), compareWords);
  return words;
}

/* A word that begins with the prefix, without it. */
static Text unprefixed(const Cmd *c, Text word) {
  int n = (int)strlen(c->target->prefix);
  if (n && word.n > n && sqlite3_strnicmp(word.z, c->target->prefix, n) == 0) {
    return (Text){word.z + n, word.n - n};
  }
  return word;
}

/* Are all words of this SQL ours, but for the object's own name and columns that call nothing? */
static int wordsAreOurs(Cmd *c, const char *sql, const char *name, const Words *words,
                        const Words *columns) {
  Text word;
  while (nextWord(&sql, &word)) {
    const char *next = sql;
    while (*next == ' ' || *next == '\n' || *next == '\t' || *next == '\r')
      next++;
    if (hasWord(words, word) || hasWord(words, unprefixed(c, word))) continue;
    if (isWord(word, name) || (hasWord(columns, word) && *next != '(' && *next != '/')) continue;
    return 0;
  }
  return 1;
}

/* CREATE VIRTUAL TABLE, however it is written. */
static int isVirtual(const char *sql) {
  Text word; /* the first is CREATE */
  if (!nextWord(&sql, &word)) return 0;
  return nextWord(&sql, &word) && isWord(word, "VIRTUAL");
}

static sqlite3_stmt *eachObject(Cmd *c) {
  return prepare(c, ts_printf(c, "SELECT type, name, tbl_name, sql FROM \"%w\".sqlite_schema",
                              c->target->schema));
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static const char *fileOf(sqlite3 *db, const Target *target) {
  const char *file = sqlite3_db_filename(db, target->schema);
  return file ? file : "";
}

void ts_foreign_tables(Cmd *c) {
  Target *target = c->target;
  Made *tables;
  sqlite3_stmt *stmt;
  if (c->rc != SQLITE_OK || target->checked) return;
  if (sqlite3_txn_state(c->db, target->schema) < 0) {
    ts_fail(c, SQLITE_ERROR, "no database is attached as \"%s\"", target->schema);
    return;
  }
  tables = allMade(c, 1);
  stmt = eachObject(c);
  while (step(c, stmt)) {
    const char *type = column(c, stmt, 0), *name = column(c, stmt, 1);
    int isTable = strcmp(type, "table") == 0;
    if ((!isTable && strcmp(type, "view") != 0) || kindOf(tables, name) != 'T') continue;
    if (isTable && !isVirtual(column(c, stmt, 3))) continue;
    ts_fail(c, SQLITE_CORRUPT_VTAB,
            "\"%s\".\"%s\" is a %s, not the table that turnstile makes; nothing of it was read",
            target->schema, name, isTable ? "virtual table" : "view");
  }
  sqlite3_finalize(stmt);
  if (c->rc != SQLITE_OK) return;
  sqlite3_free(target->file);
  target->file = sqlite3_mprintf("%s", fileOf(c->db, target));
  target->checked = 1;
}

/* Statements that were prepared for another file would be prepared again by SQLite, unchecked. */
static void forget(Target *target) {
  target->checked = 0;
  for (int i = 0; i < SQL_COUNT; i++) {
    sqlite3_finalize(target->cached[i]);
    target->cached[i] = NULL;
  }
}

void ts_foreign_look_again(sqlite3 *db, Target *target) {
  if (!target->checked) return;
  if (!target->file || strcmp(fileOf(db, target), target->file) != 0) forget(target);
}

void ts_foreign_key(Target *target, const char *key) {
  if (target->key && strcmp(target->key, key) == 0) return;
  if (target->key) forget(target);
  sqlite3_free(target->key);
  target->key = sqlite3_mprintf("%s", key);
}

int ts_foreign_meta_is_ours(Cmd *c) {
  const char *name = ts_printf(c, "%sturnstile_meta", c->target->prefix);
  const char *expected = ts_stored_sql(c, ts_script_schema, "TABLE", "turnstile_meta");
  sqlite3_stmt *stmt = prepare(
      c, ts_printf(c, "SELECT type, sql FROM \"%w\".sqlite_schema WHERE name = %Q COLLATE NOCASE",
                   c->target->schema, name));
  int ours = 1;
  while (expected && step(c, stmt)) {
    const char *sql = column(c, stmt, 1);
    if (strcmp(column(c, stmt, 0), "table") == 0 && strcmp(sql, expected) == 0) continue;
    ours = strcmp(column(c, stmt, 0), "table") == 0 && !isVirtual(sql);
    if (ours) {
      Words words = ourWords(c), columns = columnsOf(c, name);
      ours = c->rc == SQLITE_OK && wordsAreOurs(c, sql, name, &words, &columns);
    }
    break;
  }
  sqlite3_finalize(stmt);
  return ours;
}

/* ---- What is to be named before an upgrade --------------------------------------------------- */

typedef struct Listing {
  Made *made;
  Words words;
  sqlite3_str *out;
} Listing;

/* type, name, tbl_name, sql: is this ours, or no matter? */
static int isOurs(Cmd *c, const Listing *l, sqlite3_stmt *row) {
  const char *type = column(c, row, 0), *name = column(c, row, 1), *sql = column(c, row, 3);
  const char *table = column(c, row, 2);
  Made *m = findMade(l->made, table);
  char own = kindOf(l->made, name), about = m ? m->kind : 0;
  if (strcmp(type, "trigger") == 0) return own == 'G' ? about != 0 : about == 0;
  if (strcmp(type, "view") == 0) return own == 0 || own == 'V';
  if (about != 'T') return own == 0 || own == 'V'; /* that a name is taken is told elsewhere */
  if (!sql[0]) return 1;                           /* the index of a key */
  if (isVirtual(sql)) return 0;
  if (!m->columns.list) m->columns = columnsOf(c, table);
  return wordsAreOurs(c, sql, name, &l->words, &m->columns);
}

Text ts_foreign_list(Cmd *c) {
  Listing l = {allMade(c, 0), ourWords(c), sqlite3_str_new(c->db)};
  sqlite3_stmt *stmt = eachObject(c);
  while (step(c, stmt)) {
    const char *type, *name, *table;
    if (isOurs(c, &l, stmt)) continue;
    type = column(c, stmt, 0);
    name = column(c, stmt, 1);
    table = column(c, stmt, 2);
    sqlite3_str_appendf(l.out, "%s%s %s", sqlite3_str_length(l.out) ? ", " : "", type, name);
    if (sqlite3_stricmp(name, table) != 0) sqlite3_str_appendf(l.out, " on %s", table);
  }
  sqlite3_finalize(stmt);
  return ts_clean(c, ts_finish(c, l.out));
}

char *ts_stored_sql(Cmd *c, const char *script, const char *kind, const char *name) {
  char *head = ts_printf(c, "\nCREATE %s #%s", kind, name);
  const char *start = head ? strstr(script, head) : NULL, *end;
  char *text;
  if (!start) return NULL;
  start += strlen(kind) + 9; /* at the marker */
  end = strstr(start, strcmp(kind, "TRIGGER") == 0 ? "\nEND;" : ";\n");
  if (!end) return NULL;
  if (*end == '\n') end += 4;
  text = ts_printf(c, "CREATE %s #%.*s", kind, (int)(end - start), start);
  return text ? ts_adopt(c, ts_sql_expand(text, c->target->schema, c->target->prefix)) : NULL;
}
