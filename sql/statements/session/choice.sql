-- choice.sql - the open choice of a session, stored as JSON in sessions.pending_choice.

-- :choice_read (choice) → kind, held, delivery_id, held_class, held_confidence, held_affirmation,
-- saved_task, saved_state, saved_state_data, options, text, earlier, held_mode, home
SELECT json_extract(?1, '$.kind'), json_extract(?1, '$.held'), json_extract(?1, '$.delivery_id'),
       json_extract(?1, '$.held_class'), json_extract(?1, '$.held_confidence'),
       json_extract(?1, '$.held_affirmation'), json_extract(?1, '$.saved.task'),
       json_extract(?1, '$.saved.state'), json_extract(?1, '$.saved.state_data'),
       json_extract(?1, '$.options'), json_extract(?1, '$.text'), json_extract(?1, '$.earlier'),
       json_extract(?1, '$.held_mode'), json_extract(?1, '$.homes."' || json_extract(?1, '$.delivery_id') || '"');

-- :choice_last_opened (session_label, now, step) → at: the highest opened_at of a choice among the
-- session's last events that lies at most a step ahead; one further ahead is of another clock
SELECT max(at)
FROM (SELECT json_extract(iif(axis = 'choice' AND to_state IS NOT NULL AND is_json(data), data, '{}'),
                          '$.opened_at') AS at
      FROM (SELECT axis, to_state, data FROM #session_events INDEXED BY ##session_events_by_session
            WHERE session_label = ?1 ORDER BY id DESC LIMIT 100))
WHERE typeof(at) = 'integer' AND at BETWEEN ?2 AND ?2 + ?3;

-- :choice_taken (session_label, opened_at) → kind, outcome: how it was settled: of a choice among the
-- session's last events that an option has settled
SELECT from_state, json_extract(json_of(data), '$.chosen')
FROM (SELECT axis, from_state, to_state, data FROM #session_events INDEXED BY ##session_events_by_session
      WHERE session_label = ?1 ORDER BY id DESC LIMIT 1000)
WHERE axis = 'choice' AND to_state IS NULL
  AND json_extract(json_of(data), '$.opened_at') = ?2
  AND json_extract(json_of(data), '$.chosen') IS NOT NULL LIMIT 1;

-- :question_taken (session_label, asked_at, answer) → found: when that question is among those that the
-- session has asked last, and was answered so
SELECT 1
FROM (SELECT lag(iif(to_state = 'AwaitingUser' AND is_json(data), data, '{}')) OVER (ORDER BY id) AS asked,
             iif(from_state = 'AwaitingUser' AND is_json(data), data, '{}') AS said
      FROM (SELECT id, from_state, to_state, data FROM #session_events INDEXED BY ##session_events_task
            WHERE session_label = ?1 AND likelihood(axis = 'task', 1.0) ORDER BY id DESC LIMIT 100))
WHERE json_extract(asked, '$.asked_at') = ?2 AND json_extract(said, '$.answer') = ?3 LIMIT 1;

-- :choice_options (choice) → key, action, text: of each option, in order
SELECT json_extract(value, '$.key'), json_extract(value, '$.action'), json_extract(value, '$.text')
FROM temp.json_each(?1, '$.options');

-- :choice_earlier (choice) → delivery_id, home: deliveries that are held besides the held one, in order;
-- the merged session that each is for
SELECT value, json_extract(?1, '$.homes."' || value || '"') FROM temp.json_each(?1, '$.earlier');

-- :delivery_get (id) → message, source, channel, sender, message_id
SELECT message, source, channel, sender, message_id FROM #deliveries WHERE id = ?1;
