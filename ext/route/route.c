/*
** route.c - finds the session of a message.
**
**   SELECT session_route('{"channel":"whatsapp","sender_id":"+15550001111"}');
**   -- {"label":"dm:whatsapp:+15550001111","key":"dm:whatsapp:+15550001111","via":"new",…}
**   SELECT resolve_session('dm:entity_rosa');               -- dm:whatsapp:+15550001111
**   SELECT session_alias('rosa', 'dm:entity_rosa');         -- dm:whatsapp:+15550001111
**
** The policies make a key (policy.c), and the key leads to a session: by its label, or by an alias.
** Aliases are flat: each leads to a session that takes messages, never to another alias.
*/
#include "route.h"

#include "json.h"
#include "key.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

/* ---- Finding ------------------------------------------------------------------------------------- */

Text ts_label_find(Cmd *c, Text label, Text *persona) {
  Text found = none;
  Query q = ts_query(c, persona ? SQL_LABEL_FIND : SQL_LABEL_RESOLVE, "t", &label);
  if (ts_row(c, &q)) {
    found = ts_col_text(c, &q, COL_LABEL_FIND_LABEL);
    if (persona) *persona = ts_col_text(c, &q, COL_LABEL_FIND_PERSONA_ID);
  }
  ts_end(c, &q);
  return found;
}

int ts_personas_agree(Text a, Text b) {
  return !a.z || !b.z || ts_text_equal(a, b);
}

/* The key of a persona's own session beside another persona's. {NULL,0}: it is too long for a
** label; with needed, this fails the command. */
static Text personaKey(Cmd *c, Text key, Text persona, int needed) {
  sqlite3_str *out = sqlite3_str_new(c->db);
  const char *problem;
  int length;
  ts_append(out, key);
  sqlite3_str_appendall(out, ":persona:");
  problem = ts_key_append(out, persona.z ? persona.z : "", persona.n);
  length = sqlite3_str_length(out);
  if (problem && needed) ts_fail(c, SQLITE_ERROR, "the policy's persona_id %s", problem);
  if (length > TURNSTILE_MAX_LABEL && needed) {
    ts_fail(c, SQLITE_ERROR, "the key would be %d bytes long; a label has at most %d", length,
            TURNSTILE_MAX_LABEL);
  }
  key = ts_finish(c, out);
  return problem || length > TURNSTILE_MAX_LABEL ? none : key;
}

/* Who the sender is. */
static void findPrincipal(Cmd *c, Envelope *e, Text channel, Text sender) {
  Query q = ts_query(c, SQL_IDENTITY_GET, "tt", &channel, &sender);
  if (ts_row(c, &q)) {
    e->entity = ts_col_text(c, &q, COL_IDENTITY_GET_ENTITY_ID);
    e->entityKey = ts_col_text(c, &q, COL_IDENTITY_GET_ENTITY_LABEL);
  }
  ts_end(c, &q);
}

/* The value of a field, as text. A whole number has only one form. A number that JSON readers would
** round is refused, because it can't tell people apart. */
static Text readValue(Cmd *c, Query *q, Text name, Text type) {
  double r;
  if (ts_text_is(type, "true") || ts_text_is(type, "false")) return ts_copy(c, type.z, type.n);
  if (sqlite3_column_type(q->stmt, COL_JSON_EACH_VALUE) != SQLITE_FLOAT)
    return ts_clean(c, ts_col_text(c, q, COL_JSON_EACH_VALUE));
  r = sqlite3_column_double(q->stmt, COL_JSON_EACH_VALUE);
  if (r > (double)TURNSTILE_MAX_INTEGER || r < -(double)TURNSTILE_MAX_INTEGER) {
    ts_fail(c, SQLITE_ERROR, "envelope: %.*s is too large for a number; give it as text", name.n,
            name.z);
  }
  return ts_fact_number(c, r);
}

static void checkLength(Cmd *c, const char *name, Text value) {
  if (value.n > TURNSTILE_MAX_NAME) {
    ts_fail(c, SQLITE_ERROR, "envelope: %s is %d bytes long; at most %d are allowed", name, value.n,
            TURNSTILE_MAX_NAME);
  }
}

