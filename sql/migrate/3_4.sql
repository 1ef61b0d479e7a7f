-- 3_4.sql - schema version 4: what identity_unlink needs to find and give back all that is a
-- sender's; indexes on what waits for a person.
ALTER TABLE #session_queue ADD COLUMN goes_to TEXT;
ALTER TABLE #session_queue ADD COLUMN came_from TEXT;
CREATE TABLE #alias_homes (
  alias         TEXT PRIMARY KEY NOT NULL,
  session_label TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX #alias_homes_by_session ON ##alias_homes(session_label);
CREATE TABLE #identity_keys (
  entity_id TEXT NOT NULL,
  key       TEXT NOT NULL,
  PRIMARY KEY (entity_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX #identity_keys_by_key ON ##identity_keys(key);
CREATE INDEX #sessions_in_error ON ##sessions(label) WHERE status = 'error';
CREATE INDEX #sessions_with_choice ON ##sessions(label) WHERE pending_choice IS NOT NULL;
