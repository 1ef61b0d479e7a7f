/*
** core.h - what every command stands on: the connection, the running command, statements, errors,
** arguments, results, memory.
**
** A command is a function `void run(Cmd *c)`. It reads its arguments from c->arg, works through
** ts_exec and ts_query, and leaves a result. Errors are sticky: the first one (c->rc) ends the
** command, and everything called after it does nothing and returns "no row", 0 or an empty text,
** so that code reads straight on and checks where it loops or decides. Memory taken from a command
** (ts_alloc, ts_printf, …) lives until the command ends.
*/
#ifndef TS_CORE_H
#define TS_CORE_H

#include "sqlite3ext.h"

#include "statements.h"
#include "turnstile.h"
#include "utf8.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Conn Conn;
typedef struct Target Target;
typedef struct Cmd Cmd;
typedef struct CommandSpec CommandSpec;

#define TS_TEXT(literal) ((Text){(literal), (int)sizeof(literal) - 1})

/* ---- Connection (conn.c) --------------------------------------------------------------------- */

/* One installed set of tables as one connection sees it: a schema and a prefix, with the
** statements prepared for it. */
struct Target {
  Target *next;
  char *schema; /* "main", or the name an attached database goes by; owned */
  char *prefix; /* owned */
  char *door;   /* the view's name: prefix and "turnstile"; owned */
  /* Its tables are tables (foreign.h): true until SQLite prepares the witness again. */
  int checked;
  int prepared; /* how often it had done so by then */
  int looks;    /* grows when the file may be another one: what was read from it is not kept then */
  char *
      skips; /* a trigger of somebody's on one of its tables that leaves rows out; owned, NULL: none */
  sqlite3_stmt *witness;
  sqlite3_stmt *cached[SQL_COUNT];
};

/* A command's result, kept until turnstile_result() takes it. */
typedef struct Result {
  int type; /* 0: none; else SQLITE_NULL, SQLITE_INTEGER or SQLITE_TEXT */
  sqlite3_int64 i;
  char *z; /* owned */
  int n;
} Result;

#define TS_MAX_OWNERS 4

struct Conn {
  sqlite3 *db;
  int nRef;       /* function registrations, modules and the cache's table hold one each */
  int caching;    /* the cache's table is connected: statements may be kept */
  int running;    /* a command is being executed: none can begin inside it */
  int installing; /* turnstile_install is at work */
  int dead;       /* loading has failed: nothing works any more */
  void (*owners[TS_MAX_OWNERS])(struct Conn *conn); /* free what they keep here: ts_conn_owner */
  const CommandSpec *const *commands; /* all there are, ended by NULL: handed over by turnstile.c */
  struct Registry *registry;          /* while the library is being loaded; owned by turnstile.c */
  Target *targets;
  Target *used; /* what turnstile_use chose; NULL: main without prefix */
  int pinned;   /* turnstile_clock: the time stands at pinnedAt */
  sqlite3_int64 pinnedAt;
  struct Call *call; /* of a sugar function, while its statement runs; owned by door.c */
  char *err;         /* what the dispatcher reported last; owned */
  Result result;
  struct Trial *trial;           /* on its way to the dispatcher; owned by door.c */
  char *classifierFunction;      /* turnstile_classifier; owned, NULL: none */
  struct Classifier *classifier; /* compiled rules; owned by classifier.c */
  int rulesTouched;              /* message_rules was written since the last autocommit look */
  struct Router *router;         /* the policies, taken apart; owned by policy.c */
  int policiesTouched;           /* the same for session_policies */
};

/* Registers one reference's release, as an xDestroy. */
void ts_conn_release(void *conn);
/* When the last reference is given back, letGo frees what its file keeps on the connection. To be called
** once for each connection, while the library is loaded. */
void ts_conn_owner(Conn *conn, void (*letGo)(Conn *conn));

/* The target for a schema and prefix, made on first use. NULL: out of memory. */
Target *ts_target(Conn *conn, const char *schema, const char *prefix);
/* The target that sugar functions and table-valued functions of this connection work on. */
Target *ts_target_used(Conn *conn);
/* Finalises what is kept for a target. */
void ts_target_forget(Target *target);

/* SQL with its #markers replaced: see sql/schema/schema.sql. A string for sqlite3_free, or NULL. */
char *ts_sql_expand(const char *sql, const char *schema, const char *prefix);

/* Is a statement that writes in the middle of its work on this connection? */
int ts_writer_is_active(sqlite3 *db);

/* Is this function called by what lies in a file, past SQLITE_DIRECTONLY? Then it is an error, and 1 is returned.
** Every function that is for the host alone asks this first. */
int ts_refuse_file(sqlite3_context *ctx, const char *function);

/* Visits the names of all databases of the connection (main, temp, attached ones) until visit returns something else
** than SQLITE_OK; returns that. */
int ts_each_schema(Conn *conn, int (*visit)(void *arg, const char *schema), void *arg);

/* ---- A running command (cmd.c) ----------------------------------------------------------- */

