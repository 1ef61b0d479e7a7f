/*
** relate.c - session_relate(): an edge between two things that concern the task.
*/
#include "task_commands.h"

#include "ids.h"
#include "task.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

static const ArgSpec relateArgs[] = {{"label", ARG_LABEL, 1},   {"from", ARG_NAME, 1},
                                     {"edge", ARG_NAME, 1},     {"to", ARG_NAME, 1},
                                     {"weight", ARG_WEIGHT, 0}, {"evidence", ARG_TEXT, 0}};

/* "file:src/a.c" → kind and reference. */
static void splitRef(Cmd *c, const char *name, Text ref, Text *kind, Text *rest) {
  const char *colon = ref.z ? memchr(ref.z, ':', (size_t)ref.n) : NULL;
  if (c->rc != SQLITE_OK) return;
  if (!colon || colon == ref.z || colon == ref.z + ref.n - 1) {
    ts_fail(c, SQLITE_ERROR,
            "%s is '%s'; it must be KIND:REFERENCE, such as file:src/a.c, note:17 or task:3", name,
            ts_excerpt(c, ref));
    return;
  }
  *kind = ts_copy(c, ref.z, (int)(colon - ref.z));
  *rest = ts_copy(c, colon + 1, (int)(ref.z + ref.n - colon) - 1);
}

static void runRelate(Cmd *c) {
  Session s;
  Text fromKind = none, from = none, toKind = none, to = none;
  double weight = 1.0;
  sqlite3_int64 id;
  splitRef(c, "from", c->arg[1].text, &fromKind, &from);
  splitRef(c, "to", c->arg[3].text, &toKind, &to);
  if (c->arg[4].given) weight = c->arg[4].r;
  ts_session_require(c, c->arg[0].text, &s);
  ts_task_require(c, &s);
  if (c->rc != SQLITE_OK) return;
  id = ts_insert_new(c, ID_EDGE, SQL_EDGE_ADD, "ttttttrtii", &s.label, &fromKind, &from, &toKind,
                     &to, &c->arg[2].text, weight, &c->arg[5].text, c->now, s.task.id);
  ts_task_worked(c, &s);
  ts_return_int(c, id);
}

const CommandSpec ts_session_relate = {"session_relate", runRelate, 0, TS_ARGS(4, relateArgs),
                                       NULL};
