/*
** compact.c - turn_compact(): a summary replaces older turns in the context; session_compact():
** ends the task with a commit.
**
** The host makes the summary; this command says which turns it represents. Nothing is deleted: the
** compaction is a turn of its own, after which contexts begin with its summary, and the path still
** shows everything. The newest turns are kept beside the summary, by number, by tokens, or from a
** given turn on. The cut never separates a tool call from a result that came in a later turn and is
** shown with it. A turn that came while the summary was written is in neither, unless the host says
** how far the summary goes: turns after that are kept in any case. A summary that would represent
** no turn is refused, because it would only replace the one before.
**
** A compaction during a running turn is made with that turn and its token. It is placed beside the
** running turn, below the same parent. The turn keeps its id, and its context and the contexts of
** all turns after it begin with the new summary.
**
** The running turn itself can fill the context with the results of its tools. A summary that goes
** through the running turn ends it there. The turn stays on the path with everything it has
** recorded, the compaction follows it, and the same run continues below, with the same token, in a
** turn that begins with the request.
**
** So can a failed turn, whose output is shown at the end of the context or before the running turn.
** A summary that goes through it replaces it: no turn continues it any more.
**
** A host that lets a model write the summary takes the session for that time: turn_compact_begin()
** (compact_begin.c) gives it the lease with a turn of type compaction, which turn_compact()
** completes with the summary. Messages wait meanwhile, and an expired lease leaves a failed turn
** that no context shows.
*/
#include "compact.h"

#include "args.h"
#include "called_off.h"
#include "choice.h"
#include "config.h"
#include "context.h"
#include "end_task.h"
#include "ids.h"
#include "json.h"
#include "lease.h"
#include "messages.h"
#include "opening.h"
#include "queue.h"
#include "retried.h"
#include "said.h"
#include "session.h"
#include "text.h"
#include "turn_commands.h"
#include "word_lists.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

enum {
  COMPACT_LABEL,
  COMPACT_SUMMARY,
  COMPACT_KEEP_TURNS,
  COMPACT_KEEP_TOKENS,
  COMPACT_FIRST_KEPT,
  COMPACT_THROUGH,
  COMPACT_MODEL_LIMIT,
  COMPACT_TRIGGER,
  COMPACT_FOCUS,
  COMPACT_MODEL,
  COMPACT_PROVIDER,
  COMPACT_USAGE,
  COMPACT_DURATION_MS,
  COMPACT_METADATA,
  COMPACT_RUNNING_TURN,
  COMPACT_TOKEN,
  COMPACT_STARTED,
  COMPACT_EXTERNAL,
  COMPACT_PARENT
};

static const ArgSpec compactArgs[] = {
    {"label", ARG_LABEL, 1},
    {"summary", ARG_MESSAGE, 1},
    {"keep_turns", ARG_INT, 0},
    {"keep_tokens", ARG_INT, 0},
    {"first_kept_turn_id", ARG_INT, 0},
    {"summarized_through_turn_id", ARG_INT, 0},
    {"model_limit", ARG_INT, 0},
    {"trigger", ARG_TEXT, 0},
    {"focus", ARG_TEXT, 0},
    {"model", ARG_NAME, 0},
    {"provider", ARG_NAME, 0},
    {"usage", ARG_OBJECT, 0},
    {"duration_ms", ARG_INT, 0},
    {"metadata", ARG_OBJECT, 0},
    {"turn", ARG_INT, 0},
    {"token", ARG_INT, 0},
    {"started_at", ARG_INT, 0},
    {"external_id", ARG_ID, 0},
    {"parent", ARG_TURN, 0},
};

static const char *const triggers[] = {LIST_COMPACTION_TRIGGER};
#define TRIGGER_MANUAL 1
#define TRIGGER_OVERFLOW 3

/* The plan of a compaction. Depths are those of turns on the path to the head. */
typedef struct Plan {
  Turn head;                /* it is made below this turn */
  sqlite3_int64 last;       /* the end of the context: the running turn, else the head */
  Context before;           /* the context as it is */
  sqlite3_int64 from;       /* of the first turn that is kept; below the head: none is */
  int moved;                /* a pair of call and result has moved it */
  sqlite3_int64 summarized; /* turns that the summary stands for */
  int goesOn;               /* the summary goes through the running turn, which ends with it */
  sqlite3_int64 failed; /* it goes through what a failed turn has left, too: that turn; 0: not */
  sqlite3_int64 stays;  /* what it would have to go through for that, 0: no failed turn is shown */
  sqlite3_int64 asked;  /* tokens of what the run goes on with then */
} Plan;