void ts_envelope_read(Cmd *c, Text json, Envelope *e) {
  Text channel, sender;
  Query q = ts_query(c, SQL_JSON_EACH, "t", &json);
  memset(e, 0, sizeof(*e));
  while (ts_row(c, &q)) {
    Text name = ts_col_text(c, &q, COL_JSON_EACH_KEY), type = ts_col_view(&q, COL_JSON_EACH_TYPE);
    if (ts_text_is(type, "object") || ts_text_is(type, "array")) {
      ts_fail(c, SQLITE_ERROR, "envelope: %.*s must be text or a number, not a JSON %.*s", name.n,
              name.z, type.n, type.z);
    } else if (!ts_text_is(type, "null")) {
      Text value = readValue(c, &q, name, type);
      /* An empty field counts as missing. */
      if (value.n) ts_envelope_set(e, name, value);
      if (e->n > TS_MAX_FACTS) {
        ts_fail(c, SQLITE_ERROR, "envelope has more than %d fields", TS_MAX_FACTS);
        break;
      }
    }
  }
  ts_end(c, &q);
  if (!ts_envelope_get(e, "peer_kind").z) {
    ts_envelope_set(e, TS_TEXT("peer_kind"), TS_TEXT("dm"));
  }
  channel = ts_envelope_get(e, "channel");
  sender = ts_envelope_get(e, "sender_id");
  checkLength(c, "channel", channel);
  checkLength(c, "sender_id", sender);
  if (channel.z && sender.z) findPrincipal(c, e, channel, sender);
}

/* The session that has the key, and how it was found. */
static void findKey(Cmd *c, Route *route, Text key, Text *persona) {
  Text found = ts_label_find(c, key, persona), by = none;
  Query q;
  route->key = key;
  route->label = found.z ? found : key;
  route->via = found.z ? "session" : "new";
  if (!found.z || ts_text_equal(found, key)) return;
  route->via = "alias";
  q = ts_query(c, SQL_LABEL_SUPERSEDED, "t", &key);
  if (ts_row(c, &q)) by = ts_col_text(c, &q, COL_LABEL_SUPERSEDED_SUPERSEDED_BY);
  ts_end(c, &q);
  if (by.z) route->via = "merge";
}

void ts_route(Cmd *c, const Envelope *e, int explain, Route *route) {
  Text persona = none, key, own;
  memset(route, 0, sizeof(*route));
  ts_policy_choose(c, e, explain, &route->choice);
  if (c->rc != SQLITE_OK) return;
  key = route->choice.key;
  if (route->choice.persona.z) {
    /* A persona keeps its own session, even when the plain key becomes free. */
    own = personaKey(c, key, route->choice.persona, 0);
    if (own.z) findKey(c, route, own, &persona);
    if (own.z && !ts_text_is((Text){route->via, (int)strlen(route->via)}, "new")) return;
  }
  findKey(c, route, key, &persona);
  if (ts_personas_agree(persona, route->choice.persona)) return;
  /* The key leads to another persona's session. */
  findKey(c, route, personaKey(c, key, route->choice.persona, 1), &persona);
}

/* ---- session_route(envelope) → JSON ---------------------------------------------------------------- */

static const ArgSpec routeArgs[] = {{"envelope", ARG_OBJECT, 1}};

static void runRoute(Cmd *c) {
  Envelope e;
  Route route;
  Json j;
  ts_envelope_read(c, c->arg[0].text, &e);
  ts_route(c, &e, 1, &route);
  if (c->rc != SQLITE_OK) return;
  ts_json_begin(&j, c);
  ts_json_open(&j, '{');
  ts_json_put(&j, "label", route.label);
  ts_json_put(&j, "key", route.key);
  ts_json_put_string(&j, "via", route.via);
  ts_json_put(&j, "policy", route.choice.policy);
  ts_json_put(&j, "persona", route.choice.persona);
  ts_json_key(&j, "principal");
  ts_json_open(&j, '{');
  ts_json_put_string(&j, "type", e.entity.z ? "known" : "unknown");
  ts_json_put(&j, "entity_id", e.entity);
  ts_json_close(&j, '}');
  ts_json_put_int(&j, "asked", route.choice.asked);
  ts_json_key(&j, "passed_over");
  ts_json_open(&j, '[');
  for (int i = 0; i < route.choice.nPassed; i++) {
    ts_json_open(&j, '{');
    ts_json_put(&j, "policy", route.choice.passed[i].policy);
    ts_json_put(&j, "because", route.choice.passed[i].because);
    ts_json_close(&j, '}');
  }
  ts_json_close(&j, ']');
  ts_json_close(&j, '}');
  ts_return_text(c, ts_json_finish(&j));
}

const CommandSpec ts_session_route = {"session_route", runRoute, COMMAND_READ,
                                      TS_ARGS(1, routeArgs), NULL};
