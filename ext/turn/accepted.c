/*
** accepted.c - tool calls in a context, as the strictest provider takes them.
**
** Providers differ in what they accept. Some number the calls of each turn ("call_0"), while others
** want every id of a request once. Some allow dots and blanks in names of tools, others refuse
** them. Models send parameters that are not an object, or that are cut off. A history can come from
** one provider and continue with another. So whatever was recorded, a context shows
**
**   - ids of 1 to 40 of A-Z a-z 0-9 _ -, each of one call. What is recorded is shown as it is when it is
**     such an id and no call above it is shown with it; else what can be kept of it, and behind it the
**     depth of the turn and the sequence: call_0-12-3. That depends on nothing below the call, so that the
**     beginning of a context stays;
**   - names of 1 to 64 of these characters, with a _ for any other;
**   - parameters that are an object: {"input": …} around anything else, {} for nothing.
**
** The rows of tool_calls keep what was recorded.
*/
#include "accepted.h"

#include "tree.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

/* ---- Ids and names ----------------------------------------------------------------------------- */

/* Two ids that meet here cost one of them its name, and nothing else. */
static sqlite3_int64 hashOf(Text t) {
  sqlite3_uint64 h = 14695981039346656037U;
  for (int i = 0; i < t.n; i++)
    h = (h ^ (unsigned char)t.z[i]) * 1099511628211U;
  h ^= h >> 29;
  return h ? (sqlite3_int64)h : 1;
}

static int isPlain(char z) {
  return (z >= 'a' && z <= 'z') || (z >= 'A' && z <= 'Z') || (z >= '0' && z <= '9') || z == '_' ||
         z == '-';
}

static int isAccepted(Text t, int max) {
  if (t.n < 1 || t.n > max) return 0;
  for (int i = 0; i < t.n; i++) {
    if (!isPlain(t.z[i])) return 0;
  }
  return 1;
}

/* What can be kept of a text in so many characters; one _ for each other character. */
static int mend(Text t, char *out, int max) {
  int n = 0;
  for (int i = 0; i < t.n && n < max; i++) {
    if (((unsigned char)t.z[i] & 0xC0) == 0x80) continue; /* goes on with a character */
    out[n++] = (char)(isPlain(t.z[i]) ? t.z[i] : '_');
  }
  out[n] = 0;
  return n;
}

#define AS_RECORDED (-1)

/* The id of a call: as it is recorded, or made of its place, in one of many ways. */
static Text idAs(Text id, sqlite3_int64 place, int way, char buffer[TS_MAX_CALL_ID + 1]) {
  char behind[40];
  sqlite3_int64 turn = TS_PLACE_TURN(place);
  int n, nBehind;
  if (way == AS_RECORDED) return id;
  sqlite3_snprintf(sizeof(behind), behind, way ? "-%lld-%lld-%d" : "-%lld-%lld", TS_DEPTH(turn),
                   place - TS_FIRST_PLACE(turn), way);
  nBehind = (int)strlen(behind);
  n = mend(id, buffer, TS_MAX_CALL_ID - nBehind);
  memcpy(buffer + n, behind, (size_t)nBehind + 1);
  return (Text){buffer, n + nBehind};
}

void ts_call_id_show(Cmd *c, CallIds *ids, sqlite3_int64 place, Text id) {
  char buffer[TS_MAX_CALL_ID + 1];
  int way = isAccepted(id, TS_MAX_CALL_ID) ? AS_RECORDED : 0;
  while (ts_id_map_get(&ids->shown, hashOf(idAs(id, place, way, buffer))))
    way++;
  ts_id_map_put(c, &ids->shown, hashOf(idAs(id, place, way, buffer)), 1);
  if (way != AS_RECORDED) ts_id_map_put(c, &ids->changed, place, way + 1);
}

Text ts_call_id_shown(const CallIds *ids, sqlite3_int64 place, Text id,
                      char buffer[TS_MAX_CALL_ID + 1]) {
  sqlite3_int64 changed = ts_id_map_get(&ids->changed, place);
  int way = isAccepted(id, TS_MAX_CALL_ID) ? AS_RECORDED : 0;
  return idAs(id, place, changed ? (int)changed - 1 : way, buffer);
}

Text ts_tool_name_shown(Text name, char buffer[TS_MAX_TOOL_NAME + 1]) {
  if (isAccepted(name, TS_MAX_TOOL_NAME)) return name;
  return (Text){buffer, mend(name, buffer, TS_MAX_TOOL_NAME)};
}

/* ---- Parameters -------------------------------------------------------------------------------- */

int ts_params_are_bare(Text params, int *empty) {
  while (params.n && (unsigned char)params.z[0] <= ' ') {
    params.z++;
    params.n--;
  }
  *empty = params.n == 0 || ts_text_is(params, "null") || ts_text_is(params, "\"\"");
  return params.n == 0 || params.z[0] != '{';
}