/* How many normal turns lie between two depths of the path to the head. */
static sqlite3_int64 countTurns(Cmd *c, const Plan *p, sqlite3_int64 from, sqlite3_int64 to) {
  sqlite3_int64 n = 0;
  Path path;
  if (from > to) return 0;
  ts_path(c, p->head.id, from, to, &path);
  for (int i = 0; i < path.n; i++) {
    Query q = ts_query(c, SQL_TURNS_COUNT, "ii", path.segments[i].first, path.segments[i].last);
    if (ts_row(c, &q)) n += ts_col_int(&q, COL_TURNS_COUNT_COUNT);
    ts_end(c, &q);
  }
  return n;
}

/* The depth of the n-th normal turn from the end of the context, or where the context begins. */
static sqlite3_int64 keepTurns(Cmd *c, const Plan *p, sqlite3_int64 n) {
  sqlite3_int64 from = TS_DEPTH(p->head.id) + 1;
  Path path;
  if (n == 0) return from;
  ts_path(c, p->head.id, p->before.fromDepth, TS_DEPTH(p->head.id), &path);
  for (int i = 0; i < path.n && n > 0; i++) {
    Query q = ts_query(c, SQL_TURNS_KEPT, "ii", path.segments[i].first, path.segments[i].last);
    while (n > 0 && ts_row(c, &q)) {
      from = TS_DEPTH(ts_col_int(&q, COL_TURNS_KEPT_ID));
      n--;
    }
    ts_end(c, &q);
  }
  return from;
}

/* The depth of a turn on the path that the host names. */
static sqlite3_int64 namedDepth(Cmd *c, const Plan *p, const char *name, sqlite3_int64 turn,
                                Turn *t) {
  ts_turn_require(c, turn, t);
  if (c->rc == SQLITE_OK && !ts_is_ancestor(c, turn, p->head.id) && c->rc == SQLITE_OK) {
    ts_fail(c, SQLITE_CONSTRAINT, "%s %lld is not on the path of the session", name, turn);
  }
  return TS_DEPTH(turn);
}

/* The turn that the host wants to keep from: a normal turn on the path. */
static sqlite3_int64 keepFrom(Cmd *c, const Plan *p, sqlite3_int64 turn) {
  Turn t;
  sqlite3_int64 depth = namedDepth(c, p, "first_kept_turn_id", turn, &t);
  if (c->rc == SQLITE_OK && t.isCompaction) {
    ts_fail(c, SQLITE_CONSTRAINT,
            "first_kept_turn_id %lld is a compaction; give a turn of messages", turn);
  }
  return depth;
}

static sqlite3_int64 smaller(sqlite3_int64 a, sqlite3_int64 b) {
  return a < b ? a : b;
}

/* How many tokens are kept when the host does not say: at most half of what the context has, and half of
** what the model is to have. */
static sqlite3_int64 defaultKeepTokens(Cmd *c, const Session *s, const Plan *p) {
  sqlite3_int64 keep =
      smaller(ts_config_int(c, s->label, CONFIG_COMPACTION_KEEP_TOKENS), p->before.tokens / 2);
  if (!c->arg[COMPACT_MODEL_LIMIT].given) return keep;
  return smaller(keep, c->arg[COMPACT_MODEL_LIMIT].i *
                           ts_config_int(c, s->label, CONFIG_COMPACTION_THRESHOLD) / 200);
}

/* Over compactions, which show nothing of themselves. */
static sqlite3_int64 skipCompactions(Cmd *c, const Plan *p, sqlite3_int64 from) {
  while (from <= TS_DEPTH(p->head.id) && c->rc == SQLITE_OK) {
    Turn t;
    ts_turn_load(c, ts_ancestor(c, p->head.id, from), &t);
    if (!t.isCompaction) break;
    from++;
  }
  return from;
}

/* The depth of the turn that the summary goes through; of what goes on from it when that turn failed. */
static sqlite3_int64 throughDepth(Cmd *c, const Plan *p) {
  Turn t;
  if (ts_turn_is_resumed(c, p->head.resumes, c->arg[COMPACT_THROUGH].i))
    return TS_DEPTH(p->head.id);
  return namedDepth(c, p, "summarized_through_turn_id", c->arg[COMPACT_THROUGH].i, &t);
}

/* Nothing behind the turn that the summary goes through is left out. */
static sqlite3_int64 keepBehind(Cmd *c, const Plan *p, sqlite3_int64 from, sqlite3_int64 *floor) {
  sqlite3_int64 through = throughDepth(c, p);
  if (c->rc != SQLITE_OK || from <= through + 1) return from;
  if (through + 1 < *floor) *floor = 0;
  return skipCompactions(c, p, through + 1);
}

