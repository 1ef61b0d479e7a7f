-- alias.sql - other names of sessions. session_alias.

-- :alias_get (alias) → session_label, reason
SELECT session_label, reason FROM #session_aliases WHERE alias = ?1;

-- :alias_add (alias, session_label, reason, now)
INSERT OR FAIL INTO #session_aliases(alias, session_label, reason, created_at)
VALUES (?1, ?2, ?3, ?4);

-- :alias_point (alias, session_label, reason, now)
UPDATE OR FAIL #session_aliases SET session_label = ?2, reason = ?3, created_at = ?4
WHERE alias = ?1;

-- :alias_drop_home (alias): somebody has made a new decision
DELETE FROM #alias_homes WHERE alias = ?1;

-- :alias_drop (alias)
DELETE FROM #session_aliases WHERE alias = ?1;
