/*
** document.c - the format of a document; its digest; references inside of JSON.
*/
#include "document.h"

#include "array.h"
#include "classify.h"
#include "decide.h"
#include "retried.h"
#include "states.h"
#include "word_lists.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

/* ---- The format -------------------------------------------------------------------------------- */

#define BIG TURNSTILE_MAX_INTEGER
#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))
#define OPT FIELD_NULLABLE
#define NEW FIELD_NEW

#define NUMBER                                                                                     \
  { .name = "n", .kind = FIELD_NUMBER }
#define REF(named, section, flag)                                                                  \
  { .name = (named), .kind = FIELD_REF, .flags = (flag), .of = (section) }
#define INT(named, low, high, flag)                                                                \
  { .name = (named), .kind = FIELD_INT, .flags = (flag), .min = (low), .max = (high) }
#define TIME(named, flag) INT(named, 0, BIG, flag)
#define TOKENS(named, flag) INT(named, 0, TURNSTILE_MAX_TOKENS, flag)
#define UP_TO(named, which, bytes, flag)                                                           \
  { .name = (named), .kind = (which), .flags = (flag), .max = (bytes) }
#define TEXT(named, flag) UP_TO(named, FIELD_TEXT, TURNSTILE_MAX_TEXT, flag)
#define SHORT(named, flag) UP_TO(named, FIELD_TEXT, TURNSTILE_MAX_NAME, flag)
#define NAME(named, flag) UP_TO(named, FIELD_NAMED, TURNSTILE_MAX_NAME, flag)
#define LABEL(named, flag) UP_TO(named, FIELD_NAMED, TURNSTILE_MAX_LABEL, flag)
#define SENDER(named) UP_TO(named, FIELD_TEXT, TURNSTILE_MAX_LABEL, 0)
#define LINK(named) UP_TO(named, FIELD_LINK, TURNSTILE_MAX_NAME, 0)
#define WORD(named, list, count, flag)                                                             \
  { .name = (named), .kind = FIELD_WORD, .flags = (flag), .words = (list), .nWords = (count) }
#define HASH(named, flag)                                                                          \
  { .name = (named), .kind = FIELD_HASH, .flags = (flag) }
#define REAL(named, flag)                                                                          \
  { .name = (named), .kind = FIELD_REAL, .flags = (flag) }
#define JSON(named, type, flag)                                                                    \
  { .name = (named), .kind = FIELD_JSON, .flags = (flag), .json = (type) }
#define ANY(named)                                                                                 \
  { .name = (named), .kind = FIELD_ANY }

static const char *const statusWords[] = {LIST_STATUS};
static const char *const taskWords[] = {LIST_TASK_STATE};
static const char *const turnEnds[] = {LIST_TURN_END};
static const char *const turnTypes[] = {LIST_TURN_TYPE};
static const char *const stepKinds[] = {LIST_STEP_KIND};
static const char *const observationKinds[] = {LIST_OBSERVATION_KIND};
static const char *const objectKinds[] = {LIST_OBJECT_KIND};
static const char *const roles[] = {LIST_ROLE};
static const char *const callStates[] = {LIST_CALL_STATUS};
static const char *const compactionTypes[] = {LIST_COMPACTION_TYPE};
static const char *const compactionTriggers[] = {LIST_COMPACTION_TRIGGER};
static const char *const moves[] = {LIST_HEAD_MOVE};
static const char *const axes[] = {LIST_AXIS};
static const char *const queueStates[] = {LIST_QUEUE_WAITS, LIST_QUEUE_END};

#define SIX_TOKENS(flags, high)                                                                    \
  INT("input_tokens", 0, high, flags), INT("output_tokens", 0, high, flags),                       \
      INT("cached_input_tokens", 0, high, flags), INT("cache_write_tokens", 0, high, flags),       \
      INT("reasoning_tokens", 0, high, flags), INT("total_tokens", 0, high, flags)

