/*
** hash.c - content ids: SHA-256 over kind, length and content.
*/
#include "hash.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

HashId ts_hash(const char *kind, const void *content, int n) {
  HashId id;
  SHA2_CTX sha;
  char head[64];
  memset(&id, 0, sizeof(id));
  sqlite3_snprintf(sizeof(head), head, "%s %d", kind, n);
  SHA256Init(&sha);
  SHA256Update(&sha, (const uint8_t *)head, strlen(head) + 1);
  if (n > 0) SHA256Update(&sha, content, (size_t)n);
  SHA256End(&sha, id.hex);
  return id;
}

void ts_hash_begin(HashStream *h, const char *kind) {
  SHA256Init(&h->sha);
  SHA256Update(&h->sha, (const uint8_t *)kind, strlen(kind) + 1);
}

void ts_hash_add(HashStream *h, const void *bytes, int n) {
  if (n > 0) SHA256Update(&h->sha, bytes, (size_t)n);
}

HashId ts_hash_end(HashStream *h) {
  HashId id;
  memset(&id, 0, sizeof(id));
  SHA256End(&h->sha, id.hex);
  return id;
}

int ts_is_hash(Text t) {
  if (t.n != TS_HASH_HEX) return 0;
  for (int i = 0; i < t.n; i++) {
    if (!((t.z[i] >= '0' && t.z[i] <= '9') || (t.z[i] >= 'a' && t.z[i] <= 'f'))) return 0;
  }
  return 1;
}
