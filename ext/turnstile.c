/*
** turnstile.c - the entry point: registers everything with a connection.
**
** Nothing is prepared or written here: hosts load extensions on read-only connections and inside
** replicated engines.
*/
#include "core.h"

#include "check.h"
#include "classifier.h"
#include "context.h"
#include "diagram.h"
#include "door.h"
#include "install.h"
#include "key.h"
#include "legacy.h"
#include "policy.h"
#include "stale.h"
#include "turn_path.h"

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

#ifdef _WIN32
__declspec(dllexport)
#else
__attribute__((visibility("default")))
#endif
    int sqlite3_turnstile_init(sqlite3 *db, char **pzErrMsg, const sqlite3_api_routines *pApi) {
  static int (*const registrations[])(Conn *) = {
      ts_cache_register, ts_door_register,    ts_install_register, ts_classifier_register,
      ts_stale_register, ts_diagram_register, ts_context_register, ts_turn_path_register,
      ts_key_register,   ts_policy_register,  ts_legacy_register,  ts_check_register};
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
  warmAllocator();
  conn = sqlite3_malloc64(sizeof(*conn));
  if (!conn) return SQLITE_NOMEM;
  memset(conn, 0, sizeof(*conn));
  conn->db = db;
  conn->nRef = 1;
  for (size_t i = 0; rc == SQLITE_OK && i < sizeof(registrations) / sizeof(registrations[0]); i++) {
    rc = registrations[i](conn);
  }
  if (rc != SQLITE_OK && rc != SQLITE_NOMEM && pzErrMsg) {
    *pzErrMsg = sqlite3_mprintf("turnstile: %s", sqlite3_errmsg(db));
  }
  ts_conn_release(conn);
  return rc;
}
