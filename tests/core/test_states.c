/*
** test_states.c - every move of the four machines, and nothing else.
**
** The moves are listed here once more, by name, as the design's first chapter gives them. Then
** all pairs of states are asked: a pair in the list must be a move with that trigger, any other
** pair must be none.
*/
#include "states.h"
#include "tap.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

typedef struct Pair {
  const char *from, *to, *trigger;
} Pair;

static const char *const taskStates[] = {
    "None", "Running", "AwaitingUser", "Interrupted", "PendingComplete", "Complete", "Aborted"};
static const Pair taskPairs[] = {
    {"None", "Running", "start"},
    {"Running", "AwaitingUser", "question"},
    {"Running", "PendingComplete", "report"},
    {"Running", "Interrupted", "interrupt"},
    {"Running", "Aborted", "abandon"},
    {"AwaitingUser", "Running", "answer"},
    {"AwaitingUser", "Aborted", "abandon"},
    {"Interrupted", "Running", "incorporate"},
    {"Interrupted", "Interrupted", "interrupt"},
    {"Interrupted", "Aborted", "abandon"},
    {"PendingComplete", "Complete", "confirm"},
    {"PendingComplete", "Running", "request_more"},
    {"PendingComplete", "Aborted", "abandon"},
    {"Complete", "None", "compact"},
    {"Aborted", "None", "compact"},
    /* A stale auto-compact, or a new task that takes over. */
    {"Running", "None", "save"},
    {"AwaitingUser", "None", "save"},
    {"Interrupted", "None", "save"},
    {"PendingComplete", "None", "save"},
    /* Asking or reporting again refreshes the data. */
    {"AwaitingUser", "AwaitingUser", "ask_again"},
    {"PendingComplete", "PendingComplete", "report_again"},
};

static const char *const statusStates[] = {"active", "suspended", "archived", "error"};
static const Pair statusPairs[] = {
    {"active", "suspended", "suspend"}, {"suspended", "active", "resume"},
    {"active", "archived", "archive"},  {"suspended", "archived", "archive"},
    {"error", "archived", "archive"},   {"archived", "active", "unarchive"},
    {"active", "error", "fail"},        {"suspended", "error", "fail"},
    {"error", "active", "reopen"},
};

static const char *const runStates[] = {"idle",  "starting",    "running",
                                        "ready", "interrupted", "error"};
static const Pair runPairs[] = {
    {"idle", "starting", "start"},
    {"starting", "running", "run"},
    {"running", "ready", "complete"},
    {"ready", "running", "run"},
    {"starting", "error", "fail"},
    {"running", "error", "fail"},
    {"running", "interrupted", "interrupt"},
    {"interrupted", "running", "run"},
    {"interrupted", "ready", "complete"},
    {"interrupted", "idle", "stop"},
    {"error", "idle", "stop"},
    /* From anywhere on a restart or a stop. */
    {"starting", "idle", "stop"},
    {"running", "idle", "stop"},
    {"ready", "idle", "stop"},
};

static const char *const turnStates[] = {"processing", "streaming", "compacting", "completing",
                                         "completed",  "failed",    "aborted"};
static const Pair turnPairs[] = {
    {"processing", "streaming", "stream"},   {"streaming", "completing", "finish"},
    {"completing", "completed", "complete"}, {"processing", "compacting", "compact"},
    {"streaming", "compacting", "compact"},  {"compacting", "streaming", "retry"},
    {"processing", "failed", "fail"},        {"streaming", "failed", "fail"},
    {"compacting", "failed", "fail"},        {"completing", "failed", "fail"},
    {"processing", "aborted", "abort"},      {"streaming", "aborted", "abort"},
    {"compacting", "aborted", "abort"},      {"completing", "aborted", "abort"},
};

static const struct {
  const char *axis;
  const Machine *machine;
  const char *const *states;
  int nStates;
  const Pair *pairs;
  int nPairs;
} axes[] = {
    {"task", &ts_task_machine, taskStates, COUNT(taskStates), taskPairs, COUNT(taskPairs)},
    {"status", &ts_status_machine, statusStates, COUNT(statusStates), statusPairs,
     COUNT(statusPairs)},
    {"run", &ts_run_machine, runStates, COUNT(runStates), runPairs, COUNT(runPairs)},
    {"turn", &ts_turn_machine, turnStates, COUNT(turnStates), turnPairs, COUNT(turnPairs)},
};

static const Pair *findPair(const Pair *pairs, int n, const char *from, const char *to) {
  for (int i = 0; i < n; i++) {
    if (strcmp(pairs[i].from, from) == 0 && strcmp(pairs[i].to, to) == 0) return &pairs[i];
  }
  return NULL;
}

static void testMoves(void) {
  CHECK_INT("number of machines", TS_MACHINE_COUNT, COUNT(axes));
  for (int a = 0; a < COUNT(axes); a++) {
    const Machine *m = axes[a].machine;
    CHECK(tap_name("machine %d is %s", a, axes[a].axis), ts_machines[a] == m);
    CHECK_STR("axis", m->axis, axes[a].axis);
    CHECK_INT(tap_name("%s states", m->axis), m->nStates, axes[a].nStates);
    CHECK_INT(tap_name("%s moves", m->axis), m->nTransitions, axes[a].nPairs);
    for (int from = 0; from < m->nStates && from < axes[a].nStates; from++) {
      CHECK_STR(tap_name("%s state %d", m->axis, from), m->states[from], axes[a].states[from]);
      for (int to = 0; to < m->nStates && to < axes[a].nStates; to++) {
        const char *fromName = axes[a].states[from], *toName = axes[a].states[to];
        const Pair *pair = findPair(axes[a].pairs, axes[a].nPairs, fromName, toName);
        const Transition *move = ts_state_move(m, from, to);
        CHECK_STR(tap_name("%s: %s to %s", m->axis, fromName, toName), move ? move->trigger : NULL,
                  pair ? pair->trigger : NULL);
        if (move) {
          CHECK(tap_name("%s: %s to %s: ends", m->axis, fromName, toName),
                move->from == from && move->to == to);
        }
      }
    }
    CHECK(tap_name("%s: no state", m->axis), ts_state_move(m, -1, 0) == NULL);
    CHECK(tap_name("%s: past the last", m->axis), ts_state_move(m, m->nStates, 0) == NULL);
  }
}

static void testNames(void) {
  for (int a = 0; a < COUNT(axes); a++) {
    const Machine *m = axes[a].machine;
    for (int i = 0; i < axes[a].nStates; i++) {
      const char *name = axes[a].states[i];
      int n = (int)strlen(name);
      CHECK_INT(tap_name("find %s", name), ts_state_find(m, name, n), i);
      CHECK_INT(tap_name("find a part of %s", name), ts_state_find(m, name, n - 1), -1);
    }
    CHECK_INT("find nothing", ts_state_find(m, "", 0), -1);
    CHECK_INT("find an unknown state", ts_state_find(m, "Sleeping", 8), -1);
  }
  CHECK_INT("length decides", ts_state_find(&ts_task_machine, "Running away", 7), TASK_RUNNING);
  CHECK_INT("case counts", ts_state_find(&ts_task_machine, "running", 7), -1);
  CHECK_INT("case counts for a status", ts_state_find(&ts_status_machine, "Active", 6), -1);
  CHECK_INT("a NUL is no end", ts_state_find(&ts_task_machine, "None\0", 5), -1);
}

int main(void) {
  testMoves();
  testNames();
  return tap_done("states");
}
