/*
** legacy.c - session_status_from_legacy(): from the words of older programs to a session's status.
**
**   SELECT session_status_from_legacy('completed');             -- active
**   SELECT session_status_from_legacy('completed', 'archive');  -- archived
**   SELECT session_status_from_legacy('cancelled');             -- archived
**
** Older programs called a session completed when its process had ended. Its conversation can go on,
** so it is active; the policy archive is for those who want such sessions out of sight. An unknown
** word must not hide a session either: it means active. sql/scripts/migrate_legacy.sql migrates
** whole tables with this function and two of its own: turnstile_legacy_text() cleans a text,
** turnstile_legacy_check() ends the script with an error that names the row.
*/
#include "legacy.h"

#include "functions.h"
#include "states.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

static const struct {
  const char *word;
  SessionStatus status, archive; /* by the policies active and archive */
} words[] = {
    {"active", STATUS_ACTIVE, STATUS_ACTIVE},
    {"suspended", STATUS_SUSPENDED, STATUS_SUSPENDED},
    {"completed", STATUS_ACTIVE, STATUS_ARCHIVED},
    {"cancelled", STATUS_ARCHIVED, STATUS_ARCHIVED},
    {"canceled", STATUS_ARCHIVED, STATUS_ARCHIVED},
    {"archived", STATUS_ARCHIVED, STATUS_ARCHIVED},
    {"error", STATUS_ERROR, STATUS_ERROR},
};

static int isSpace(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Today's status for a word of the old vocabulary. archive: finished sessions are archived, not
** active. */
static SessionStatus statusOf(Text word, int archive) {
  while (word.n > 0 && isSpace(word.z[0])) {
    word.z++;
    word.n--;
  }
  while (word.n > 0 && isSpace(word.z[word.n - 1]))
    word.n--;
  for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
    if (word.n == (int)strlen(words[i].word) &&
        sqlite3_strnicmp(word.z, words[i].word, word.n) == 0) {
      return archive ? words[i].archive : words[i].status;
    }
  }
  return STATUS_ACTIVE;
}

static void giveWrong(sqlite3_context *ctx, const char *what) {
  char *message = sqlite3_mprintf("session_status_from_legacy: %s", what);
  if (!message) {
    sqlite3_result_error_nomem(ctx);
    return;
  }
  sqlite3_result_error(ctx, message, -1);
  sqlite3_free(message);
}

/* session_status_from_legacy(text [, policy]) → text */
static void statusFromLegacy(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Text word = {NULL, 0};
  SessionStatus status;
  int archive = 0;
  if (argc < 1 || argc > 2) {
    giveWrong(ctx, "it takes a status, and optionally a policy");
    return;
  }
  if (argc > 1 && sqlite3_value_type(argv[1]) != SQLITE_NULL) {
    const char *policy = NULL;
    int n = 0;
    if (sqlite3_value_type(argv[1]) == SQLITE_TEXT) {
      policy = (const char *)sqlite3_value_text(argv[1]);
      n = sqlite3_value_bytes(argv[1]);
      if (!policy) {
        sqlite3_result_error_nomem(ctx);
        return;
      }
    }
    archive = policy && n == 7 && memcmp(policy, "archive", 7) == 0;
    if (!archive && !(policy && n == 6 && memcmp(policy, "active", 6) == 0)) {
      giveWrong(ctx, "policy must be one of: active, archive");
      return;
    }
  }
  if (sqlite3_value_type(argv[0]) != SQLITE_NULL) {
    if (sqlite3_value_type(argv[0]) != SQLITE_TEXT) {
      giveWrong(ctx, "status must be text or NULL; a number or a BLOB has to be put into words, "
                     "with CASE");
      return;
    }
    word.z = (const char *)sqlite3_value_text(argv[0]);
    word.n = sqlite3_value_bytes(argv[0]);
    if (!word.z) {
      sqlite3_result_error_nomem(ctx);
      return;
    }
  }
  status = statusOf(word, archive);
  sqlite3_result_text(ctx, ts_status_machine.states[status], -1, SQLITE_STATIC);
}

/* turnstile_legacy_text(value) → its text as the commands would store it */
static void legacyText(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Conn *conn = sqlite3_user_data(ctx);
  Text text;
  Cmd c;
  (void)argc;
  if (sqlite3_value_type(argv[0]) == SQLITE_NULL) return;
  ts_cmd_init(&c, conn, ts_target_used(conn), "turnstile_legacy_text");
  text.z = (const char *)sqlite3_value_text(argv[0]);
  text.n = sqlite3_value_bytes(argv[0]);
  if (!text.z) ts_fail_nomem(&c);
  if (c.rc == SQLITE_OK) text = ts_clean(&c, text);
  if (c.rc == SQLITE_OK) {
    sqlite3_result_text(ctx, text.z, text.n, SQLITE_TRANSIENT);
  } else {
    ts_give_error(ctx, &c);
  }
  ts_cmd_clear(&c);
}

/* turnstile_legacy_check(problem) → NULL, or an error */
static void legacyCheck(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  const char *problem;
  char *message;
  (void)argc;
  if (sqlite3_value_type(argv[0]) == SQLITE_NULL) return;
  problem = (const char *)sqlite3_value_text(argv[0]);
  message = problem ? sqlite3_mprintf("migrate_legacy.sql: %s", problem) : NULL;
  if (!message) {
    sqlite3_result_error_nomem(ctx);
    return;
  }
  sqlite3_result_error(ctx, message, -1);
  sqlite3_free(message);
}

int ts_legacy_register(Conn *conn) {
  static const FunctionSpec functions[] = {
      {"session_status_from_legacy", -1, SQLITE_INNOCUOUS | SQLITE_DETERMINISTIC, statusFromLegacy},
      {"turnstile_legacy_text", 1, SQLITE_INNOCUOUS | SQLITE_DETERMINISTIC, legacyText},
      {"turnstile_legacy_check", 1, SQLITE_INNOCUOUS, legacyCheck},
  };
  return ts_functions_register(conn, functions, (int)(sizeof(functions) / sizeof(functions[0])));
}
