-- route.sql - which session a message goes to. session_route, resolve_session.

-- :label_find (label) → label, persona_id: of the session that has this label, or to which an alias leads
SELECT label, persona_id FROM #sessions WHERE label = ?1 AND superseded_by IS NULL
UNION ALL
SELECT s.label, s.persona_id
FROM #sessions AS s
WHERE s.label = (SELECT session_label FROM #session_aliases WHERE alias = ?1)
  AND s.superseded_by IS NULL
LIMIT 1;

-- :label_resolve (label) → label: the same without looking at the session behind an alias, which is there
SELECT label FROM #sessions WHERE label = ?1 AND superseded_by IS NULL
UNION ALL
SELECT session_label FROM #session_aliases WHERE alias = ?1
LIMIT 1;

-- :label_superseded (label) → superseded_by
SELECT superseded_by FROM #sessions WHERE label = ?1;

-- :identity_get (channel, sender_id) → entity_id, sender_label, entity_label, persona_id, envelope
SELECT entity_id, sender_label, entity_label, persona_id, envelope FROM #identities
WHERE channel = ?1 AND sender_id = ?2;
