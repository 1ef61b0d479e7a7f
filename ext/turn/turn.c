/*
** turn.c - rows of turns, and the head that follows them.
*/
#include "turn.h"

#include "ids.h"
#include "task.h"
#include "text.h"
#include "word_lists.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

void ts_facts_init(TurnFacts *f) {
  memset(f, 0, sizeof(*f));
  f->tokens = f->retryAfter = -1;
  f->usage = (Usage){-1, -1, -1, -1, -1, -1};
}

/* ---- Reading --------------------------------------------------------------------------------- */

static void readTurn(Cmd *c, Query *q, Turn *t) {
  Text status = ts_col_text(c, q, COL_TURN_GET_STATUS),
       phase = ts_col_text(c, q, COL_TURN_GET_PHASE);
  Text name = ts_text_is(status, "running") ? phase : status;
  int i = name.z ? ts_state_find(&ts_turn_machine, name.z, name.n) : -1;
  t->exists = 1;
  t->parent = ts_col_int(q, COL_TURN_GET_PARENT_TURN_ID);
  t->isCompaction = ts_text_is(ts_col_text(c, q, COL_TURN_GET_TURN_TYPE), "compaction");
  t->onPath = ts_col_int(q, COL_TURN_GET_ON_PATH) == 1;
  t->source = ts_source_find(ts_col_text(c, q, COL_TURN_GET_SOURCE));
  t->personaId = ts_col_text(c, q, COL_TURN_GET_PERSONA_ID);
  t->threadTokens = ts_col_int(q, COL_TURN_GET_THREAD_TOKENS);
  t->context = ts_col_int(q, COL_TURN_GET_CONTEXT_TURN_ID);
  t->error = ts_col_text(c, q, COL_TURN_GET_ERROR);
  t->resumes = ts_col_int(q, COL_TURN_GET_RESUMES_TURN_ID);
  t->answers = ts_col_int(q, COL_TURN_GET_ANSWERS_TURN_ID);
  t->inputs = ts_col_int(q, COL_TURN_GET_INPUTS);
  if (c->rc == SQLITE_OK && i < 0) {
    ts_fail_damaged(c, t->id, "its status or phase is '%s'", ts_excerpt(c, name));
    return;
  }
  if (t->threadTokens < 0 || t->threadTokens > TURNSTILE_MAX_INTEGER) {
    ts_fail_damaged(c, t->id, "its thread_tokens are %lld", t->threadTokens);
  }
  t->phase = (TurnPhase)i;
}

void ts_turn_load(Cmd *c, sqlite3_int64 id, Turn *t) {
  Query q = ts_query(c, SQL_TURN_GET, "i", id);
  memset(t, 0, sizeof(*t));
  t->id = id;
  if (ts_row(c, &q)) readTurn(c, &q, t);
  ts_end(c, &q);
}

int ts_turn_is_resumed(Cmd *c, sqlite3_int64 by, sqlite3_int64 failed) {
  for (int i = 0; by && i < TS_MAX_RESUMED && c->rc == SQLITE_OK; i++) {
    Turn t;
    if (by == failed) return 1;
    ts_turn_load(c, by, &t);
    by = t.resumes;
  }
  return 0;
}

const char *ts_turn_words(Cmd *c, const Turn *t) {
  return ts_printf(c, "turn %lld is %s%s%.*s", t->id, ts_turn_machine.states[t->phase],
                   t->error.z ? ": " : "", t->error.n, t->error.z ? t->error.z : "");
}

void ts_fail_token(Cmd *c, sqlite3_int64 token, sqlite3_int64 turn) {
  ts_fail(c, SQLITE_CONSTRAINT, "token %lld is not the one that turn_begin gave out for turn %lld",
          token, turn);
}

void ts_turn_require(Cmd *c, sqlite3_int64 id, Turn *t) {
  ts_turn_load(c, id, t);
  if (c->rc == SQLITE_OK && !t->exists) ts_fail(c, SQLITE_ERROR, "there is no turn %lld", id);
}