/* How many failed turns are shown at the end of the context: the last one, and those that it goes on from. */
static sqlite3_int64 countFailed(Cmd *c, const Plan *p) {
  sqlite3_int64 n = 0, failed = p->failed;
  while (failed && n < TS_MAX_RESUMED && c->rc == SQLITE_OK) {
    Turn t;
    ts_turn_load(c, failed, &t);
    failed = t.resumes;
    n++;
  }
  return n;
}

/* What a failed turn has left in the context stays there until the host says that the summary goes through it. */
static const char *failedHint(Cmd *c, const Plan *p) {
  const char *hint = "";
  if (p->stays) {
    hint = ts_printf(c, "; or give summarized_through_turn_id %lld for what a failed turn has left",
                     p->stays);
  }
  return hint ? hint : "";
}

/* Does the summary stand for anything? What was summarised before counts when the host names a turn that
** is no longer shown, and is shown again. */
static void wantSummarized(Cmd *c, Plan *p) {
  sqlite3_int64 from = p->before.fromDepth;
  if (c->rc != SQLITE_OK) return;
  if (p->from < from) from = 0;
  p->summarized = countTurns(c, p, from, p->from - 1) + countFailed(c, p);
  if (p->summarized == 0 && c->rc == SQLITE_OK) {
    ts_fail(
        c, SQLITE_CONSTRAINT,
        "the summary would stand for no turn: all that the context shows is kept%s; keep less%s",
        p->moved ? ", because a tool call and its result stay together" : "", failedHint(c, p));
  }
}

/* The boundary, so that it parts no call from its result: with more turns than were wanted. Where that would be all
** that the context shows, and the host has not said how much it wants: with fewer, or none. */
static sqlite3_int64 cutWhole(Cmd *c, const Plan *p, sqlite3_int64 from, sqlite3_int64 floor,
                              int isDefault) {
  sqlite3_int64 first = p->before.fromDepth, none = TS_DEPTH(p->head.id) + 1;
  sqlite3_int64 cut = ts_context_cut(c, &p->before, from, floor, 0);
  if (!isDefault || cut > first || c->rc != SQLITE_OK) return cut;
  cut = ts_context_cut(c, &p->before, from, floor, 1);
  return cut > first && cut < none ? skipCompactions(c, p, cut) : none;
}

static void planKept(Cmd *c, const Session *s, Plan *p) {
  int ways = c->arg[COMPACT_KEEP_TURNS].given + c->arg[COMPACT_KEEP_TOKENS].given +
             c->arg[COMPACT_FIRST_KEPT].given;
  sqlite3_int64 from = TS_DEPTH(p->head.id) + 1, floor = p->before.fromDepth;
  if (ways > 1) {
    ts_fail(c, SQLITE_ERROR, "give one of keep_turns, keep_tokens and first_kept_turn_id");
  }
  if (ways && (p->goesOn || p->failed)) {
    ts_fail(c, SQLITE_ERROR,
            "a summary through the %s turn keeps nothing; leave keep_turns, keep_tokens and "
            "first_kept_turn_id out",
            p->goesOn ? "running" : "failed");
  }
  if (c->rc != SQLITE_OK) return;
  if (p->goesOn || p->failed) {
    p->from = from;
    wantSummarized(c, p);
    return;
  }
  if (c->arg[COMPACT_FIRST_KEPT].given) {
    from = keepFrom(c, p, c->arg[COMPACT_FIRST_KEPT].i);
    floor = 0;
  } else if (c->arg[COMPACT_KEEP_TURNS].given) {
    from = keepTurns(c, p, c->arg[COMPACT_KEEP_TURNS].i);
  } else if (c->arg[COMPACT_KEEP_TOKENS].given || !c->arg[COMPACT_THROUGH].given) {
    sqlite3_int64 budget = c->arg[COMPACT_KEEP_TOKENS].given ? c->arg[COMPACT_KEEP_TOKENS].i
                                                             : defaultKeepTokens(c, s, p);
    from = ts_context_fit(c, &p->before, p->head.id, p->head.threadTokens, budget);
    from = skipCompactions(c, p, from);
  }
  if (c->arg[COMPACT_THROUGH].given) from = keepBehind(c, p, from, &floor);
  p->from = c->rc == SQLITE_OK
                ? cutWhole(c, p, from, floor, !ways && !c->arg[COMPACT_THROUGH].given)
                : from;
  p->moved = p->from != from;
  wantSummarized(c, p);
}

