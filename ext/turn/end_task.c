/*
** end_task.c - how a task ends for good: with a commit, and with the end of its workers.
*/
#include "end_task.h"

#include "queue.h"
#include "stop_workers.h"
#include "workers.h"

SQLITE_EXTENSION_INIT3

Text ts_task_end(Cmd *c, Session *s, CommitType type, Text message, Text detail) {
  Task ended = s->task;
  Text id = ts_task_close(c, s, type, message, detail);
  ts_worker_ended(c, s, &ended, type);
  if (type == COMMIT_ABANDONED) ts_stop_workers(c, s->label, detail);
  return id;
}

Text ts_task_end_stale(Cmd *c, Session *s, Text *said) {
  Text words = ts_words(c, ts_session_idle(c, s)), id;
  int work = s->task.worked;
  *said = ts_fill(c, s->label, work ? "commit.stale" : "note.stale_dropped", "duration", words,
                  "task", s->task.description);
  if (!work && said->z) ts_note_text(c, s, "stale", said->z);
  id = ts_task_end(c, s, COMMIT_STALE_AUTO_COMPACT, *said, none);
  return id;
}

Text ts_task_settle(Cmd *c, Session *s) {
  Text id = none;
  if (s->task.state == TASK_COMPLETE || s->task.state == TASK_ABORTED) ts_queue_settles(c, s);
  if (s->task.state == TASK_COMPLETE) {
    id = ts_task_end(c, s, COMMIT_NORMAL, ts_task_summary(c, s), none);
  } else if (s->task.state == TASK_ABORTED) {
    id = ts_task_end(c, s, COMMIT_ABANDONED,
                     ts_fill(c, s->label, "commit.abandoned", NULL, none, NULL, none),
                     ts_task_field(c, s, "$.reason"));
  }
  return id;
}
