/*
** hash.c - content ids: SHA-256 over kind, length and content.
*/
#include "hash.h"

#include <sha2.h>
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
