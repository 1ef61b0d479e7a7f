-- task.sql - tasks, observations, relations, steps and commits.

-- :task_add+id (session_label, description, started_at, head_step_id, base_commit_id)
INSERT OR FAIL INTO #tasks(session_label, description, state, state_data, started_at,
                           last_activity, head_step_id, base_commit_id)
VALUES (?1, ?2, 'Running', NULL, ?3, ?3, ?4, ?5);

-- :task_move (id, state, state_data, now, is it work, asked_after)
UPDATE OR FAIL #tasks SET state = ?2, state_data = ?3, last_activity = ?4, worked = worked OR ?5,
  asked_after = ?6
WHERE id = ?1;

-- :task_asked_after (id, asked_after)
UPDATE OR FAIL #tasks SET asked_after = ?2 WHERE id = ?1;

-- :task_worked (id)
UPDATE OR FAIL #tasks SET worked = 1 WHERE id = ?1;

-- :task_end (id, ended_at, commit_id)
UPDATE OR FAIL #tasks SET state = 'None', state_data = NULL, ended_at = ?2, commit_id = ?3,
  asked_after = NULL
WHERE id = ?1;

-- :task_set_head (id, head_step_id)
UPDATE OR FAIL #tasks SET head_step_id = ?2 WHERE id = ?1;

-- :observation_add+id (session_label, task_id, kind, auto, hash, object_id, created_at, data)
INSERT OR FAIL INTO #observations(session_label, task_id, kind, auto, hash, object_id, created_at,
                                  data)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8);

-- :notes_without_task (session_label) → found: when commands have noted something that no task has. (An
-- update that finds nothing costs several times what this does.)
SELECT 1 FROM #observations INDEXED BY ##observations_to_adopt
WHERE session_label = ?1 AND task_id IS NULL AND step_id IS NULL AND auto = 1 LIMIT 1;

-- :notes_adopt (session_label, task_id): a task takes them over
UPDATE OR FAIL #observations INDEXED BY ##observations_to_adopt SET task_id = ?2
WHERE session_label = ?1 AND task_id IS NULL AND step_id IS NULL AND auto = 1;

-- :object_add (id, kind, size, data)
INSERT INTO #objects(id, kind, size, data) VALUES (?1, ?2, ?3, ?4) ON CONFLICT(id) DO NOTHING;

-- :edge_add+id (session_label, from_kind, from_ref, to_kind, to_ref, label, weight, evidence, now,
-- task_id): What a number means is settled now: a note that gets this id later is another one.
INSERT OR FAIL INTO #edges(session_label, from_kind, from_ref, to_kind, to_ref, label, weight,
                           evidence, created_at, task_id, links)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, (?2 = 'note' AND EXISTS (SELECT 1 FROM #observations AS o
     WHERE o.id = CAST(?3 AS INTEGER) AND ?3 = CAST(o.id AS TEXT)
       AND o.session_label = ?1))
  | (?2 = 'task' AND EXISTS (SELECT 1 FROM #tasks AS t
     WHERE t.id = CAST(?3 AS INTEGER) AND ?3 = CAST(t.id AS TEXT)
       AND t.session_label = ?1))
  | 2 * ((?4 = 'note' AND EXISTS (SELECT 1 FROM #observations AS o
     WHERE o.id = CAST(?5 AS INTEGER) AND ?5 = CAST(o.id AS TEXT)
       AND o.session_label = ?1))
  | (?4 = 'task' AND EXISTS (SELECT 1 FROM #tasks AS t
     WHERE t.id = CAST(?5 AS INTEGER) AND ?5 = CAST(t.id AS TEXT)
       AND t.session_label = ?1))));

