/*
** states.c - the four state machines: names, moves, and the two look-ups over them. The names stand in
** sql/word_lists.txt, in the order of the enums.
**
** The tables are the single source of truth. A move that is not listed here does not exist: the
** commands refuse it with the list of states that can be reached, and the schema's guard
** triggers refuse it even to a plain UPDATE.
*/
#include "states.h"

#include "word_lists.h"

#include <string.h>

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

static const char *const taskStates[] = {LIST_TASK_STATE};

/*
** The moves to None from a state other than Complete and Aborted belong to two commit types:
** a stale auto-compact, and a new task that interrupts. The guard on tasks checks the type.
*/
static const Transition taskMoves[] = {
    {TASK_NONE, TASK_RUNNING, "start"},
    {TASK_RUNNING, TASK_AWAITING_USER, "question"},
    {TASK_RUNNING, TASK_PENDING_COMPLETE, "report"},
    {TASK_RUNNING, TASK_INTERRUPTED, "interrupt"},
    {TASK_RUNNING, TASK_ABORTED, "abandon"},
    {TASK_AWAITING_USER, TASK_RUNNING, "answer"},
    {TASK_AWAITING_USER, TASK_AWAITING_USER, "ask_again"},
    {TASK_AWAITING_USER, TASK_ABORTED, "abandon"},
    {TASK_INTERRUPTED, TASK_RUNNING, "incorporate"},
    {TASK_INTERRUPTED, TASK_INTERRUPTED, "interrupt"},
    {TASK_INTERRUPTED, TASK_ABORTED, "abandon"},
    {TASK_PENDING_COMPLETE, TASK_COMPLETE, "confirm"},
    {TASK_PENDING_COMPLETE, TASK_RUNNING, "request_more"},
    {TASK_PENDING_COMPLETE, TASK_PENDING_COMPLETE, "report_again"},
    {TASK_PENDING_COMPLETE, TASK_ABORTED, "abandon"},
    {TASK_COMPLETE, TASK_NONE, "compact"},
    {TASK_ABORTED, TASK_NONE, "compact"},
    {TASK_RUNNING, TASK_NONE, "save"},
    {TASK_AWAITING_USER, TASK_NONE, "save"},
    {TASK_INTERRUPTED, TASK_NONE, "save"},
    {TASK_PENDING_COMPLETE, TASK_NONE, "save"},
};

static const char *const statusStates[] = {LIST_STATUS};

static const Transition statusMoves[] = {
    {STATUS_ACTIVE, STATUS_SUSPENDED, "suspend"}, {STATUS_SUSPENDED, STATUS_ACTIVE, "resume"},
    {STATUS_ACTIVE, STATUS_ARCHIVED, "archive"},  {STATUS_SUSPENDED, STATUS_ARCHIVED, "archive"},
    {STATUS_ERROR, STATUS_ARCHIVED, "archive"},   {STATUS_ARCHIVED, STATUS_ACTIVE, "unarchive"},
    {STATUS_ACTIVE, STATUS_ERROR, "fail"},        {STATUS_SUSPENDED, STATUS_ERROR, "fail"},
    {STATUS_ERROR, STATUS_ACTIVE, "reopen"},
};

static const char *const runStates[] = {LIST_RUN_STATE};

static const Transition runMoves[] = {
    {RUN_IDLE, RUN_STARTING, "start"},
    {RUN_STARTING, RUN_RUNNING, "run"},
    {RUN_RUNNING, RUN_READY, "complete"},
    {RUN_READY, RUN_RUNNING, "run"},
    {RUN_STARTING, RUN_ERROR, "fail"},
    {RUN_RUNNING, RUN_ERROR, "fail"},
    {RUN_RUNNING, RUN_INTERRUPTED, "interrupt"},
    {RUN_INTERRUPTED, RUN_RUNNING, "run"},
    {RUN_INTERRUPTED, RUN_READY, "complete"},
    {RUN_INTERRUPTED, RUN_IDLE, "stop"},
    {RUN_ERROR, RUN_IDLE, "stop"},
    {RUN_STARTING, RUN_IDLE, "stop"},
    {RUN_RUNNING, RUN_IDLE, "stop"},
    {RUN_READY, RUN_IDLE, "stop"},
};

static const char *const turnPhases[] = {LIST_TURN_PHASE, LIST_TURN_END};

static const Transition turnMoves[] = {
    {PHASE_PROCESSING, PHASE_STREAMING, "stream"},
    {PHASE_STREAMING, PHASE_COMPLETING, "finish"},
    {PHASE_COMPLETING, PHASE_COMPLETED, "complete"},
    {PHASE_PROCESSING, PHASE_COMPACTING, "compact"},
    {PHASE_STREAMING, PHASE_COMPACTING, "compact"},
    {PHASE_COMPACTING, PHASE_STREAMING, "retry"},
    {PHASE_PROCESSING, PHASE_FAILED, "fail"},
    {PHASE_STREAMING, PHASE_FAILED, "fail"},
    {PHASE_COMPACTING, PHASE_FAILED, "fail"},
    {PHASE_COMPLETING, PHASE_FAILED, "fail"},
    {PHASE_PROCESSING, PHASE_ABORTED, "abort"},
    {PHASE_STREAMING, PHASE_ABORTED, "abort"},
    {PHASE_COMPACTING, PHASE_ABORTED, "abort"},
    {PHASE_COMPLETING, PHASE_ABORTED, "abort"},
};

_Static_assert(COUNT(taskStates) == TASK_STATE_COUNT, "task");
_Static_assert(COUNT(statusStates) == STATUS_COUNT, "status");
_Static_assert(COUNT(runStates) == RUN_STATE_COUNT, "run");
_Static_assert(COUNT(turnPhases) == PHASE_COUNT, "turn");

const Machine ts_task_machine = {"task", taskStates, COUNT(taskStates), taskMoves,
                                 COUNT(taskMoves)};
const Machine ts_status_machine = {"status", statusStates, COUNT(statusStates), statusMoves,
                                   COUNT(statusMoves)};
const Machine ts_run_machine = {"run", runStates, COUNT(runStates), runMoves, COUNT(runMoves)};
const Machine ts_turn_machine = {"turn", turnPhases, COUNT(turnPhases), turnMoves,
                                 COUNT(turnMoves)};

const Machine *const ts_machines[TS_MACHINE_COUNT] = {&ts_task_machine, &ts_status_machine,
                                                      &ts_run_machine, &ts_turn_machine};

int ts_state_find(const Machine *m, const char *name, int n) {
  for (int i = 0; i < m->nStates; i++) {
    if ((int)strlen(m->states[i]) == n && memcmp(m->states[i], name, (size_t)n) == 0) return i;
  }
  return -1;
}

const Transition *ts_state_move(const Machine *m, int from, int to) {
  for (int i = 0; i < m->nTransitions; i++) {
    if (m->transitions[i].from == from && m->transitions[i].to == to) return &m->transitions[i];
  }
  return NULL;
}