void ts_turn_require_on_path(Cmd *c, sqlite3_int64 id, Turn *t) {
  ts_turn_require(c, id, t);
  if (c->rc == SQLITE_OK && !t->onPath) {
    ts_fail(c, SQLITE_CONSTRAINT,
            "turn %lld is %s; it must be completed, or aborted with its output kept", id,
            ts_turn_machine.states[t->phase]);
  }
}

void ts_turn_head(Cmd *c, const Session *s, Turn *t) {
  ts_turn_load(c, s->head, t);
  if (c->rc == SQLITE_OK && !t->onPath) {
    ts_fail_damaged(c, s->head, "session '%.*s' ends in it, and it is %s", s->label.n, s->label.z,
                    t->exists ? ts_turn_machine.states[t->phase] : "missing");
  }
}

static const struct {
  const char *key;
  size_t offset;
} usageFields[] = {
    {"input_tokens", offsetof(Usage, input)},
    {"output_tokens", offsetof(Usage, output)},
    {"cached_input_tokens", offsetof(Usage, cachedInput)},
    {"cache_write_tokens", offsetof(Usage, cacheWrite)},
    {"reasoning_tokens", offsetof(Usage, reasoning)},
    {"total_tokens", offsetof(Usage, total)},
};
#define USAGE_FIELDS ((int)(sizeof(usageFields) / sizeof(usageFields[0])))

static sqlite3_int64 *usageField(Usage *u, int i) {
  return (sqlite3_int64 *)((char *)u + usageFields[i].offset);
}

void ts_usage_parse(Cmd *c, Text json, const char *name, Usage *u) {
  Query q;
  if (!json.z) return;
  q = ts_query(c, SQL_JSON_EACH, "t", &json);
  while (ts_row(c, &q)) {
    Text key = ts_col_text(c, &q, COL_JSON_EACH_KEY);
    sqlite3_int64 value = ts_col_int(&q, COL_JSON_EACH_VALUE);
    int i = 0;
    while (i < USAGE_FIELDS && !ts_text_is(key, usageFields[i].key))
      i++;
    if (i == USAGE_FIELDS) {
      ts_fail(c, SQLITE_ERROR,
              "%s has no field '%s'; it takes input_tokens, output_tokens, "
              "cached_input_tokens, cache_write_tokens, reasoning_tokens, total_tokens",
              name, ts_excerpt(c, key));
    } else if (ts_col_null(&q, COL_JSON_EACH_VALUE)) {
      continue;
    } else if (!ts_text_is(ts_col_text(c, &q, COL_JSON_EACH_TYPE), "integer") || value < 0 ||
               value > TURNSTILE_MAX_TOKENS) {
      ts_fail(c, SQLITE_ERROR, "%s.%s must be an integer from 0 to 2^43 - 1", name,
              usageFields[i].key);
    } else {
      *usageField(u, i) = value;
    }
  }
  ts_end(c, &q);
  if (u->total < 0 && (u->input >= 0 || u->output >= 0)) {
    u->total = (u->input > 0 ? u->input : 0) + (u->output > 0 ? u->output : 0);
  }
}

sqlite3_int64 ts_content_tokens(Text content) {
  return ts_text_blank(content.z, content.n) ? 0 : TS_TOKENS(content.n);
}

/* ---- Writing --------------------------------------------------------------------------------- */

sqlite3_int64 ts_turn_resumable(Cmd *c, const Turn *failed, sqlite3_int64 parent,
                                sqlite3_int64 *context) {
  if (!failed->exists) return 0;
  if (failed->parent == parent) {
    /* A compaction that was made while it ran stands for the turn that goes on as well. */
    if (failed->context) *context = failed->context;
  } else if (!failed->parent || !parent || !ts_is_ancestor(c, failed->parent, parent)) {
    return 0; /* a compaction may have come in between, and nothing else */
  }
  return ts_run_recorded(c, failed) ? failed->id : failed->resumes;
}

