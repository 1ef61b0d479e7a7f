/*
** turnstile.h - the public header of Turnstile, a SQLite loadable extension.
**
** Turnstile runs the lifecycle of AI-agent sessions inside the database. Load it
** (sqlite3_load_extension, `.load`, or linked in with SQLITE_CORE defined), run
** `SELECT turnstile_install();` once per file, and ask `SELECT session_deliver(label, message);`
** for every incoming message. Everything else is SQL; docs/reference.md has an entry per function.
**
** Needs SQLite 3.38 or later.
*/
#ifndef TURNSTILE_H
#define TURNSTILE_H

#include "sqlite3.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library: what turnstile_version() returns. */
#define TURNSTILE_VERSION "0.1.0"

/* The version of the schema that this library installs and uses. turnstile_install() upgrades a file
** with an older version; a file with a newer one is refused. */
#define TURNSTILE_SCHEMA_VERSION 6

/* Limits. The error of a command that exceeds one names it. */
#define TURNSTILE_MAX_LABEL 1024      /* bytes of a session label */
#define TURNSTILE_MAX_NAME 256        /* bytes of an owner, channel, sender or id */
#define TURNSTILE_MAX_MESSAGE 1048576 /* bytes of a message: default of max_message_bytes */
#define TURNSTILE_MAX_TEXT 16777216   /* bytes of any other text or JSON argument */
#define TURNSTILE_MAX_INTEGER 9007199254740991 /* 2^53 - 1, JavaScript's safe range */
#define TURNSTILE_MAX_JSON_DEPTH 1000          /* nesting levels of JSON in arguments */

/* The clocks of several hosts may differ by this many ms, or one clock may be set back by it, without harm.
** A stored time further in the future than this does not block anything. */
#define TURNSTILE_CLOCK_STEP 60000

/*
** The extended result code of a command that finds somebody else at work: a session has a live run
** (turn_begin, turn_append, turn_compact, session_rewind, session_archive, session_delete, session_import
** with replace), a run belongs to another owner (session_run), or workers are not done
** (session_delete). Its primary code is SQLITE_BUSY. SQLite itself never returns it: for a locked file
** SQLite returns SQLITE_BUSY or one of its own extended codes. Try again when the lease has expired. To
** reach the run before that, use session_deliver, which is never busy.
*/
#define TURNSTILE_BUSY (5 | (84 << 8)) /* 21509 */

#define TURNSTILE_MAX_TOKENS 8796093022207 /* 2^43 - 1 tokens in one number */

/*
** Limits of the turn tree. A turn id is branch << 24 | depth, a message's place is
** turn << 12 | sequence. The limits may be set lower at build time, never higher.
*/
#define TURNSTILE_DEPTH_BITS 24
#define TURNSTILE_SEQUENCE_BITS 12
#ifndef TURNSTILE_MAX_BRANCH
#define TURNSTILE_MAX_BRANCH 134217727 /* 2^27 - 1 branches in a file */
#endif
#ifndef TURNSTILE_MAX_DEPTH
#define TURNSTILE_MAX_DEPTH 16777215 /* 2^24 - 1 turns above a turn */
#endif
#ifndef TURNSTILE_MAX_SEQUENCE
#define TURNSTILE_MAX_SEQUENCE 4095 /* a turn holds 2^12 messages and tool calls */
#endif

/*
** The entry point. The only exported symbol of the shared library.
**
** Registers the functions and table-valued functions with one connection. Writes nothing and
** prepares nothing. Returns SQLITE_OK, or an error code with a message in *pzErrMsg (free it
** with sqlite3_free): SQLITE_ERROR if SQLite is older than 3.38, or SQLITE_NOMEM.
*/
struct sqlite3_api_routines;
int sqlite3_turnstile_init(sqlite3 *db, char **pzErrMsg, const struct sqlite3_api_routines *pApi);

#ifdef __cplusplus
}
#endif

#endif