static const Field sessionFields[] = {
    WORD("status", statusWords, COUNT(statusWords), 0),
    TEXT("status_reason", OPT),
    NAME("persona_id", OPT),
    LABEL("routing_key", OPT),
    WORD("work_source", ts_source_names, SOURCE_COUNT, 0),
    WORD("queue_mode", ts_queue_modes, QUEUE_MODE_COUNT, OPT),
    JSON("pending_choice", "object", OPT),
    TEXT("resume_cursor", OPT),
    REF("head", SEC_TURNS, OPT),
    REF("failed_turn", SEC_TURNS, OPT),
    REF("open_task", SEC_TASKS, OPT),
    TIME("offered_at", OPT),
    TIME("created_at", 0),
    TIME("updated_at", 0),
    TIME("last_activity", 0),
    TIME("archived_at", OPT),
    SIX_TOKENS(0, BIG),
    JSON("refused", "object", OPT | NEW),
    TIME("head_events", OPT | NEW),
};
static const Field taskFields[] = {
    NUMBER,
    TEXT("description", 0),
    WORD("state", taskWords, COUNT(taskWords), 0),
    JSON("state_data", "object", OPT),
    TIME("started_at", 0),
    TIME("last_activity", 0),
    TIME("ended_at", OPT),
    REF("head_step", SEC_STEPS, OPT),
    REF("base_commit", SEC_COMMITS, OPT),
    REF("commit", SEC_COMMITS, OPT),
    INT("worked", 0, 1, NEW),
    REF("continues", SEC_TASKS, OPT | NEW),
    INT("asked_after", 0, BIG, OPT | NEW),
};
static const Field stepFields[] = {
    NUMBER,
    REF("task", SEC_TASKS, 0),
    HASH("id", FIELD_DERIVED),
    REF("parent", SEC_STEPS, OPT),
    WORD("step_kind", stepKinds, COUNT(stepKinds), 0),
    WORD("state", taskWords, COUNT(taskWords), 0),
    JSON("state_data", "object", OPT),
    JSON("payload", "array", 0),
    TIME("created_at", 0),
};
static const Field observationFields[] = {
    NUMBER,
    REF("task", SEC_TASKS, OPT),
    REF("turn", SEC_TURNS, OPT),
    WORD("kind", observationKinds, COUNT(observationKinds), 0),
    INT("auto", 0, 1, 0),
    HASH("hash", 0),
    REF("object", SEC_OBJECTS, OPT),
    REF("step", SEC_STEPS, OPT),
    TIME("created_at", 0),
    JSON("data", NULL, 0),
};
static const Field objectFields[] = {
    NUMBER,
    HASH("id", 0),
    WORD("kind", objectKinds, COUNT(objectKinds), 0),
    INT("size", 0, TURNSTILE_MAX_TEXT, 0),
    TEXT("data", 0),
};
static const Field edgeFields[] = {
    NAME("from_kind", 0),  LINK("from_ref"),      NAME("to_kind", 0),
    LINK("to_ref"),        NAME("label", 0),      REAL("weight", 0),
    TEXT("evidence", OPT), TIME("created_at", 0), REF("task", SEC_TASKS, OPT | NEW),
};
static const Field commitFields[] = {
    NUMBER,
    HASH("id", FIELD_DERIVED),
    REF("parent", SEC_COMMITS, OPT),
    REF("task", SEC_TASKS, 0),
    TEXT("message", 0),
    WORD("commit_type", ts_commit_types + 1, COMMIT_TYPE_COUNT - 1, 0),
    JSON("type_data", "object", OPT),
    REF("head_step", SEC_STEPS, OPT),
    TIME("created_at", 0),
};
static const Field turnFields[] = {
    NUMBER,
    REF("parent", SEC_TURNS, OPT),
    WORD("turn_type", turnTypes, COUNT(turnTypes), 0),
    WORD("status", turnEnds, COUNT(turnEnds), 0),
    INT("on_path", 0, 1, 0),
    WORD("source", ts_source_names, SOURCE_COUNT, 0),
    NAME("model", OPT),
    NAME("provider", OPT),
    NAME("persona_id", OPT),
    SIX_TOKENS(OPT, TURNSTILE_MAX_TOKENS),
    REF("context", SEC_TURNS, OPT),
    REF("answers", SEC_TURNS, OPT),
    REF("resumes", SEC_TURNS, OPT),
    INT("inputs", 0, TURNSTILE_MAX_SEQUENCE + 1, 0),
    TIME("thread_tokens", 0),
    NAME("external_id", OPT),
    TIME("started_at", 0),
    TIME("completed_at", 0),
    TEXT("error", OPT),
    INT("nth", 1, BIG, NEW),
};
static const Field messageFields[] = {
    REF("turn", SEC_TURNS, 0),
    INT("sequence", 0, TURNSTILE_MAX_SEQUENCE, 0),
    WORD("role", roles, COUNT(roles), 0),
    WORD("source", ts_source_names, SOURCE_COUNT, OPT),
    NAME("tool_call_id", OPT),
    TIME("created_at", 0),
    JSON("metadata", "object", OPT),
    TEXT("content", 0),
};
static const Field callFields[] = {
    REF("turn", SEC_TURNS, 0),
    INT("sequence", 0, TURNSTILE_MAX_SEQUENCE, 0),
    NAME("id", 0),
    NAME("tool_name", 0),
    WORD("status", callStates, COUNT(callStates), 0),
    LABEL("spawned_session_label", OPT),
    TIME("started_at", 0),
    TIME("completed_at", OPT),
    TEXT("error", OPT),
    JSON("params", NULL, 0),
    TEXT("result", OPT),
};
static const Field compactionFields[] = {
    REF("turn", SEC_TURNS, 0),
    REF("summarized_through", SEC_TURNS, OPT),
    REF("first_kept", SEC_TURNS, OPT),
    REF("recovered", SEC_TURNS, OPT),
    TIME("turns_summarized", 0),
    TIME("turns_kept", 0),
    WORD("compaction_type", compactionTypes, COUNT(compactionTypes), 0),
    WORD("trigger", compactionTriggers, COUNT(compactionTriggers), 0),
    TEXT("focus", OPT),
    NAME("model", OPT),
    NAME("provider", OPT),
    TIME("tokens_before", 0),
    TIME("tokens_after", 0),
    TIME("summary_tokens", 0),
    TOKENS("summarization_input_tokens", OPT),
    TOKENS("summarization_output_tokens", OPT),
    TIME("duration_ms", OPT),
    TIME("created_at", 0),
    JSON("metadata_json", "object", OPT),
    TEXT("summary", 0),
};
static const Field historyFields[] = {
    REF("turn", SEC_TURNS, FIELD_MAY_LACK), REF("task", SEC_TASKS, OPT), TIME("changed_at", 0),
    WORD("reason", moves, COUNT(moves), 0), TIME("events", OPT | NEW),
};
static const Field eventFields[] = {
    REF("task", SEC_TASKS, OPT),
    WORD("axis", axes, COUNT(axes), 0),
    SHORT("from_state", OPT),
    SHORT("to_state", OPT),
    NAME("trigger", 0),
    JSON("data", NULL, OPT),
    TIME("at", 0),
};
static const Field deliveryFields[] = {
    NUMBER,
    NAME("message_id", OPT),
    SHORT("channel", 0),
    SENDER("sender"),
    WORD("source", ts_source_names, SOURCE_COUNT, 0),
    WORD("class", ts_class_names, CLASS_COUNT, OPT),
    REAL("confidence", OPT),
    WORD("action", ts_action_names, ACTION_DUPLICATE, 0),
    JSON("decision", "object", 0),
    TIME("at", 0),
    TEXT("message", 0),
    WORD("corrected", ts_class_names, CLASS_COUNT, OPT | NEW),
};
static const Field queueFields[] = {
    NUMBER,
    REF("delivery", SEC_DELIVERIES, 0),
    WORD("source", ts_source_names, SOURCE_COUNT, 0),
    SHORT("channel", 0),
    SENDER("sender"),
    WORD("mode", ts_queue_modes, QUEUE_MODE_COUNT, OPT),
    NAME("message_id", OPT),
    WORD("class", ts_class_names, CLASS_COUNT, OPT),
    WORD("status", queueStates, COUNT(queueStates), 0),
    TIME("attempts", 0),
    REF("turn", SEC_TURNS, OPT),
    TIME("enqueued_at", 0),
    TIME("delivered_at", OPT),
    TEXT("error", OPT),
    INT("rank", -BIG, BIG, 0),
    TEXT("message", 0),
    INT("held", 0, 1, NEW),
    INT("awaits_turn", 0, 1, NEW),
    REF("shown_turn", SEC_TURNS, OPT | NEW),
    INT("exempt", 0, 2, NEW),
    TIME("due_at", OPT | NEW),
    TIME("due_after", OPT | NEW),
    INT("opened_at", 1, BIG, OPT | NEW),
    INT("asked_at", 1, BIG, OPT | NEW),
    REF("task", SEC_TASKS, OPT | NEW | FIELD_OR_GONE),
};
static const Field aliasFields[] = {LABEL("alias", 0), TIME("created_at", 0)};
static const Field configFields[] = {NAME("key", 0), ANY("value")};

