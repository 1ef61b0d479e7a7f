/*
** task.c - the life of a task.
**
** Every command writes its changes at once. A move is an UPDATE that the guards check, with an
** event; an observation is a row. A flush only groups the observations that are not yet in a step
** into a new one, chained to the step before. Ending a task flushes, writes the commit, and sets
** the task's state to None: three writes that the door makes atomic.
**
** Ids of steps and commits are hashes of canonical JSON: the fields in a fixed order, no spaces.
*/
#include "task.h"

#include "choice.h"
#include "decimal.h"
#include "hash.h"
#include "ids.h"
#include "json.h"
#include "queue.h"
#include "session.h"
#include "workers.h"
#include "word_lists.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

/* The session's newest commit, or {NULL,0}. */
static Text latestCommit(Cmd *c, Text label) {
  Text id = none;
  Query q = ts_query(c, SQL_COMMIT_LATEST, "t", &label);
  if (ts_row(c, &q)) id = ts_col_text(c, &q, COL_COMMIT_LATEST_ID);
  ts_end(c, &q);
  return id;
}

/* ---- Steps ----------------------------------------------------------------------------------- */

Text ts_step_content(Cmd *c, const StepFields *f) {
  Json j;
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  ts_json_put(&j, "parent", f->parent);
  ts_json_put(&j, "base", f->base);
  ts_json_put(&j, "session", f->session);
  ts_json_put(&j, "task", f->task);
  ts_json_put(&j, "step_kind", f->kind);
  ts_json_put(&j, "state", f->state);
  ts_json_put_raw(&j, "state_data", f->stateData);
  ts_json_put_raw(&j, "payload", f->payload);
  ts_json_put_int(&j, "created_at", f->createdAt);
  ts_json_close(&j, '}');
  return ts_json_finish(&j);
}

static Text ofString(const char *z) {
  return (Text){z, z ? (int)strlen(z) : 0};
}

static HashId stepHash(Cmd *c, const Session *s, Text parent, const char *kind, Text payload) {
  StepFields f = {parent,
                  s->task.baseCommitId,
                  s->label,
                  s->task.description,
                  ofString(kind),
                  ofString(ts_task_machine.states[s->task.state]),
                  s->task.stateData,
                  payload,
                  c->now};
  Text content = ts_step_content(c, &f);
  return ts_hash("step", content.z, content.n);
}

static void addStep(Cmd *c, Session *s, const char *kind, Text id, Text payload) {
  ts_exec(c, SQL_STEP_ADD, "ittsstti", s->task.id, &id, &s->task.headStepId, kind,
          ts_task_machine.states[s->task.state], &s->task.stateData, &payload, c->now);
  s->task.headStepId = id;
}

Text ts_edge_content(Cmd *c, const EdgeFields *f) {
  char weight[TS_DECIMAL_SIZE];
  Json j;
  ts_decimal(f->weight, 17, weight);
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  ts_json_put(&j, "from_kind", f->fromKind);
  ts_json_put(&j, "from", f->from);
  ts_json_put(&j, "to_kind", f->toKind);
  ts_json_put(&j, "to", f->to);
  ts_json_put(&j, "label", f->label);
  ts_json_put_string(&j, "weight", weight);
  ts_json_put(&j, "evidence", f->evidence);
  ts_json_put_int(&j, "created_at", f->createdAt);
  ts_json_close(&j, '}');
  return ts_json_finish(&j);
}

EdgeFields ts_edge_read(Query *q, int first) {
  EdgeFields f;
  f.fromKind = ts_col_view(q, first);
  f.from = ts_col_view(q, first + COL_EDGES_UNFLUSHED_FROM);
  f.toKind = ts_col_view(q, first + COL_EDGES_UNFLUSHED_TO_KIND);
  f.to = ts_col_view(q, first + COL_EDGES_UNFLUSHED_TO);
  f.label = ts_col_view(q, first + COL_EDGES_UNFLUSHED_LABEL);
  f.weight = sqlite3_column_double(q->stmt, first + COL_EDGES_UNFLUSHED_WEIGHT);
  f.evidence = ts_col_view(q, first + COL_EDGES_UNFLUSHED_EVIDENCE);
  f.createdAt = ts_col_int(q, first + COL_EDGES_UNFLUSHED_CREATED_AT);
  return f;
}

