/*
** functions.h - registering functions and modules with a connection, and giving an error of a command as theirs.
*/
#ifndef TS_FUNCTIONS_H
#define TS_FUNCTIONS_H

#include "core.h"

typedef struct FunctionSpec {
  const char *name;
  int nArg;  /* -1: any number */
  int flags; /* SQLITE_INNOCUOUS, SQLITE_DIRECTONLY, SQLITE_DETERMINISTIC */
  void (*function)(sqlite3_context *, int, sqlite3_value **);
} FunctionSpec;

/* What was registered while the library is being loaded, so that it can be taken back. */
#define TS_MAX_REGISTERED 256
typedef struct Registry {
  int n;
  struct {
    const char *name;
    int nArg; /* TS_IS_MODULE: a module */
  } entries[TS_MAX_REGISTERED];
} Registry;
#define TS_IS_MODULE (-2)

/* Registers one function. destroy releases data, even when registering fails. */
int ts_function_register(Conn *conn, const FunctionSpec *spec, void *data, void (*destroy)(void *));
/* Registers functions whose user data is the connection, each with a reference to it. */
int ts_functions_register(Conn *conn, const FunctionSpec *specs, int n);
int ts_module_register(Conn *conn, const char *name, const sqlite3_module *module);
/* Takes back what was registered, the newest first. What SQLite won't give up (a function, while a
** statement runs) stays, and is inert from then on. */
void ts_registry_undo(Conn *conn, const Registry *registry);

/* The command's error as the function's. */
void ts_give_error(sqlite3_context *ctx, const Cmd *c);

#endif