#define SECTION(name, fields)                                                                      \
  { name, fields, COUNT(fields) }

const SectionSpec ts_sections[SEC_COUNT] = {
    [SEC_SESSION] = SECTION("session", sessionFields),
    [SEC_TASKS] = SECTION("tasks", taskFields),
    [SEC_STEPS] = SECTION("steps", stepFields),
    [SEC_OBSERVATIONS] = SECTION("observations", observationFields),
    [SEC_OBJECTS] = SECTION("objects", objectFields),
    [SEC_EDGES] = SECTION("edges", edgeFields),
    [SEC_COMMITS] = SECTION("commits", commitFields),
    [SEC_TURNS] = SECTION("turns", turnFields),
    [SEC_MESSAGES] = SECTION("messages", messageFields),
    [SEC_TOOL_CALLS] = SECTION("tool_calls", callFields),
    [SEC_COMPACTIONS] = SECTION("compactions", compactionFields),
    [SEC_HISTORY] = SECTION("history", historyFields),
    [SEC_EVENTS] = SECTION("events", eventFields),
    [SEC_DELIVERIES] = SECTION("deliveries", deliveryFields),
    [SEC_QUEUE] = SECTION("queue", queueFields),
    [SEC_ALIASES] = SECTION("aliases", aliasFields),
    [SEC_CONFIG] = SECTION("config", configFields),
};

