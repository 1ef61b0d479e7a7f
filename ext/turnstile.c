/*
** turnstile.c - the entry point: registers everything with a connection.
**
** Nothing is written and no schema is read here: hosts load extensions on read-only connections and
** inside replicated engines.
*/
#include "core.h"

#include "check.h"
#include "classifier.h"
#include "commands.h"
#include "context.h"
#include "state_diagram.h"
#include "door.h"
#include "install.h"
#include "key.h"
#include "legacy.h"
#include "policy.h"
#include "policy_replay.h"
#include "stale.h"
#include "functions.h"
#include "path.h"

#include <string.h>

SQLITE_EXTENSION_INIT1

/*
** glibc gives memory at the top of the heap back to the system when it is freed, and SQLite frees a
** statement journal after every command. Taking and freeing one large block teaches it to keep
** that much; without it commands inside a transaction take about twice as long.
*/
static void warmAllocator(void) {
  sqlite3_free(sqlite3_malloc64((sqlite3_uint64)1 << 20));
}

/*
** Is turnstile on this connection already? Programs load a copy that they bundle beside one that is
** installed, or call the entry point on every connection and load the library as well. The first
** one stays: it holds the connection's settings. Of another version it is an error.
** Returns 1 when there is nothing to register; then *rc is what loading gives.
*/
static int isLoaded(sqlite3 *db, int *rc, char **error) {
  sqlite3_stmt *stmt = NULL;
  const char *version = NULL;
  int loaded;
  *rc = sqlite3_prepare_v2(db, "SELECT turnstile_version()", -1, &stmt, NULL);
  if (*rc == SQLITE_OK) *rc = sqlite3_step(stmt);
  if (*rc == SQLITE_ROW) {
    version = (const char *)sqlite3_column_text(stmt, 0);
    *rc = version ? SQLITE_OK : SQLITE_NOMEM;
  }
  loaded = version != NULL || *rc == SQLITE_NOMEM;
  if (version && strcmp(version, TURNSTILE_VERSION) != 0) {
    *rc = SQLITE_ERROR;
    if (error) {
      *error =
          sqlite3_mprintf("turnstile: version %s is loaded on this connection already; this is "
                          "version %s",
                          version, TURNSTILE_VERSION);
    }
  }
  sqlite3_finalize(stmt);
  return loaded;
}

/* Registers everything, or nothing. Functions come before modules: a function is what SQLite may
** refuse to replace while a statement runs. */
static int registerAll(Conn *conn, char **error) {
  static int (*const registrations[])(Conn *) = {ts_dispatch_register,
                                                 ts_result_register,
                                                 ts_use_register,
                                                 ts_clock_register,
                                                 ts_version_register,
                                                 ts_door_register,
                                                 ts_install_register,
                                                 ts_schema_register,
                                                 ts_renew_register,
                                                 ts_diagram_register,
                                                 ts_key_register,
                                                 ts_policy_register,
                                                 ts_legacy_register,
                                                 ts_classifier_register,
                                                 ts_rule_check_register,
                                                 ts_classification_register,
                                                 ts_classify_message_register,
                                                 ts_classify_register,
                                                 ts_cache_register,
                                                 ts_stale_register,
                                                 ts_context_register,
                                                 ts_turn_path_register,
                                                 ts_check_register,
                                                 ts_policy_replay_register};
  Registry registry;
  int rc = SQLITE_OK;
  registry.n = 0;
  conn->registry = &registry;
  for (size_t i = 0; rc == SQLITE_OK && i < sizeof(registrations) / sizeof(registrations[0]); i++) {
    rc = registrations[i](conn);
  }
  conn->registry = NULL;
  if (rc == SQLITE_OK) return rc;
  if (rc != SQLITE_NOMEM && error) {
    *error = sqlite3_mprintf("turnstile: %s", sqlite3_errmsg(conn->db));
  }
  ts_registry_undo(conn, &registry);
  return rc;
}

#ifdef _WIN32
__declspec(dllexport)
#else
__attribute__((visibility("default")))
#endif
    int sqlite3_turnstile_init(sqlite3 *db, char **pzErrMsg, const sqlite3_api_routines *pApi) {
  Conn *conn;
  int rc = SQLITE_OK;
  SQLITE_EXTENSION_INIT2(pApi);
  (void)pApi;
  if (sqlite3_libversion_number() < 3038000) {
    if (pzErrMsg) {
      *pzErrMsg =
          sqlite3_mprintf("turnstile needs SQLite 3.38 or later; this is %s", sqlite3_libversion());
    }
    return SQLITE_ERROR;
  }
  if (isLoaded(db, &rc, pzErrMsg)) return rc;
  warmAllocator();
  conn = sqlite3_malloc64(sizeof(*conn));
  if (!conn) return SQLITE_NOMEM;
  memset(conn, 0, sizeof(*conn));
  conn->db = db;
  conn->nRef = 1;
  conn->commands = ts_commands;
  rc = registerAll(conn, pzErrMsg);
  ts_conn_release(conn);
  return rc;
}