/* A context overflow is recovered from once per turn, and once per input: a turn that tries again begins
** with the summary that was made for the one before. Where a rewind has dropped that summary, it does not. */
static void wantFirstRecovery(Cmd *c, const Turn *running) {
  Query q = ts_query(c, SQL_COMPACTION_RECOVERED, "i", running->id);
  int again = ts_row(c, &q), before;
  ts_end(c, &q);
  q = ts_query(c, SQL_COMPACTION_RECOVERED_BEFORE, "iii", running->id, running->parent,
               running->context);
  before = ts_row(c, &q);
  ts_end(c, &q);
  q = ts_query(c, SQL_COMPACTION_WENT_ON, "ii", running->id, running->parent);
  before = before || ts_row(c, &q);
  ts_end(c, &q);
  if (again || before) {
    ts_fail(c, SQLITE_CONSTRAINT, "%s has recovered from an overflow already; fail it instead",
            again ? ts_printf(c, "turn %lld", running->id)
                  : ts_printf(c, "an earlier turn with an input of turn %lld", running->id));
  }
}

/* ---- A run that goes on behind the summary of its own turn --------------------------------------- */

/* Metadata of the host's own says too which turn is repeated. */
static Text withRepeated(Cmd *c, Text metadata, sqlite3_int64 turn) {
  Query q = ts_query(c, SQL_METADATA_RETRIES, "ti", &metadata, turn);
  if (ts_row(c, &q)) metadata = ts_col_text(c, &q, COL_METADATA_RETRIES_METADATA);
  ts_end(c, &q);
  return metadata;
}

/* What was said to the agent in a turn, once more: into the writer (NULL: nowhere). Returns its tokens. */
static sqlite3_int64 askAgain(Cmd *c, sqlite3_int64 turn, Writer *w) {
  sqlite3_int64 tokens = 0;
  Query q = ts_query(c, SQL_MESSAGES_ASKED, "ii", TS_FIRST_PLACE(turn), TS_LAST_PLACE(turn));
  while (ts_row(c, &q)) {
    Text role = ts_col_text(c, &q, COL_MESSAGES_ASKED_ROLE),
         source = ts_col_text(c, &q, COL_MESSAGES_ASKED_SOURCE);
    Text metadata = ts_col_text(c, &q, COL_MESSAGES_ASKED_METADATA),
         content = ts_col_text(c, &q, COL_MESSAGES_ASKED_CONTENT);
    sqlite3_int64 queueId = 0, retries;
    if (ts_says_nothing(role, content, metadata.z != NULL)) continue;
    tokens += ts_content_tokens(content);
    if (!w) continue;
    if (!metadata.z || ts_input_metadata(metadata, &queueId, &retries)) {
      metadata = ts_input_metadata_new(c, queueId, turn);
    } else {
      metadata = withRepeated(c, metadata, turn);
    }
    ts_write_message(w, role.z, source.z, metadata, content);
  }
  ts_end(c, &q);
  return tokens;
}

/* The running turn stays on the path; the compaction follows it. */
static void endRunning(Cmd *c, Session *s, Turn *running, Plan *p) {
  TurnFacts f;
  ts_facts_init(&f);
  ts_context_of_turn(c, running->id, s->label, &p->before);
  ts_turn_finish_part(c, s, running, PHASE_COMPLETED, &f, (Text){NULL, 0}, 0);
  ts_turn_load(c, running->id, &p->head);
  p->last = running->id;
  p->before.lastThreadTokens = p->head.threadTokens;
  p->asked = askAgain(c, running->id, NULL);
}

/* Does the summary go through the running turn? It does, too, when it goes through the failed turn that this one
** goes on from, as long as this one has done nothing: then it begins again behind the summary. */
static int goesThrough(Cmd *c, const Turn *running) {
  sqlite3_int64 through = c->arg[COMPACT_THROUGH].i;
  if (!running->exists || running->isCompaction || !c->arg[COMPACT_THROUGH].given) return 0;
  if (through != running->id) {
    if (!ts_turn_is_resumed(c, running->resumes, through)) return 0;
    if (ts_turn_recorded(c, running->id)) {
      ts_fail(c, SQLITE_CONSTRAINT,
              "turn %lld has gone on from turn %lld and recorded something; give it as "
              "summarized_through_turn_id",
              running->id, through);
    }
  } else if (!running->resumes && !ts_turn_recorded(c, running->id)) {
    ts_fail(c, SQLITE_CONSTRAINT,
            "turn %lld has recorded nothing that a summary could stand for; leave "
            "summarized_through_turn_id out",
            running->id);
  }
  return c->rc == SQLITE_OK;
}

/* There is nothing that a compaction could stand below. */
static void failNoTurns(Cmd *c, const Session *s, const Turn *running) {
  if (running->resumes) {
    ts_fail(c, SQLITE_CONSTRAINT,
            "session '%.*s' has no turns above turn %lld but the failed one that it goes on from; "
            "give summarized_through_turn_id %lld",
            s->label.n, s->label.z, running->id, running->id);
    return;
  }
  ts_fail(c, SQLITE_CONSTRAINT, "session '%.*s' has no turns that could be compacted", s->label.n,
          s->label.z);
}