_Static_assert(COUNT(sessionFields) == SESSION_FIELDS, "session");
_Static_assert(COUNT(taskFields) == TASK_FIELDS, "tasks");
_Static_assert(COUNT(stepFields) == STEP_FIELDS, "steps");
_Static_assert(COUNT(observationFields) == OBS_FIELDS, "observations");
_Static_assert(COUNT(objectFields) == OBJECT_FIELDS, "objects");
_Static_assert(COUNT(edgeFields) == EDGE_FIELDS, "edges");
_Static_assert(COUNT(commitFields) == COMMIT_FIELDS, "commits");
_Static_assert(COUNT(turnFields) == TURN_FIELDS, "turns");
_Static_assert(COUNT(messageFields) == MESSAGE_FIELDS, "messages");
_Static_assert(COUNT(callFields) == CALL_FIELDS, "tool_calls");
_Static_assert(COUNT(compactionFields) == COMPACTION_FIELDS, "compactions");
_Static_assert(COUNT(historyFields) == HISTORY_FIELDS, "history");
_Static_assert(COUNT(eventFields) == EVENT_FIELDS, "events");
_Static_assert(COUNT(deliveryFields) == DELIVERY_FIELDS, "deliveries");
_Static_assert(COUNT(queueFields) == QUEUE_FIELDS, "queue");
_Static_assert(COUNT(aliasFields) == ALIAS_FIELDS, "aliases");
_Static_assert(COUNT(configFields) == CONFIG_FIELDS, "config");

int ts_field_is(const Field *field, int version) {
  return version > 1 || !(field->flags & FIELD_NEW);
}

