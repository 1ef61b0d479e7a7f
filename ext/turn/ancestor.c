/*
** ancestor.c - questions about where two turns lie to one another. They only read.
*/
#include "ancestor.h"

#include "tree.h"

SQLITE_EXTENSION_INIT3

/* Does the turn exist? The statement stays open until `*hold` is ended: the walk that follows then
** runs in one read transaction, which is much of what it costs. */
static void wantTurn(Cmd *c, sqlite3_int64 turn, Query *hold) {
  *hold = ts_query(c, SQL_TURN_EXISTS, "i", turn);
  if (!ts_row(c, hold) && c->rc == SQLITE_OK)
    ts_fail(c, SQLITE_ERROR, "there is no turn %lld", turn);
}

/* The same for another turn, while the first one is held. */
static int turnThere(Cmd *c, sqlite3_int64 turn) {
  Query q = ts_query(c, SQL_TURN_THERE, "i", turn);
  int found = ts_row(c, &q);
  ts_end(c, &q);
  return found;
}

/* A turn that was found on a path must exist. */
static void giveFound(Cmd *c, sqlite3_int64 turn) {
  if (!turn || c->rc != SQLITE_OK) return;
  if (!turnThere(c, turn) && c->rc == SQLITE_OK) ts_fail_damaged(c, turn, "it is missing");
  ts_return_int(c, turn);
}

/* turn_ancestor(turn, depth) → turn or NULL */
static const ArgSpec ancestorArgs[] = {{"turn", ARG_INT, 1}, {"depth", ARG_INT, 1}};

static void runAncestor(Cmd *c) {
  Query hold;
  wantTurn(c, c->arg[0].i, &hold);
  giveFound(c, ts_ancestor(c, c->arg[0].i, c->arg[1].i));
  ts_end(c, &hold);
}

const CommandSpec ts_turn_ancestor = {"turn_ancestor", runAncestor, COMMAND_READ,
                                      TS_ARGS(2, ancestorArgs), NULL};

/* turn_common_ancestor(a, b) → turn or NULL */
static const ArgSpec pairArgs[] = {{"a", ARG_INT, 1}, {"b", ARG_INT, 1}};

/* The two turns that are asked about; the first one is held. */
static void wantPair(Cmd *c, Query *hold) {
  wantTurn(c, c->arg[0].i, hold);
  if (c->rc == SQLITE_OK && !turnThere(c, c->arg[1].i) && c->rc == SQLITE_OK)
    ts_fail(c, SQLITE_ERROR, "there is no turn %lld", c->arg[1].i);
}

static void runCommon(Cmd *c) {
  Query hold;
  wantPair(c, &hold);
  giveFound(c, ts_common_ancestor(c, c->arg[0].i, c->arg[1].i));
  ts_end(c, &hold);
}

const CommandSpec ts_turn_common_ancestor = {"turn_common_ancestor", runCommon, COMMAND_READ,
                                             TS_ARGS(2, pairArgs), NULL};

/* turn_is_ancestor(a, b) → 1 or 0 */
static void runIs(Cmd *c) {
  Query hold;
  wantPair(c, &hold);
  ts_return_int(c, ts_is_ancestor(c, c->arg[0].i, c->arg[1].i));
  ts_end(c, &hold);
}

const CommandSpec ts_turn_is_ancestor = {"turn_is_ancestor", runIs, COMMAND_READ,
                                         TS_ARGS(2, pairArgs), NULL};