/* The failed turn that a new one goes on from: the session's last, if it stood at the same place. */
static sqlite3_int64 resumedTurn(Cmd *c, const Session *s, const Turn *parent,
                                 sqlite3_int64 *context) {
  Turn failed;
  if (!s->run.failedTurn) return 0;
  ts_turn_load(c, s->run.failedTurn, &failed);
  ts_exec(c, SQL_RUN_FAILED, "t?", &s->label, 0, (sqlite3_int64)0);
  return ts_turn_resumable(c, &failed, parent->exists ? parent->id : 0, context);
}

sqlite3_int64 ts_turn_open(Cmd *c, Session *s, const Turn *parent, TurnFacts *f, int isCompaction,
                           TurnPhase phase) {
  sqlite3_int64 id = ts_turn_place(c, parent->exists ? parent->id : 0), resumes = 0;
  /* A compaction that runs has no summary yet. */
  sqlite3_int64 context = isCompaction && phase == PHASE_COMPLETING ? id : parent->context;
  if (!isCompaction) {
    resumes = resumedTurn(c, s, parent, &context);
    s->run.failedTurn = 0;
  }
  f->resumes = resumes;
  ts_exec(c, SQL_TURN_ADD, "i?sssttt?ti?i", id, parent->exists, parent->id,
          isCompaction ? "compaction" : "normal", ts_turn_machine.states[phase],
          ts_source_names[f->source], &f->model, &f->provider, &s->personaId, context != 0, context,
          &f->externalId, f->startedAt, resumes != 0, resumes, f->inputs);
  ts_fail_guarded(c, parent->exists ? parent->id : id);
  return c->rc == SQLITE_OK ? id : 0;
}

void ts_turn_end(Cmd *c, sqlite3_int64 id, TurnPhase how, int onPath, const TurnFacts *f,
                 sqlite3_int64 threadTokens, sqlite3_int64 answers, Text error) {
  const Usage *u = &f->usage;
  ts_exec(c, SQL_TURN_END, "isiiti?tt??????", id, ts_turn_machine.states[how],
          (sqlite3_int64)onPath, c->now, &error, threadTokens, answers != 0, answers, &f->model,
          &f->provider, u->input >= 0, u->input, u->output >= 0, u->output, u->cachedInput >= 0,
          u->cachedInput, u->cacheWrite >= 0, u->cacheWrite, u->reasoning >= 0, u->reasoning,
          u->total >= 0, u->total);
  ts_fail_guarded(c, id);
}

void ts_turn_event(Cmd *c, const Session *s, sqlite3_int64 turn, TurnPhase from, TurnPhase to,
                   const char *trigger) {
  char data[40];
  sqlite3_snprintf(sizeof(data), data, "{\"turn\":%lld}", turn);
  ts_event(c, s, "turn", from < PHASE_COUNT ? ts_turn_machine.states[from] : NULL,
           ts_turn_machine.states[to], trigger, (Text){data, (int)strlen(data)});
}

/* The next phase on the way, which leads through streaming. */
static TurnPhase nextPhase(TurnPhase from, TurnPhase to) {
  if (ts_state_move(&ts_turn_machine, (int)from, (int)to)) return to;
  return from == PHASE_STREAMING ? PHASE_COMPLETING : PHASE_STREAMING;
}

void ts_turn_move(Cmd *c, const Session *s, Turn *t, TurnPhase to) {
  while (t->phase != to && c->rc == SQLITE_OK) {
    TurnPhase next = nextPhase(t->phase, to);
    const Transition *move = ts_state_move(&ts_turn_machine, (int)t->phase, (int)next);
    if (!move) {
      ts_fail_move(c, &ts_turn_machine, (int)t->phase, (int)to);
      return;
    }
    ts_exec(c, SQL_TURN_MOVE, "is", t->id, ts_turn_machine.states[next]);
    ts_fail_guarded(c, t->id);
    ts_turn_event(c, s, t->id, t->phase, next, move->trigger);
    t->phase = next;
  }
}