int ts_field_may_lack(const Field *field, int version) {
  return (field->flags & FIELD_NULLABLE) || (version > 1 && (field->flags & FIELD_MAY_LACK));
}

/* ---- Values and rows --------------------------------------------------------------------------- */

#define BLOCK_ROWS 64

Value ts_value_int(sqlite3_int64 i) {
  Value v;
  v.u.i = i;
  v.n = 0;
  v.type = SQLITE_INTEGER;
  return v;
}

Value ts_value_null(void) {
  Value v = ts_value_int(0);
  v.type = SQLITE_NULL;
  return v;
}

Value ts_value_text(Text t) {
  Value v = ts_value_null();
  if (!t.z) return v;
  v.u.z = t.z;
  v.n = t.n;
  v.type = SQLITE_TEXT;
  return v;
}

Text ts_value_get(const Value *v) {
  return TS_IS_TEXT(v) ? (Text){v->u.z, v->n} : (Text){NULL, 0};
}

sqlite3_int64 ts_value_number(const Value *v) {
  return TS_IS_INT(v) ? v->u.i : 0;
}

Value *ts_doc_add(Doc *d, SectionId s) {
  Rows *rows = &d->rows[s];
  int nFields = ts_sections[s].nFields;
  Value *row;
  if (rows->n % BLOCK_ROWS == 0) {
    Value **blocks = ts_array_more(d->c, rows->blocks, rows->nBlocks, &rows->room, sizeof(void *));
    if (!blocks) return NULL;
    rows->blocks = blocks;
    row = ts_alloc(d->c, sizeof(Value) * (size_t)(BLOCK_ROWS * nFields));
    if (!row) return NULL;
    rows->blocks[rows->nBlocks++] = row;
  }
  if (d->c->rc != SQLITE_OK) return NULL;
  row = ts_doc_row(d, s, rows->n++);
  for (int i = 0; i < nFields; i++)
    row[i] = ts_value_null();
  return row;
}

Value *ts_doc_row(const Doc *d, SectionId s, sqlite3_int64 i) {
  return d->rows[s].blocks[i / BLOCK_ROWS] + (i % BLOCK_ROWS) * ts_sections[s].nFields;
}

/* ---- The digest -------------------------------------------------------------------------------- */

/*
** "export" and a NUL; then for each section "SNAME:ROWS\n", and for each value of its rows
** "n" (null), "iNUMBER;" or "tBYTES:TEXT".
*/
HashId ts_doc_hash(const Doc *d, int version) {
  HashStream h;
  char head[64];
  ts_hash_begin(&h, "export");
  for (int s = 0; s < SEC_COUNT; s++) {
    const SectionSpec *spec = &ts_sections[s];
    sqlite3_snprintf(sizeof(head), head, "S%s:%lld\n", spec->name, d->rows[s].n);
    ts_hash_add(&h, head, (int)strlen(head));
    for (sqlite3_int64 i = 0; i < d->rows[s].n; i++) {
      const Value *row = ts_doc_row(d, (SectionId)s, i);
      for (int f = 0; f < spec->nFields; f++) {
        if (spec->fields[f].flags & FIELD_DERIVED) continue;
        if (!ts_field_is(&spec->fields[f], version)) continue;
        if (TS_IS_INT(&row[f])) {
          sqlite3_snprintf(sizeof(head), head, "i%lld;", row[f].u.i);
        } else if (TS_IS_TEXT(&row[f])) {
          sqlite3_snprintf(sizeof(head), head, "t%d:", row[f].n);
        } else {
          sqlite3_snprintf(sizeof(head), head, "n");
        }
        ts_hash_add(&h, head, (int)strlen(head));
        if (TS_IS_TEXT(&row[f])) ts_hash_add(&h, row[f].u.z, row[f].n);
      }
    }
  }
  return ts_hash_end(&h);
}

/* ---- References inside of JSON ------------------------------------------------------------------- */

typedef struct RefPath {
  const char *path;
  RefPlace place;
  RefKind kind;
} RefPath;

