/*
** task.h - the life of a task: begin, note, move, checkpoint, end. What the commands are made of.
*/
#ifndef TS_TASK_H
#define TS_TASK_H

#include "fill.h"
#include "session.h"

/*
** An open choice is about the task as it was when the choice was offered. A command that begins a
** task, moves it to Complete or Aborted, or ends it also closes the choice, and the held message
** becomes a waiting input. A command that uses the message differently takes it out of the choice
** first.
*/

/* Begins a task: a row, its first step (SessionStart), an event. */
void ts_task_start(Cmd *c, Session *s, Text description, const char *trigger);

/* A move on the task axis with its event. Entering AwaitingUser, Interrupted or PendingComplete
** flushes first. A move that the machine does not have is refused with the states that can be
** reached. trigger NULL: the machine's own word. */
void ts_task_move(Cmd *c, Session *s, TaskState to, Text data, const char *trigger);
/* The same with an event whose data differs from the new state's. */
void ts_task_move_told(Cmd *c, Session *s, TaskState to, Text data, const char *trigger, Text told);

/* In these states somebody is asked for an answer, or for approval. */
int ts_state_asks(TaskState state);
/* Its question or report is older than this delivery: for a saved task that the delivery picks up. */
void ts_task_asked_before(Cmd *c, Session *s, sqlite3_int64 delivery);

/* The data of Interrupted: the latest message, and all of them in order. */
Text ts_interrupted_data(Cmd *c, const Session *s, Text data, Text message);

/* An observation; returns its id. data is JSON. */
sqlite3_int64 ts_observe(Cmd *c, Session *s, const char *kind, int isAuto, Text data, Text content);

/* An automatic note with an edge that it mentions the task. value fills the template's field. */
void ts_note(Cmd *c, Session *s, NoteKind kind, Text value);
/* The same by template key, for notes outside the seven kinds. */
void ts_note_text(Cmd *c, Session *s, const char *noteKind, const char *text);

/* Groups the observations since the last step into a new one. stepKind NULL: the newest
** observation's. Returns the head step's id, an old one when there was nothing to group. */
Text ts_flush(Cmd *c, Session *s, const char *stepKind);

/* How many turns the open task has taken; counting stops at max. */
sqlite3_int64 ts_task_turns(Cmd *c, const Session *s, sqlite3_int64 max);

/* The open task has something on record beside its first message: a question, an answer, a report, an
** intervention, an observation, or a turn's output, whatever became of that turn. A task that has nothing
** (s->task.worked is 0) may be dropped without a commit. Without an open task nothing happens. */
void ts_task_worked(Cmd *c, Session *s);

/* Closes the open task with a commit of this type, walking the states that lead there, and leaves the session
** without a task. A task without work is dropped without a commit unless the type is Normal. Returns the commit's
** id or {NULL,0}. The consequences are left to others: workers are not stopped (end_task.h). detail: the reason
** (Abandoned), the new task's first line (InterruptedByNewTask). */
Text ts_task_close(Cmd *c, Session *s, CommitType type, Text message, Text detail);

/* Fails the command when no task is open. */
void ts_task_require(Cmd *c, const Session *s);

/* The commit message of the open task when it ends normally: the reported summary, else what the
** task is about. */
Text ts_task_summary(Cmd *c, const Session *s);

/* What the ids of steps, commits and observations are made of: canonical JSON of these fields,
** whose hash under the kind "step", "commit" or "observation" is the id. A check of an id computes
** it again with the same function. */
typedef struct StepFields {
  Text parent, base, session, task, kind, state;
  Text stateData, payload; /* JSON */
  sqlite3_int64 createdAt;
} StepFields;

/* A relation, with what it names: a note by its hash, a task by its beginning and description, a number that is
** not the session's with a "?" in front, and everything else unchanged. */
typedef struct EdgeFields {
  Text fromKind, from, toKind, to, label;
  double weight;
  Text evidence;
  sqlite3_int64 createdAt;
} EdgeFields;

typedef struct CommitFields {
  Text parent, session, task, message, type;
  Text typeData; /* JSON */
  Text headStep;
  sqlite3_int64 createdAt;
} CommitFields;

Text ts_step_content(Cmd *c, const StepFields *f);
Text ts_commit_content(Cmd *c, const CommitFields *f);
Text ts_edge_content(Cmd *c, const EdgeFields *f);
/* The fields of a relation from eight columns, from `first` on. */
EdgeFields ts_edge_read(Query *q, int first);
Text ts_observation_content(Cmd *c, Text kind, Text data, Text objectId, sqlite3_int64 createdAt);

#endif
