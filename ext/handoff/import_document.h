/*
** import_document.h - a document while it becomes a session: what the parts of session_import
** share.
**
** import_read.c reads it row by row, import_check.c and import_check_turns.c compare its rows, and import.c writes them.
** The first fault ends the command, and calls after that do nothing (core.h).
*/
#ifndef TS_IMPORT_DOCUMENT_H
#define TS_IMPORT_DOCUMENT_H

#include "document.h"
#include "json.h"

/* A turn in its place: below `parent`, 0: at the root. Keys give the order within one place. */
typedef struct Placed {
  sqlite3_int64 parent, key, level, turn;
} Placed;

typedef struct Import {
  Cmd *c;
  Doc d;
  Text hash, uuid;                     /* as the document says */
  Text label;                          /* the label of the new session */
  sqlite3_int64 nPath;                 /* turns of the thread */
  Text *steps, *commits;               /* their ids under the label, by number - 1 */
  sqlite3_int64 *lastStep, *firstStep; /* of each task, by number - 1, or 0 */
  sqlite3_int64 *turns;                /* their ids */
  Placed *placed;                      /* turns by place, then in the order in which they began */
  const Value **ended;                 /* the last event of each turn on its axis */
  sqlite3_int64 *edgeStep;             /* the step that lists each relation, by number, or 0 */
  sqlite3_int64 listedEdges;           /* after the last listed one */
  /* Ids of number 1. */
  sqlite3_int64 firstTask, firstObservation, firstEvent, firstDelivery, firstInput;
  sqlite3_int64 made; /* turns that the session has made */
  sqlite3_int64 waiting;
  int lost;     /* something could not be imported: the new session has another digest */
  Json leftOut; /* aliases */
  /* While references are replaced. */
  sqlite3_int64 visited; /* the last number */
  int nVisited;
  int badRef;
} Import;

static inline sqlite3_int64 rowsOf(const Import *x, SectionId s) {
  return x->d.rows[s].n;
}

static inline Value *rowOf(const Import *x, SectionId s, sqlite3_int64 i) {
  return ts_doc_row(&x->d, s, i);
}

static inline sqlite3_int64 number(const Value *row, int field) {
  return ts_value_number(&row[field]);
}

static inline int isWord(const Value *row, int field, const char *word) {
  return ts_text_is(ts_value_get(&row[field]), word);
}

/* IS_WORD_IN(row, TASK_STATE, LIST_TASK_OVER) */
#define IS_WORD_IN(row, field, ...) TS_TEXT_IN(ts_value_get(&(row)[field]), __VA_ARGS__)

/* Ends the command with the error of a field: "json: commits[2].id …". */
void ts_import_fail(Import *x, SectionId s, sqlite3_int64 i, int field, const char *format, ...);
/* Memory for n values of a size, zeroed. */
void *ts_import_array(Import *x, size_t size, sqlite3_int64 n);
/* JSON in the library's own form; *type is its type, NULL when the text is not JSON. */
Text ts_import_json(Import *x, Text json, Text *type);

/* import_read.c: the shape of the document, its digest, and that every reference leads to a row. */
void ts_import_read(Import *x, Text json);
/* import_check.c: everything else. */
void ts_import_check(Import *x);
/* import_check_turns.c, called by it: turns, their places, compactions and history. */
void ts_import_check_turns(Import *x);
/* The ids of all steps and commits under a label; verify: they must be those of the document. */
void ts_import_ids(Import *x, Text label, int verify);

#endif
