/*
** cases.h - every command with a setup that makes it do its full work.
**
** The fault suites run each case again and again with one thing failing. A case is a script that
** brings a fresh file into some state, and one command. The command is written once, as a name and
** a JSON array; its two forms are made from that: sugar, `SELECT session_note('s','…')`, and the
** door, `INSERT INTO turnstile … RETURNING turnstile_result()`.
*/
#ifndef FAULT_CASES_H
#define FAULT_CASES_H

/* The clock stands at CASE_START during the setup, and at CASE_START + hours for the command. */
#define CASE_START 1700000000000LL
#define CASE_HOUR 3600000LL

#define CASE_BARE 1 /* the setup starts from a file without Turnstile's tables */
#define CASE_READ 2 /* writes nothing */
#define CASE_OLD 4  /* starts from a stored file of schema version 1 */
/* The stored document of version 1, which lies beside that file, is in the table kept(j). */
#define CASE_DOCUMENT 8
#define CASE_DAMAGED 16 /* starts from a file in which an invariant does not hold */

typedef struct Case {
  const char *name;
  const char *setup;   /* SQL, or NULL */
  const char *command; /* the command's name; NULL: args is a whole SQL statement */
  const char *args;    /* a JSON array */
  int hours;           /* after the setup */
  int flags;
} Case;

/* All cases; n receives how many. */
const Case *all_cases(int *n);

#endif