/* The context that is compacted, and whether the summary goes through what a failed turn has left in it. */
static void readBefore(Cmd *c, const Session *s, const Turn *running, Plan *p) {
  if (running->exists && !running->isCompaction) {
    p->last = running->id;
    p->stays = running->resumes ? running->id : 0;
    ts_context_of_turn(c, running->id, s->label, &p->before);
    return;
  }
  p->last = p->head.id;
  if (p->head.id != s->head) {
    ts_context_of_turn(c, p->head.id, s->label, &p->before);
    return;
  }
  ts_context_of_session(c, s, &p->before);
  if (p->before.failed && c->arg[COMPACT_THROUGH].given &&
      c->arg[COMPACT_THROUGH].i == p->before.failed) {
    p->failed = p->before.failed;
  }
  p->stays = p->before.failed;
}

/* The session, the turn it is for (running->exists 0: none), and what it stands below. */
static void enterCompaction(Cmd *c, int trigger, Session *s, Turn *running, Plan *p) {
  memset(running, 0, sizeof(*running));
  memset(p, 0, sizeof(*p));
  if (c->arg[COMPACT_RUNNING_TURN].given != c->arg[COMPACT_TOKEN].given) {
    ts_fail(c, SQLITE_ERROR, "turn and token go together");
  }
  if (trigger == TRIGGER_OVERFLOW && !c->arg[COMPACT_TOKEN].given) {
    ts_fail(c, SQLITE_ERROR, "trigger overflow_recovery needs the running turn and its token");
  }
  ts_session_require(c, c->arg[COMPACT_LABEL].text, s);
  if (c->rc != SQLITE_OK) return;
  if (c->arg[COMPACT_TOKEN].given) {
    Text label = s->label;
    ts_lease_renew(c, c->arg[COMPACT_RUNNING_TURN].i, c->arg[COMPACT_TOKEN].i, -1, s, running);
    if (c->rc == SQLITE_OK && !ts_text_equal(s->label, label)) {
      ts_fail(c, SQLITE_CONSTRAINT, "turn %lld is one of session '%.*s', not of '%.*s'",
              running->id, s->label.n, s->label.z, label.n, label.z);
    }
    if (trigger == TRIGGER_OVERFLOW && c->rc == SQLITE_OK && running->isCompaction) {
      ts_fail(c, SQLITE_CONSTRAINT,
              "trigger overflow_recovery is for a turn of messages; turn %lld is a compaction",
              running->id);
    }
    if (trigger == TRIGGER_OVERFLOW) wantFirstRecovery(c, running);
  } else {
    ts_lease_require_free_past(c, s, "turn_compact");
  }
  p->goesOn = c->rc == SQLITE_OK && goesThrough(c, running);
  if (c->rc != SQLITE_OK) return;
  if (p->goesOn) {
    endRunning(c, s, running, p);
    return;
  }
  if (!running->exists && !c->arg[COMPACT_PARENT].given) ts_turn_add_empty(c, s);
  if (c->rc == SQLITE_OK && !c->arg[COMPACT_PARENT].given &&
      !(running->exists ? running->parent : s->head)) {
    failNoTurns(c, s, running);
  }
  if (c->rc != SQLITE_OK) return;
  if (running->exists) {
    ts_turn_require_on_path(c, running->parent, &p->head);
  } else {
    ts_turn_find_parent(c, s, &c->arg[COMPACT_PARENT], &p->head);
  }
  if (c->rc == SQLITE_OK) readBefore(c, s, running, p);
}

/* The run goes on below the compaction, with what was asked. Returns the turn. */
static sqlite3_int64 goOn(Cmd *c, Session *s, const Turn *ended, sqlite3_int64 compaction) {
  sqlite3_int64 before = ts_id_last(c, ID_EVENT), id;
  TurnFacts f;
  Turn parent;
  Writer w;
  ts_facts_init(&f);
  f.source = ended->source;
  f.startedAt = c->now;
  ts_turn_load(c, compaction, &parent);
  id = ts_turn_open(c, s, &parent, &f, 0, PHASE_PROCESSING);
  ts_exec(c, SQL_RUN_TURN, "ti", &s->label, id);
  s->run.turnId = id;
  ts_turn_event(c, s, id, PHASE_COUNT, PHASE_PROCESSING, "begin");
  ts_writer_new(&w, c, id);
  askAgain(c, ended->id, &w);
  ts_exec(c, SQL_TURN_INPUTS, "ii?", id, w.next, 0, (sqlite3_int64)0);
  ts_exec(c, SQL_QUEUE_GOES_ON, "tii", &s->label, ended->id, id);
  ts_head_leave(c, s, before);
  return id;
}

