/*
** shipped.h - patterns that the library's own scripts of rules hold.
**
** The tests have compiled and tried each of them, so nobody else needs to before one is used. A file says
** nothing about it: a row is looked up by its pattern, whatever its id and origin are.
*/
#ifndef TS_SHIPPED_H
#define TS_SHIPPED_H

/* Where the last pattern stood. Zeroed at the beginning of a list of rules. */
typedef struct Shipped {
  int script;       /* of ts_script_rules, */
  const char *from; /* and behind which place of it; NULL: from its beginning on */
  int nMissed;      /* patterns that were not there */
} Shipped;

/* Does a pattern stand behind the last one that did? Rules stand in a file in the order of the scripts; for
** those that don't the answer may be no. */
int ts_shipped(Shipped *s, const char *pattern, int n);

#endif
