-- policy_replay.sql - policy_replay: deliveries of the past, and the rules to be tried on them.

-- :replay_options (json) → key, value, type
SELECT key, value, type FROM temp.json_each(?1);

-- :replay_option_items (options, path of an array) → :replay_options: the key is the place of each item
SELECT key, value, type FROM temp.json_each(?1, ?2);

-- :replay_langs_odd (options, limit) → key, value: the place and name of a language that none of the
-- built-in rules has
SELECT key, value FROM temp.json_each(?1, '$.langs')
WHERE value <> 'any' AND value NOT IN (
  SELECT lang FROM (SELECT lang, origin FROM #message_rules ORDER BY id LIMIT ?2)
  WHERE origin = 'builtin' AND lang IS NOT NULL) LIMIT 1;

-- :replay_rules (options, limit) → :rules_load: those that the options bring have ids below 0
SELECT -1 - key, json_extract(value, '$.class'), json_extract(value, '$.state'), json_extract(value, '$.pattern'),
       ifnull(json_extract(value, '$.weight'), 1), json_extract(value, '$.lang'), 1
FROM temp.json_each(?1, '$.rules') WHERE type = 'object'
UNION ALL
SELECT id, class, state, pattern, weight, lang, 1
FROM (SELECT id, class, state, pattern, weight, lang, origin FROM #message_rules
      WHERE likelihood(enabled <> 0, 1.0) ORDER BY id LIMIT ?2) AS r
WHERE (origin = 'builtin' OR ifnull(json_extract(?1, '$.user_rules'), 1) <> 0)
  AND (json_type(?1, '$.langs') IS NULL OR origin <> 'builtin' OR lang IS NULL OR lang = 'any'
       OR lang IN (SELECT value FROM temp.json_each(?1, '$.langs')));

-- :replay_deliveries (limit, session_label or NULL: of all) → id, session_label, at, state, message,
-- class, confidence, action, task, choice, was_open, is_subagent: the newest messages of users whose class
-- the rules said. choice: the kind of the choice that it prompts with; was_open: was that open before (in
-- the same millisecond the delivery before it tells)?
WITH d(id, session_label, at, message, class, confidence, action, decision, source) AS
  (SELECT * FROM (SELECT id, session_label, at, message, class, confidence, action, decision, source
                  FROM #deliveries NOT INDEXED WHERE ?2 IS NULL ORDER BY id DESC LIMIT ?1)
   UNION ALL
   SELECT * FROM (SELECT id, session_label, at, message, class, confidence, action, decision, source
                  FROM #deliveries INDEXED BY ##deliveries_by_session WHERE session_label = ?2
                  ORDER BY id DESC LIMIT ?1))
SELECT d.id, d.session_label, d.at, json_extract(json_of(d.decision), '$.previous_state'), d.message, d.class, d.confidence,
       d.action, json_extract(json_of(d.decision), '$.task_id'), json_extract(json_of(d.decision), '$.kind'),
       CASE WHEN d.action = 'prompt' THEN json_extract(json_of(d.decision), '$.opened_at') < d.at
         OR json_extract(json_of(d.decision), '$.opened_at') =
            (SELECT json_extract(json_of(p.decision), '$.opened_at') FROM #deliveries AS p
             INDEXED BY ##deliveries_by_session
             WHERE p.session_label = d.session_label AND p.id < d.id ORDER BY p.id DESC LIMIT 1) END,
       (SELECT is_subagent FROM #sessions WHERE label = d.session_label)
FROM d
WHERE d.source = 'user' AND d.class IS NOT NULL AND d.confidence < 1;

-- :replay_task (session_label, task, at, action) → description: what the task is called that a message
-- met: one that began with it is not the one
SELECT description FROM #tasks WHERE id = CASE
  WHEN (SELECT o.started_at FROM #tasks AS o WHERE o.id = ?2) < ?3 OR ?4 <> 'start' THEN ?2
  ELSE (SELECT max(p.id) FROM #tasks AS p INDEXED BY ##tasks_by_session WHERE p.session_label = ?1 AND p.id < ?2) END;

-- :replay_events_ends (session_label) → first, last: the ids of the first and of the last event of its
-- tasks
SELECT (SELECT min(id) FROM #session_events INDEXED BY ##session_events_task
        WHERE session_label = ?1 AND axis = 'task'),
       (SELECT max(id) FROM #session_events INDEXED BY ##session_events_task
        WHERE session_label = ?1 AND axis = 'task');

-- :replay_event (session_label, id) → id, at: the last event of its tasks up to this id
SELECT id, at FROM #session_events INDEXED BY ##session_events_task
WHERE session_label = ?1 AND axis = 'task' AND id <= ?2 ORDER BY id DESC LIMIT 1;

-- :replay_asked (session_label, id, state, at, so many events) → said: what the task asked or reported, as
-- the newest of these events tells that was before
SELECT ifnull(json_extract(data, '$.question'), json_extract(data, '$.summary'))
FROM (SELECT id, to_state, data, at FROM #session_events INDEXED BY ##session_events_task
      WHERE session_label = ?1 AND axis = 'task' AND id <= ?2 ORDER BY id DESC LIMIT ?5)
WHERE at <= ?4 AND to_state = ?3 AND is_json(data) ORDER BY id DESC LIMIT 1;
