/*
** id_map.c - a hash table from ids to numbers, in a command's memory.
*/
#include "id_map.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

static sqlite3_int64 slotOf(const IdMap *m, sqlite3_int64 id) {
  sqlite3_int64 i = (sqlite3_int64)(((uint64_t)id * 0x9e3779b97f4a7c15u) >> 20) & (m->room - 1);
  while (m->slots[2 * i] && m->slots[2 * i] != id)
    i = (i + 1) & (m->room - 1);
  return i;
}

sqlite3_int64 ts_id_map_get(const IdMap *m, sqlite3_int64 id) {
  if (!m->room || !id) return 0;
  return m->slots[2 * slotOf(m, id) + 1];
}

void ts_id_map_put(Cmd *c, IdMap *m, sqlite3_int64 id, sqlite3_int64 number) {
  sqlite3_int64 i;
  if (!id || c->rc != SQLITE_OK) return;
  if (m->n * 2 >= m->room) {
    IdMap grown = {NULL, m->room ? m->room * 4 : 64, m->n};
    grown.slots = ts_alloc(c, sizeof(*grown.slots) * 2 * (size_t)grown.room);
    if (!grown.slots) return;
    for (i = 0; i < m->room; i++) {
      if (!m->slots[2 * i]) continue;
      memcpy(&grown.slots[2 * slotOf(&grown, m->slots[2 * i])], &m->slots[2 * i],
             2 * sizeof(*m->slots));
    }
    *m = grown;
  }
  i = slotOf(m, id);
  if (!m->slots[2 * i]) m->n++;
  m->slots[2 * i] = id;
  m->slots[2 * i + 1] = number;
}
