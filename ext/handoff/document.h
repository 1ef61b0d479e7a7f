/*
** document.h - a session as a document: the format that session_export writes and session_import reads.
**
** A document is a list of sections, a section a list of rows, a row a list of values by name. One
** table lists every field with its name and its allowed values. Both commands and the digest of a
** document walk this table.
**
** A document contains no id of the file it comes from. Rows that others point at are numbered from
** 1 in each section, and a reference is such a number. So a session gives the same content whatever
** file it is exported from, and whatever its label is.
*/
#ifndef TS_DOCUMENT_H
#define TS_DOCUMENT_H

#include "core.h"
#include "hash.h"

/* The format that is written, and the oldest that is read. A document lacks the fields of later
** formats; import_read.c gives them a value. */
#define TS_EXPORT_VERSION 2
#define TS_EXPORT_OLDEST 1

/* The sections, in the order in which a document has them. */
typedef enum SectionId {
  SEC_SESSION, /* one row, written as an object */
  SEC_TASKS,
  SEC_STEPS,
  SEC_OBSERVATIONS,
  SEC_OBJECTS,
  SEC_EDGES,
  SEC_COMMITS,
  SEC_TURNS,
  SEC_MESSAGES,
  SEC_TOOL_CALLS,
  SEC_COMPACTIONS,
  SEC_HISTORY,
  SEC_EVENTS,
  SEC_DELIVERIES,
  SEC_QUEUE,
  SEC_ALIASES,
  SEC_CONFIG,
  SEC_COUNT
} SectionId;

typedef enum FieldKind {
  FIELD_NUMBER, /* the row's own number */
  FIELD_REF,    /* the number of a row of the section `of` */
  FIELD_INT,    /* min … max */
  FIELD_TEXT,   /* at most max bytes */
  FIELD_NAMED,  /* the same, and not empty */
  FIELD_WORD,   /* one of `words` */
  FIELD_HASH,   /* 64 hex digits */
  FIELD_REAL,   /* a number from 0 to 1, written as text with 17 digits */
  FIELD_JSON,   /* JSON as text, of the type `json` if that is given */
  FIELD_LINK,   /* the number of a row of `of` that a neighbour names, or another text */
  FIELD_ANY     /* text or an integer */
} FieldKind;

#define FIELD_NULLABLE 1 /* may be null */
#define FIELD_DERIVED 2  /* made from the rest and the label: not in the digest */
#define FIELD_NEW 4      /* from version 2 on */
#define FIELD_MAY_LACK 8 /* may be null from version 2 on */
#define FIELD_OR_GONE 16 /* a reference that may lead to a row that is in no document: 0 */

typedef struct Field {
  const char *name;
  const char *json;
  const char *const *words;
  sqlite3_int64 min, max;
  FieldKind kind;
  SectionId of;
  int nWords;
  int flags;
} Field;

typedef struct SectionSpec {
  const char *name;
  const Field *fields;
  int nFields;
} SectionSpec;

extern const SectionSpec ts_sections[SEC_COUNT];