static const char *const moveNames[] = {LIST_HEAD_MOVE};

static sqlite3_int64 counted(sqlite3_int64 tokens) {
  return tokens > 0 ? tokens : 0;
}

/* A counter that plain SQL has set so high that it can't grow. */
static void failCounters(Cmd *c, const Session *s) {
  if ((c->rc & 0xff) != SQLITE_CONSTRAINT || !c->err || !strstr(c->err, "cannot store REAL"))
    return;
  c->rc = SQLITE_OK;
  ts_fail(c, SQLITE_CORRUPT_VTAB,
          "session '%.*s' is damaged: its counters of turns and tokens overflow", s->label.n,
          s->label.z);
}

void ts_head_move(Cmd *c, Session *s, sqlite3_int64 turn, HeadMove why, const TurnFacts *f) {
  static const Usage nothing = {0, 0, 0, 0, 0, 0};
  const Usage *u = f ? &f->usage : &nothing;
  int made = why == MOVE_APPEND || why == MOVE_COMPLETE || why == MOVE_ABORT;
  int keepsCursor = made && f && !f->resumeCursor.z && !f->movesAway;
  Text cursor = made && f && f->resumeCursor.n ? f->resumeCursor : (Text){NULL, 0};
  ts_insert_new(c, ID_HISTORY, SQL_HISTORY_ADD, "ti?isi?", &s->label, turn, s->task.id != 0,
                s->task.id, c->now, moveNames[why],
                s->headEvent >= 0 ? s->headEvent : ts_id_last(c, ID_EVENT), why == MOVE_REWIND,
                s->tip);
  ts_session_use(c, s);
  ts_exec(c, SQL_SESSION_ADVANCE, "tiiiitiiiiiiii", &s->label, turn, c->now, s->lastActivity,
          (sqlite3_int64)keepsCursor, &cursor, (sqlite3_int64)made, counted(u->input),
          counted(u->output), counted(u->cachedInput), counted(u->cacheWrite),
          counted(u->reasoning), counted(u->total), s->lastUsed);
  failCounters(c, s);
  if (made) ts_task_worked(c, s);
  s->headEvent = -1;
  s->head = turn;
  s->saved.lastActivity = s->lastActivity;
  s->saved.lastUsed = s->lastUsed;
}

void ts_session_spend(Cmd *c, const Session *s, const Usage *u, int clearsCursor) {
  ts_exec(c, SQL_SESSION_SPEND, "tiiiiiiii", &s->label, c->now, (sqlite3_int64)clearsCursor,
          counted(u->input), counted(u->output), counted(u->cachedInput), counted(u->cacheWrite),
          counted(u->reasoning), counted(u->total));
  failCounters(c, s);
}

void ts_head_leave(Cmd *c, Session *s, sqlite3_int64 event) {
  if (s->headEvent >= 0) return;
  ts_exec(c, SQL_SESSION_LEFT, "ti", &s->label, event);
  s->headEvent = event;
}

/* ---- What it has recorded -------------------------------------------------------------------- */

int ts_turn_recorded(Cmd *c, sqlite3_int64 turn) {
  int recorded = 0;
  Query q = ts_query(c, SQL_TURN_RECORDED, "i", turn);
  if (ts_row(c, &q)) recorded = ts_col_int(&q, COL_TURN_RECORDED_IS_RECORDED) != 0;
  ts_end(c, &q);
  return recorded;
}

int ts_run_recorded(Cmd *c, const Turn *t) {
  int recorded = ts_turn_recorded(c, t->id);
  Query q;
  if (recorded || !t->parent) return recorded;
  q = ts_query(c, SQL_TURN_GOES_ON, "ii", t->id, t->parent);
  recorded = ts_row(c, &q);
  ts_end(c, &q);
  return recorded;
}
