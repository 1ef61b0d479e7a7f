/*
** ulid.c - ULIDs from time, uuid and counter.
*/
#include "ulid.h"

#include "hash.h"
#include "ids.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

static const char base32[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/*
** A ULID: 48 bits of the command's time and 80 bits that stand for randomness, as 26 characters.
** Commands have no randomness of their own, so the 80 bits are a hash of the database's uuid, the
** time, a word and a counter that the caller never repeats.
** Source: https://github.com/ulid/spec
*/
static Text ulid(Cmd *c, const char *word, sqlite3_int64 counter) {
  char out[27];
  Text uuid = {NULL, 0};
  char *seed;
  HashId hash;
  Query q = ts_query(c, SQL_META_UUID, "");
  if (ts_row(c, &q)) uuid = ts_col_text(c, &q, COL_META_UUID_UUID);
  ts_end(c, &q);
  seed = ts_printf(c, "%.*s %lld %lld", uuid.n, uuid.z ? uuid.z : "", c->now, counter);
  if (!seed) return (Text){NULL, 0};
  hash = ts_hash(word, seed, (int)strlen(seed));
  for (int i = 0; i < 10; i++)
    out[i] = base32[(c->now >> (45 - 5 * i)) & 31];
  /* 20 hex digits are 80 bits are 16 characters: five digits make four. */
  for (int i = 0; i < 4; i++) {
    int bits = 0;
    for (int k = 0; k < 5; k++) {
      char h = hash.hex[i * 5 + k];
      bits = bits << 4 | (h <= '9' ? h - '0' : h - 'a' + 10);
    }
    for (int k = 0; k < 4; k++)
      out[10 + i * 4 + k] = base32[(bits >> (15 - 5 * k)) & 31];
  }
  out[26] = 0;
  return ts_copy(c, out, 26);
}

Text ts_ulid_label(Cmd *c, const char *word, char mark, IdKind counter) {
  Text made = ulid(c, word, ts_id_last(c, counter) + 1);
  char *label = ts_printf(c, "%s%c%.*s", word, mark, made.n, made.z ? made.z : "");
  return (Text){label, label ? (int)strlen(label) : 0};
}
