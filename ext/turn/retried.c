/*
** retried.c - a context shows the model an input that is tried again only once.
**
** A turn that takes an input which an earlier turn has had keeps it whole among its messages, and names that
** turn in the message's metadata: {"queue_id":17,"retries_turn_id":16777216}. As long as a context shows
** the earlier turn, or one that this has repeated, a few words stand there in its place (texts context.retried,
** context.retried_of); where all of them are cut off by a summary, a budget or a rewind, the request is shown
** itself. So the request is in every context that shows an attempt at it, and once. Which turns a context shows
** can change later: the earlier turn is named whether the context of its time shows it or not.
**
** Such a message counts what the request takes, also where the words stand for it.
*/
#include "retried.h"

#include "fill.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

/* ---- Metadata ---------------------------------------------------------------------------------- */

/* Over a piece of text that stands there. */
static int skip(Text *t, const char *z) {
  int n = (int)strlen(z);
  if (t->n < n || memcmp(t->z, z, (size_t)n) != 0) return 0;
  t->z += n;
  t->n -= n;
  return 1;
}

/* Over an id, or null. */
static int skipId(Text *t, sqlite3_int64 *id) {
  int n = 0;
  *id = 0;
  if (skip(t, "null")) return 1;
  while (n < t->n && n < 16 && t->z[n] >= '0' && t->z[n] <= '9')
    *id = *id * 10 + (t->z[n++] - '0');
  t->z += n;
  t->n -= n;
  return n > 0;
}

int ts_input_metadata(Text json, sqlite3_int64 *queueId, sqlite3_int64 *retries) {
  *retries = 0;
  if (!json.z || !skip(&json, "{\"queue_id\":") || !skipId(&json, queueId)) return 0;
  if (skip(&json, ",\"retries_turn_id\":") && !skipId(&json, retries)) return 0;
  return json.n == 1 && json.z[0] == '}';
}

Text ts_input_metadata_new(Cmd *c, sqlite3_int64 queueId, sqlite3_int64 retries) {
  const char *id = queueId ? ts_printf(c, "%lld", queueId) : "null";
  const char *json = retries
                         ? ts_printf(c, "{\"queue_id\":%s,\"retries_turn_id\":%lld}", id, retries)
                         : ts_printf(c, "{\"queue_id\":%s}", id);
  return json ? (Text){json, (int)strlen(json)} : none;
}

/* ---- Attempts ---------------------------------------------------------------------------------- */

sqlite3_int64 ts_retried_by(Cmd *c, sqlite3_int64 turn, sqlite3_int64 queueId) {
  sqlite3_int64 repeated = 0;
  Query q = ts_query(c, SQL_MESSAGES_OF_USERS, "ii", TS_FIRST_PLACE(turn), TS_LAST_PLACE(turn));
  while (!repeated && ts_row(c, &q)) {
    sqlite3_int64 id, retries;
    if (ts_input_metadata(ts_col_view(&q, COL_MESSAGES_OF_USERS_METADATA), &id, &retries) &&
        id == queueId)
      repeated = retries;
  }
  ts_end(c, &q);
  return repeated < turn ? repeated : 0; /* what plain SQL has written leads nowhere */
}

/* The last of the attempts at an input, up to one, that a context shows; 0: it shows none. What it shows changes with
** every summary and rewind. */
static sqlite3_int64 shownAttempt(Cmd *c, const Context *x, sqlite3_int64 turn,
                                  sqlite3_int64 queueId) {
  while (turn && c->rc == SQLITE_OK && !ts_context_shows(c, x, turn))
    turn = ts_retried_by(c, turn, queueId);
  return c->rc == SQLITE_OK ? turn : 0;
}

/* ---- When it is shown -------------------------------------------------------------------------- */

/* Does the text stand in a longer one? */
static int holds(Text whole, Text part) {
  for (int i = 0; i + part.n <= whole.n; i++) {
    if (memcmp(whole.z + i, part.z, (size_t)part.n) == 0) return 1;
  }
  return 0;
}

/* What users said in the turn of an earlier attempt. */
typedef struct Said {
  int isThere; /* the input stands there */
  int n;       /* messages, those that say nothing left out */
  int repeats; /* words stand for it there as well: it repeats an earlier one that the context shows */
} Said;

static Said saidIn(Cmd *c, const Context *x, sqlite3_int64 turn, Text content) {
  Said said = {0, 0, 0};
  sqlite3_int64 repeated = 0, repeatedId = 0;
  Query q = ts_query(c, SQL_MESSAGES_OF_USERS, "ii", TS_FIRST_PLACE(turn), TS_LAST_PLACE(turn));
  while (ts_row(c, &q)) {
    sqlite3_int64 id, retries;
    Text text = ts_col_view(&q, COL_MESSAGES_OF_USERS_CONTENT);
    if (ts_content_tokens(text) == 0) continue;
    said.n++;
    if (!holds(text, content)) continue;
    said.isThere = 1;
    if (ts_input_metadata(ts_col_view(&q, COL_MESSAGES_OF_USERS_METADATA), &id, &retries) &&
        retries) {
      repeated = retries;
      repeatedId = id;
    }
  }
  ts_end(c, &q);
  said.repeats = shownAttempt(c, x, repeated, repeatedId) != 0;
  return said;
}

/* Does one turn directly follow another, or continue it? */
static int isBehind(Cmd *c, sqlite3_int64 turn, sqlite3_int64 earlier) {
  Turn t;
  ts_turn_load(c, turn, &t);
  return t.exists && (t.parent == earlier || t.resumes == earlier);
}

Text ts_retried_words(Cmd *c, const Context *x, Text session, sqlite3_int64 turn, Text metadata,
                      Text content) {
  sqlite3_int64 queueId, earlier;
  Said said;
  if (!ts_input_metadata(metadata, &queueId, &earlier) || !earlier) return none;
  if (ts_content_tokens(content) == 0) return none;
  earlier = shownAttempt(c, x, earlier, queueId);
  if (!earlier) return none;
  said = saidIn(c, x, earlier, content);
  if (!said.isThere || c->rc != SQLITE_OK) return none;
  /* Everything said there, directly before: then it is clear what must be done again. */
  if (said.n == 1 && !said.repeats && isBehind(c, turn, earlier)) {
    return ts_fill(c, session, "context.retried", NULL, none, NULL, none);
  }
  return ts_fill(c, session, "context.retried_of", "message", ts_describe(c, content, 120), NULL,
                 none);
}
