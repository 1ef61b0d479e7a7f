/*
** hash.h - SHA-256 ids of content, by libmd.
**
** An id is the lower-case hex SHA-256 of "KIND LENGTH\0CONTENT": the kind of thing and the length
** in bytes go in front, so that no two kinds can share an id.
*/
#ifndef TS_HASH_H
#define TS_HASH_H

#include "core.h"

#include <sha2.h>

#define TS_HASH_HEX 64 /* characters of an id */

typedef struct HashId {
  char hex[TS_HASH_HEX + 1];
} HashId;

HashId ts_hash(const char *kind, const void *content, int n);

/* Could a text be an id? It is 64 digits of lower-case hex. */
int ts_is_hash(Text t);

/* The same piece by piece, for content whose length is not known in advance: the digest of "KIND\0" and of
** everything that is added. Pieces leave no trace of where one ends: the caller writes down lengths. */
typedef struct HashStream {
  SHA2_CTX sha;
} HashStream;

void ts_hash_begin(HashStream *h, const char *kind);
void ts_hash_add(HashStream *h, const void *bytes, int n);
HashId ts_hash_end(HashStream *h);

#endif