/* The fields of each section by number. */
enum {
  SESSION_STATUS,
  SESSION_STATUS_REASON,
  SESSION_PERSONA,
  SESSION_ROUTING_KEY,
  SESSION_WORK_SOURCE,
  SESSION_QUEUE_MODE,
  SESSION_PENDING_CHOICE,
  SESSION_RESUME_CURSOR,
  SESSION_HEAD,
  SESSION_FAILED_TURN,
  SESSION_OPEN_TASK,
  SESSION_OFFERED_AT,
  SESSION_CREATED_AT,
  SESSION_UPDATED_AT,
  SESSION_LAST_ACTIVITY,
  SESSION_ARCHIVED_AT,
  SESSION_INPUT_TOKENS,
  SESSION_REFUSED = SESSION_INPUT_TOKENS + 6,
  SESSION_HEAD_EVENTS,
  SESSION_FIELDS
};
enum {
  TASK_N,
  TASK_DESCRIPTION,
  TASK_STATE,
  TASK_STATE_DATA,
  TASK_STARTED_AT,
  TASK_LAST_ACTIVITY,
  TASK_ENDED_AT,
  TASK_HEAD_STEP,
  TASK_BASE_COMMIT,
  TASK_COMMIT,
  TASK_WORKED,
  TASK_CONTINUES,
  TASK_ASKED_AFTER,
  TASK_FIELDS
};
enum {
  STEP_N,
  STEP_TASK,
  STEP_ID,
  STEP_PARENT,
  STEP_KIND,
  STEP_STATE,
  STEP_STATE_DATA,
  STEP_PAYLOAD,
  STEP_CREATED_AT,
  STEP_FIELDS
};
enum {
  OBS_N,
  OBS_TASK,
  OBS_TURN,
  OBS_KIND,
  OBS_AUTO,
  OBS_HASH,
  OBS_OBJECT,
  OBS_STEP,
  OBS_CREATED_AT,
  OBS_DATA,
  OBS_FIELDS
};
enum { OBJECT_N, OBJECT_ID, OBJECT_KIND, OBJECT_SIZE, OBJECT_DATA, OBJECT_FIELDS };
enum {
  EDGE_FROM_KIND,
  EDGE_FROM_REF,
  EDGE_TO_KIND,
  EDGE_TO_REF,
  EDGE_LABEL,
  EDGE_WEIGHT,
  EDGE_EVIDENCE,
  EDGE_CREATED_AT,
  EDGE_TASK,
  EDGE_FIELDS
};
enum {
  COMMIT_N,
  COMMIT_ID,
  COMMIT_PARENT,
  COMMIT_TASK,
  COMMIT_MESSAGE,
  COMMIT_TYPE,
  COMMIT_TYPE_DATA,
  COMMIT_HEAD_STEP,
  COMMIT_CREATED_AT,
  COMMIT_FIELDS
};
enum {
  TURN_N,
  TURN_PARENT,
  TURN_TYPE,
  TURN_STATUS,
  TURN_ON_PATH,
  TURN_SOURCE,
  TURN_MODEL,
  TURN_PROVIDER,
  TURN_PERSONA,
  TURN_INPUT_TOKENS,
  TURN_CONTEXT = TURN_INPUT_TOKENS + 6,
  TURN_ANSWERS,
  TURN_RESUMES,
  TURN_INPUTS,
  TURN_THREAD_TOKENS,
  TURN_EXTERNAL_ID,
  TURN_STARTED_AT,
  TURN_COMPLETED_AT,
  TURN_ERROR,
  TURN_NTH, /* its number among the turns here below its parent, in the order in which they began */
  TURN_FIELDS
};
enum {
  MESSAGE_TURN,
  MESSAGE_SEQUENCE,
  MESSAGE_ROLE,
  MESSAGE_SOURCE,
  MESSAGE_CALL,
  MESSAGE_CREATED_AT,
  MESSAGE_METADATA,
  MESSAGE_CONTENT,
  MESSAGE_FIELDS
};
enum {
  CALL_TURN,
  CALL_SEQUENCE,
  CALL_ID,
  CALL_TOOL_NAME,
  CALL_STATUS,
  CALL_SPAWNED,
  CALL_STARTED_AT,
  CALL_COMPLETED_AT,
  CALL_ERROR,
  CALL_PARAMS,
  CALL_RESULT,
  CALL_FIELDS
};
enum {
  COMPACTION_TURN,
  COMPACTION_THROUGH,
  COMPACTION_FIRST_KEPT,
  COMPACTION_RECOVERED,
  COMPACTION_SUMMARIZED,
  COMPACTION_KEPT,
  COMPACTION_TYPE,
  COMPACTION_TRIGGER,
  COMPACTION_FOCUS,
  COMPACTION_MODEL,
  COMPACTION_PROVIDER,
  COMPACTION_BEFORE,
  COMPACTION_AFTER,
  COMPACTION_SUMMARY_TOKENS,
  COMPACTION_INPUT_TOKENS,
  COMPACTION_OUTPUT_TOKENS,
  COMPACTION_DURATION,
  COMPACTION_CREATED_AT,
  COMPACTION_METADATA,
  COMPACTION_SUMMARY,
  COMPACTION_FIELDS
};
enum {
  HISTORY_TURN,
  HISTORY_TASK,
  HISTORY_CHANGED_AT,
  HISTORY_REASON,
  HISTORY_EVENTS,
  HISTORY_FIELDS
};
enum {
  EVENT_TASK,
  EVENT_AXIS,
  EVENT_FROM,
  EVENT_TO,
  EVENT_TRIGGER,
  EVENT_DATA,
  EVENT_AT,
  EVENT_FIELDS
};
enum {
  DELIVERY_N,
  DELIVERY_MESSAGE_ID,
  DELIVERY_CHANNEL,
  DELIVERY_SENDER,
  DELIVERY_SOURCE,
  DELIVERY_CLASS,
  DELIVERY_CONFIDENCE,
  DELIVERY_ACTION,
  DELIVERY_DECISION,
  DELIVERY_AT,
  DELIVERY_MESSAGE,
  DELIVERY_CORRECTED,
  DELIVERY_FIELDS
};
enum {
  QUEUE_N,
  QUEUE_DELIVERY,
  QUEUE_SOURCE,
  QUEUE_CHANNEL,
  QUEUE_SENDER,
  QUEUE_MODE,
  QUEUE_MESSAGE_ID,
  QUEUE_CLASS,
  QUEUE_STATUS,
  QUEUE_ATTEMPTS,
  QUEUE_TURN,
  QUEUE_ENQUEUED_AT,
  QUEUE_DELIVERED_AT,
  QUEUE_ERROR,
  QUEUE_RANK,
  QUEUE_MESSAGE,
  QUEUE_HELD,
  QUEUE_AWAITS_TURN,
  QUEUE_SHOWN_TURN,
  QUEUE_EXEMPT,
  QUEUE_DUE_AT,
  QUEUE_DUE_AFTER,
  QUEUE_OPENED_AT,
  QUEUE_ASKED_AT,
  QUEUE_TASK,
  QUEUE_FIELDS
};
enum { ALIAS_ALIAS, ALIAS_CREATED_AT, ALIAS_FIELDS };
enum { CONFIG_KEY, CONFIG_VALUE, CONFIG_FIELDS };

