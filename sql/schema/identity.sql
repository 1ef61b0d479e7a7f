-- identity.sql - who writes, and which session that is. Made by installing, and by the upgrade from
-- schema version 2.

-- How messages find their session. The policy with the highest priority that matches the envelope makes
-- the key; of equal ones that with the lower id. match is JSON: what must hold of the principal and
-- of the delivery, as in {"principal":{"type":"known"},"delivery":{"channel":["slack","teams"]}}; a list
-- means any of its values, null that there is none. The template's {principal.…}, {delivery.…} and
-- {persona} are filled in; what stands in [] is left out when one of its values is missing.
CREATE TABLE #session_policies (
  id           INTEGER PRIMARY KEY,
  priority     INTEGER NOT NULL DEFAULT 10,
  name         TEXT NOT NULL UNIQUE,
  "match"      TEXT NOT NULL DEFAULT '{}',
  key_template TEXT NOT NULL,
  persona_id   TEXT,                        -- for sessions that the policy makes
  enabled      INTEGER NOT NULL DEFAULT 1,
  origin       TEXT NOT NULL DEFAULT 'user' -- builtin | user
) STRICT;

CREATE INDEX #session_policies_in_order ON ##session_policies(priority DESC) WHERE enabled <> 0;

-- Which sender of which channel is which entity (a person, a company). Written by identity_link and
-- identity_unlink.
CREATE TABLE #identities (
  channel      TEXT NOT NULL,
  sender_id    TEXT NOT NULL,
  entity_id    TEXT NOT NULL,
  sender_label TEXT,             -- the session's key as long as the sender was unknown
  entity_label TEXT,             -- the key that the sender's messages have now
  persona_id   TEXT,
  linked_at    INTEGER NOT NULL,
  envelope     TEXT,             -- JSON: further fields of the sender's envelope
  PRIMARY KEY (channel, sender_id)
) STRICT;
CREATE INDEX #identities_by_entity ON ##identities(entity_id);
CREATE INDEX #identities_by_sender_label ON ##identities(sender_label)
  WHERE sender_label IS NOT NULL;
CREATE INDEX #identities_by_entity_label ON ##identities(entity_label)
  WHERE entity_label IS NOT NULL;

INSERT INTO #session_policies(priority, name, "match", key_template, origin) VALUES
  (0, 'known-dm', '{"principal":{"type":"known"},"delivery":{"peer_kind":"dm"}}',
   'dm:{principal.entity_id}', 'builtin'),
  (0, 'unknown-dm', '{"principal":{"type":"unknown"},"delivery":{"peer_kind":"dm"}}',
   'dm:{delivery.channel}:{delivery.sender_id}', 'builtin'),
  (0, 'group-session', '{"delivery":{"peer_kind":"group"}}',
   'group:{delivery.channel}:{delivery.peer_id}[:thread:{delivery.thread_id}]', 'builtin');
