/*
** hash.h - SHA-256 ids of content, by libmd.
**
** An id is the lower-case hex SHA-256 of "KIND LENGTH\0CONTENT": the kind of thing and the length
** in bytes go in front, so that no two kinds can share an id.
*/
#ifndef TS_HASH_H
#define TS_HASH_H

#include "core.h"

#define TS_HASH_HEX 64 /* characters of an id */

typedef struct HashId {
  char hex[TS_HASH_HEX + 1];
} HashId;

HashId ts_hash(const char *kind, const void *content, int n);

#endif
