/*
** inject.h - making things fail.
**
** There are four kinds of faults. Each numbers the chances it gets while it is armed, 1, 2, 3, …,
** and fails chance number n: an allocation, a call into the file system, an opcode of the virtual
** machine, an action that the authorizer is asked about.
**
** It works with SQLite as it is: a wrapper around its allocator, a pass-through VFS, the progress
** handler and the authorizer.
*/
#ifndef FAULT_INJECT_H
#define FAULT_INJECT_H

#include <sqlite3.h>

typedef enum FaultKind { FAULT_OOM, FAULT_IO, FAULT_INTERRUPT, FAULT_AUTH, FAULT_KINDS } FaultKind;

/* An interrupt comes in two ways: ONCE calls sqlite3_interrupt, STUCK is a progress handler that
** says stop. The second can be reported by a statement that has just ended. */
typedef enum FaultMode {
  FAULT_ONCE,  /* chance n only */
  FAULT_STUCK, /* n and all later ones */
  FAULT_FULL,  /* FAULT_IO: only writes count, and the disk is full from write n on */
  FAULT_LOCKED /* FAULT_IO: only locks count, and somebody else holds lock n for a moment */
} FaultMode;

extern const char *const fault_kinds[FAULT_KINDS];
extern const char *const fault_modes[4];

/* The name of the VFS that can fail. Databases under test are opened through it. */
#define FAULT_VFS "fault"

/* Installs allocator and VFS. Call it before anything else of SQLite. */
void fault_setup(void);

void fault_arm(sqlite3 *db, FaultKind kind, FaultMode mode, long n);
/* Returns how many chances there were. hit receives whether one failed. */
long fault_disarm(int *hit);

/* Is rc a code that a fault of this kind may end in? */
int fault_code(FaultKind kind, int rc);

/* Allocations made between fault_owner(1) and fault_owner(0) that nobody has freed. */
void fault_owner(int tracked);
long fault_owned(void);

#endif