/* The turn that turn_compact_begin() made gets its summary. */
static void endCompaction(Cmd *c, Session *s, Turn *t, TurnFacts *f, sqlite3_int64 threadTokens) {
  ts_exec(c, SQL_TURN_CONTEXT, "ii", t->id, t->id);
  ts_turn_move(c, s, t, PHASE_COMPLETING);
  ts_turn_event(c, s, t->id, PHASE_COMPLETING, PHASE_COMPLETED, "complete");
  ts_turn_end(c, t->id, PHASE_COMPLETED, 1, f, threadTokens, 0, (Text){NULL, 0});
  ts_head_move(c, s, t->id, MOVE_COMPACT, f);
  ts_exec(c, SQL_QUEUE_DONE, "tii", &s->label, t->id, c->now);
  ts_lease_release(c, s, RUN_READY);
}

/* The size of the context that begins with the new summary. */
static sqlite3_int64 tokensAfter(Cmd *c, const Session *s, const Plan *p) {
  sqlite3_int64 tokens = TS_TOKENS(c->arg[COMPACT_SUMMARY].text.n) + p->before.lastThreadTokens -
                         ts_thread_tokens(c, p->last, p->from - 1);
  Context after = p->before;
  if (p->failed) {
    tokens -= after.failedTokens;
    after.failed = after.failedTokens = 0;
  }
  ts_context_orphans(c, s->label, p->from, &after);
  return tokens + p->asked + ts_orphan_tokens(&after, 0, TS_CONTEXT_END(&after));
}

/* When it was made: now, or in the past of an import. */
static sqlite3_int64 startedAt(const Cmd *c) {
  return c->arg[COMPACT_STARTED].given ? c->arg[COMPACT_STARTED].i : c->now;
}

/* What is said of a compaction, as it is kept. */
static void putResult(Cmd *c, sqlite3_int64 id, Json *j) {
  Query q = ts_query(c, SQL_COMPACTION_RESULT, "i", id);
  if (ts_row(c, &q)) {
    ts_json_put_int(j, "turn", id);
    ts_json_put_id(j, "first_kept_turn_id",
                   ts_col_int(&q, COL_COMPACTION_RESULT_FIRST_KEPT_TURN_ID));
    ts_json_put_id(j, "summarized_through_turn_id",
                   ts_col_int(&q, COL_COMPACTION_RESULT_SUMMARIZED_THROUGH_TURN_ID));
    ts_json_put_int(j, "turns_summarized", ts_col_int(&q, COL_COMPACTION_RESULT_TURNS_SUMMARIZED));
    ts_json_put_int(j, "turns_kept", ts_col_int(&q, COL_COMPACTION_RESULT_TURNS_KEPT));
    ts_json_put_int(j, "tokens_before", ts_col_int(&q, COL_COMPACTION_RESULT_TOKENS_BEFORE));
    ts_json_put_int(j, "tokens_after", ts_col_int(&q, COL_COMPACTION_RESULT_TOKENS_AFTER));
  }
  ts_end(c, &q);
}

/* The model that has written the summary: as the host says, else the one that is set for summaries. */
static Text modelOf(Cmd *c, const Session *s) {
  Text given = c->arg[COMPACT_MODEL].text;
  return given.z ? given : ts_config_host_name(c, s->label, CONFIG_SUMMARIZATION_MODEL);
}

static void addCompaction(Cmd *c, const Session *s, const Plan *p, const Turn *running,
                          sqlite3_int64 id, int trigger, const Usage *u, Json *j) {
  sqlite3_int64 depth = TS_DEPTH(p->head.id);
  int keeps = p->from <= depth, isBeside = running->exists && !running->isCompaction && !p->goesOn;
  sqlite3_int64 through = p->from > 0 ? ts_ancestor(c, p->head.id, p->from - 1) : 0;
  sqlite3_int64 firstKept = keeps ? ts_ancestor(c, p->head.id, p->from) : 0;
  sqlite3_int64 summaryTokens = TS_TOKENS(c->arg[COMPACT_SUMMARY].text.n);
  sqlite3_int64 after = tokensAfter(c, s, p);
  sqlite3_int64 kept = countTurns(c, p, p->from, depth);
  Text model = modelOf(c, s);
  ts_exec(c, SQL_COMPACTION_ADD,
          "i???iissttti"
          "ii???itt",
          id, through != 0, through, keeps, firstKept, isBeside, running->id, p->summarized, kept,
          keeps ? "partial" : "full", triggers[trigger], &c->arg[COMPACT_FOCUS].text, &model,
          &c->arg[COMPACT_PROVIDER].text, p->before.tokens, after, summaryTokens, u->input >= 0,
          u->input, u->output >= 0, u->output, c->arg[COMPACT_DURATION_MS].given,
          c->arg[COMPACT_DURATION_MS].i, startedAt(c), &c->arg[COMPACT_METADATA].text,
          &c->arg[COMPACT_SUMMARY].text);
  putResult(c, id, j);
  ts_json_key(j, "moved");
  ts_json_bool(j, p->moved);
}

