/*
** array.c - arrays that grow.
*/
#include "array.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

void *ts_array_more(Cmd *c, void *array, sqlite3_int64 n, sqlite3_int64 *room, size_t size) {
  sqlite3_int64 more = *room ? *room * 2 : 16;
  void *grown;
  if (c->rc != SQLITE_OK) return NULL;
  if (n < *room) return array;
  grown = ts_alloc(c, size * (size_t)more);
  if (!grown) return NULL;
  if (n) memcpy(grown, array, size * (size_t)n);
  *room = more;
  return grown;
}

int ts_array_grow(void *array, int *room, int n, size_t size) {
  int more = *room ? *room * 2 : 64;
  void *old, *grown;
  if (n < *room) return SQLITE_OK;
  memcpy(&old, array, sizeof(old));
  grown = sqlite3_realloc64(old, (sqlite3_uint64)size * (sqlite3_uint64)more);
  if (!grown) return SQLITE_NOMEM;
  memcpy(array, &grown, sizeof(grown));
  *room = more;
  return SQLITE_OK;
}
