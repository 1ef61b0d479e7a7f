/*
** foreign.h - what a file holds under our names, or about our tables, that no library has made.
*/
#ifndef TS_FOREIGN_H
#define TS_FOREIGN_H

#include "core.h"

/* What a script creates: T table, I index, V view, G trigger. */
typedef void (*CreatedVisit)(Cmd *c, char kind, const char *name, void *arg);

/* Visits every CREATE of a script with its kind and its name, prefix in front. */
void ts_each_created(Cmd *c, const char *script, CreatedVisit visit, void *arg);

/* Triggers that older versions made and this one doesn't, by their names, for ts_each_created: an upgrade
** drops them before anything runs. */
extern const char ts_retired_triggers[];

/* Fails the command unless every table of ours that is there is one: neither a view nor a virtual
** table, which would run what somebody else has written. Looked at again whenever the schema may be
** another one: another file goes by its name, or somebody has changed it. A read transaction that
** looking has begun lasts until it is released, so that what is then read is what was looked at, and
** SQLite takes its lock once. */
void ts_foreign_tables(Cmd *c);
/* Fails a command that writes when somebody's trigger on one of our tables says RAISE(IGNORE): a row would be
** missing although the command reports success. The trigger was seen when the tables were looked at. */
void ts_foreign_skips(Cmd *c);
/* Forgets what was prepared for a database that may have been replaced without SQLite's notice. */
void ts_foreign_memory(Cmd *c);

/*
** What somebody else has put on or into our tables: triggers, and tables and indexes that hold other
** words than ours (a CHECK, a generated column, an expression). In a list such as
** "trigger audit on tasks, index x on turns"; empty when there is nothing. Nothing of it has run.
*/
Text ts_foreign_list(Cmd *c);

/* Is this what a library makes as turnstile_meta? Then it can be read without running anything. */
int ts_foreign_meta_is_ours(Cmd *c);

/* The SQL of the first object of that name, '' when none is kept; {NULL,0} when there is none. */
Text ts_foreign_sql(Cmd *c, const char *name);

/* Is this SQL of the file's, as SQLite reads it, what we make: word by word, blanks, comments and quotes around
** names aside? In a table columns may follow on ours, as ALTER TABLE adds them. */
int ts_foreign_same(Text sql, const char *made, int isTable);

/* What stands in the place of the door: the SQL of the view and of its trigger, and the name of another
** trigger that the view has. {NULL,0}: there is none. */
typedef struct DoorFound {
  Text view, trigger, other;
} DoorFound;
void ts_foreign_door(Cmd *c, DoorFound *found);

/* The text that SQLite keeps of an object that a script makes: "TRIGGER", "turnstile_door". */
char *ts_stored_sql(Cmd *c, const char *script, const char *kind, const char *name);

#endif
