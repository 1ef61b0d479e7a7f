/*
** states.h - the four state machines as plain data.
**
** A session has four independent axes. Each is one static table in states.c: its states, and the
** moves between them with the name of what triggers each. Everything else reads these tables: the
** commands, the guards of the schema (through the real table `state_transitions`, which
** installing fills from here), and the diagrams. Nothing in this file touches a database.
*/
#ifndef TS_STATES_H
#define TS_STATES_H

/* Task state: one logical unit of work. TASK_NONE means that no task is open. */
typedef enum TaskState {
  TASK_NONE,
  TASK_RUNNING,
  TASK_AWAITING_USER,
  TASK_INTERRUPTED,
  TASK_PENDING_COMPLETE,
  TASK_COMPLETE,
  TASK_ABORTED,
  TASK_STATE_COUNT
} TaskState;

/* Session status: the durable conversation. */
typedef enum SessionStatus {
  STATUS_ACTIVE,
  STATUS_SUSPENDED,
  STATUS_ARCHIVED,
  STATUS_ERROR,
  STATUS_COUNT
} SessionStatus;

/* Run state: the process that executes a turn. */
typedef enum RunState {
  RUN_IDLE,
  RUN_STARTING,
  RUN_RUNNING,
  RUN_READY,
  RUN_INTERRUPTED,
  RUN_ERROR,
  RUN_STATE_COUNT
} RunState;

/* Turn phase, and the three ways in which a turn ends. */
typedef enum TurnPhase {
  PHASE_PROCESSING,
  PHASE_STREAMING,
  PHASE_COMPACTING,
  PHASE_COMPLETING,
  PHASE_COMPLETED,
  PHASE_FAILED,
  PHASE_ABORTED,
  PHASE_COUNT
} TurnPhase;

typedef struct Transition {
  unsigned char from, to; /* indexes into the machine's states */
  const char *trigger;    /* what makes the move, one word */
} Transition;

typedef struct Machine {
  const char *axis;          /* "task", "status", "run" or "turn" */
  const char *const *states; /* names, indexed by the enum above */
  int nStates;
  const Transition *transitions;
  int nTransitions;
} Machine;

extern const Machine ts_task_machine;
extern const Machine ts_status_machine;
extern const Machine ts_run_machine;
extern const Machine ts_turn_machine;

/* All four, in the order task, status, run, turn. */
#define TS_MACHINE_COUNT 4
extern const Machine *const ts_machines[TS_MACHINE_COUNT];

/* The index of the state called name (case-sensitive, n bytes), or -1. */
int ts_state_find(const Machine *m, const char *name, int n);

/* The move from one state to another, or NULL when the machine has none. */
const Transition *ts_state_move(const Machine *m, int from, int to);

#endif
