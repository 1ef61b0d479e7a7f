/*
** class.c - the seven classes by their names.
*/
#include "class.h"

#include <string.h>

#include "sqlite3ext.h"
#include "word_lists.h"
SQLITE_EXTENSION_INIT3

const char *const ts_class_names[] = {LIST_CLASS};

MessageClass ts_class_find(const char *name, int n) {
  for (int i = 0; i < CLASS_COUNT && name != 0; i++) {
    if ((int)strlen(ts_class_names[i]) == n && sqlite3_strnicmp(ts_class_names[i], name, n) == 0)
      return (MessageClass)i;
  }
  return CLASS_UNKNOWN;
}