/* A "/compact" that was handed over is finished. */
static void takeUp(Cmd *c, const Session *s) {
  InputLink *link = ts_queue_list(c, s->label, SQL_QUEUE_HANDED_ROWS, TS_MAX_INPUTS);
  for (; link && c->rc == SQLITE_OK; link = link->next) {
    Text focus;
    if (!ts_asks_compact(link->in, &focus)) continue;
    ts_exec(c, SQL_QUEUE_SETTLE, "iis", link->in->queueId, c->now, NULL);
  }
}

/* How a call differs from the one that made the compaction; NULL when it is the same call again. */
static const char *difference(Cmd *c, const Turn *known, int trigger, const Usage *u) {
  const Arg *started = &c->arg[COMPACT_STARTED], *took = &c->arg[COMPACT_DURATION_MS];
  const char *elsewhere;
  Session s;
  Query q;
  int same;
  if (!known->isCompaction) return "which is not a compaction";
  elsewhere = ts_turn_elsewhere(c, known, c->arg[COMPACT_LABEL].text, &c->arg[COMPACT_PARENT], &s);
  if (elsewhere || c->rc != SQLITE_OK) return elsewhere;
  q = ts_query(c, SQL_COMPACTION_IS, "isttt??tt??", known->id, triggers[trigger],
               &c->arg[COMPACT_FOCUS].text, &c->arg[COMPACT_MODEL].text,
               &c->arg[COMPACT_PROVIDER].text, started->given, started->i, took->given, took->i,
               &c->arg[COMPACT_METADATA].text, &c->arg[COMPACT_SUMMARY].text, u->input >= 0,
               u->input, u->output >= 0, u->output);
  same = ts_row(c, &q);
  ts_end(c, &q);
  if (!same) return "with another summary, or something else about it that differs";
  return ts_turn_is_left(c, known, &c->arg[COMPACT_PARENT], &s)
             ? "and the session's head is no longer at it or below it"
             : NULL;
}

/* Is what was kept another turn than the one that is named? */
static int wasMoved(Cmd *c, sqlite3_int64 id) {
  Query q = ts_query(c, SQL_COMPACTION_RESULT, "i", id);
  int moved =
      ts_row(c, &q) && c->arg[COMPACT_FIRST_KEPT].given &&
      ts_col_int(&q, COL_COMPACTION_RESULT_FIRST_KEPT_TURN_ID) != c->arg[COMPACT_FIRST_KEPT].i;
  ts_end(c, &q);
  return moved;
}

/* Repeating a call gives what the first one made, so that an import can be repeated. */
static void compactAgain(Cmd *c, sqlite3_int64 id, int trigger, const Usage *u) {
  Text externalId = c->arg[COMPACT_EXTERNAL].text;
  const char *differs;
  Turn known;
  Json j;
  ts_turn_load(c, id, &known);
  differs = difference(c, &known, trigger, u);
  if (differs) {
    ts_fail(c, SQLITE_CONSTRAINT,
            "external_id '%.*s' was used before for turn %lld, %s; use a new one", externalId.n,
            externalId.z, id, differs);
  }
  if (c->rc != SQLITE_OK) return;
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  putResult(c, id, &j);
  ts_json_key(&j, "moved");
  ts_json_bool(&j, wasMoved(c, id));
  ts_json_close(&j, '}');
  ts_return_text(c, ts_json_finish(&j));
}

/* Options that are for a compaction that stands by itself. */
static void wantAlone(Cmd *c) {
  static const int options[] = {COMPACT_STARTED, COMPACT_EXTERNAL, COMPACT_PARENT};
  for (int i = 0; i < 3 && c->arg[COMPACT_TOKEN].given; i++) {
    if (!c->arg[options[i]].given) continue;
    ts_fail(c, SQLITE_ERROR, "%s does not go with turn and token", compactArgs[options[i]].name);
  }
}

