/*
** foreign.c - telling what a library has made in a file from what somebody else has put there.
**
** A file may come from a stranger. Its schema is looked at in sqlite_schema, as text, before anything
** in it is used: reading a view or a virtual table, or writing to a table that has triggers, CHECKs or
** generated columns, would run what the stranger has written. Its texts are compared as SQLite reads
** them: up to a NUL, whether they are stored as TEXT or as a BLOB, in letters of either case.
**
** A table or an index is ours when it holds no other words than the scripts of sql/ (comments aside),
** its own name and the names of its columns. So columns and indexes that an application has added pass;
** a function, a collation or an operator that is a function does not.
*/
#include "foreign.h"

#include "array.h"
#include "scripts.h"

#include <stdlib.h>
#include <string.h>

SQLITE_EXTENSION_INIT3

/* turnstile_policy_check does what these did. */
const char ts_retired_triggers[] = "\nCREATE TRIGGER #session_policies_first"
                                   "\nCREATE TRIGGER #session_policies_move"
                                   "\nCREATE TRIGGER #session_policies_shape_first"
                                   "\nCREATE TRIGGER #session_policies_shape_move"
                                   "\nCREATE TRIGGER #session_policies_type_first"
                                   "\nCREATE TRIGGER #session_policies_type_move";

static const char *const tableScripts[] = {ts_script_schema, ts_script_turn, ts_script_identity};
static const char *const otherScripts[] = {ts_script_views, ts_script_guards, ts_script_door,
                                           ts_retired_triggers};
#define N_TABLE_SCRIPTS ((int)(sizeof(tableScripts) / sizeof(tableScripts[0])))
#define N_OTHER_SCRIPTS ((int)(sizeof(otherScripts) / sizeof(otherScripts[0])))