/* The most fields that a section has. */
#define TS_MAX_FIELDS TURN_FIELDS

/* A value: SQLITE_NULL, SQLITE_INTEGER or SQLITE_TEXT. Text is valid UTF-8 without NUL. On its way into a
** column of numbers it can be SQLITE_FLOAT. */
typedef struct Value {
  union {
    sqlite3_int64 i;
    double r;
    const char *z;
  } u;
  int n; /* bytes of the text */
  int type;
} Value;

#define TS_IS_NULL(v) ((v)->type == SQLITE_NULL)
#define TS_IS_INT(v) ((v)->type == SQLITE_INTEGER)
#define TS_IS_TEXT(v) ((v)->type == SQLITE_TEXT)

Value ts_value_int(sqlite3_int64 i);
Value ts_value_text(Text t); /* NULL stays NULL */
Value ts_value_null(void);
Text ts_value_get(const Value *v); /* {NULL,0} unless it is text */
/* The number, 0 when it is not one. */
sqlite3_int64 ts_value_number(const Value *v);

/* The rows of a section, in blocks, so that it can grow without being copied. */
typedef struct Rows {
  Value **blocks;
  sqlite3_int64 n;
  int nBlocks;
  sqlite3_int64 room;
} Rows;

/* A document, in the command's memory. */
typedef struct Doc {
  Cmd *c;
  int version; /* of the format */
  Text label;
  Rows rows[SEC_COUNT];
} Doc;

/* Does a document of this format have the field; may the field be null there? */
int ts_field_is(const Field *field, int version);
int ts_field_may_lack(const Field *field, int version);

/* A new row of NULLs at the end of a section; NULL once the command has failed. */
Value *ts_doc_add(Doc *d, SectionId s);
/* Row i, from 0. */
Value *ts_doc_row(const Doc *d, SectionId s, sqlite3_int64 i);

/* The SHA-256 of the kind "export": over every value that is not derived, with its type and length,
** of the fields that this format has. */
HashId ts_doc_hash(const Doc *d, int version);

/* ---- References inside of JSON ----------------------------------------------------------------- */

typedef enum RefKind { REF_SELF, REF_TASK, REF_COMMIT, REF_TURN, REF_DELIVERY, REF_QUEUE } RefKind;

/* What a column's JSON refers to. */
typedef enum RefPlace {
  REFS_NONE,
  REFS_DECISION,
  REFS_CHOICE,
  REFS_TURN,        /* {"turn":…} */
  REFS_COMMIT,      /* {"commit_id":…} */
  REFS_METADATA,    /* of an input: see ts_input_metadata */
  REFS_METADATA_OLD /* the same without an earlier turn: version 1 */
} RefPlace;

/* Replaces a reference; json is its present value. Returns the new value, or {NULL,0} to keep the
** old one. */
typedef Text (*RefVisit)(void *arg, RefKind kind, Text json);

/*
** The JSON with its references replaced, otherwise byte for byte. Returns {NULL,0}, without failing
** the command, for what could be read in more than one way: keys that are written with escapes.
*/
Text ts_refs_replace(Cmd *c, RefPlace place, Text json, RefVisit visit, void *arg);

/* Where the data of an event refers to something. */
RefPlace ts_event_refs(const Value *event);

#endif