static const RefPath refPaths[] = {
    {".session", REFS_DECISION, REF_SELF},
    {".task_id", REFS_DECISION, REF_TASK},
    {".commit_id", REFS_DECISION, REF_COMMIT},
    {".queue_id", REFS_DECISION, REF_QUEUE},
    {".inputs[].queue_id", REFS_DECISION, REF_QUEUE},
    {".cancelled[].queue_id", REFS_DECISION, REF_QUEUE},
    {".still_waiting[].queue_id", REFS_DECISION, REF_QUEUE},
    {".second_opinion.delivery", REFS_DECISION, REF_DELIVERY},
    {".turn.turn", REFS_DECISION, REF_TURN},
    {".turn.parent", REFS_DECISION, REF_TURN},
    {".turn.session", REFS_DECISION, REF_SELF},
    {".turn.messages[].queue_id", REFS_DECISION, REF_QUEUE},
    {".delivery_id", REFS_CHOICE, REF_DELIVERY},
    {".earlier[]", REFS_CHOICE, REF_DELIVERY},
    {".turn", REFS_TURN, REF_TURN},
    {".commit_id", REFS_COMMIT, REF_COMMIT},
    {".queue_id", REFS_METADATA, REF_QUEUE},
    {".retries_turn_id", REFS_METADATA, REF_TURN},
    {".queue_id", REFS_METADATA_OLD, REF_QUEUE},
};

#define MAX_PATH 64
#define MAX_LEVELS 5 /* how deep a path reaches; deeper values are copied whole */

typedef struct Scan {
  sqlite3_str *out;
  const char *z, *end; /* the rest of the text */
  RefPlace place;
  RefVisit visit;
  void *arg;
  char path[MAX_PATH];
  int nPath;
  int bad;
} Scan;

static void skipBlanks(Scan *s) {
  while (s->z < s->end && (*s->z == ' ' || *s->z == '\t' || *s->z == '\n' || *s->z == '\r'))
    s->z++;
}

/* Over a text in quotes; returns whether it holds an escape. */
static int skipQuoted(Scan *s) {
  int escapes = 0;
  for (s->z++; s->z < s->end && *s->z != '"'; s->z++) {
    if (*s->z != '\\') continue;
    escapes = 1;
    s->z++;
  }
  if (s->z < s->end) {
    s->z++;
  } else {
    s->z = s->end;
    s->bad = 1;
  }
  return escapes;
}

/* Over a value of any kind. */
static void skipValue(Scan *s) {
  int depth = 0;
  const char *start = s->z;
  do {
    if (s->z >= s->end) {
      s->bad = 1;
      return;
    }
    if (*s->z == '"') {
      skipQuoted(s);
      continue;
    }
    if (*s->z == '{' || *s->z == '[') depth++;
    if (*s->z == '}' || *s->z == ']') depth--;
    s->z++;
    if (depth == 0 && *start != '{' && *start != '[') { /* a number or a word */
      while (s->z < s->end && !strchr(",]} \t\n\r", *s->z))
        s->z++;
    }
  } while (depth > 0);
}

static const RefPath *findPath(const Scan *s) {
  for (int i = 0; i < COUNT(refPaths); i++) {
    if (refPaths[i].place == s->place && strcmp(refPaths[i].path, s->path) == 0) {
      return &refPaths[i];
    }
  }
  return NULL;
}

/* Makes the path longer; returns its length before, or -1 when it becomes too long. */
static int push(Scan *s, const char *z, int n) {
  int before = s->nPath;
  if (before + n >= MAX_PATH) return -1;
  memcpy(s->path + before, z, (size_t)n);
  s->nPath += n;
  s->path[s->nPath] = 0;
  return before;
}

static void pop(Scan *s, int length) {
  s->nPath = length;
  s->path[length] = 0;
}

static void scanValue(Scan *s, int level);

static void copyThrough(Scan *s, const char *from) {
  ts_append(s->out, (Text){from, (int)(s->z - from)});
}