static int isNameByte(char ch) {
  return ch == '_' || ch == '$' || (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') ||
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

/* What the library makes, or only its tables. */
static Made *allMade(Cmd *c, int tablesOnly) {
  Made *list = NULL;
  for (int i = 0; i < N_TABLE_SCRIPTS; i++)
    ts_each_created(c, tableScripts[i], addMade, &list);
  for (int i = 0; i < N_OTHER_SCRIPTS && !tablesOnly; i++)
    ts_each_created(c, otherScripts[i], addMade, &list);
  return list;
}

/* The object of ours that has this name, or NULL. */
static Made *findMade(Made *list, const char *name) {
  while (list && sqlite3_stricmp(list->name, name) != 0)
    list = list->next;
  return list;
}

/* The kind of our object that has this name, or 0. */
static char kindOf(Made *list, const char *name) {
  const Made *m = findMade(list, name);
  return m ? m->kind : 0;
}

/* ---- Words of SQL ---------------------------------------------------------------------------- */

/* Behind the quotes that begin at z and end with the byte `end`, which is doubled inside them. */
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

/* What SQLite skips between two words: blanks, comments, and byte order marks. */
static const char *afterSpace(const char *z) {
  for (;;) {
    if (*z && strchr(" \t\n\f\r", *z)) {
      z++;
    } else if (strncmp(z, "\xef\xbb\xbf", 3) == 0) {
      z += 3;
    } else if ((z[0] == '-' && z[1] == '-') || (z[0] == '/' && z[1] == '*')) {
      z = afterComment(z);
    } else {
      return z;
    }
  }
}

/* The next name at or after *z, without its quotes; returns 0 when there is none. Skips comments, texts, numbers,
** signs, and the markers of our scripts. */
static int nextWord(const char **z, Text *word) {
  const char *p;
  for (p = afterSpace(*z); *p; p = afterSpace(p)) {
    const char *start = p;
    if (*p == '\'') {
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

/* The words of our scripts, and those of them that have a "(" behind them: functions and parts of the
** grammar. A table's name has one too, but calls nothing where it stands. */
typedef struct OurWords {
  Words all, calls;
} OurWords;

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

static int isCalled(const char *after) {
  return *afterSpace(after) == '(';
}

/* Adds every word of a script. While there is no list for them, it only counts them. */
static void addWords(OurWords *words, const char *script) {
  Text word;
  while (nextWord(&script, &word)) {
    if (words->all.list) words->all.list[words->all.n] = word;
    words->all.n++;
    if (!isCalled(script) || word.z[-1] == '#') continue;
    if (words->calls.list) words->calls.list[words->calls.n] = word;
    words->calls.n++;
  }
}

static void addTableWords(OurWords *words) {
  words->all.n = words->calls.n = 0;
  /* Types that a column of a STRICT table can have beside ours. */
  addWords(words, " INT BLOB");
  for (int i = 0; i < N_TABLE_SCRIPTS; i++)
    addWords(words, tableScripts[i]);
}

static void addDoorWords(OurWords *words) {
  words->all.n = words->calls.n = 0;
  addWords(words, ts_script_door);
}

/* The words of the tables' scripts, or of the door's. */
static OurWords ourWords(Cmd *c, void (*addAll)(OurWords *words)) {
  OurWords words = {{0, NULL}, {0, NULL}};
  addAll(&words);
  words.all.list = ts_alloc(c, (size_t)words.all.n * sizeof(Text));
  words.calls.list = ts_alloc(c, (size_t)words.calls.n * sizeof(Text));
  if (!words.calls.list) return (OurWords){{0, NULL}, {0, NULL}};
  addAll(&words);
  qsort(words.all.list, (size_t)words.all.n, sizeof(Text), compareWords);
  qsort(words.calls.list, (size_t)words.calls.n, sizeof(Text), compareWords);
  return words;
}

/* ---- The same SQL ---------------------------------------------------------------------------- */

/* What SQLite reads as one: a name, bare or in quotes, a text, or a sign. At the end of the SQL it is empty. */
typedef struct Token {
  const char *z, *end;
  Text name;  /* without quotes; {NULL,0}: it is not a name */
  int isBare; /* a name without quotes */
} Token;

static Token tokenAt(const char *z) {
  Token t = {afterSpace(z), NULL, {NULL, 0}, 0};
  t.end = t.z;
  if (*t.z == '\'') {
    t.end = afterQuoted(t.z, '\'');
  } else if (*t.z && strchr("\"`[", *t.z)) {
    t.end = afterQuoted(t.z, *t.z == '[' ? ']' : *t.z);
    t.name = (Text){t.z + 1, (int)(t.end - t.z) - 2};
  } else if (isNameByte(*t.z)) {
    while (isNameByte(*t.end))
      t.end++;
    t.name = (Text){t.z, (int)(t.end - t.z)};
    t.isBare = 1;
  } else if (*t.z) {
    t.end++;
  }
  return t;
}

static Token tokenBehind(Token t) {
  return tokenAt(t.end);
}

static int isSign(Token t, char sign) {
  return *t.z == sign;
}

static int isBareWord(Token t, const char *z) {
  return t.isBare && isWord(t.name, z);
}

/* Does a word mean something else in quotes? NULL is a value and "NULL" a name, and SQLite may take a name in
** quotes that names nothing for a text. */
static int isKept(Text name) {
  return name.n <= 0 || (*name.z >= '0' && *name.z <= '9') || sqlite3_keyword_check(name.z, name.n);
}

static int isSameToken(Token a, Token b) {
  if (a.name.z && b.name.z) {
    if (a.name.n != b.name.n || sqlite3_strnicmp(a.name.z, b.name.z, a.name.n) != 0) return 0;
    return a.isBare == b.isBare || !isKept(a.name);
  }
  return !a.name.z == !b.name.z && a.end - a.z == b.end - b.z &&
         memcmp(a.z, b.z, (size_t)(a.end - a.z)) == 0;
}

/* Goes on through both as long as they are the same, up to `stop` in what was made. */
static int goesOnAlike(Token *found, Token *made, const char *stop) {
  while (!*stop || made->z < stop) {
    if (!isSameToken(*found, *made)) return 0;
    if (!*made->z) return 1;
    *found = tokenBehind(*found);
    *made = tokenBehind(*made);
  }
  return 1;
}

/* Does this begin a constraint of the table, where a column could begin? */
static int beginsConstraint(Token t) {
  static const char *const words[] = {"CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"};
  for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
    if (isBareWord(t, words[i])) return 1;
  }
  return 0;
}

/* The comma or bracket behind the column that begins at t. *isKey is set when it is a column that no ALTER TABLE
** can add. */
static Token behindColumn(Token t, int *isKey) {
  int depth = 0;
  for (; *t.z; t = tokenBehind(t)) {
    if (!depth && (isSign(t, ',') || isSign(t, ')'))) break;
    depth += isSign(t, '(') - isSign(t, ')');
    if (!depth && (isBareWord(t, "UNIQUE") || isBareWord(t, "PRIMARY"))) *isKey = 1;
  }
  return t;
}

/* Where the columns of a table end, in its SQL as we make it. */
static Token behindColumns(const char *made) {
  Token t = tokenAt(made);
  int isKey;
  while (*t.z && !isSign(t, '('))
    t = tokenBehind(t);
  do
    t = behindColumn(tokenBehind(t), &isKey);
  while (isSign(t, ',') && !beginsConstraint(tokenBehind(t)));
  return t;
}

int ts_foreign_same(Text sql, const char *made, int isTable) {
  Token found, ours = tokenAt(made);
  const char *columns = isTable ? behindColumns(made).z : "";
  if (!sql.z) return 0;
  found = tokenAt(sql.z);
  if (!goesOnAlike(&found, &ours, columns)) return 0;
  while (isTable) {
    Token rest = found, end = ours;
    int isKey = 0;
    if (goesOnAlike(&rest, &end, "")) return 1;
    if (!isSign(found, ',') || beginsConstraint(tokenBehind(found))) return 0;
    found = behindColumn(tokenBehind(found), &isKey); /* of the application's */
    if (isKey) return 0;
  }
  return 1;
}

/* ---- One object of the file ------------------------------------------------------------------ */

static const char *column(Cmd *c, sqlite3_stmt *stmt, int i) {
  const char *z = (const char *)sqlite3_column_text(stmt, i);
  if (!z && sqlite3_column_type(stmt, i) != SQLITE_NULL) ts_fail_nomem(c);
  return z ? z : "";
}

/* The names of a table's columns as words. PRAGMA, because a file can hold a table called
** pragma_table_xinfo. */
static Words columnsOf(Cmd *c, const char *table) {
  Words words = {0, NULL};
  sqlite3_int64 room = 0;
  sqlite3_stmt *stmt = ts_prepare_once(
      c, ts_printf(c, "PRAGMA \"%w\".table_xinfo(\"%w\")", c->target->schema, table));
  while (ts_step_once(c, stmt)) {
    Text *list = ts_array_more(c, words.list, words.n, &room, sizeof(*list));
    if (!list) break;
    words.list = list;
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

/* Operators that call a function which a host can replace, and what brings in a function by its name. A column may
** have such a name; the operator calls all the same. */
static int isOperator(Text word) {
  static const char *const operators[] = {"LIKE", "GLOB", "REGEXP", "MATCH", "COLLATE"};
  for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
    if (isWord(word, operators[i])) return 1;
  }
  return 0;
}

/* Where an object's SQL names its table, or the view itself, counted in words: behind TABLE, VIEW or ON. Only
** there does a "(" call nothing; later the same words can be names of columns. */
static int placeOfTable(const char *sql) {
  Text word;
  nextWord(&sql, &word); /* CREATE */
  if (!nextWord(&sql, &word)) return 0;
  if (isWord(word, "TABLE") || isWord(word, "VIEW")) return 2;
  if (isWord(word, "INDEX")) return 4;  /* CREATE INDEX name ON table */
  if (isWord(word, "UNIQUE")) return 5; /* CREATE UNIQUE INDEX name ON table */
  return 0;
}

/* Are all words of this SQL ours, except for the object's own name and columns that call nothing? */
static int wordsAreOurs(Cmd *c, const char *sql, const char *name, const OurWords *words,
                        const Words *columns) {
  int table = placeOfTable(sql);
  Text word;
  for (int place = 0; nextWord(&sql, &word); place++) {
    if (isOperator(word) && !strchr("\"`[", word.z[-1])) return 0;
    if (isCalled(sql) && place != table) {
      if (!hasWord(&words->calls, word)) return 0;
    } else if (!hasWord(&words->all, word) && !hasWord(&words->all, unprefixed(c, word)) &&
               !isWord(word, name) && !hasWord(columns, word)) {
      return 0;
    }
  }
  return 1;
}

static int countWord(const char *sql, const char *z) {
  Text word;
  int n = 0;
  while (nextWord(&sql, &word))
    n += isWord(word, z);
  return n;
}

/* Has a table of ours a CHECK, a generated column or a foreign key that we have not given it? */
static int computesMore(Cmd *c, const char *sql, const char *name) {
  static const char *const parts[] = {"CHECK", "GENERATED", "AS", "REFERENCES"};
  const char *bare = name + strlen(c->target->prefix), *ours = NULL;
  for (int i = 0; i < N_TABLE_SCRIPTS && !ours; i++)
    ours = ts_stored_sql(c, tableScripts[i], "TABLE", bare);
  for (size_t i = 0; ours && i < sizeof(parts) / sizeof(parts[0]); i++) {
    if (countWord(sql, parts[i]) > countWord(ours, parts[i])) return 1;
  }
  return 0;
}

/* CREATE VIRTUAL TABLE, however it is written. */
static int isVirtual(const char *sql) {
  Text word; /* the first is CREATE */
  if (!nextWord(&sql, &word)) return 0;
  return nextWord(&sql, &word) && isWord(word, "VIRTUAL");
}

static sqlite3_stmt *eachObject(Cmd *c, const char *schema) {
  return ts_prepare_once(
      c, ts_printf(c, "SELECT type, name, tbl_name, sql FROM \"%w\".sqlite_schema", schema));
}

/* ---- Tables ---------------------------------------------------------------------------------- */

/*
** A statement that only reads SQLite's own table. SQLite prepares it again, like every kept
** statement, when another database has taken the schema's place or its schema was changed. Then the
** tables that were checked are no longer the ones that other statements would read.
*/
static void callWitness(Cmd *c) {
  if (!c->conn->caching) return; /* nobody would finalise it in time */
  c->target->witness = ts_prepare_once(
      c, ts_printf(c, "SELECT 1 FROM \"%w\".sqlite_schema LIMIT 1", c->target->schema));
  c->target->prepared = 0;
}

static int witnessHolds(Cmd *c) {
  sqlite3_stmt *witness = c->target->witness;
  int prepared, rc;
  if (!witness || !c->target->checked) return 0;
  rc = sqlite3_step(witness);
  c->witnessing = 1;
  if (rc != SQLITE_ROW && rc != SQLITE_DONE) ts_fail_db(c, sqlite3_extended_errcode(c->db));
  prepared = sqlite3_stmt_status(witness, SQLITE_STMTSTATUS_REPREPARE, 0);
  if (c->rc != SQLITE_OK || prepared == c->target->prepared) return 1;
  c->target->prepared = prepared;
  return 0;
}

/* Fails the command when a table or a view under one of our names is not the table that we made. */
static void refuseOther(Cmd *c, Made *tables, sqlite3_stmt *row) {
  const char *type = column(c, row, 0), *name = column(c, row, 1);
  int isTable = sqlite3_stricmp(type, "table") == 0;
  if ((!isTable && sqlite3_stricmp(type, "view") != 0) || kindOf(tables, name) != 'T') return;
  if (isTable && !isVirtual(column(c, row, 3))) return;
  ts_fail(c, SQLITE_CORRUPT_VTAB,
          "\"%s\".\"%s\" is a %s, not the table that turnstile makes; nothing of it was read",
          c->target->schema, name, isTable ? "virtual table" : "view");
}

/* Does a trigger say RAISE(IGNORE)? Then a row is left out, and nothing reports it. (SQLite accepts these words in
** triggers only.) */
static int leavesOut(const char *sql) {
  for (Token t = tokenAt(sql); *t.z; t = tokenBehind(t)) {
    Token bracket = tokenBehind(t);
    if (isBareWord(t, "RAISE") && isSign(bracket, '(') &&
        isBareWord(tokenBehind(bracket), "IGNORE")) {
      return 1;
    }
  }
  return 0;
}

/* A token as a name: SQLite takes a text for one, too. */
static Text nameOf(Token t) {
  return *t.z == '\'' ? (Text){t.z + 1, (int)(t.end - t.z) - 2} : t.name;
}

/* The table that a trigger is on, by its SQL: the name behind the first ON, with its schema before it, if there is
** one. (Somebody may have written whatever else sqlite_schema says of it.) */
static Text tableOfTrigger(const char *sql, Text *schema) {
  Token t = tokenAt(sql), dot;
  while (*t.z && !isBareWord(t, "ON"))
    t = tokenBehind(t);
  t = tokenBehind(t);
  dot = tokenBehind(t);
  *schema = isSign(dot, '.') ? nameOf(t) : (Text){NULL, 0};
  return nameOf(isSign(dot, '.') ? tokenBehind(dot) : t);
}

/* Keeps the first trigger that leaves out rows of one of our tables, for commands that write. */
static void noteSkips(Cmd *c, const Made *tables, sqlite3_stmt *row, int isTemp) {
  const char *sql = column(c, row, 3), *name;
  Text schema, table;
  if (c->target->skips || !leavesOut(sql)) return;
  table = tableOfTrigger(sql, &schema);
  if (isTemp && schema.z && !isWord(schema, c->target->schema)) return;
  while (tables && !isWord(table, tables->name))
    tables = tables->next;
  if (!tables) return;
  name = column(c, row, 1);
  c->target->skips = sqlite3_mprintf("trigger \"%s\" on \"%s\"",
                                     ts_excerpt(c, (Text){name, (int)strlen(name)}), tables->name);
  if (!c->target->skips) ts_fail_nomem(c);
}

/* Looks at the objects of the file, and at the triggers that the connection has put on its tables. */
static void lookAtAll(Cmd *c) {
  Made *tables = allMade(c, 1);
  sqlite3_stmt *stmt = eachObject(c, c->target->schema);
  sqlite3_free(c->target->skips);
  c->target->skips = NULL;
  while (ts_step_once(c, stmt)) {
    refuseOther(c, tables, stmt);
    noteSkips(c, tables, stmt, 0);
  }
  sqlite3_finalize(stmt);
  stmt = eachObject(c, "temp");
  while (ts_step_once(c, stmt))
    noteSkips(c, tables, stmt, 1);
  sqlite3_finalize(stmt);
}

void ts_foreign_skips(Cmd *c) {
  if (c->rc != SQLITE_OK || !c->target->skips) return;
  ts_fail(c, SQLITE_ERROR,
          "%s says RAISE(IGNORE), which leaves out a row and tells nobody; drop it, or let it say "
          "RAISE(ABORT, '…')",
          c->target->skips);
}

void ts_foreign_tables(Cmd *c) {
  Target *target = c->target;
  if (c->rc != SQLITE_OK || c->looked == target) return;
  if (sqlite3_txn_state(c->db, target->schema) < 0) {
    ts_fail(c, SQLITE_ERROR, "no database is attached as \"%s\"", target->schema);
    return;
  }
  if (!witnessHolds(c)) {
    target->checked = 0;
    target->looks++;
    if (!target->witness) callWitness(c);
    lookAtAll(c);
    target->checked = c->rc == SQLITE_OK && target->witness;
  }
  if (c->rc == SQLITE_OK) c->looked = target;
}

/*
** sqlite3_deserialize puts another database in a schema's place and does not expire the statements that were
** prepared for the one before: when both have the same schema_version, running one of them reads memory that was
** freed. It can't happen while a transaction is open there. Such databases, and no others in daily use, belong
** to the VFS "memdb".
*/
void ts_foreign_memory(Cmd *c) {
  sqlite3_vfs *vfs = NULL;
  if (sqlite3_txn_state(c->db, c->target->schema) != SQLITE_TXN_NONE) return;
  if (sqlite3_file_control(c->db, c->target->schema, SQLITE_FCNTL_VFS_POINTER, &vfs) != SQLITE_OK ||
      !vfs || strcmp(vfs->zName, "memdb") != 0) {
    return;
  }
  ts_target_forget(c->target);
}

/* Keeps a column of the first object of a name, which is the one that SQLite uses. (SQL is long, so it is read
** only of the objects that are asked for.) */
static void keepFirst(Cmd *c, Text *kept, sqlite3_stmt *stmt, int i) {
  const char *z = kept->z ? NULL : column(c, stmt, i);
  if (z) *kept = ts_copy(c, z, (int)strlen(z));
}

Text ts_foreign_sql(Cmd *c, const char *name) {
  Text sql = {NULL, 0};
  sqlite3_stmt *stmt = eachObject(c, c->target->schema);
  while (!sql.z && ts_step_once(c, stmt)) {
    if (sqlite3_stricmp(column(c, stmt, 1), name) == 0) keepFirst(c, &sql, stmt, 3);
  }
  sqlite3_finalize(stmt);
  return sql;
}

void ts_foreign_door(Cmd *c, DoorFound *found) {
  const char *view = c->target->door,
             *trigger = ts_printf(c, "%sturnstile_door", c->target->prefix);
  sqlite3_stmt *stmt = eachObject(c, c->target->schema);
  memset(found, 0, sizeof(*found));
  while (trigger && ts_step_once(c, stmt)) {
    const char *name = column(c, stmt, 1);
    if (sqlite3_stricmp(name, view) == 0) {
      keepFirst(c, &found->view, stmt, 3);
    } else if (sqlite3_stricmp(name, trigger) == 0) {
      keepFirst(c, &found->trigger, stmt, 3);
    } else if (sqlite3_stricmp(column(c, stmt, 0), "trigger") == 0 &&
               sqlite3_stricmp(column(c, stmt, 2), view) == 0) {
      keepFirst(c, &found->other, stmt, 1);
    }
  }
  sqlite3_finalize(stmt);
}

int ts_foreign_meta_is_ours(Cmd *c) {
  const char *name = ts_printf(c, "%sturnstile_meta", c->target->prefix);
  const char *expected = ts_stored_sql(c, ts_script_schema, "TABLE", "turnstile_meta");
  sqlite3_stmt *stmt = eachObject(c, c->target->schema);
  int ours = 1;
  while (ours && name && expected && ts_step_once(c, stmt)) {
    const char *sql;
    if (sqlite3_stricmp(column(c, stmt, 1), name) != 0) continue;
    sql = column(c, stmt, 3);
    ours = sqlite3_stricmp(column(c, stmt, 0), "table") == 0 && !isVirtual(sql);
    if (ours && strcmp(sql, expected) != 0) {
      OurWords words = ourWords(c, addTableWords);
      Words columns = columnsOf(c, name);
      ours = c->rc == SQLITE_OK && !computesMore(c, sql, name) &&
             wordsAreOurs(c, sql, name, &words, &columns);
    }
  }
  sqlite3_finalize(stmt);
  return ours;
}

/* ---- What is to be named before an upgrade --------------------------------------------------- */

typedef struct Listing {
  Made *made;
  OurWords words, doorWords;
  sqlite3_str *out;
} Listing;

/* If this is the door, of whatever version, does it call nothing but the dispatcher? */
static int isOurDoor(Cmd *c, const Listing *l, const char *name, const char *sql) {
  static const Words noWords = {0, NULL};
  const char *bare = name + strlen(c->target->prefix);
  if (sqlite3_stricmp(bare, "turnstile") != 0 && sqlite3_stricmp(bare, "turnstile_door") != 0) {
    return 1;
  }
  return wordsAreOurs(c, sql, name, &l->doorWords, &noWords);
}

/* type, name, tbl_name, sql: is this ours, or harmless? */
static int isOurs(Cmd *c, const Listing *l, sqlite3_stmt *row) {
  const char *type = column(c, row, 0), *name = column(c, row, 1), *sql = column(c, row, 3);
  const char *table = column(c, row, 2);
  Made *m = findMade(l->made, table);
  char own = kindOf(l->made, name), about = m ? m->kind : 0;
  if (sqlite3_stricmp(type, "trigger") == 0) {
    return own == 'G' ? about != 0 && isOurDoor(c, l, name, sql) : about == 0;
  }
  if (sqlite3_stricmp(type, "view") == 0) {
    return own == 0 || (own == 'V' && isOurDoor(c, l, name, sql));
  }
  if (about != 'T') return own == 0 || own == 'V'; /* another error says that a name is taken */
  if (!sql[0]) return 1;                           /* the index of a key */
  if (isVirtual(sql)) return 0;
  if (!m->columns.list) m->columns = columnsOf(c, table);
  if (sqlite3_stricmp(type, "table") == 0 && computesMore(c, sql, m->name)) return 0;
  return wordsAreOurs(c, sql, name, &l->words, &m->columns);
}

Text ts_foreign_list(Cmd *c) {
  Listing l = {allMade(c, 0), ourWords(c, addTableWords), ourWords(c, addDoorWords),
               sqlite3_str_new(c->db)};
  sqlite3_stmt *stmt = eachObject(c, c->target->schema);
  while (ts_step_once(c, stmt)) {
    const char *type, *name, *table;
    if (isOurs(c, &l, stmt)) continue;
    type = column(c, stmt, 0);
    name = column(c, stmt, 1);
    table = column(c, stmt, 2);
    sqlite3_str_appendf(l.out, "%s%s%s %s", sqlite3_str_length(l.out) ? ", " : "",
                        sqlite3_stricmp(type, "table") == 0 ? "what was added to " : "", type,
                        name);
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
