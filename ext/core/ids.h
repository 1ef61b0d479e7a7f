/*
** ids.h - ids that are given out once.
**
** SQLite gives a new row the id behind the highest that is there. Where the newest rows were deleted
** that would be an id that somebody may still know: a late queue_cancel(2) would cancel a stranger's
** message. So the highest id that was given out is written down in turnstile_meta when the row that
** has it goes, and the next row of the table gets the one behind it; then the note is not needed any
** more, and goes as well. A file from which nothing was deleted has no such notes, and pays one look
** per command.
**
** Fencing tokens are numbers of this kind too: a new session under the label of a deleted one
** begins after the highest token of the deleted ones. That note stays.
*/
#ifndef TS_IDS_H
#define TS_IDS_H

#include "core.h"

/* The highest number of this kind that was given out, 0: none. */
sqlite3_int64 ts_id_last(Cmd *c, IdKind kind);

/* The id of the row that is inserted next, or 0: SQLite may choose it. */
sqlite3_int64 ts_id_take(Cmd *c, IdKind kind);

/* A row was inserted, or is going to be, under an id from ts_id_last() on. */
void ts_id_taken(Cmd *c, IdKind kind);

/* Inserts a row under an id that nothing has had, and returns the id. The statement is one with
** a twin: "-- :name+id" in sql/statements. */
sqlite3_int64 ts_insert_new(Cmd *c, IdKind kind, int id, const char *format, ...);

/* The same under an id that was taken before for this row. */
void ts_insert_as(Cmd *c, IdKind kind, sqlite3_int64 at, int id, const char *format, ...);

/* The token behind which those of a new run begin. */
sqlite3_int64 ts_token_last(Cmd *c);

/* The highest ids that are there, before rows are deleted. */
typedef struct Ids {
  sqlite3_int64 last[ID_KIND_COUNT];
} Ids;

void ts_ids_look(Cmd *c, Ids *ids);
/* Rows were deleted, and a run with this token among them: notes down what is gone. */
void ts_ids_keep(Cmd *c, const Ids *before, sqlite3_int64 token);

/* The last message that anybody has said; the one that this command is about counts. 0: none. */
sqlite3_int64 ts_id_last_delivery(Cmd *c);

#endif
