/*
** size.c - how many tokens turns take: by themselves, with a failed turn that they go on from, with all above.
*/
#include "turn.h"

#include "messages.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

sqlite3_int64 ts_places_size(Cmd *c, sqlite3_int64 first, sqlite3_int64 last) {
  sqlite3_int64 size = 0;
  Query q = ts_query(c, SQL_TURN_TEXTS, "ii", first, last);
  while (ts_row(c, &q)) {
    size += ts_content_tokens(ts_col_view(&q, COL_TURN_TEXTS_TEXT)) +
            TS_TOKENS(sqlite3_column_bytes(q.stmt, COL_TURN_TEXTS_RESULT));
    if (ts_col_int(&q, COL_TURN_TEXTS_IS_PENDING)) size += TS_NO_RESULT_TOKENS;
    if (!ts_col_null(&q, COL_TURN_TEXTS_RESULT_PLACE) &&
        ts_answer_is_late(c, ts_col_int(&q, COL_TURN_TEXTS_RESULT_PLACE)))
      size += TS_LATE_TOKENS;
  }
  ts_end(c, &q);
  return size;
}

sqlite3_int64 ts_turn_size(Cmd *c, sqlite3_int64 turn) {
  return ts_places_size(c, TS_FIRST_PLACE(turn), TS_LAST_PLACE(turn));
}

sqlite3_int64 ts_turn_resumed_size(Cmd *c, sqlite3_int64 failed) {
  sqlite3_int64 size = 0;
  for (int i = 0; failed && i < TS_MAX_RESUMED && c->rc == SQLITE_OK; i++) {
    Turn t;
    ts_turn_load(c, failed, &t);
    size += ts_turn_size(c, failed);
    failed = t.resumes;
  }
  return size;
}

sqlite3_int64 ts_turn_size_through(Cmd *c, const Turn *t, sqlite3_int64 own) {
  Turn parent;
  memset(&parent, 0, sizeof(parent));
  if (t->parent) ts_turn_load(c, t->parent, &parent);
  return parent.threadTokens + own + ts_turn_resumed_size(c, t->resumes);
}