/* One member or element, with the path that leads to it. */
static void scanMember(Scan *s, const char *name, int n, int level) {
  int before = push(s, name, n);
  if (before < 0) {
    const char *from = s->z;
    skipValue(s);
    copyThrough(s, from);
    return;
  }
  scanValue(s, level + 1);
  pop(s, before);
}

/* Reads the key of an object's member and its colon. Returns the length of its step in a path,
** ".key". */
static int scanKey(Scan *s, char *step) {
  const char *key = s->z;
  int n;
  if (*key != '"' || skipQuoted(s)) s->bad = 1;
  n = (int)(s->z - key) - 2;
  if (s->bad) return 0;
  if (n > MAX_PATH - 2) n = MAX_PATH - 2; /* longer than any path: it fits none */
  step[0] = '.';
  memcpy(step + 1, key + 1, (size_t)n);
  skipBlanks(s);
  if (s->z >= s->end || *s->z != ':') s->bad = 1;
  if (s->bad) return 0;
  s->z++;
  skipBlanks(s);
  return n + 1;
}

/* An object or an array, up to the character that closes it. */
static void scanContainer(Scan *s, char closing, int level) {
  const char *from = s->z;
  s->z++;
  skipBlanks(s);
  while (!s->bad && s->z < s->end && *s->z != closing) {
    char key[MAX_PATH];
    int n = closing == '}' ? scanKey(s, key) : 0;
    if (s->bad) return;
    copyThrough(s, from);
    scanMember(s, n ? key : "[]", n ? n : 2, level);
    from = s->z;
    skipBlanks(s);
    if (s->z < s->end && *s->z == ',') s->z++;
    skipBlanks(s);
  }
  if (s->z < s->end) {
    s->z++;
  } else {
    s->bad = 1;
  }
  copyThrough(s, from);
}

static void scanValue(Scan *s, int level) {
  const RefPath *ref = findPath(s);
  const char *from = s->z;
  if (s->bad || s->z >= s->end) {
    s->bad = 1;
  } else if (ref) {
    Text instead;
    skipValue(s);
    instead = s->visit(s->arg, ref->kind, (Text){from, (int)(s->z - from)});
    if (instead.z) {
      ts_append(s->out, instead);
    } else {
      copyThrough(s, from);
    }
  } else if (level < MAX_LEVELS && *s->z == '{') {
    scanContainer(s, '}', level);
  } else if (level < MAX_LEVELS && *s->z == '[') {
    scanContainer(s, ']', level);
  } else {
    skipValue(s);
    copyThrough(s, from);
  }
}

Text ts_refs_replace(Cmd *c, RefPlace place, Text json, RefVisit visit, void *arg) {
  sqlite3_int64 queueId, retries;
  Scan s;
  Text done;
  if (!json.z || place == REFS_NONE) return json;
  if ((place == REFS_METADATA || place == REFS_METADATA_OLD) &&
      (!ts_input_metadata(json, &queueId, &retries) || (place == REFS_METADATA_OLD && retries))) {
    return json;
  }
  memset(&s, 0, sizeof(s));
  s.out = sqlite3_str_new(c->db);
  s.z = json.z;
  s.end = json.z + json.n;
  s.place = place;
  s.visit = visit;
  s.arg = arg;
  skipBlanks(&s);
  scanValue(&s, 0);
  skipBlanks(&s);
  if (s.z != s.end) s.bad = 1;
  done = ts_finish(c, s.out);
  return s.bad ? (Text){NULL, 0} : done;
}

RefPlace ts_event_refs(const Value *event) {
  Text axis = ts_value_get(&event[EVENT_AXIS]), to = ts_value_get(&event[EVENT_TO]);
  Text trigger = ts_value_get(&event[EVENT_TRIGGER]);
  if (ts_text_is(axis, "turn")) return REFS_TURN;
  if (ts_text_is(axis, "choice")) return REFS_CHOICE;
  if (ts_text_is(axis, "status") && ts_text_is(trigger, "fork")) return REFS_TURN;
  /* The data of a task's other moves belongs to the host. */
  if (ts_text_is(axis, "task") && ts_text_is(to, "None")) return REFS_COMMIT;
  return REFS_NONE;
}