/* The relations that wait for a step, after the observations. Returns how many. */
static sqlite3_int64 addEdges(Cmd *c, const Session *s, Text *payload) {
  sqlite3_int64 n = 0;
  sqlite3_str *out = NULL;
  Query q = ts_query(c, SQL_EDGES_UNFLUSHED, "i", s->task.id);
  while (ts_row(c, &q)) {
    EdgeFields f = ts_edge_read(&q, COL_EDGES_UNFLUSHED_FROM_KIND);
    Text content = ts_edge_content(c, &f);
    if (!out) {
      out = sqlite3_str_new(c->db);
      /* The array without its closing bracket. */
      if (payload->n > 2) ts_append(out, (Text){payload->z, payload->n - 1});
      if (payload->n <= 2) sqlite3_str_appendchar(out, 1, '[');
    }
    if (c->rc != SQLITE_OK) break;
    sqlite3_str_appendf(out, "%s\"%s\"", n || payload->n > 2 ? "," : "",
                        ts_hash("edge", content.z, content.n).hex);
    n++;
  }
  ts_end(c, &q);
  if (!out) return 0;
  sqlite3_str_appendchar(out, 1, ']');
  *payload = ts_finish(c, out);
  return n;
}

Text ts_flush(Cmd *c, Session *s, const char *stepKind) {
  Text payload = none, lastKind = TS_TEXT("Note"), id;
  sqlite3_int64 waiting = 0, related;
  HashId hash;
  Query q;
  if (!s->task.id) return none;
  q = ts_query(c, SQL_UNFLUSHED, "i", s->task.id);
  if (ts_row(c, &q)) {
    waiting = ts_col_int(&q, COL_UNFLUSHED_COUNT);
    if (waiting > 0) {
      payload = ts_col_text(c, &q, COL_UNFLUSHED_HASHES);
      lastKind = ts_col_text(c, &q, COL_UNFLUSHED_LAST_KIND);
    }
  }
  ts_end(c, &q);
  related = addEdges(c, s, &payload);
  if (waiting + related == 0 || c->rc != SQLITE_OK) return s->task.headStepId;
  if (!stepKind) stepKind = lastKind.z;
  hash = stepHash(c, s, s->task.headStepId, stepKind, payload);
  id = ts_copy(c, hash.hex, TS_HASH_HEX);
  addStep(c, s, stepKind, id, payload);
  if (waiting) ts_exec(c, SQL_OBSERVATIONS_FLUSH, "it", s->task.id, &id);
  if (related) ts_exec(c, SQL_EDGES_FLUSH, "it", s->task.id, &id);
  ts_exec(c, SQL_TASK_SET_HEAD, "it", s->task.id, &id);
  return id;
}

/* ---- Beginning and moving -------------------------------------------------------------------- */

static Text transitionData(Cmd *c, const Session *s) {
  Json j;
  if (s->task.stateData.z) return s->task.stateData;
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  ts_json_put(&j, "task", s->task.description);
  ts_json_close(&j, '}');
  return ts_json_finish(&j);
}

/* Notes made without an open task are information for the next one. They do not count as work. */
static void adoptNotes(Cmd *c, const Session *s) {
  Query q = ts_query(c, SQL_NOTES_WITHOUT_TASK, "t", &s->label);
  int any = ts_row(c, &q);
  ts_end(c, &q);
  if (any) ts_exec(c, SQL_NOTES_ADOPT, "ti", &s->label, s->task.id);
}

void ts_task_start(Cmd *c, Session *s, Text description, const char *trigger) {
  Text empty = TS_TEXT("[]"), id;
  HashId hash;
  ts_choice_release(c, s, "start");
  memset(&s->task, 0, sizeof(s->task));
  s->task.description = description;
  s->task.state = TASK_RUNNING;
  s->task.startedAt = c->now;
  s->task.baseCommitId = latestCommit(c, s->label);
  hash = stepHash(c, s, none, "SessionStart", empty);
  id = ts_copy(c, hash.hex, TS_HASH_HEX);
  s->task.id = ts_insert_new(c, ID_TASK, SQL_TASK_ADD, "ttitt", &s->label, &description, c->now,
                             &id, &s->task.baseCommitId);
  addStep(c, s, "SessionStart", id, empty);
  adoptNotes(c, s);
  ts_event(c, s, "task", ts_task_machine.states[TASK_NONE], ts_task_machine.states[TASK_RUNNING],
           trigger ? trigger : ts_state_move(&ts_task_machine, TASK_NONE, TASK_RUNNING)->trigger,
           transitionData(c, s));
  ts_worker_given(c, s);
}