static void runCompact(Cmd *c) {
  int trigger = TRIGGER_MANUAL;
  sqlite3_int64 id;
  TurnFacts f;
  Session s;
  Turn running;
  Plan p;
  Json j;
  ts_facts_init(&f);
  if (c->arg[COMPACT_TRIGGER].given) {
    trigger = ts_arg_word(c, "trigger", c->arg[COMPACT_TRIGGER].text, triggers, 4);
  }
  ts_usage_parse(c, c->arg[COMPACT_USAGE].text, "usage", &f.usage);
  if (c->arg[COMPACT_MODEL_LIMIT].given &&
      (c->arg[COMPACT_MODEL_LIMIT].i < 1 || c->arg[COMPACT_MODEL_LIMIT].i > TURNSTILE_MAX_TOKENS)) {
    ts_fail(c, SQLITE_ERROR,
            "model_limit is %lld; it must be a number of tokens from 1 to 2^43 - 1",
            c->arg[COMPACT_MODEL_LIMIT].i);
  }
  wantAlone(c);
  id = ts_turn_of_external(c, c->arg[COMPACT_EXTERNAL].text);
  if (c->rc != SQLITE_OK) return;
  if (id) {
    compactAgain(c, id, trigger, &f.usage);
    return;
  }
  enterCompaction(c, trigger, &s, &running, &p);
  planKept(c, &s, &p);
  if (c->rc != SQLITE_OK) return;
  f.source = running.exists ? running.source : s.workSource;
  f.model = modelOf(c, &s);
  f.provider = c->arg[COMPACT_PROVIDER].text;
  f.startedAt = startedAt(c);
  f.externalId = c->arg[COMPACT_EXTERNAL].text;
  id = running.isCompaction ? running.id : ts_turn_open(c, &s, &p.head, &f, 1, PHASE_COMPLETING);
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  addCompaction(c, &s, &p, &running, id, trigger, &f.usage, &j);
  if (running.isCompaction) {
    endCompaction(c, &s, &running, &f, p.head.threadTokens);
    ts_json_put_int(&j, "waiting", ts_queue_count(c, &s, NULL));
  } else {
    ts_turn_end(c, id, PHASE_COMPLETED, 1, &f, p.head.threadTokens, 0, (Text){NULL, 0});
    if (running.exists && !p.goesOn) {
      ts_exec(c, SQL_TURN_CONTEXT, "ii", running.id, id);
      ts_session_spend(c, &s, &f.usage, 1);
    } else {
      ts_head_move(c, &s, id, MOVE_COMPACT, &f);
      takeUp(c, &s);
    }
    if (p.goesOn) ts_json_put_int(&j, "running_turn", goOn(c, &s, &running, id));
  }
  if (p.failed) ts_exec(c, SQL_RUN_FAILED, "t?", &s.label, 0, (sqlite3_int64)0);
  ts_json_close(&j, '}');
  ts_return_text(c, ts_json_finish(&j));
}

const CommandSpec ts_turn_compact = {"turn_compact", runCompact, 0, TS_ARGS(2, compactArgs), NULL};

/* ---- session_compact(label [, message]) → commit id ------------------------------------------ */

/* No task is open. The same call again (a retry) gets the commit that it made. */
static void compactedAgain(Cmd *c, const Session *s, Text message) {
  Text id = none;
  Query q = ts_query(c, SQL_COMMIT_LATEST, "t", &s->label);
  if (ts_row(c, &q)) {
    Text made = ts_col_text(c, &q, COL_COMMIT_LATEST_MESSAGE);
    if (!message.z || ts_text_equal(made, message)) id = ts_col_text(c, &q, COL_COMMIT_LATEST_ID);
  }
  ts_end(c, &q);
  if (c->rc == SQLITE_OK && !id.z) {
    ts_task_require(c, s);
    return;
  }
  ts_return_text(c, id);
}

static const ArgSpec taskArgs[] = {{"label", ARG_LABEL, 1}, {"message", ARG_TEXT, 0}};

static void runCompactTask(Cmd *c) {
  Session s;
  Text message = c->arg[1].text, id;
  if (message.z && ts_text_blank(message.z, message.n))
    ts_fail(c, SQLITE_ERROR, "message is empty; NULL takes the summary");
  ts_session_require(c, c->arg[0].text, &s);
  if (c->rc != SQLITE_OK) return;
  if (!s.task.id) {
    compactedAgain(c, &s, message);
    return;
  }
  ts_choice_release(c, &s, "compact");
  ts_task_worked(c, &s); /* it is said to be done: there is something to keep */
  if (s.task.state == TASK_ABORTED) {
    Text reason = ts_task_field(c, &s, "$.reason");
    if (!message.z) message = ts_fill(c, s.label, "commit.abandoned", NULL, none, NULL, none);
    id = ts_task_end(c, &s, COMMIT_ABANDONED, message, reason);
  } else {
    if (!message.z) message = ts_task_summary(c, &s);
    id = ts_task_end(c, &s, COMMIT_NORMAL, message, none);
  }
  ts_session_touch(c, &s, s.workSource);
  s.offered = 0;
  ts_session_save(c, &s);
  ts_answers_called_off(c, &s);
  ts_return_text(c, id);
}

const CommandSpec ts_session_compact = {"session_compact", runCompactTask, 0, TS_ARGS(2, taskArgs),
                                        NULL};
