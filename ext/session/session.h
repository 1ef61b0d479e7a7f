/*
** session.h - a session with its open task and its run, as a command sees it.
**
** A command loads a Session, changes its fields, and saves it once at the end. Changes of the task
** are written at once, move by move (task.h), because guards and events need every move.
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
  int worked; /* more than its first message is recorded for it */
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

/* The values of a session's row that seldom change: if they are the same, saving writes two or
** three columns and no index. Texts are compared by their address. */
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
  Text parentLabel;       /* of a subagent */
  Text taskStatus;        /* of a subagent: pending, running, completed, failed */
  sqlite3_int64 deadline; /* of a subagent: until when it must have reported, 0: any time */
  sqlite3_int64 timeout;  /* of a subagent: how long it has for each of its tasks, 0: unlimited */
  sqlite3_int64 head;     /* the turn that the session points at, 0: none yet */
  sqlite3_int64
      headEvent;     /* the last event before something was handed over there, -1: nothing was */
  sqlite3_int64 tip; /* of a rewind: the end of the path that was left, else 0 */
  Task task;
  Run run;
  struct InputLink
      *calledOff; /* inputs that were cancelled with their task, for the command's answer */
  SavedSession saved;
} Session;

/* Looks a label up: the session of that name unless another one superseded it, else the one an
** alias leads to. s->exists is 0 when none is found; s->label is then the label itself. */
void ts_session_load(Cmd *c, Text label, Session *s);
/* The session of exactly that name, also when another one superseded it. */
void ts_session_load_exact(Cmd *c, Text label, Session *s);
/* As ts_session_load; fails the command when the session does not exist. */
void ts_session_require(Cmd *c, Text label, Session *s);
/* Fails the command when a session or an alias has this label. */
void ts_label_want_free(Cmd *c, Text label);
/* Only the row and its event: ts_session_open() makes a session (settle.h). */
void ts_session_create(Cmd *c, Session *s, Text persona, Source source);
void ts_session_save(Cmd *c, Session *s);

/* The session of exactly this name, even if it was merged into another one; else the one that an
** alias leads to. s->exists is 0 when neither exists. */
void ts_session_load_named(Cmd *c, Text label, Session *s);
/* For commands that only read: own takes that session, otherwise the one that a command would work
** on. */
void ts_session_load_to_read(Cmd *c, Text label, int own, Session *s);

/* Work that answers a user's message keeps the session young. A timer's work does not, but counts
** as use. A worker has no user: whoever gave it its task counts as one. */
void ts_session_touch(const Cmd *c, Session *s, Source source);

/* Any use of the session keeps it out of the archive. The time is kept to the full hour, so that a
** busy session does not move in the index with every call. */
void ts_session_use(const Cmd *c, Session *s);
/* The same for an earlier moment, saved at once if it changes the row. */
void ts_session_used_until(Cmd *c, Session *s, sqlite3_int64 at);

/* Does any message bring this archived session back? It does if the session was archived only
** because nobody used it, and on_archived is reopen. */
int ts_session_wakes(Cmd *c, const Session *s);

/* now - last_activity, never below 0. */
sqlite3_int64 ts_session_idle(const Cmd *c, const Session *s);

/* Refuses a move: the error names both states and the states that can be reached. */
void ts_fail_move(Cmd *c, const Machine *m, int from, int to);

/* The status_reason of a session that the sweep has archived. */
#define TS_REASON_IDLE "idle"

/* A move on the status axis, with its event. Refused moves fail the command. The parent gets no
** message: see status.h. */
void ts_session_set_status(Cmd *c, Session *s, SessionStatus to, Text reason);

/* An archived or suspended session that a command brings back to life. */
void ts_session_revive(Cmd *c, Session *s);

/* The source with this name; an unknown name counts as user. */
Source ts_source_find(Text name);

void ts_event(Cmd *c, const Session *s, const char *axis, const char *from, const char *to,
              const char *trigger, Text data);

/* Was this moment, which should be past, written by a clock that was ahead (NTP, a machine that was
** suspended)? Clocks of several hosts differ a little: TURNSTILE_CLOCK_STEP. A time in the future
** must not hold anything up. */
int ts_is_ahead(const Cmd *c, sqlite3_int64 at);

/* A run is live while it is starting, running or interrupted and its lease has not expired. A lease
** given by a clock that was ahead would last longer than its length: it counts as expired. */
int ts_run_live(const Cmd *c, const Run *run);
/* The same for commands that only read what it works on: nobody has taken the session from it yet. */
int ts_run_holds(const Cmd *c, const Run *run);

/* The field of a state's data, or {NULL,0}. */
Text ts_state_field(Cmd *c, Text stateData, const char *path);
/* The field of the open task's state data ("question", "summary", …), or {NULL,0}. */
Text ts_task_field(Cmd *c, const Session *s, const char *path);

#endif
