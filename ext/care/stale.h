/*
** stale.h - staleness: the bands, and the table-valued function stale_sessions.
*/
#ifndef TS_STALE_H
#define TS_STALE_H

#include "core.h"

typedef enum StaleBand { BAND_FRESH, BAND_ASK, BAND_AUTO_COMPACT, BAND_ARCHIVE } StaleBand;

/* Can a task in this state continue? A task that is Complete or Aborted has ended and only lacks
** its commit: nobody is asked about it, and it is not saved. */
int ts_stale_goes_on(Text state);

/* Pure. All times are lengths in ms, compared strictly: idle exactly at a threshold is not over it. idle: since
** last_activity; unused: since the last use; ask, autoCompact, archiveAfter: the thresholds. */
StaleBand ts_stale_band(sqlite3_int64 idle, sqlite3_int64 unused, int hasTask, sqlite3_int64 ask,
                        sqlite3_int64 autoCompact, sqlite3_int64 archiveAfter);

int ts_stale_register(Conn *conn);

#endif
