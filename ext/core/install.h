/*
** install.h - what turnstile_install(), turnstile_schema() and turnstile_renew() have in common.
*/
#ifndef TS_INSTALL_H
#define TS_INSTALL_H

#include "core.h"

int ts_install_register(Conn *conn);
int ts_schema_register(Conn *conn);
int ts_renew_register(Conn *conn);

/* Their options; schema and renew know all but the last. */
enum { INSTALL_PREFIX, INSTALL_SCHEMA, INSTALL_UUID, INSTALL_KEEP_FOREIGN, INSTALL_COUNT };
extern const ArgSpec ts_install_args[INSTALL_COUNT];

/*
** While the work lasts, no trigger of the file runs, and no foreign key of its tables is checked: they would
** compute what they hold, in a new file as well as in an old one. What could run inside our tables (CHECKs,
** generated columns, expressions of indexes) has been looked for before. SQLITE_DBCONFIG_TRUSTED_SCHEMA stays as
** the host has it: adding a column makes SQLite read the whole schema, and a table of the application's that
** uses a function of the application's would stand in the way.
*/
typedef struct Distrust {
  int triggers, keys; /* as they were */
} Distrust;

/* Visits the scripts of a new file in order. */
void ts_install_pieces(Cmd *c, const char *uuid,
                       void (*visit)(Cmd *c, const char *script, void *arg), void *arg);

char *ts_install_uuid(Cmd *c);

/* Reads the arguments into c, and finds the target that they name. */
void ts_install_begin(Cmd *c, Conn *conn, const CommandSpec *spec, int argc, sqlite3_value **argv);

void ts_install_end(sqlite3_context *ctx, Cmd *c);

void ts_distrust_begin(Cmd *c, Distrust *d);

void ts_distrust_end(Cmd *c, const Distrust *d);

char *ts_install_expand(Cmd *c, const char *sql);

#endif