void ts_task_move(Cmd *c, Session *s, TaskState to, Text data, const char *trigger) {
  ts_task_move_told(c, s, to, data, trigger, data);
}

int ts_state_asks(TaskState state) {
  return state == TASK_AWAITING_USER || state == TASK_PENDING_COMPLETE;
}

void ts_task_asked_before(Cmd *c, Session *s, sqlite3_int64 delivery) {
  if (!ts_state_asks(s->task.state) || s->task.askedAfter < delivery) return;
  s->task.askedAfter = delivery - 1;
  ts_exec(c, SQL_TASK_ASKED_AFTER, "ii", s->task.id, s->task.askedAfter);
}

void ts_task_move_told(Cmd *c, Session *s, TaskState to, Text data, const char *trigger,
                       Text told) {
  TaskState from = s->task.state;
  Text before = s->task.stateData;
  const Transition *t = ts_state_move(&ts_task_machine, from, to);
  if (c->rc != SQLITE_OK) return;
  if (!t || !s->task.id || to == TASK_NONE) {
    ts_fail_move(c, &ts_task_machine, from, to);
    return;
  }
  if (to != from &&
      (to == TASK_AWAITING_USER || to == TASK_INTERRUPTED || to == TASK_PENDING_COMPLETE)) {
    ts_flush(c, s, NULL);
  }
  s->task.state = to;
  s->task.stateData = data;
  /* Cancelling it does not count as work on it. */
  if (to != TASK_ABORTED) s->task.worked = 1;
  s->task.askedAfter = ts_state_asks(to) ? ts_id_last_delivery(c) : 0;
  ts_exec(c, SQL_TASK_MOVE, "istii?", s->task.id, ts_task_machine.states[to], &data, c->now,
          (sqlite3_int64)s->task.worked, ts_state_asks(to), s->task.askedAfter);
  ts_event(c, s, "task", ts_task_machine.states[from], ts_task_machine.states[to],
           trigger ? trigger : t->trigger, told);
  if (to == TASK_COMPLETE || to == TASK_ABORTED) {
    ts_choice_release(c, s, "end");
    ts_queue_task_over(c, s);
  }
  ts_worker_moved(c, s, from, before);
}

/* ---- Observations and notes ------------------------------------------------------------------ */

Text ts_observation_content(Cmd *c, Text kind, Text data, Text objectId, sqlite3_int64 createdAt) {
  Json j;
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  ts_json_put(&j, "kind", kind);
  ts_json_put_raw(&j, "data", data);
  ts_json_put(&j, "content", objectId);
  ts_json_put_int(&j, "created_at", createdAt);
  ts_json_close(&j, '}');
  return ts_json_finish(&j);
}

sqlite3_int64 ts_observe(Cmd *c, Session *s, const char *kind, int isAuto, Text data,
                         Text content) {
  Text objectId = none, canonical;
  HashId hash;
  if (content.z) {
    hash = ts_hash("blob", content.z, content.n);
    objectId = ts_copy(c, hash.hex, TS_HASH_HEX);
    ts_exec(c, SQL_OBJECT_ADD, "tsit", &objectId, "blob", (sqlite3_int64)content.n, &content);
  }
  if (!isAuto) ts_task_worked(c, s);
  canonical = ts_observation_content(c, ofString(kind), data, objectId, c->now);
  hash = ts_hash("observation", canonical.z, canonical.n);
  return ts_insert_new(c, ID_OBSERVATION, SQL_OBSERVATION_ADD, "t?sistit", &s->label,
                       s->task.id != 0, s->task.id, kind, (sqlite3_int64)isAuto, hash.hex,
                       &objectId, c->now, &data);
}

static const char *const noteNames[NOTE_KIND_COUNT] = {
    [NOTE_NONE] = "",
    [NOTE_QUESTION] = "question",
    [NOTE_ANSWER] = "answer",
    [NOTE_INTERVENTION] = "intervention",
    [NOTE_REQUEST_MORE] = "request_more",
    [NOTE_CONFIRMATION] = "confirmation",
    [NOTE_ABANDON] = "abandon",
};