typedef struct Arg {
  int given; /* 0: absent or NULL */
  int said;  /* 0: absent */
  Text text; /* for text and JSON: cleaned UTF-8 without NUL */
  sqlite3_int64 i;
  double r;
} Arg;

#define TS_MAX_ARGS 24

/* What is numbered in the order of being made: see ids.h. */
typedef enum IdKind {
  ID_TASK,
  ID_OBSERVATION,
  ID_EDGE,
  ID_COMMIT,
  ID_EVENT,
  ID_HISTORY,
  ID_DELIVERY,
  ID_INPUT,
  ID_KIND_COUNT
} IdKind;

/* One key of turnstile_config as it holds for one session. */
typedef struct ConfigRow ConfigRow;

struct Cmd {
  Conn *conn;
  sqlite3 *db;
  Target *target;
  const Target *looked; /* the target whose tables were looked at for this command */
  int witnessing;       /* its witness holds SQLite's lock until the first statement has it */
  const CommandSpec *spec;
  const char *name; /* for messages */
  int rc;           /* SQLITE_OK, or the first error */
  char *err;        /* its message, or NULL for out of memory; in the arena */
  sqlite3_int64 now;
  int isDated;                 /* the call itself says when it happened: it may be long ago */
  sqlite3_int64 deliveryTaken; /* the last id that a delivery of this command has, 0: none */
  sqlite3_int64 rulesVersion;  /* of message_rules, as the door has read it; 0: not read */
  Arg arg[TS_MAX_ARGS];        /* positional arguments first, then options, as in the spec */
  void *arena;
  Result result;
  /* The settings read so far, for one session (config.c). */
  ConfigRow *config;
  Text configLabel;
  int configLoaded;
  /* The highest ids of rows that are gone, 0: none is noted; the last is that of tokens (ids.c). */
  sqlite3_int64 noted[ID_KIND_COUNT + 1];
  int notesRead;
};

/* Begins a command on a target of conn; its time comes from the pinned clock or the system. ts_cmd_clear frees its
** memory. */
void ts_cmd_init(Cmd *c, Conn *conn, Target *target, const char *name);
void ts_cmd_clear(Cmd *c);

/* Gives back the lock that the target's witness holds for the command, if it does. */
void ts_cmd_release(Cmd *c);

/* Ends the command with an error. The message gets the command's name in front. Only the first
** error counts. Rows that no command writes are SQLITE_CORRUPT_VTAB, whose primary code is
** SQLITE_CORRUPT: that code itself inside BEGIN makes SQLite keep the connection from writing until
** a ROLLBACK, and what went well before could not be committed. */
void ts_fail(Cmd *c, int rc, const char *format, ...);
/* Ends the command with the message of the database handle: for an error of a nested statement. */
void ts_fail_db(Cmd *c, int rc);
/* Ends the command for want of memory. */
void ts_fail_nomem(Cmd *c);

void *ts_alloc(Cmd *c, size_t n); /* NULL once the command has failed; zeroed */
char *ts_printf(Cmd *c, const char *format, ...);
/* Takes over a string made by sqlite3_malloc; NULL means out of memory. */
char *ts_adopt(Cmd *c, char *z);
/* A copy of n bytes, with a NUL behind them, in the command's memory. */
Text ts_copy(Cmd *c, const char *z, int n);
/* Appends a text to a string under construction; {NULL,0} adds nothing. (A string that holds nothing but was
** written to must not be formatted into: builds of SQLite with assertions stop there.) */
void ts_append(sqlite3_str *str, Text t);
/* Finishes a string under construction; {NULL,0} once the command has failed. */
Text ts_finish(Cmd *c, sqlite3_str *str);
/* Is t this word, byte for byte? NULL is no word. */
int ts_text_is(Text t, const char *z);
/* Is t one of a list of words (build/gen/word_lists.h)? TS_TEXT_IN(state, LIST_TASK_OVER) */
int ts_text_in(Text t, const char *const *words, size_t n);
#define TS_WORDS(...)                                                                              \
  (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)
#define TS_TEXT_IN(t, ...) ts_text_in((t), TS_WORDS(__VA_ARGS__))
/* Are both the same bytes, or both NULL? */
int ts_text_equal(Text a, Text b);
/* Valid UTF-8 without NUL: each offending byte becomes U+FFFD. Returns t itself when clean. */
Text ts_clean(Cmd *c, Text t);
/* An excerpt of somebody's text for a message: clean, at most 60 bytes of whole characters, and an
** ellipsis when there are more. Never NULL. */
const char *ts_excerpt(Cmd *c, Text t);
/* A number with a fraction as text, the same on every version of SQLite and in every locale. */
Text ts_real_text(Cmd *c, double r);

/* ---- Statements (statement.c) ---------------------------------------------------------------- */

typedef struct Query {
  sqlite3_stmt *stmt; /* NULL once the command has failed */
  int id;
} Query;

