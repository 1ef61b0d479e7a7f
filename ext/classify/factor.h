/*
** factor.h - a pattern whose long lists of alternatives are told apart by their first letters.
**
** The engine tries alternatives one after the other: of a hundred verbs it reads a hundred before it knows that
** none stands there. (?:add|adjust|allow|build|…) finds the same as (?:a(?:dd|djust|llow)|build|…), which needs
** one look at a letter to pass over three. Pure, nothing is allocated.
*/
#ifndef TS_FACTOR_H
#define TS_FACTOR_H

#define TS_FACTOR_MAX 1500 /* bytes of a pattern, before and after */

/*
** Writes to out (TS_FACTOR_MAX bytes) a pattern that matches at the same places as this one (n bytes, valid
** UTF-8), though perhaps another text there. Returns its bytes; 0 when nothing is won, or when the pattern has
** anything of which that could not be said: groups that are referred to, atomic ones, inline options.
*/
int ts_factor(const char *pattern, int n, char *out);

#endif