static void mention(Cmd *c, Session *s, sqlite3_int64 noteId) {
  const char *from, *to;
  if (!s->task.id) return;
  from = ts_printf(c, "%lld", noteId);
  to = ts_printf(c, "%lld", s->task.id);
  ts_insert_new(c, ID_EDGE, SQL_EDGE_ADD, "tsssssrnii", &s->label, "note", from, "task", to,
                "Mentions", 1.0, c->now, s->task.id);
}

void ts_note_text(Cmd *c, Session *s, const char *noteKind, const char *text) {
  Json j;
  Text data;
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  ts_json_put_string(&j, "text", text);
  ts_json_put_string(&j, "note", noteKind);
  ts_json_close(&j, '}');
  data = ts_json_finish(&j);
  mention(c, s, ts_observe(c, s, "Note", 1, data, none));
}

void ts_note(Cmd *c, Session *s, NoteKind kind, Text value) {
  char key[48];
  Text text;
  sqlite3_snprintf(sizeof(key), key, "note.%s", noteNames[kind]);
  text =
      ts_fill(c, s->label, key, kind == NOTE_QUESTION ? "question" : "message", value, NULL, none);
  if (kind != NOTE_ABANDON) ts_task_worked(c, s);
  if (text.z) ts_note_text(c, s, noteNames[kind], text.z);
}

/* At most so many moves of a head are read. */
#define TURNS_LOOKED_AT 1000

sqlite3_int64 ts_task_turns(Cmd *c, const Session *s, sqlite3_int64 max) {
  sqlite3_int64 n = 0;
  Query q = ts_query(c, SQL_HISTORY_OF_TASK, "ti", &s->label, (sqlite3_int64)TURNS_LOOKED_AT);
  /* The head's moves while this task is open are the newest ones. */
  while (n < max && ts_row(c, &q) && ts_col_int(&q, COL_HISTORY_OF_TASK_TASK_ID) == s->task.id) {
    n += TS_TEXT_IN(ts_col_view(&q, COL_HISTORY_OF_TASK_REASON), LIST_TURN_MOVE);
  }
  ts_end(c, &q);
  return n;
}

void ts_task_worked(Cmd *c, Session *s) {
  if (!s->task.id || s->task.worked) return;
  ts_exec(c, SQL_TASK_WORKED, "i", s->task.id);
  s->task.worked = 1;
}

/* Interrupted: the latest message, and all of them in order. */
Text ts_interrupted_data(Cmd *c, const Session *s, Text data, Text message) {
  Text before = s->task.state == TASK_INTERRUPTED ? s->task.stateData : none, out = none;
  Query q = ts_query(c, SQL_INTERRUPTED_DATA, "ttt", &data, &before, &message);
  if (ts_row(c, &q)) out = ts_col_text(c, &q, COL_INTERRUPTED_DATA_DATA);
  ts_end(c, &q);
  return out;
}

/* ---- Ending ------------------------------------------------------------------------------------ */

Text ts_task_summary(Cmd *c, const Session *s) {
  Text summary = ts_task_field(c, s, "$.summary");
  return summary.z ? summary : s->task.description;
}

/* The type's own data, as JSON or NULL. */
static Text typeData(Cmd *c, const Session *s, CommitType type, Text detail) {
  Json j;
  if (type == COMMIT_NORMAL) return none;
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  switch (type) {
  case COMMIT_ABANDONED: ts_json_put(&j, "reason", detail); break;
  case COMMIT_STALE_AUTO_COMPACT:
    ts_json_put_int(&j, "idle_duration_secs", ts_session_idle(c, s) / 1000);
    break;
  default:
    ts_json_put(&j, "new_task_summary", detail);
    if (s->task.state == TASK_PENDING_COMPLETE) {
      ts_json_key(&j, "was_pending_complete");
      ts_json_bool(&j, 1);
    }
    break;
  }
  ts_json_close(&j, '}');
  return ts_json_finish(&j);
}

Text ts_commit_content(Cmd *c, const CommitFields *f) {
  Json j;
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  ts_json_put(&j, "parent", f->parent);
  ts_json_put(&j, "session", f->session);
  ts_json_put(&j, "task", f->task);
  ts_json_put(&j, "message", f->message);
  ts_json_put(&j, "commit_type", f->type);
  ts_json_put_raw(&j, "type_data", f->typeData);
  ts_json_put(&j, "head_step", f->headStep);
  ts_json_put_int(&j, "created_at", f->createdAt);
  ts_json_close(&j, '}');
  return ts_json_finish(&j);
}

