/*
** session.h - a session with its open task and its run, as a command sees it.
**
** A command loads a Session, changes its fields, and saves it once at the end. What happens to the
** task is written at once, move by move (task.h), because guards and events want every move.
*/
#ifndef TS_SESSION_H
#define TS_SESSION_H

#include "core.h"
#include "decide.h"
#include "states.h"

typedef struct Task {
  sqlite3_int64 id; /* 0: no open task */
  Text description;
  TaskState state; /* TASK_NONE without an open task */
  Text stateData;  /* JSON or NULL */
  sqlite3_int64 startedAt;
  Text headStepId;
  Text baseCommitId;
  int worked; /* more is on record of it than its first message */
  sqlite3_int64
      askedAfter; /* AwaitingUser, PendingComplete: the last delivery before that was asked or reported */
} Task;

/* The process that serves a session. */
typedef struct Run {
  int exists;
  RunState state; /* idle without a row */
  Text owner;
  Text data; /* JSON, as reported */
  int hasHeartbeat, hasLease;
  sqlite3_int64 heartbeatAt, expiresAt;
  sqlite3_int64 lease; /* ms */
  sqlite3_int64 token;
  sqlite3_int64 failedTurn; /* a turn that failed with output, not yet taken up; 0: none */
  sqlite3_int64 givenBack;  /* inputs that wait again since the run was ended */
  sqlite3_int64 turnId;     /* the turn being executed, 0: none */
} Run;

/* What a session's row holds, as far as it seldom changes: saving it then writes two or three columns,
** and no index. Texts are compared by where they stand. */
typedef struct SavedSession {
  int isKnown;
  SessionStatus status;
  const char *statusReason, *pendingChoice;
  sqlite3_int64 taskId, offeredAt, archivedAt, lastActivity, lastUsed;
  int offered, archived;
} SavedSession;

typedef struct Session {
  Text label;
  int exists;
  SessionStatus status;
  Text statusReason;
  Text pendingChoice; /* JSON or NULL */
  Source workSource;
  int offered;
  sqlite3_int64 offeredAt;
  sqlite3_int64 createdAt;
  sqlite3_int64 lastActivity; /* a user's, and of the work that answers it */
  sqlite3_int64 lastUsed;     /* by anybody else, up to the full hour */
  int archived;
  sqlite3_int64 archivedAt;
  Text personaId;
  Text supersededBy;
  Text via; /* the merged session whose label, or alias, led here */
  Text origin;
  Text resumeCursor;
  int isSubagent;
  Text queueMode;
  Text parentLabel;        /* of a subagent */
  Text taskStatus;         /* of a subagent: pending, running, completed, failed */
  sqlite3_int64 deadline;  /* of a subagent: until when it must have reported, 0: any time */
  sqlite3_int64 timeout;   /* of a subagent: how long it has for each of its tasks, 0: for ever */
  sqlite3_int64 head;      /* the turn that the session points at, 0: none yet */
  sqlite3_int64 headEvent; /* the last event before something was handed over there, -1: none was */
  sqlite3_int64 tip;       /* of a rewind: the end of the path that was left, else 0 */
  Task task;
  Run run;
  struct InputLink
      *calledOff; /* inputs that were cancelled with their task, for the command's answer */
  SavedSession saved;
} Session;

/* Looks a label up: the session of that name unless another one superseded it, else the one an
** alias leads to. s->exists is 0 when there is none; s->label is then the label itself. */
void ts_session_load(Cmd *c, Text label, Session *s);
/* The session of exactly that name, also when another one superseded it. */
void ts_session_load_exact(Cmd *c, Text label, Session *s);
/* As ts_session_load; fails the command when there is none. */
void ts_session_require(Cmd *c, Text label, Session *s);
/* Fails the command when a session or an alias has this label. */
void ts_label_want_free(Cmd *c, Text label);
/* Only the row and its event: ts_session_open() makes a session (settle.h). */
void ts_session_create(Cmd *c, Session *s, Text persona, Source source);
void ts_session_save(Cmd *c, Session *s);

/* The session of exactly this name, also one that was merged into another; else the one that an alias
** leads to. s->exists is 0 when there is neither. */
void ts_session_load_named(Cmd *c, Text label, Session *s);
/* For what only reads: own takes that one, otherwise the session that a command would work on. */
void ts_session_load_to_read(Cmd *c, Text label, int own, Session *s);

/* Work that answers a user's message keeps the session young; a timer's does not, but is use of it as
** any other. A worker has no user: whoever gave it its task is its user. */
void ts_session_touch(const Cmd *c, Session *s, Source source);

/* Somebody, whoever it is, uses the session: that keeps it out of the archive. The time is kept up to the
** full hour, so that a busy session does not move in the index with every call. */
void ts_session_use(const Cmd *c, Session *s);
/* The same of an earlier moment, saved at once if it says something new. */
void ts_session_used_until(Cmd *c, Session *s, sqlite3_int64 at);

/* An archived session into which any message brings life: it was archived only because nobody used it,
** and on_archived is reopen. */
int ts_session_wakes(Cmd *c, const Session *s);

/* now - last_activity, never below 0. */
sqlite3_int64 ts_session_idle(const Cmd *c, const Session *s);

/* Refuses a move: the error names both states and those that can be reached. */
void ts_fail_move(Cmd *c, const Machine *m, int from, int to);

/* The status_reason of a session that the sweep has archived. */
#define TS_REASON_IDLE "idle"

/* A move on the status axis, with its event. Refused moves fail the command. Nobody is told: see status.h. */
void ts_session_set_status(Cmd *c, Session *s, SessionStatus to, Text reason);

/* An archived or suspended session that a command brings back to life. */
void ts_session_revive(Cmd *c, Session *s);

/* The source called name; a name that is none counts as a user's. */
Source ts_source_find(Text name);

void ts_event(Cmd *c, const Session *s, const char *axis, const char *from, const char *to,
              const char *trigger, Text data);

/* Was this moment, which is past by now, written down by a clock that was ahead (NTP, a machine that was
** suspended)? Clocks of several hosts differ a little: TURNSTILE_CLOCK_STEP. A time that a clock will only
** reach later holds nothing up. */
int ts_is_ahead(const Cmd *c, sqlite3_int64 at);

/* A run is live while it is starting, running or interrupted and its lease has not run out. A lease that
** a clock has given which was ahead would hold for longer than it is long: it is over. */
int ts_run_live(const Cmd *c, const Run *run);
/* The same for whoever only reads what it works on: nobody has taken the session from it yet. */
int ts_run_holds(const Cmd *c, const Run *run);

/* The field of a state's data, or {NULL,0}. */
Text ts_state_field(Cmd *c, Text stateData, const char *path);
/* The field of the open task's state data ("question", "summary", …), or {NULL,0}. */
Text ts_task_field(Cmd *c, const Session *s, const char *path);

#endif
