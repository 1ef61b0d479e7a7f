/*
** ancestor.c - questions about where two turns lie to one another. They only read.
*/
#include "ancestor.h"

#include "tree.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

/* Does the turn exist? The statement stays open until `*hold` is ended: the walk that follows then
** runs in one read transaction, which is much of what it costs. */
static void wantTurn(Cmd *c, int statement, sqlite3_int64 turn, Query *hold) {
  *hold = ts_query(c, statement, "i", turn);
  if (!ts_row(c, hold) && c->rc == SQLITE_OK)
    ts_fail(c, SQLITE_ERROR, "there is no turn %lld", turn);
}

/* turn_ancestor(turn, depth) → turn or NULL */
static const ArgSpec ancestorArgs[] = {{"turn", ARG_INT, 1}, {"depth", ARG_INT, 1}};

static void runAncestor(Cmd *c) {
  sqlite3_int64 found;
  Query hold, there = {NULL, 0};
  wantTurn(c, SQL_TURN_EXISTS, c->arg[0].i, &hold);
  found = ts_ancestor(c, c->arg[0].i, c->arg[1].i);
  if (found && found != c->arg[0].i) {
    there = ts_query(c, SQL_TURN_THERE, "i", found);
    if (!ts_row(c, &there) && c->rc == SQLITE_OK) ts_fail_damaged(c, found, "it is missing");
  }
  ts_end(c, &there);
  ts_end(c, &hold);
  if (found) ts_return_int(c, found);
}

const CommandSpec ts_turn_ancestor = {"turn_ancestor", runAncestor, COMMAND_READ,
                                      TS_ARGS(2, ancestorArgs), NULL};

/* turn_common_ancestor(a, b) → turn or NULL */
static const ArgSpec pairArgs[] = {{"a", ARG_INT, 1}, {"b", ARG_INT, 1}};

static void runCommon(Cmd *c) {
  sqlite3_int64 found;
  Query a, b;
  wantTurn(c, SQL_TURN_EXISTS, c->arg[0].i, &a);
  wantTurn(c, SQL_TURN_THERE, c->arg[1].i, &b);
  found = ts_common_ancestor(c, c->arg[0].i, c->arg[1].i);
  ts_end(c, &b);
  ts_end(c, &a);
  if (found) ts_return_int(c, found);
}

const CommandSpec ts_turn_common_ancestor = {"turn_common_ancestor", runCommon, COMMAND_READ,
                                             TS_ARGS(2, pairArgs), NULL};

/* turn_is_ancestor(a, b) → 1 or 0 */
static void runIs(Cmd *c) {
  int is;
  Query a, b;
  wantTurn(c, SQL_TURN_EXISTS, c->arg[0].i, &a);
  wantTurn(c, SQL_TURN_THERE, c->arg[1].i, &b);
  is = ts_is_ancestor(c, c->arg[0].i, c->arg[1].i);
  ts_end(c, &b);
  ts_end(c, &a);
  ts_return_int(c, is);
}

const CommandSpec ts_turn_is_ancestor = {"turn_is_ancestor", runIs, COMMAND_READ,
                                         TS_ARGS(2, pairArgs), NULL};
