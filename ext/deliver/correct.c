/*
** correct.c - delivery_correct(): says what a wrongly classified message meant.
**
**   SELECT delivery_correct(7, 'NewTask');    -- {"delivery":7,…,"class":"NewTask","was":"Modification",…}
**   SELECT delivery_correct(7, NULL);         -- takes it back
**
** The correction is a column of the delivery. It is exported with the delivery and deleted with its
** session. It does not change what was decided. classify/corrections.c uses it for later messages.
*/
#include "correct.h"

#include "args.h"
#include "corrections.h"
#include "decide.h"
#include "json.h"

SQLITE_EXTENSION_INIT3

enum { CORRECT_DELIVERY, CORRECT_CLASS };

static const ArgSpec correctArgs[] = {
    {"delivery", ARG_INT, 1},
    {"class", ARG_TEXT, ARG_OR_NULL},
};

static Text report(Cmd *c, Query *q, const char *cls) {
  Json j;
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  ts_json_put_int(&j, "delivery", c->arg[CORRECT_DELIVERY].i);
  ts_json_put(&j, "session", ts_col_text(c, q, COL_CORRECTION_GET_SESSION_LABEL));
  ts_json_put_string(&j, "class", cls);
  ts_json_put(&j, "was", ts_col_text(c, q, COL_CORRECTION_GET_CLASS));
  ts_json_put(&j, "state", ts_col_text(c, q, COL_CORRECTION_GET_STATE));
  ts_json_close(&j, '}');
  return ts_json_finish(&j);
}

/* The command's report, once the delivery is known to be correctable. */
static Text look(Cmd *c, const char *cls) {
  sqlite3_int64 id = c->arg[CORRECT_DELIVERY].i;
  Text source = {NULL, 0}, made = {NULL, 0};
  Query q = ts_query(c, SQL_CORRECTION_GET, "i", id);
  if (ts_row(c, &q)) {
    source = ts_col_text(c, &q, COL_CORRECTION_GET_SOURCE);
    made = report(c, &q, cls);
  }
  ts_end(c, &q);
  if (!source.z) {
    ts_fail(c, SQLITE_ERROR, "there is no delivery %lld", id);
  } else if (!ts_text_is(source, ts_source_names[SOURCE_USER])) {
    ts_fail(c, SQLITE_ERROR, "delivery %lld is from '%s'; only a user's message means a class", id,
            source.z);
  }
  return made;
}

static void runCorrect(Cmd *c) {
  const char *cls = NULL;
  Text made;
  if (c->arg[CORRECT_CLASS].given) {
    int i = ts_arg_word(c, "class", c->arg[CORRECT_CLASS].text, ts_class_names, CLASS_COUNT);
    if (i >= 0) cls = ts_class_names[i];
  }
  made = look(c, cls);
  if (c->rc != SQLITE_OK) return;
  ts_exec(c, SQL_DELETE_UNGUARD, "");
  ts_exec(c, SQL_CORRECTION_PUT, "is", c->arg[CORRECT_DELIVERY].i, cls);
  ts_exec(c, SQL_DELETE_GUARD, "");
  ts_corrections_changed(c);
  if (c->rc == SQLITE_OK) ts_return_text(c, made);
}

const CommandSpec ts_delivery_correct = {"delivery_correct", runCorrect, 0, TS_ARGS(2, correctArgs),
                                         NULL};