static Text addCommit(Cmd *c, Session *s, CommitType type, Text message, Text data) {
  CommitFields f;
  Text content, id;
  HashId hash;
  ts_flush(c, s, "Compact");
  f = (CommitFields){latestCommit(c, s->label),       s->label, s->task.description, message,
                     ofString(ts_commit_types[type]), data,     s->task.headStepId,  c->now};
  content = ts_commit_content(c, &f);
  hash = ts_hash("commit", content.z, content.n);
  id = ts_copy(c, hash.hex, TS_HASH_HEX);
  ts_insert_new(c, ID_COMMIT, SQL_COMMIT_ADD, "tttitstti", &id, &f.parent, &s->label, s->task.id,
                &message, ts_commit_types[type], &data, &s->task.headStepId, c->now);
  return id;
}

/* Walks to the state from which a commit of this type may end the task. */
static void walkToEnd(Cmd *c, Session *s, CommitType type, Text message, Text detail) {
  if (type == COMMIT_NORMAL && s->task.state != TASK_COMPLETE) {
    if (s->task.state == TASK_AWAITING_USER || s->task.state == TASK_INTERRUPTED) {
      ts_task_move(c, s, TASK_RUNNING, none, NULL);
    }
    if (s->task.state == TASK_RUNNING) {
      ts_task_move(c, s, TASK_PENDING_COMPLETE, ts_json_pair(c, "summary", message), NULL);
    }
    ts_task_move(c, s, TASK_COMPLETE, s->task.stateData, NULL);
  }
  if (type == COMMIT_ABANDONED && s->task.state != TASK_ABORTED) {
    ts_task_move(c, s, TASK_ABORTED, ts_json_pair(c, "reason", detail), NULL);
  }
}

Text ts_task_close(Cmd *c, Session *s, CommitType type, Text message, Text detail) {
  Text id = none, data;
  const Transition *move;
  TaskState from;
  Json j;
  int keep = type == COMMIT_NORMAL || s->task.worked;
  data = typeData(c, s, type, detail);
  if (keep) ts_flush(c, s, "Compact");
  walkToEnd(c, s, type, message, detail);
  from = s->task.state;
  move = ts_state_move(&ts_task_machine, from, TASK_NONE);
  if (keep) id = addCommit(c, s, type, message, data);
  /* Somebody has seen the work and ended it; the passing of time does not count. */
  if (type != COMMIT_STALE_AUTO_COMPACT) ts_queue_taken_up(c, s);
  if (type == COMMIT_ABANDONED) ts_queue_handed_over(c, s);
  if (type == COMMIT_STALE_AUTO_COMPACT || type == COMMIT_INTERRUPTED_BY_NEW_TASK) {
    ts_exec(c, SQL_QUEUE_TASK_LEAVES, "ti", &s->label, s->task.id);
  }
  ts_exec(c, SQL_TASK_END, "iit", s->task.id, c->now, &id);
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  ts_json_put_string(&j, "commit_type", ts_commit_types[type]);
  ts_json_put(&j, "commit_id", id);
  ts_json_put_raw(&j, "type_data", data);
  ts_json_put(&j, "task", s->task.description);
  if (type == COMMIT_STALE_AUTO_COMPACT) {
    /* This allows picking it up as it was. */
    ts_json_put_string(&j, "state", ts_task_machine.states[from]);
    ts_json_put_raw(&j, "state_data", s->task.stateData);
  }
  ts_json_close(&j, '}');
  ts_event(c, s, "task", ts_task_machine.states[from], ts_task_machine.states[TASK_NONE],
           keep && move ? move->trigger : "drop", /* no move: the walk has failed */
           ts_json_finish(&j));
  ts_choice_release(c, s, "end");
  memset(&s->task, 0, sizeof(s->task));
  return id;
}

void ts_task_require(Cmd *c, const Session *s) {
  if (c->rc == SQLITE_OK && !s->task.id) {
    ts_fail(c, SQLITE_CONSTRAINT,
            "session '%.*s' has no open task; session_start or session_deliver begins one",
            s->label.n, s->label.z);
  }
}
