/*
** id_map.h - a hash table from ids to numbers, in a command's memory.
*/
#ifndef TS_ID_MAP_H
#define TS_ID_MAP_H

#include "core.h"

/* Begins zeroed. No id is 0. */
typedef struct IdMap {
  sqlite3_int64 *slots; /* pairs of id and number; at most half of them are used */
  sqlite3_int64 room, n;
} IdMap;

/* The number that an id has, 0 when it has none. */
sqlite3_int64 ts_id_map_get(const IdMap *m, sqlite3_int64 id);
/* Gives an id a number; id 0 stays without. */
void ts_id_map_put(Cmd *c, IdMap *m, sqlite3_int64 id, sqlite3_int64 number);

#endif