/*
** Binds and begins a statement. The format has one letter per parameter:
**   t const Text *   s const char *   i sqlite3_int64   r double   n NULL (no argument)
**   b const void *, int (a blob)      v sqlite3_value *   ? int given, sqlite3_int64 (NULL if 0)   R int given, double (NULL if 0)
** Texts must stay where they are until ts_end.
*/
Query ts_query(Cmd *c, int id, const char *format, ...);
/* The same with the values in a list. */
Query ts_query_list(Cmd *c, int id, const char *format, va_list ap);
int ts_row(Cmd *c, Query *q); /* 1: a row is there; 0: no more, or the command has failed */
void ts_end(Cmd *c, Query *q);

/* Ends the command because a statement can't be prepared or fails. The message says what is not installed, or what
** stands in the way of SQLite's own functions. */
void ts_fail_statement(Cmd *c, int rc);

/* Has the host interrupted the statement that the command runs in? For loops that step no statement of their own.
** Returns 1 when it has, and the command fails; also when the command had failed before. */
int ts_interrupted(Cmd *c);

/* Runs a statement to its end. */
void ts_exec(Cmd *c, int id, const char *format, ...);

/* Columns are named COL_…, by the headings of sql/statements. This is the column of a statement that has only one,
** whichever it is. */
#define COL_ONLY 0
/* The first column, of statements that begin with a key and are merged by it. */
#define COL_KEY 0

Text ts_col_text(Cmd *c, Query *q, int i); /* copied: lives as long as the command */
/* The same where it stands: good until the statement moves on. */
Text ts_col_view(const Query *q, int i);
sqlite3_int64 ts_col_int(Query *q, int i);
int ts_col_null(Query *q, int i);

/* Connects the table that owns the cached statements; harmless when it is connected already. */
void ts_cache_connect(Conn *conn);
int ts_cache_register(Conn *conn);

/* ---- Statements that are not kept (once.c) --------------------------------------------------- */

/* A statement that is not worth keeping, its names written out: prepared, and stepped once (1: a row). An
** error of either ends the command. NULL, and 0, once it has failed. For sqlite3_finalize. */
sqlite3_stmt *ts_prepare_once(Cmd *c, const char *sql);
int ts_step_once(Cmd *c, sqlite3_stmt *stmt);

/* ---- Results --------------------------------------------------------------------------------- */

void ts_return_null(Cmd *c);
void ts_return_int(Cmd *c, sqlite3_int64 i);
void ts_return_text(Cmd *c, Text t);

/* ---- Commands (cmd.c) -------------------------------------------------------------------- */

typedef enum ArgType {
  ARG_TEXT,     /* any text */
  ARG_LABEL,    /* a session label: 1 … TURNSTILE_MAX_LABEL bytes */
  ARG_NAME,     /* an owner, a channel, a key: 1 … TURNSTILE_MAX_NAME bytes */
  ARG_ID,       /* the same, or an integer that is taken as text */
  ARG_MESSAGE,  /* text that is more than blanks */
  ARG_JSON,     /* JSON, of any type */
  ARG_OBJECT,   /* a JSON object */
  ARG_ARRAY,    /* a JSON array, which the command itself takes apart */
  ARG_INT,      /* an integer from 0 to 2^53 - 1 */
  ARG_TIME,     /* the same, Unix milliseconds; one in seconds is refused */
  ARG_TURN,     /* a turn: its id, or as text the id that it has elsewhere */
  ARG_BOOL,     /* 0 or 1 */
  ARG_DURATION, /* ms, or text such as "90s" */
  ARG_WEIGHT,   /* a number from 0 to 1 */
  ARG_DATA,     /* anything, taken as JSON */
  ARG_ANY,      /* text or a number, taken as text */
  ARG_DOCUMENT  /* a JSON object of any length, which the command itself takes apart */
} ArgType;

/* An argument that must be there, and may be NULL. */
#define ARG_OR_NULL 2

typedef struct ArgSpec {
  const char *name;
  ArgType type;
  int required; /* 1, or ARG_OR_NULL */
} ArgSpec;

#define COMMAND_READ 1      /* writes nothing; runs without the door */
#define COMMAND_MAY_READ 2  /* the same when its function `reads` says so of the arguments */
#define COMMAND_OLD_LABEL 4 /* takes labels with U+FFFD, which older versions made */

struct CommandSpec {
  const char *name;
  void (*run)(Cmd *c);
  int flags;
  int nArgs; /* positional arguments; the options follow them in spec->args */
  int nOptions;
  const ArgSpec *args; /* nArgs + nOptions of them */
  int (*reads)(const Cmd *c);
};

#define TS_ARGS(nPositional, table)                                                                \
  (nPositional), (int)(sizeof(table) / sizeof((table)[0])) - (nPositional), (table)

/* A prefix is '' or an identifier of at most 32 characters that SQLite leaves to others. */
int ts_prefix_valid(const char *prefix);
#define TS_PREFIX_ERROR(command)                                                                   \
  command ": prefix must be '' or begin with a letter or _ and hold only letters, digits and _, "  \
          "at most 32, and not begin with sqlite_"

#endif
