/*
** scripts.h - the SQL scripts of sql/, embedded at build time.
*/
#ifndef TS_SCRIPTS_H
#define TS_SCRIPTS_H

extern const char ts_script_schema[];
extern const char ts_script_turn[];
extern const char ts_script_identity[];
extern const char ts_script_views[];
extern const char ts_script_guards[];
extern const char ts_script_door[];
extern const char ts_script_retired[];

/* The built-in rules of classification, one script per language; ended by NULL. */
extern const char *const ts_script_rules[];

/* ts_script_migrations[i] takes a file from schema version i + 1 to i + 2. */
extern const char *const ts_script_migrations[];

#endif