-- :edges_unflushed (task_id) → from_kind, from, to_kind, to, label, weight, evidence, created_at: the
-- relations that wait for a step: a note is its hash, a task its beginning, on every machine
SELECT from_kind,
  CASE WHEN links & 1 = 0 THEN iif(from_kind IN ('note', 'task') AND from_ref NOT GLOB '*[^0-9]*', '?', '') || from_ref
       WHEN from_kind = 'note' THEN (SELECT hash FROM #observations WHERE id = CAST(e.from_ref AS INTEGER))
       ELSE (SELECT started_at || ' ' || description FROM #tasks WHERE id = CAST(e.from_ref AS INTEGER)) END,
  to_kind,
  CASE WHEN links & 2 = 0 THEN iif(to_kind IN ('note', 'task') AND to_ref NOT GLOB '*[^0-9]*', '?', '') || to_ref
       WHEN to_kind = 'note' THEN (SELECT hash FROM #observations WHERE id = CAST(e.to_ref AS INTEGER))
       ELSE (SELECT started_at || ' ' || description FROM #tasks WHERE id = CAST(e.to_ref AS INTEGER)) END,
  label, weight, evidence, created_at
FROM #edges AS e INDEXED BY ##edges_by_task
WHERE task_id = ?1 AND step_id IS NULL ORDER BY id;

-- :edges_flush (task_id, step_id)
UPDATE OR FAIL #edges INDEXED BY ##edges_by_task SET step_id = ?2
WHERE task_id = ?1 AND step_id IS NULL;

-- :unflushed (task_id) → hashes, count, last_id, last_kind: what waits for a step: the hashes as a JSON
-- array
SELECT json_group_array(hash), count(*), max(id),
       (SELECT kind FROM #observations INDEXED BY ##observations_unflushed WHERE task_id = ?1
        AND likelihood(step_id IS NULL, 1.0)
        ORDER BY id DESC LIMIT 1)
FROM (SELECT hash, id FROM #observations INDEXED BY ##observations_unflushed WHERE task_id = ?1
      AND likelihood(step_id IS NULL, 1.0) ORDER BY id);

-- :step_add (task_id, id, parent_id, step_kind, state, state_data, payload, created_at)
INSERT OR FAIL INTO #steps(task_id, id, parent_id, step_kind, state, state_data, payload,
                           created_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8);

-- :observations_flush (task_id, step_id)
UPDATE OR FAIL #observations INDEXED BY ##observations_unflushed SET step_id = ?2 WHERE task_id = ?1
  AND step_id IS NULL;

-- :commit_latest (session_label) → id, message, commit_type
SELECT id, message, commit_type FROM #commits INDEXED BY ##commits_by_session WHERE session_label = ?1
ORDER BY seq DESC LIMIT 1;

-- :commit_add+seq (id, parent_id, session_label, task_id, message, commit_type, type_data,
--              head_step_id, created_at)
INSERT OR FAIL INTO #commits(id, parent_id, session_label, task_id, message, commit_type,
                             type_data, head_step_id, created_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9);

-- :question_last_asked (session_label, now, step) → :choice_last_opened: the highest asked_at of the
-- session's last questions that lies at most a step ahead; one further ahead is of another clock
SELECT max(at)
FROM (SELECT json_extract(iif(to_state = 'AwaitingUser' AND is_json(data), data, '{}'), '$.asked_at') AS at
      FROM (SELECT to_state, data FROM #session_events INDEXED BY ##session_events_task
            WHERE session_label = ?1 AND likelihood(axis = 'task', 1.0) ORDER BY id DESC LIMIT 100))
WHERE typeof(at) = 'integer' AND at BETWEEN ?2 AND ?2 + ?3;

-- :asked_at (data, now) → data, type, value: the data with asked_at
SELECT json_set(?1, '$.asked_at', coalesce(json_extract(?1, '$.asked_at'), ?2)),
       coalesce(json_type(?1, '$.asked_at'), 'integer'), coalesce(json_extract(?1, '$.asked_at'), ?2);

-- :interrupted_data (data, the state's data before, message) → data: messages grow by the latest
SELECT json_set(?1, '$.messages',
  json_insert(coalesce(json_extract(?2, '$.messages'), json_array()), '$[#]', ?3));

-- :interrupted_without (state's data, message) → data: without that message, NULL when no other has
-- interrupted; no row when it is not among them
WITH m(at, said) AS (
  SELECT j.key, j.value FROM (SELECT ?1 AS kept) AS s, json_each(json_of(s.kept), '$.messages') AS j WHERE j.type = 'text'),
gone(at) AS (SELECT max(at) FROM m WHERE said = ?2)
SELECT iif((SELECT count(*) FROM m) > 1,
  json_set(?1, '$.messages', json((SELECT json_group_array(said) FROM (SELECT said FROM m WHERE at <> gone.at ORDER BY at))),
           '$.user_message', (SELECT said FROM m WHERE at <> gone.at ORDER BY at DESC LIMIT 1)), NULL)
FROM gone WHERE at IS NOT NULL;
