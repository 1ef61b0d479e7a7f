/*
** shipped.c - finds a pattern in the scripts of rules that the library brings along.
**
** The scripts are read once for a whole list of rules: what is behind the last pattern that was found is
** looked through. A file whose rules are others, or in another order, is not looked up for long.
*/
#include "shipped.h"

#include "scripts.h"

#include <stddef.h>
#include <string.h>

#define MISSED_MAX 16

/* The end of a literal of SQL that begins at p, behind its quote, if it stands for these n bytes; else NULL. */
static const char *endOf(const char *p, const char *text, int n) {
  for (int i = 0; i < n; i++) {
    if (*p++ != text[i]) return NULL;
    if (text[i] == '\'' && *p++ != '\'') return NULL;
  }
  return p[0] == '\'' && p[1] != '\'' ? p + 1 : NULL;
}

int ts_shipped(Shipped *s, const char *pattern, int n) {
  if (n <= 0 || memchr(pattern, 0, (size_t)n) || s->nMissed == MISSED_MAX) return 0;
  for (int i = s->script; ts_script_rules[i]; i++) {
    const char *p = i == s->script && s->from ? s->from : ts_script_rules[i];
    while ((p = strchr(p, '\'')) != NULL) {
      const char *end = endOf(++p, pattern, n);
      if (!end) continue;
      s->script = i;
      s->from = end;
      return 1;
    }
  }
  s->nMissed++;
  return 0;
}
