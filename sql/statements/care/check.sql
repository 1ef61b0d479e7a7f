-- check.sql - turnstile_check: each statement returns what is wrong, as
--   rule, table_name, ref (a row's id or key), problem (a sentence that names the values)
-- and nothing in a healthy file. Those with a label look at one session, by index. Those whose name
-- ends
-- in _rows return rows that check.c looks at. What a row holds is shown by its first 60 characters.
-- Rows may hold anything: JSON is only read where json_valid says so.

-- ---- Sessions ----------------------------------------------------------------------------------

-- :check_label (label) → label: as a value
SELECT ?1;

-- :check_label_next (label) → label: the first after this one that a row carries
SELECT min(label) FROM (
  SELECT (SELECT label FROM #sessions WHERE label > ?1 ORDER BY label LIMIT 1) AS label
  UNION ALL
  SELECT (SELECT session_label FROM #session_aliases WHERE session_label > ?1
          ORDER BY session_label LIMIT 1)
  UNION ALL
  SELECT (SELECT session_label FROM #tasks WHERE session_label > ?1 ORDER BY session_label LIMIT 1)
  UNION ALL
  SELECT (SELECT session_label FROM #observations WHERE session_label > ?1 AND task_id IS NULL
          ORDER BY session_label LIMIT 1)
  UNION ALL
  SELECT (SELECT session_label FROM #edges WHERE session_label > ?1 ORDER BY session_label LIMIT 1)
  UNION ALL
  SELECT (SELECT session_label FROM #commits WHERE session_label > ?1
          ORDER BY session_label LIMIT 1)
  UNION ALL
  SELECT (SELECT session_label FROM #session_events WHERE session_label > ?1
          ORDER BY session_label LIMIT 1)
  UNION ALL
  SELECT (SELECT session_label FROM #session_history WHERE session_label > ?1
          ORDER BY session_label LIMIT 1)
  UNION ALL
  SELECT (SELECT session_label FROM #session_runs WHERE session_label > ?1
          ORDER BY session_label LIMIT 1)
  UNION ALL
  SELECT (SELECT session_label FROM #session_queue WHERE session_label > ?1
          AND delivered_at IS NULL ORDER BY session_label LIMIT 1)
  UNION ALL
  SELECT (SELECT session_label FROM #session_queue WHERE session_label > ?1
          AND delivered_at IS NOT NULL ORDER BY session_label LIMIT 1)
  UNION ALL
  SELECT (SELECT session_label FROM #deliveries WHERE session_label > ?1
          ORDER BY session_label LIMIT 1)
  UNION ALL
  SELECT (SELECT session_label FROM #turnstile_config WHERE session_label > ?1
          ORDER BY session_label LIMIT 1));

-- :check_missing (label) → rule, table_name, ref, problem: rows of a session that is not there. Settings
-- may come before it.
SELECT 'session_missing', name, ?1, 'rows carry this label, but no session has it'
FROM (SELECT 'tasks' AS name, EXISTS (SELECT 1 FROM #tasks WHERE session_label = ?1) AS there
      UNION ALL
      SELECT 'observations',
             EXISTS (SELECT 1 FROM #observations WHERE session_label = ?1 AND task_id IS NULL)
      UNION ALL
      SELECT 'edges', EXISTS (SELECT 1 FROM #edges WHERE session_label = ?1)
      UNION ALL
      SELECT 'commits', EXISTS (SELECT 1 FROM #commits WHERE session_label = ?1)
      UNION ALL
      SELECT 'session_events', EXISTS (SELECT 1 FROM #session_events WHERE session_label = ?1)
      UNION ALL
      SELECT 'session_history', EXISTS (SELECT 1 FROM #session_history WHERE session_label = ?1)
      UNION ALL
      SELECT 'session_runs', EXISTS (SELECT 1 FROM #session_runs WHERE session_label = ?1)
      UNION ALL
      SELECT 'session_queue',
             EXISTS (SELECT 1 FROM #session_queue WHERE session_label = ?1 AND delivered_at IS NULL)
             OR EXISTS (SELECT 1 FROM #session_queue
                        WHERE session_label = ?1 AND delivered_at IS NOT NULL)
      UNION ALL
      SELECT 'deliveries', EXISTS (SELECT 1 FROM #deliveries WHERE session_label = ?1))
WHERE there AND NOT EXISTS (SELECT 1 FROM #sessions WHERE label = ?1);

-- :check_session (label) → :check_missing
SELECT 'session_word', 'sessions', label,
       printf('status, origin, work_source, task_status, queue_mode are %s, %s, %s, %s, %s; ' ||
              'one of them is not a word of its column',
              quote(substr(status, 1, 60)), quote(substr(origin, 1, 60)),
              quote(substr(work_source, 1, 60)), quote(substr(task_status, 1, 60)),
              quote(substr(queue_mode, 1, 60)))
FROM #sessions
WHERE label = ?1
  AND (status NOT IN (#LIST_STATUS)
       OR origin NOT IN (#LIST_ORIGIN)
       OR work_source NOT IN (#LIST_SOURCE)
       OR task_status NOT IN (#LIST_WORKER_STATUS)
       OR queue_mode NOT IN (#LIST_QUEUE_MODE))
UNION ALL
SELECT 'session_label', 'sessions', label,
       printf('the label has %d characters or holds a NUL or U+FFFD; 1 to 1024 without them are ' ||
              'allowed',
              length(label))
FROM #sessions
WHERE label = ?1
  AND (length(label) NOT BETWEEN 1 AND 1024 OR instr(label, char(0)) > 0
       OR instr(label, char(65533)) > 0)
UNION ALL
SELECT 'session_range', 'sessions', label,
       printf('created_at %d, updated_at %d, last_activity %d, archived_at %s, offered_at %s,' ||
              ' last_used %d, turns %d and the token columns must not be below 0, times not above 2^53 - 1',
              created_at, updated_at, last_activity, quote(archived_at), quote(offered_at), last_used,
              turns)
FROM #sessions
WHERE label = ?1
  AND NOT (created_at BETWEEN 0 AND 9007199254740991
           AND updated_at BETWEEN 0 AND 9007199254740991
           AND last_activity BETWEEN 0 AND 9007199254740991
           AND last_used BETWEEN 0 AND 9007199254740991
           AND ifnull(archived_at, 0) BETWEEN 0 AND 9007199254740991
           AND ifnull(offered_at, 0) BETWEEN 0 AND 9007199254740991
           AND min(turns, input_tokens, output_tokens, cached_input_tokens, cache_write_tokens,
                   reasoning_tokens, total_tokens, is_subagent) >= 0 AND is_subagent <= 1)
UNION ALL
SELECT 'session_waits', 'sessions', label, printf('waits is %d, and %s are pending', waits,
         iif(waits = 1, 'no inputs', 'inputs'))
FROM #sessions
WHERE label = ?1
  AND waits <> EXISTS (SELECT 1 FROM #session_queue WHERE session_label = ?1 AND status = 'pending'
                       AND delivered_at IS NULL)
UNION ALL
SELECT 'session_archived', 'sessions', label,
       printf('status is %s and archived_at %s; archived_at is set exactly while it is archived',
              quote(substr(status, 1, 60)), quote(archived_at))
FROM #sessions WHERE label = ?1 AND (status = 'archived') <> (archived_at IS NOT NULL)
UNION ALL
SELECT 'session_status', 'sessions', label,
       printf('status is %s, its last event left it %s', quote(substr(status, 1, 60)), quote(substr(
         (SELECT to_state FROM #session_events WHERE session_label = ?1 AND axis = 'status'
          ORDER BY id DESC LIMIT 1), 1, 60)))
FROM #sessions
WHERE label = ?1
  AND status IS NOT (SELECT to_state FROM #session_events WHERE session_label = ?1
                     AND axis = 'status' ORDER BY id DESC LIMIT 1)
UNION ALL
SELECT 'session_open_task', 'sessions', label,
       printf('open_task_id is %s, the open task is %s', quote(open_task_id), quote(
         (SELECT id FROM #tasks WHERE session_label = ?1 AND ended_at IS NULL LIMIT 1)))
FROM #sessions
WHERE label = ?1
  AND open_task_id IS NOT (SELECT id FROM #tasks WHERE session_label = ?1 AND ended_at IS NULL
                           LIMIT 1)
UNION ALL
SELECT 'session_turns', 'sessions', label,
       printf('turns is %d, session_history tells of %d', turns,
              (SELECT count(*) FROM #session_history WHERE session_label = ?1
               AND reason IN (#LIST_TURN_MOVE)))
FROM #sessions
WHERE label = ?1
  AND turns <> (SELECT count(*) FROM #session_history WHERE session_label = ?1
                AND reason IN (#LIST_TURN_MOVE))
UNION ALL
SELECT 'head_on_path', 'sessions', label,
       printf('thread_id is %s; it must name a turn that was completed or kept', quote(thread_id))
FROM #sessions
WHERE label = ?1 AND thread_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM #turns WHERE id = thread_id AND on_path = 1)
UNION ALL
SELECT 'head_history', 'sessions', label,
       printf('thread_id is %s, its last move led to %s', quote(thread_id), quote(
         (SELECT nullif(thread_id, 0) FROM #session_history WHERE session_label = ?1
          ORDER BY id DESC LIMIT 1)))
FROM #sessions
WHERE label = ?1
  AND thread_id IS NOT (SELECT nullif(thread_id, 0) FROM #session_history WHERE session_label = ?1
                        ORDER BY id DESC LIMIT 1)
UNION ALL
SELECT 'worker', 'sessions', label,
       printf('is_subagent is %d and task_status %s; a worker has a task_status, and only a worker',
              is_subagent, quote(task_status))
FROM #sessions WHERE label = ?1 AND (is_subagent = 1) <> (task_status IS NOT NULL)
UNION ALL
SELECT 'worker_status', 'sessions', label,
       printf('task_status is %s, its open task is %s', quote(substr(task_status, 1, 60)),
              (SELECT state FROM #tasks WHERE id = s.open_task_id))
FROM #sessions AS s WHERE label = ?1 AND is_subagent = 1
  AND task_status IN (#LIST_WORKER_STATUS)
  AND CASE (SELECT state FROM #tasks WHERE id = s.open_task_id)
    WHEN 'Complete' THEN task_status <> 'completed'
    WHEN 'Aborted' THEN task_status <> 'failed'
    ELSE open_task_id IS NOT NULL AND task_status = 'completed' END
UNION ALL
SELECT 'worker_deadline', 'sessions', label,
       printf('deadline is %s, timeout %s; a time and a duration, and only a worker has them',
              quote(deadline), quote(timeout))
FROM #sessions WHERE label = ?1 AND (deadline IS NOT NULL OR timeout IS NOT NULL)
  AND (is_subagent <> 1 OR deadline NOT BETWEEN 0 AND 9007199254740991
       OR timeout NOT BETWEEN 1 AND 9007199254740991)
UNION ALL
SELECT 'session_parent', 'sessions', label,
       printf('parent_session_label %s or parent_turn_id %s names nothing',
              quote(substr(parent_session_label, 1, 60)), quote(parent_turn_id))
FROM #sessions AS s
WHERE label = ?1
  AND ((parent_session_label IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM #sessions WHERE label = s.parent_session_label))
       OR (parent_turn_id IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM #turns WHERE id = s.parent_turn_id)))
UNION ALL
SELECT 'superseded_flat', 'sessions', label,
       printf('superseded_by is %s; it must name another session that is not superseded',
              quote(substr(superseded_by, 1, 60)))
FROM #sessions AS s
WHERE label = ?1 AND superseded_by IS NOT NULL
  AND (superseded_by = label
       OR NOT EXISTS (SELECT 1 FROM #sessions WHERE label = s.superseded_by
                      AND superseded_by IS NULL))
UNION ALL
SELECT 'superseded_alias', 'sessions', label,
       printf('superseded_by is %s, and its label leads to %s', quote(substr(superseded_by, 1, 60)),
              quote(substr((SELECT session_label FROM #session_aliases WHERE alias = ?1), 1, 60)))
FROM #sessions
WHERE label = ?1 AND superseded_by IS NOT NULL
  AND superseded_by IS NOT (SELECT session_label FROM #session_aliases WHERE alias = ?1)
UNION ALL
SELECT 'superseded_waits', 'sessions', label,
       printf('it is superseded by %s and still has an open task, an open choice or inputs ' ||
              'that wait',
              quote(substr(superseded_by, 1, 60)))
FROM #sessions
WHERE label = ?1 AND superseded_by IS NOT NULL
  AND (open_task_id IS NOT NULL OR pending_choice IS NOT NULL
       OR EXISTS (SELECT 1 FROM #session_queue WHERE session_label = ?1 AND delivered_at IS NULL
                  AND status <> 'processing'));

-- :check_choice (label) → :check_missing: held: the deliveries that the open choice holds.
WITH held(id) AS NOT MATERIALIZED (
  SELECT e.value
  FROM #sessions AS s
  JOIN temp.json_each(iif(json_valid(s.pending_choice),
                     json_insert(iif(json_type(s.pending_choice, '$.earlier') = 'array',
                                     json_extract(s.pending_choice, '$.earlier'), '[]'), '$[#]',
                                 iif(json_extract(s.pending_choice, '$.held') IS NULL, NULL,
                                     json_extract(s.pending_choice, '$.delivery_id'))),
                     '[]')) AS e
  WHERE s.label = ?1 AND e.type <> 'null')
SELECT 'choice_kind', 'sessions', label,
       printf('pending_choice is %s, which is not a choice', quote(substr(pending_choice, 1, 60)))
FROM #sessions
WHERE label = ?1 AND pending_choice IS NOT NULL
  AND ifnull(json_extract(iif(json_valid(pending_choice), pending_choice, '{}'), '$.kind'), '')
      NOT IN (#LIST_CHOICE_KIND)
UNION ALL
SELECT 'choice_event', 'sessions', label,
       printf('the open choice is %s, its last event left %s', quote(substr(kind, 1, 60)),
              quote(substr(last, 1, 60)))
FROM (SELECT label,
             json_extract(iif(json_valid(pending_choice), pending_choice, '{}'), '$.kind') AS kind,
             (SELECT to_state FROM #session_events WHERE session_label = ?1 AND axis = 'choice'
              ORDER BY id DESC LIMIT 1) AS last
      FROM #sessions WHERE label = ?1)
WHERE kind IS NOT last
UNION ALL
SELECT 'choice_delivery', 'sessions', ?1,
       printf('the open choice holds delivery %s, which is not there', quote(h.id))
FROM held AS h WHERE NOT EXISTS (SELECT 1 FROM #deliveries WHERE id = h.id)
UNION ALL
SELECT 'choice_task', 'sessions', ?1,
       printf('the open choice is %s, and the task %s', quote(substr(kind, 1, 60)),
              ifnull('is ' || state, 'does not exist'))
FROM (SELECT json_extract(iif(json_valid(pending_choice), pending_choice, '{}'), '$.kind') AS kind,
             (SELECT state FROM #tasks WHERE id = open_task_id) AS state
      FROM #sessions WHERE label = ?1 AND pending_choice IS NOT NULL)
WHERE CASE WHEN kind = 'SavedTaskChoice' THEN state IS NOT NULL
           WHEN kind IN ('StaleSessionChoice', 'NewTaskChoice', 'UnclearChoice')
           THEN ifnull(state IN (#LIST_TASK_OVER), 1) END
UNION ALL
SELECT 'choice_twice', 'sessions', ?1,
       printf('delivery %s is held by the open choice and is input %d as well', quote(h.id), q.id)
FROM held AS h
CROSS JOIN #session_queue AS q
  ON q.session_label = ?1 AND q.delivered_at IS NULL AND q.delivery_id = h.id
UNION ALL
SELECT 'choice_released', 'session_events', e.id,
       printf('the choice closed with its task, and delivery %s, which it held, is not an input',
              quote(json_extract(iif(json_valid(e.data), e.data, '{}'), '$.delivery_id')))
FROM #session_events AS e
WHERE e.session_label = ?1 AND e.axis = 'choice' AND e.to_state IS NULL
  AND e."trigger" IN ('end', 'start', 'compact', 'stop', 'undo')
  AND json_extract(iif(json_valid(e.data), e.data, '{}'), '$.held') IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM #session_queue WHERE session_label = ?1 AND delivery_id =
                  json_extract(iif(json_valid(e.data), e.data, '{}'), '$.delivery_id'))
  AND NOT EXISTS (SELECT 1 FROM #session_queue WHERE delivery_id = /* its sender has left since */
                  json_extract(iif(json_valid(e.data), e.data, '{}'), '$.delivery_id'))
  AND (SELECT superseded_by FROM #sessions WHERE label = ?1) IS NULL
  AND NOT EXISTS (SELECT 1 FROM #session_events AS i WHERE i.session_label = ?1 AND i.id > e.id
                  AND i."trigger" IN ('import', 'merge', 'unmerge'))
  AND (SELECT count(*) = ifnull(max(id), e.id) - e.id FROM #session_events WHERE id > e.id) /* or deleted with */
  AND NOT EXISTS (SELECT 1 FROM #turnstile_meta WHERE key = 'last_event'); /* the session that it came to */


-- :check_aliases (label) → :check_missing
SELECT 'alias_target', 'session_aliases', alias,
       printf('it leads to %s; it must lead to a session that is not superseded',
              quote(substr(session_label, 1, 60)))
FROM #session_aliases
WHERE session_label = ?1
  AND NOT EXISTS (SELECT 1 FROM #sessions WHERE label = ?1 AND superseded_by IS NULL)
UNION ALL
SELECT 'alias_word', 'session_aliases', alias,
       printf('reason is %s; identity_promotion, identity_merge and manual are known',
              quote(substr(reason, 1, 60)))
FROM #session_aliases
WHERE session_label = ?1 AND reason NOT IN (#LIST_ALIAS_REASON)
UNION ALL
SELECT 'alias_label', 'session_aliases', alias,
       printf('it leads to %s, and there is a session of this name that takes messages',
              quote(substr(session_label, 1, 60)))
FROM #session_aliases
WHERE alias = ?1 AND EXISTS (SELECT 1 FROM #sessions WHERE label = ?1 AND superseded_by IS NULL);

-- :check_tasks (label) → :check_missing
SELECT 'task_word', 'tasks', id, printf('state is %s', quote(substr(state, 1, 60)))
FROM #tasks
WHERE session_label = ?1
  AND state NOT IN (#LIST_TASK_STATE)
UNION ALL
SELECT 'task_ended', 'tasks', id,
       printf('state is %s, ended_at %s, commit_id %s; a task that ended has state None and ' ||
              'alone may have a commit',
              quote(substr(state, 1, 60)), quote(ended_at), quote(substr(commit_id, 1, 12)))
FROM #tasks
WHERE session_label = ?1
  AND ((state = 'None') <> (ended_at IS NOT NULL) OR (ended_at IS NULL AND commit_id IS NOT NULL))
UNION ALL
SELECT 'task_range', 'tasks', id,
       printf('started_at %d, last_activity %d, ended_at %s must be from 0 to 2^53 - 1', started_at,
              last_activity, quote(ended_at))
FROM #tasks
WHERE session_label = ?1
  AND NOT (started_at BETWEEN 0 AND 9007199254740991
           AND last_activity BETWEEN 0 AND 9007199254740991
           AND ifnull(ended_at, 0) BETWEEN 0 AND 9007199254740991)
UNION ALL
SELECT 'task_one_open', 'tasks', t.id,
       printf('it is open, and so is task %d of the session', o.id)
FROM #tasks AS t JOIN #tasks AS o ON o.session_label = ?1 AND o.ended_at IS NULL AND o.id < t.id
WHERE t.session_label = ?1 AND t.ended_at IS NULL
UNION ALL
SELECT 'task_state_data', 'tasks', id,
       printf('state_data of %s is %s, which lacks what belongs to the state', state,
              quote(substr(state_data, 1, 60)))
FROM (SELECT id, state, state_data, iif(json_valid(state_data), state_data, '{}') AS data
      FROM #tasks WHERE session_label = ?1)
WHERE CASE state
  WHEN 'None' THEN state_data IS NOT NULL
  WHEN 'AwaitingUser' THEN json_type(data, '$.question') IS NOT 'text'
    OR json_type(data, '$.asked_at') IS NOT 'integer'
  WHEN 'Interrupted' THEN json_type(data, '$.user_message') IS NOT 'text'
    OR json_type(data, '$.messages') IS NOT 'array'
    OR json_extract(data, '$.messages[#-1]') IS NOT json_extract(data, '$.user_message')
  WHEN 'PendingComplete' THEN json_type(data, '$.summary') IS NOT 'text'
  WHEN 'Aborted' THEN json_type(data, '$.reason') IS NOT 'text'
  ELSE state_data IS NOT NULL AND NOT json_valid(state_data) END
UNION ALL
SELECT 'task_worked', 'tasks', id,
       printf('worked is %s, and something was done: it would be dropped without a commit',
              quote(substr(worked, 1, 60)))
FROM #tasks AS t
WHERE session_label = ?1 AND worked IS NOT 1
  AND (worked IS NOT 0 OR commit_id IS NOT NULL
       OR state IN ('AwaitingUser', 'Interrupted', 'PendingComplete', 'Complete')
       OR (ended_at IS NULL
           AND (EXISTS (SELECT 1 FROM #observations AS o WHERE o.task_id = t.id AND o.auto = 0)
                OR EXISTS (SELECT 1 FROM #session_history AS h
                           WHERE h.session_label = ?1 AND h.task_id = t.id
                             AND h.reason IN (#LIST_TURN_MOVE)))))
UNION ALL
SELECT 'task_asked', 'tasks', id,
       iif(asked_after IS NULL, 'asked_after is NULL, and the task asks or reports something: an earlier message would answer it',
           printf('asked_after is %s, and the task asks nothing', quote(asked_after)))
FROM #tasks
WHERE session_label = ?1
  AND (asked_after IS NOT NULL) <> (one_of(state, TASK_ASKS))
UNION ALL
SELECT 'task_event', 'tasks', id,
       printf('state is %s, its last event left it %s', quote(substr(state, 1, 60)),
              quote(substr(last, 1, 60)))
FROM (SELECT t.id, t.state,
             (SELECT to_state FROM #session_events AS e
              WHERE e.session_label = ?1 AND e.axis = 'task' AND e.task_id = t.id
                AND (t.ended_at IS NULL OR e.to_state = 'None')
              ORDER BY e.id DESC LIMIT 1) AS last
      FROM #tasks AS t WHERE t.session_label = ?1)
WHERE state IS NOT last
UNION ALL
SELECT 'task_commit', 'tasks', id,
       printf('commit_id is %s, which is not a commit of this task', quote(substr(commit_id, 1, 12)))
FROM #tasks AS t
WHERE session_label = ?1 AND commit_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM #commits AS c WHERE c.id = t.commit_id AND c.task_id = t.id
                  AND c.session_label = ?1)
UNION ALL
SELECT 'task_base', 'tasks', id,
       printf('base_commit_id is %s, which is not a commit of the session',
              quote(substr(base_commit_id, 1, 12)))
FROM #tasks AS t
WHERE session_label = ?1 AND base_commit_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM #commits AS c
                  WHERE c.id = t.base_commit_id AND c.session_label = ?1)
UNION ALL
SELECT 'task_head', 'tasks', id,
       printf('head_step_id is %s; it must be the last step of the task',
              quote(substr(head_step_id, 1, 12)))
FROM #tasks AS t
WHERE session_label = ?1
  AND (NOT EXISTS (SELECT 1 FROM #steps AS p WHERE p.task_id = t.id AND p.id = t.head_step_id)
       OR EXISTS (SELECT 1 FROM #steps AS p WHERE p.task_id = t.id
                  AND p.parent_id = t.head_step_id)
       OR (SELECT count(*) <> count(DISTINCT parent_id) + 1 FROM #steps AS p
           WHERE p.task_id = t.id))
UNION ALL
SELECT 'task_unflushed', 'tasks', id,
       'it ended with a commit and has observations or relations that are in no step'
FROM #tasks AS t
WHERE session_label = ?1 AND commit_id IS NOT NULL
  AND (EXISTS (SELECT 1 FROM #observations AS o WHERE o.task_id = t.id AND o.step_id IS NULL)
       OR EXISTS (SELECT 1 FROM #edges AS e WHERE e.task_id = t.id AND e.step_id IS NULL));

-- :check_steps (label) → :check_missing
SELECT 'step_chain', 'steps', p.id,
       printf('of task %d: parent_id is %s; the first step has none, every other the step ' ||
              'before it',
              p.task_id, quote(substr(p.parent_id, 1, 12)))
FROM #tasks AS t JOIN #steps AS p ON p.task_id = t.id
WHERE t.session_label = ?1
  AND CASE WHEN p.parent_id IS NULL THEN p.step_kind <> 'SessionStart'
      ELSE p.step_kind = 'SessionStart' OR p.parent_id = p.id
        OR NOT EXISTS (SELECT 1 FROM #steps AS u WHERE u.task_id = t.id AND u.id = p.parent_id) END
UNION ALL
SELECT 'step_word', 'steps', p.id,
       printf('of task %d: step_kind is %s, state %s', p.task_id, quote(substr(p.step_kind, 1, 60)),
              quote(substr(p.state, 1, 60)))
FROM #tasks AS t JOIN #steps AS p ON p.task_id = t.id
WHERE t.session_label = ?1
  AND (p.step_kind NOT IN (#LIST_STEP_KIND)
       OR p.state = 'None' OR p.state NOT IN (#LIST_TASK_STATE))
UNION ALL
SELECT 'step_payload', 'tasks', t.id,
       'the payloads of its steps do not list as many observations and relations as were flushed'
FROM #tasks AS t
WHERE t.session_label = ?1
  AND (SELECT ifnull(sum(CASE WHEN json_valid(p.payload) THEN json_array_length(p.payload) END), 0)
       FROM #steps AS p WHERE p.task_id = t.id)
      <> (SELECT count(step_id) FROM #observations AS o WHERE o.task_id = t.id)
         + (SELECT count(step_id) FROM #edges AS e WHERE e.task_id = t.id);

-- :check_observations (label) → :check_missing
SELECT 'observation_word', 'observations', o.id,
       printf('kind is %s, auto %d', quote(substr(o.kind, 1, 60)), o.auto)
FROM #tasks AS t JOIN #observations AS o ON o.task_id = t.id
WHERE t.session_label = ?1
  AND (o.kind NOT IN (#LIST_OBSERVATION_KIND)
       OR o.auto NOT IN (0, 1))
UNION ALL
SELECT 'observation_step', 'observations', o.id,
       printf('step_id is %s; it must be a step of task %d whose payload lists the hash',
              quote(substr(o.step_id, 1, 12)), o.task_id)
FROM #tasks AS t JOIN #observations AS o ON o.task_id = t.id
WHERE t.session_label = ?1 AND o.step_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM #steps AS p WHERE p.task_id = t.id AND p.id = o.step_id
                  AND instr(p.payload, o.hash) > 0)
UNION ALL
SELECT 'observation_object', 'observations', o.id,
       printf('object_id is %s, which is not there', quote(substr(o.object_id, 1, 12)))
FROM #tasks AS t JOIN #observations AS o ON o.task_id = t.id
WHERE t.session_label = ?1 AND o.object_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM #objects AS b WHERE b.id = o.object_id);

-- :check_step_rows (label) → id, task_id, parent_id, base_commit_id, session_label, description,
-- step_kind, state, state_data, payload, created_at
SELECT p.id, p.task_id, p.parent_id, t.base_commit_id, t.session_label, t.description, p.step_kind,
       p.state, p.state_data, p.payload, p.created_at
FROM #tasks AS t JOIN #steps AS p ON p.task_id = t.id WHERE t.session_label = ?1;

-- :check_observation_rows (label) → id, hash, kind, data, object_id, created_at
SELECT o.id, o.hash, o.kind, o.data, o.object_id, o.created_at
FROM #tasks AS t JOIN #observations AS o ON o.task_id = t.id WHERE t.session_label = ?1
UNION ALL
SELECT id, hash, kind, data, object_id, created_at
FROM #observations WHERE session_label = ?1 AND task_id IS NULL;

-- :check_edge_rows (label) → id, step_id, step_payload, from_kind, from, to_kind, to, label, weight,
-- evidence, created_at: the step's payload, and what the relation's hash is made of
SELECT e.id, e.step_id, (SELECT payload FROM #steps WHERE task_id = e.task_id AND id = e.step_id),
  from_kind,
  CASE WHEN links & 1 = 0 THEN iif(from_kind IN ('note', 'task') AND from_ref NOT GLOB '*[^0-9]*', '?', '') || from_ref
       WHEN from_kind = 'note' THEN (SELECT hash FROM #observations WHERE id = CAST(e.from_ref AS INTEGER))
       ELSE (SELECT started_at || ' ' || description FROM #tasks WHERE id = CAST(e.from_ref AS INTEGER)) END,
  to_kind,
  CASE WHEN links & 2 = 0 THEN iif(to_kind IN ('note', 'task') AND to_ref NOT GLOB '*[^0-9]*', '?', '') || to_ref
       WHEN to_kind = 'note' THEN (SELECT hash FROM #observations WHERE id = CAST(e.to_ref AS INTEGER))
       ELSE (SELECT started_at || ' ' || description FROM #tasks WHERE id = CAST(e.to_ref AS INTEGER)) END,
  label, weight, evidence, created_at
FROM #edges AS e WHERE session_label = ?1 AND step_id IS NOT NULL;

-- :check_commit_rows (label) → seq, id, parent_id, session_label, description, message,
-- commit_type,
-- type_data, head_step_id, created_at
SELECT c.seq, c.id, c.parent_id, c.session_label, t.description, c.message, c.commit_type,
       c.type_data, c.head_step_id, c.created_at
FROM #commits AS c JOIN #tasks AS t ON t.id = c.task_id WHERE c.session_label = ?1;

-- :check_commits (label) → :check_missing
SELECT 'commit_chain', 'commits', seq,
       printf('parent_id is %s, the commit before it is %s', quote(substr(parent_id, 1, 12)),
              quote(substr(before, 1, 12)))
FROM (SELECT c.seq, c.parent_id,
             (SELECT p.id FROM #commits AS p WHERE p.session_label = ?1 AND p.seq < c.seq
              ORDER BY p.seq DESC LIMIT 1) AS before
      FROM #commits AS c WHERE c.session_label = ?1)
WHERE parent_id IS NOT before
UNION ALL
SELECT 'commit_task', 'commits', seq,
       printf('task_id is %s; it must be an ended task of the session that names this commit,' ||
              ' with the same last step',
              quote(task_id))
FROM #commits AS c
WHERE session_label = ?1
  AND NOT EXISTS (SELECT 1 FROM #tasks AS t WHERE t.id = c.task_id AND t.session_label = ?1
                  AND t.commit_id = c.id AND t.state = 'None'
                  AND t.head_step_id IS c.head_step_id)
UNION ALL
SELECT 'commit_data', 'commits', seq,
       printf('commit_type is %s, type_data %s', quote(substr(commit_type, 1, 60)),
              quote(substr(type_data, 1, 60)))
FROM (SELECT seq, commit_type, type_data, iif(json_valid(type_data), type_data, '{}') AS data
      FROM #commits WHERE session_label = ?1)
WHERE CASE commit_type
  WHEN 'Normal' THEN type_data IS NOT NULL
  WHEN 'Abandoned' THEN json_type(data, '$.reason') IS NULL
  WHEN 'StaleAutoCompact' THEN json_type(data, '$.idle_duration_secs') IS NOT 'integer'
  WHEN 'InterruptedByNewTask' THEN json_type(data, '$.new_task_summary') IS NULL
  ELSE 1 END;

-- :check_events (label) → :check_missing
SELECT 'event_word', 'session_events', id,
       printf('axis is %s, trigger %s, at %d', quote(substr(axis, 1, 60)),
              quote(substr("trigger", 1, 60)), at)
FROM #session_events
WHERE session_label = ?1
  AND (axis NOT IN (#LIST_AXIS) OR "trigger" = ''
       OR at NOT BETWEEN 0 AND 9007199254740991 OR json_valid(ifnull(data, '{}')) IS NOT 1)
UNION ALL
SELECT 'event_move', 'session_events', id,
       printf('%s moves from %s to %s, which the machine does not allow', substr(axis, 1, 60),
              quote(substr(from_state, 1, 60)), quote(substr(to_state, 1, 60)))
FROM #session_events AS e
WHERE session_label = ?1
  AND NOT EXISTS (SELECT 1 FROM #state_transitions AS s WHERE s.axis = e.axis
                  AND s.from_state = e.from_state AND s.to_state = e.to_state)
  AND CASE axis
    WHEN 'status' THEN NOT ((from_state IS NULL AND to_state = 'active')
                            OR (from_state = to_state
                                AND "trigger" IN ('merge', 'unmerge', 'link', 'unlink',
                                                  'import')))
    WHEN 'turn' THEN from_state IS NOT NULL OR to_state <> 'processing'
    WHEN 'choice' THEN (from_state IS NULL) = (to_state IS NULL)
      OR ifnull(from_state, to_state) NOT IN (#LIST_CHOICE_KIND)
    WHEN 'worker' THEN from_state IS NOT to_state
      OR to_state NOT IN (#LIST_WORKER_STATUS)
      OR "trigger" NOT IN ('report', 'late', 'question', 'failed', 'died', 'timeout')
      OR json_type(iif(json_valid(data), data, '{}'), CASE "trigger"
           WHEN 'report' THEN '$.result' WHEN 'late' THEN '$.result'
           WHEN 'question' THEN '$.question' ELSE '$.reason' END) IS NOT 'text'
    ELSE 1 END
UNION ALL
SELECT 'event_chain', 'session_events', id,
       printf('%s goes on from %s, and the event before left it %s', substr(axis, 1, 60),
              quote(substr(from_state, 1, 60)), quote(substr(before, 1, 60)))
FROM (SELECT e.id, e.axis, e.from_state,
             (SELECT p.to_state FROM #session_events AS p
              WHERE p.session_label = ?1 AND p.id < e.id AND p.axis = e.axis
                AND (e.axis <> 'turn' OR e.from_state IS NULL OR p.data IS e.data)
              ORDER BY p.id DESC LIMIT 1) AS before
      FROM #session_events AS e WHERE e.session_label = ?1)
WHERE CASE
  WHEN axis = 'worker' THEN 0
  WHEN axis = 'task' THEN ifnull(before, 'None') IS NOT from_state
  WHEN axis = 'run' THEN ifnull(before, 'idle') IS NOT from_state
  WHEN axis = 'turn' AND from_state IS NULL
    THEN ifnull(before, 'completed') NOT IN (#LIST_TURN_END)
  ELSE before IS NOT from_state END
UNION ALL
SELECT 'event_task', 'session_events', id,
       printf('task_id is %d, which is not a task of the session', task_id)
FROM #session_events AS e
WHERE session_label = ?1 AND task_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM #tasks AS t WHERE t.id = e.task_id AND t.session_label = ?1)
UNION ALL
SELECT 'worker_report', 'session_events', id,
       printf('task %s has another report, event %d', quote(task_id), first)
FROM (SELECT id, task_id, min(id) OVER (PARTITION BY task_id) AS first,
             max("trigger") OVER (PARTITION BY task_id) AS kind,
             row_number() OVER (PARTITION BY task_id, to_state, data ORDER BY id) AS times
      FROM #session_events
      WHERE session_label = ?1 AND axis = 'worker' AND "trigger" IN ('report', 'late'))
WHERE id <> first AND (kind = 'report' OR times > 1)
UNION ALL
SELECT 'event_turn', 'session_events', id,
       printf('its data is %s; turn must name one that is %s', quote(substr(data, 1, 60)), to_state)
FROM #session_events AS e
WHERE session_label = ?1 AND axis = 'turn' AND to_state IN (#LIST_TURN_END)
  AND json_extract(iif(json_valid(data), data, '{}'), '$.turn') IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM #turns AS t
                  WHERE t.id = json_extract(iif(json_valid(e.data), e.data, '{}'), '$.turn')
                    AND t.status = e.to_state)
UNION ALL
SELECT 'event_turn', 'session_events', id,
       printf('the last turn event left turn %s %s; it must be running so, under the ' ||
              'session''s run',
              quote(turn), to_state)
FROM (SELECT id, to_state, json_extract(iif(json_valid(data), data, '{}'), '$.turn') AS turn
      FROM #session_events WHERE session_label = ?1 AND axis = 'turn' ORDER BY id DESC LIMIT 1)
WHERE to_state NOT IN (#LIST_TURN_END)
  AND NOT EXISTS (SELECT 1 FROM #session_runs AS r JOIN #turns AS t ON t.id = r.turn_id
                  WHERE r.session_label = ?1 AND r.turn_id = turn AND t.phase = to_state);

-- :check_run (label) → :check_missing: What was imported had its runs elsewhere.
SELECT 'run_missing', 'session_runs', ?1,
       'its events tell of a run, and its row is not there'
WHERE NOT EXISTS (SELECT 1 FROM #session_runs WHERE session_label = ?1)
  AND EXISTS (SELECT 1 FROM #session_events
              WHERE session_label = ?1 AND axis = 'run'
                AND id > ifnull((SELECT max(id) FROM #session_events
                                 WHERE session_label = ?1 AND axis = 'status'
                                   AND "trigger" = 'import'), 0))
UNION ALL
SELECT 'run_word', 'session_runs', session_label,
       printf('run_state is %s, token %d', quote(substr(run_state, 1, 60)), token)
FROM #session_runs
WHERE session_label = ?1
  AND (run_state NOT IN (#LIST_RUN_STATE)
       OR token < 0)
UNION ALL
SELECT 'run_event', 'session_runs', session_label,
       printf('run_state is %s, its last event left it %s', quote(substr(run_state, 1, 60)), quote(
         substr((SELECT to_state FROM #session_events WHERE session_label = ?1 AND axis = 'run'
                 ORDER BY id DESC LIMIT 1), 1, 60)))
FROM #session_runs
WHERE session_label = ?1
  AND run_state <> ifnull((SELECT to_state FROM #session_events
                           WHERE session_label = ?1 AND axis = 'run' ORDER BY id DESC LIMIT 1),
                          'idle')
UNION ALL
SELECT 'run_turn', 'session_runs', session_label,
       printf('turn_id is %d; it must be running, right below the session''s head', turn_id)
FROM #session_runs AS r
WHERE session_label = ?1 AND turn_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM #turns AS t JOIN #sessions AS s ON s.label = ?1
                  WHERE t.id = r.turn_id AND t.status = 'running'
                    AND t.parent_turn_id IS s.thread_id)
UNION ALL
SELECT 'run_lease', 'session_runs', session_label,
       printf('turn_id is %s, expires_at %s, token %d, run_state %s; a lease goes with a ' ||
              'turn, a token and a state in which the run works',
              quote(turn_id), quote(expires_at), token, quote(substr(run_state, 1, 60)))
FROM #session_runs
WHERE session_label = ?1
  AND ((turn_id IS NULL) <> (expires_at IS NULL)
       OR (turn_id IS NOT NULL
           AND (token < 1 OR run_state NOT IN (#LIST_LIVE_RUN))))
UNION ALL
SELECT 'run_failed_turn', 'session_runs', session_label,
       printf('failed_turn_id is %d, which is not a failed turn', failed_turn_id)
FROM #session_runs AS r
WHERE session_label = ?1 AND failed_turn_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM #turns AS t WHERE t.id = r.failed_turn_id AND t.on_path = 0
                  AND t.status IN (#LIST_TURN_FAILED));

-- :check_queue (label) → :check_missing: An input that a merge or an unlink has moved here has its
-- delivery in another session, with which it may have been deleted; before schema version 5 the id could
-- come to another delivery then. A deleted session leaves a gap in session_events, or behind them, where
-- last_event tells of it; and what went with it had no id that was never given out. (Columns by name:
-- PRAGMA full_column_names gives those of * other names.)
WITH q(id, session_label, delivery_id, source, mode, class, status, attempts, turn_id, enqueued_at,
       delivered_at, error, message, channel, sender, message_id, exempt, due_at, due_after, awaits_turn,
       shown_turn_id, task_id, said_in) AS NOT MATERIALIZED (
  SELECT id, session_label, delivery_id, source, mode, class, status, attempts, turn_id, enqueued_at,
         delivered_at, error, message, channel, sender, message_id, exempt, due_at, due_after, awaits_turn,
         shown_turn_id, task_id, said_in
  FROM #session_queue WHERE session_label = ?1 AND delivered_at IS NULL
  UNION ALL
  SELECT id, session_label, delivery_id, source, mode, class, status, attempts, turn_id, enqueued_at,
         delivered_at, error, message, channel, sender, message_id, exempt, due_at, due_after, awaits_turn,
         shown_turn_id, task_id, said_in
  FROM #session_queue WHERE session_label = ?1 AND delivered_at IS NOT NULL)
SELECT 'queue_word', 'session_queue', id,
       printf('status, source, mode, class are %s, %s, %s, %s; one of them is not a word of its ' ||
              'column',
              quote(substr(status, 1, 60)), quote(substr(source, 1, 60)),
              quote(substr(mode, 1, 60)), quote(substr(class, 1, 60)))
FROM q
WHERE status NOT IN (#LIST_QUEUE_OPEN, #LIST_QUEUE_END)
   OR source NOT IN (#LIST_SOURCE)
   OR mode NOT IN (#LIST_QUEUE_MODE)
   OR class NOT IN (#LIST_CLASS)
UNION ALL
SELECT 'queue_exempt', 'session_queue', id,
       printf('exempt is %d; it is 0, 1, or 2 of an agent, and 1 for what a worker has said to its parent', exempt)
FROM q
WHERE exempt NOT IN (0, 1, 2) OR (exempt = 2 AND source <> 'agent')
   OR (exempt = 0 AND delivered_at IS NULL AND channel = 'worker'
       AND EXISTS (SELECT 1 FROM #session_events AS e
                   WHERE e.session_label = q.sender AND e.axis = 'worker'
                     AND q.message_id = e."trigger" || ':' || e.id))
UNION ALL
SELECT 'queue_delivered', 'session_queue', id,
       printf('status is %s, delivered_at %s, attempts %d; delivered_at is set exactly when ' ||
              'it is done with',
              quote(substr(status, 1, 60)), quote(delivered_at), attempts)
FROM q
WHERE (delivered_at IS NULL) <> (status IN (#LIST_QUEUE_OPEN))
   OR attempts < 0
UNION ALL
SELECT 'queue_turn', 'session_queue', id,
       printf('it is processing, and turn_id %s is not the running turn of the session''s run',
              quote(turn_id))
FROM q
WHERE status = 'processing'
  AND NOT EXISTS (SELECT 1 FROM #session_runs AS r JOIN #turns AS t ON t.id = r.turn_id
                  WHERE r.session_label = ?1 AND r.turn_id = q.turn_id AND t.status = 'running')
UNION ALL
SELECT 'queue_turn', 'session_queue', id,
       printf('it has failed in turn %d, which is not there', turn_id)
FROM q
WHERE status = 'failed' AND turn_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM #turns AS t WHERE t.id = q.turn_id)
UNION ALL
SELECT 'queue_turn', 'session_queue', id,
       printf('it waits, and names turn %d; only a worker''s word does, which an undone turn had taken', turn_id)
FROM q
WHERE status = 'pending' AND turn_id IS NOT NULL
  AND (source <> 'agent' OR channel <> 'worker' OR error IS NOT 'undone by session_rewind')
UNION ALL
SELECT 'queue_due', 'session_queue', id,
       printf('status is %s, due_at %s, due_after %s; both are set, from 0 on, or neither, and of what is ' ||
              'handed over or in a turn neither',
              quote(substr(status, 1, 60)), quote(due_at), quote(due_after))
FROM q
WHERE (due_at IS NULL) <> (due_after IS NULL)
   OR min(ifnull(due_at, 0), ifnull(due_after, 0)) < 0
   OR (due_at IS NOT NULL AND status IN ('handed', 'processing', 'failed'))
UNION ALL
SELECT 'queue_awaits', 'session_queue', id,
       printf('status is %s and awaits_turn %d; it is 0 or 1, and 0 only of what a host was handed',
              quote(substr(status, 1, 60)), awaits_turn)
FROM q
WHERE awaits_turn NOT IN (0, 1) OR (awaits_turn = 0 AND status IN ('pending', 'processing'))
UNION ALL
SELECT 'queue_shown', 'session_queue', id,
       printf('shown_turn_id is %d; it must be a turn whose messages hold it', shown_turn_id)
FROM q
WHERE shown_turn_id IS NOT NULL
  AND CASE
    WHEN EXISTS (SELECT 1 FROM #turns AS t WHERE t.id = q.shown_turn_id)
    THEN NOT EXISTS (SELECT 1 FROM #messages AS m
                     WHERE m.place BETWEEN first_place(q.shown_turn_id) AND last_place(q.shown_turn_id)
                       AND m.role IN (#LIST_ROLE_INPUT)
                       AND ifnull(json_extract(iif(json_valid(m.metadata), m.metadata, '{}'),
                                               '$.queue_id'), q.id) = q.id)
    ELSE shown_turn_id >> #DEPTH_BITS > max((SELECT ifnull(max(id), 0) FROM #branches),
                                   ifnull((SELECT value FROM #turnstile_meta
                                           WHERE key = 'last_branch'), 0))
      OR (SELECT count(*) = ifnull(max(id), 0) FROM #session_events)
         AND NOT EXISTS (SELECT 1 FROM #turnstile_meta WHERE key = 'last_event') END
UNION ALL
SELECT 'queue_task', 'session_queue', id,
       printf('task_id is %d; it must be a task, for which a turn had it, or 0', task_id)
FROM q
WHERE task_id < 0
   OR (task_id > 0 AND NOT EXISTS (SELECT 1 FROM #tasks AS t WHERE t.id = q.task_id)
       AND (task_id > max((SELECT ifnull(max(id), 0) FROM #tasks),
                          ifnull((SELECT value FROM #turnstile_meta WHERE key = 'last_task'), 0))
            OR (SELECT count(*) = ifnull(max(id), 0) FROM #session_events)
               AND NOT EXISTS (SELECT 1 FROM #turnstile_meta WHERE key = 'last_event')))
UNION ALL
SELECT 'queue_error', 'session_queue', id, 'it has failed, and no error says why'
FROM q WHERE status = 'failed' AND error IS NULL
UNION ALL
SELECT 'queue_said', 'session_queue', q.id,
       printf('said_in is %s, and its delivery is in session %s', quote(substr(q.said_in, 1, 60)),
              quote(substr(d.session_label, 1, 60)))
FROM q JOIN #deliveries AS d ON d.id = q.delivery_id
WHERE q.said_in IS NOT nullif(d.session_label, q.session_label)
UNION ALL
SELECT 'queue_delivery', 'session_queue', id,
       printf('delivery_id is %s; it must be a delivery with the same text', quote(delivery_id))
FROM (SELECT q.id, q.delivery_id, q.message, q.enqueued_at, d.id AS found, d.message AS said, d.at
      FROM q LEFT JOIN #deliveries AS d ON d.id = q.delivery_id)
WHERE CASE WHEN found IS NOT NULL THEN said <> message AND at = enqueued_at
           WHEN delivery_id IS NULL OR delivery_id < 1 THEN 1
           ELSE delivery_id > max((SELECT ifnull(max(id), 0) FROM #deliveries),
                                  ifnull((SELECT value FROM #turnstile_meta
                                          WHERE key = 'last_delivery'), 0))
             OR (SELECT count(*) = ifnull(max(id), 0) FROM #session_events)
                AND NOT EXISTS (SELECT 1 FROM #turnstile_meta WHERE key = 'last_event') END;

-- :check_deliveries (label) → :check_missing: In the same way an input may have gone with the session
-- that it was moved to. It may be another delivery's: that of a message which was held.
SELECT 'delivery_word', 'deliveries', id,
       printf('source, class, action, confidence, corrected are %s, %s, %s, %s, %s; one of them is nothing ' ||
              'for its column',
              quote(substr(source, 1, 60)), quote(substr(class, 1, 60)),
              quote(substr(action, 1, 60)), quote(confidence), quote(substr(corrected, 1, 60)))
FROM #deliveries
WHERE session_label = ?1
  AND (source NOT IN (#LIST_SOURCE)
       OR class NOT IN (#LIST_CLASS)
       OR action NOT IN (#LIST_ACTION)
       OR corrected NOT IN (#LIST_CLASS)
       OR confidence NOT BETWEEN 0 AND 1)
UNION ALL
SELECT 'delivery_decision', 'deliveries', id,
       printf('action is %s, the decision says %s', quote(substr(action, 1, 60)),
              quote(substr(decision, 1, 60)))
FROM #deliveries
WHERE session_label = ?1
  AND json_extract(iif(json_valid(decision), decision, '{}'), '$.action') IS NOT action
UNION ALL
SELECT 'delivery_input', 'deliveries', id,
       printf('action is %s and queue_id %s; it must have an existing input', action,
              quote(queue_id))
FROM (SELECT id, action,
             json_extract(iif(json_valid(decision), decision, '{}'), '$.queue_id') AS queue_id
      FROM #deliveries WHERE session_label = ?1) AS d
WHERE CASE WHEN queue_id IS NULL THEN action IN (#LIST_WORK_ACTION)
           WHEN EXISTS (SELECT 1 FROM #session_queue AS q WHERE q.id = d.queue_id) THEN 0
           ELSE queue_id > max((SELECT ifnull(max(id), 0) FROM #session_queue),
                               ifnull((SELECT value FROM #turnstile_meta
                                       WHERE key = 'last_input'), 0))
             OR (SELECT count(*) = ifnull(max(id), 0) FROM #session_events)
                AND NOT EXISTS (SELECT 1 FROM #turnstile_meta WHERE key = 'last_event') END;

-- :check_history (label) → :check_missing
SELECT 'history_word', 'session_history', id,
       printf('reason is %s', quote(substr(reason, 1, 60)))
FROM #session_history
WHERE session_label = ?1
  AND reason NOT IN (#LIST_HEAD_MOVE)
UNION ALL
SELECT 'history_turn', 'session_history', id,
       printf('thread_id is %d; it must be a turn that was completed or kept', thread_id)
FROM #session_history AS h
WHERE session_label = ?1 AND thread_id <> 0
  AND NOT EXISTS (SELECT 1 FROM #turns AS t WHERE t.id = h.thread_id AND t.on_path = 1)
UNION ALL
SELECT 'edge_value', 'edges', id,
       printf('weight is %s; it must be from 0 to 1', quote(weight))
FROM #edges WHERE session_label = ?1 AND weight NOT BETWEEN 0 AND 1;

-- :check_config_rows (label) → key, value, session_label, is_alias: is the label an alias?
SELECT key, value, session_label,
       EXISTS (SELECT 1 FROM #session_aliases WHERE alias = ?1)
       AND NOT EXISTS (SELECT 1 FROM #sessions WHERE label = ?1)
FROM #turnstile_config WHERE session_label = ?1;

-- ---- The file ----------------------------------------------------------------------------------

-- :check_meta () → :check_missing
SELECT 'guards_open', 'turnstile_meta', 'unguarded',
       'the guards stand open; this row exists only within a command'
FROM #turnstile_meta WHERE key = 'unguarded'
UNION ALL
SELECT 'meta', 'turnstile_meta', k.value,
       printf('value is %s; it must be there, and %s',
              iif(k.value = 'door_key' AND m.value IS NOT NULL, 'no key', quote(substr(m.value, 1, 60))),
              CASE k.value WHEN 'uuid' THEN 'a text' WHEN 'door_key' THEN 'a text of 32 characters or more'
                           ELSE 'a positive integer' END)
FROM temp.json_each('["uuid","door_key","rules_version","policies_version"]') AS k
LEFT JOIN #turnstile_meta AS m ON m.key = k.value
WHERE CASE k.value
  WHEN 'uuid' THEN typeof(m.value) <> 'text' OR length(m.value) = 0
  WHEN 'door_key' THEN typeof(m.value) <> 'text' OR length(m.value) < 32
  ELSE typeof(m.value) <> 'integer' OR m.value < 1 END
UNION ALL
SELECT 'meta_id', 'turnstile_meta', m.key,
       printf('value is %s; it must be an id that was given out and whose row is gone, so higher ' ||
              'than %d, the highest existing one',
              quote(substr(m.value, 1, 60)), there.id)
FROM (SELECT 'last_branch' AS key, 0 AS id
      UNION ALL SELECT 'last_token', 0
      UNION ALL SELECT 'last_task', ifnull(max(id), 0) FROM #tasks
      UNION ALL SELECT 'last_observation', ifnull(max(id), 0) FROM #observations
      UNION ALL SELECT 'last_edge', ifnull(max(id), 0) FROM #edges
      UNION ALL SELECT 'last_commit', ifnull(max(seq), 0) FROM #commits
      UNION ALL SELECT 'last_event', ifnull(max(id), 0) FROM #session_events
      UNION ALL SELECT 'last_history', ifnull(max(id), 0) FROM #session_history
      UNION ALL SELECT 'last_delivery', ifnull(max(id), 0) FROM #deliveries
      UNION ALL SELECT 'last_input', ifnull(max(id), 0) FROM #session_queue) AS there
JOIN #turnstile_meta AS m ON m.key = there.key
WHERE typeof(m.value) <> 'integer' OR m.value NOT BETWEEN there.id + 1 AND 4503599627370495;

-- :check_schema_version () → schema_version
SELECT (SELECT value FROM #turnstile_meta WHERE key = 'schema_version');

-- :check_transition_rows () → axis, from_state, to_state, trigger
SELECT axis, from_state, to_state, "trigger" FROM #state_transitions;

-- :check_transition (axis, from_state, to_state) → found
SELECT 1 FROM #state_transitions WHERE axis = ?1 AND from_state = ?2 AND to_state = ?3;

-- :check_loose () → :check_missing: rows that no session's rows lead to
SELECT 'step_task', 'steps', p.id, printf('task_id is %d, but that task does not exist', p.task_id)
FROM #steps AS p WHERE NOT EXISTS (SELECT 1 FROM #tasks AS t WHERE t.id = p.task_id)
UNION ALL
SELECT 'observation_task', 'observations', o.id,
       printf('task_id is %d, and session %s has no such task', o.task_id,
              quote(substr(o.session_label, 1, 60)))
FROM #observations AS o
WHERE o.task_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM #tasks AS t WHERE t.id = o.task_id
                  AND t.session_label = o.session_label)
UNION ALL
SELECT 'object_unused', 'objects', b.id, 'no observation has it as its content'
FROM #objects AS b WHERE NOT EXISTS (SELECT 1 FROM #observations AS o WHERE o.object_id = b.id)
UNION ALL
SELECT 'identity_value', 'identities', channel || ' ' || sender_id,
       printf('entity_id is %s, envelope %s', quote(substr(entity_id, 1, 60)),
              quote(substr(envelope, 1, 60)))
FROM #identities
WHERE channel = '' OR sender_id = '' OR entity_id = ''
   OR json_valid(ifnull(envelope, '{}')) IS NOT 1;

-- :check_deleted_messages () → :check_missing
SELECT 'deleted_message', 'deleted_messages', substr(id, 1, 60),
       printf('at is %d; an id is a SHA-256, and its time from 0 to 2^53 - 1', at)
FROM #deleted_messages
WHERE length(id) <> 64 OR id GLOB '*[^0-9a-f]*' OR at NOT BETWEEN 0 AND 9007199254740991;

-- :check_object_rows () → id, kind, size, data
SELECT id, kind, size, data FROM #objects;

-- :check_rule_rows () → id, class, state, pattern, weight, lang, origin, enabled: in the order of loading
SELECT id, class, state, pattern, weight, lang, origin, enabled <> 0 FROM #message_rules ORDER BY id;

-- :check_policy_rows () → id, name, key_template, persona_id, match
SELECT id, name, key_template, persona_id, "match" FROM #session_policies;

-- :check_request_rows () → request_id, command, args_hash, at
SELECT request_id, command, args_hash, at FROM #turnstile_requests;

-- :check_branches () → :check_missing
SELECT 'branch_parent', 'branches', b.id,
       printf('parent_turn_id is %s, first_depth %d, level %d, which do not fit the turn it ' ||
              'grows from',
              quote(b.parent_turn_id), b.first_depth, b.level)
FROM #branches AS b LEFT JOIN #branches AS p ON p.id = b.parent_turn_id >> #DEPTH_BITS
WHERE b.level <> CASE WHEN b.parent_turn_id IS NULL THEN 0 ELSE ifnull(p.level, -9) + 1 END
   OR b.first_depth <> ifnull((b.parent_turn_id & #DEPTH_MASK) + 1, 0)
   OR b.id NOT BETWEEN 1 AND #MAX_BRANCH OR ifnull(b.parent_turn_id >> #DEPTH_BITS, 0) >= b.id
   OR b.closed NOT IN (0, 1)
UNION ALL
SELECT 'branch_jump', 'branches', b.id,
       printf('jump_id is %s, jump_depth %s; the shortcut must lead to branch %s',
              quote(b.jump_id), quote(b.jump_depth),
              quote(iif(p.level - j.level = j.level - k.level, k.id, p.id)))
FROM #branches AS b
LEFT JOIN #branches AS p ON p.id = b.parent_turn_id >> #DEPTH_BITS
LEFT JOIN #branches AS j ON j.id = p.jump_id
LEFT JOIN #branches AS k ON k.id = j.jump_id
WHERE b.jump_id IS NOT iif(p.level - j.level = j.level - k.level, k.id, p.id)
   OR b.jump_depth IS NOT iif(p.level - j.level = j.level - k.level, k.first_depth, p.first_depth)
UNION ALL
SELECT 'branch_closed', 'branches', b.id,
       printf('it grows from turn %d, the end of branch %d, which is open: that turn''s next ' ||
              'one belongs there',
              b.parent_turn_id, p.id)
FROM #branches AS b JOIN #branches AS p ON p.id = b.parent_turn_id >> #DEPTH_BITS
WHERE p.closed = 0 AND NOT EXISTS (SELECT 1 FROM #turns AS t WHERE t.id = b.parent_turn_id + 1)
UNION ALL
SELECT 'branch_gap', 'branches', b.id,
       'its turns do not follow each other without a gap from first_depth on'
FROM #branches AS b
WHERE (SELECT min(id & #DEPTH_MASK) IS NOT b.first_depth
              OR max(id & #DEPTH_MASK) - b.first_depth + 1 <> count(*)
       FROM #turns WHERE id BETWEEN b.id << #DEPTH_BITS AND b.id << #DEPTH_BITS | #DEPTH_MASK);

-- :check_turns () → :check_missing
SELECT 'turn_word', 'turns', id,
       printf('turn_type, status, phase, source, on_path are %s, %s, %s, %s, %d; one of them ' ||
              'is nothing for its column',
              quote(substr(turn_type, 1, 60)), quote(substr(status, 1, 60)),
              quote(substr(phase, 1, 60)), quote(substr(source, 1, 60)), on_path)
FROM #turns
WHERE turn_type NOT IN (#LIST_TURN_TYPE)
   OR status NOT IN ('running', #LIST_TURN_END)
   OR phase NOT IN (#LIST_TURN_PHASE)
   OR source NOT IN (#LIST_SOURCE) OR on_path NOT IN (0, 1)
UNION ALL
SELECT 'turn_status', 'turns', id,
       printf('status is %s, phase %s, on_path %d, completed_at %s, which do not fit together',
              quote(substr(status, 1, 60)), quote(substr(phase, 1, 60)), on_path,
              quote(completed_at))
FROM #turns
WHERE (status = 'running') <> (phase IS NOT NULL)
   OR (status = 'running') <> (completed_at IS NULL)
   OR on_path > (status IN ('completed', 'aborted')) OR on_path < (status = 'completed')
UNION ALL
SELECT 'turn_range', 'turns', id,
       'its times, token numbers or inputs are below 0 or too large'
FROM #turns
WHERE NOT (started_at BETWEEN 0 AND 9007199254740991
           AND ifnull(completed_at, 0) BETWEEN 0 AND 9007199254740991
           AND thread_tokens BETWEEN 0 AND 9007199254740991 AND inputs BETWEEN 0 AND #SEQUENCES
           AND min(ifnull(input_tokens, 0), ifnull(output_tokens, 0),
                   ifnull(cached_input_tokens, 0), ifnull(cache_write_tokens, 0),
                   ifnull(reasoning_tokens, 0), ifnull(total_tokens, 0)) >= 0)
UNION ALL
SELECT 'turn_branch', 'turns', id, printf('branch %d is not there', id >> #DEPTH_BITS)
FROM #turns AS t WHERE NOT EXISTS (SELECT 1 FROM #branches AS b WHERE b.id = t.id >> #DEPTH_BITS)
UNION ALL
SELECT 'turn_parent', 'turns', t.id,
       printf('parent_turn_id is %s; it must be the turn right above it, completed or kept',
              quote(t.parent_turn_id))
FROM #turns AS t
LEFT JOIN #turns AS p ON p.id = t.parent_turn_id
LEFT JOIN #branches AS b ON b.id = t.id >> #DEPTH_BITS
WHERE t.id & #DEPTH_MASK <> CASE WHEN t.parent_turn_id IS NULL THEN 0
                              WHEN p.on_path = 1 THEN (p.id & #DEPTH_MASK) + 1 ELSE -1 END
   OR t.parent_turn_id IS NOT iif(t.id & #DEPTH_MASK = b.first_depth, b.parent_turn_id, t.id - 1)
UNION ALL
SELECT 'turn_context', 'turns', t.id,
       printf('context_turn_id is %s; it must be the nearest compaction', quote(t.context_turn_id))
FROM #turns AS t LEFT JOIN #turns AS p ON p.id = t.parent_turn_id
WHERE CASE WHEN t.turn_type = 'compaction' AND t.on_path THEN t.context_turn_id IS NOT t.id
      ELSE t.context_turn_id IS NOT p.context_turn_id
        AND NOT EXISTS (SELECT 1 FROM #turns AS k WHERE k.id = t.context_turn_id
                        AND k.turn_type = 'compaction' AND k.on_path = 1
                        AND k.parent_turn_id IS t.parent_turn_id) END
UNION ALL
SELECT 'turn_tokens', 'turns', t.id,
       printf('thread_tokens is %d, that of the turn above it %d', t.thread_tokens,
              p.thread_tokens)
FROM #turns AS t JOIN #turns AS p ON p.id = t.parent_turn_id
WHERE t.status <> 'running'
  AND (t.thread_tokens < p.thread_tokens
       OR (t.turn_type = 'compaction' AND t.thread_tokens <> p.thread_tokens))
UNION ALL
SELECT 'turn_resumes', 'turns', t.id,
       printf('resumes_turn_id is %d, which is not a failed turn beside its path', t.resumes_turn_id)
FROM #turns AS t LEFT JOIN #turns AS r ON r.id = t.resumes_turn_id
WHERE t.resumes_turn_id IS NOT NULL
  AND (r.id IS NULL OR r.on_path <> 0 OR r.status NOT IN (#LIST_TURN_FAILED) OR r.id = t.id
       OR r.id & #DEPTH_MASK > t.id & #DEPTH_MASK)
UNION ALL
SELECT 'turn_answers', 'turns', t.id,
       printf('answers_turn_id is %d, which is not a turn above it', t.answers_turn_id)
FROM #turns AS t LEFT JOIN #turns AS a ON a.id = t.answers_turn_id
WHERE t.answers_turn_id IS NOT NULL
  AND (a.id IS NULL OR a.id & #DEPTH_MASK > t.id & #DEPTH_MASK OR a.id = t.id)
UNION ALL
SELECT 'turn_run', 'turns', id,
       printf('it is running, and %d runs are at it; one must be',
              (SELECT count(*) FROM #session_runs AS r WHERE r.turn_id = t.id))
FROM #turns AS t
WHERE status = 'running' AND (SELECT count(*) FROM #session_runs AS r WHERE r.turn_id = t.id) <> 1
UNION ALL
SELECT 'turn_empty', 'turns', id, 'it ended well and holds neither a message nor a tool call'
FROM #turns AS t
WHERE on_path = 1 AND turn_type = 'normal'
  AND NOT EXISTS (SELECT 1 FROM #compactions WHERE turn_id = t.parent_turn_id)
  AND NOT EXISTS (SELECT 1 FROM #messages WHERE place BETWEEN first_place(t.id) AND last_place(t.id))
  AND NOT EXISTS (SELECT 1 FROM #tool_calls WHERE place BETWEEN first_place(t.id) AND last_place(t.id))
UNION ALL
SELECT 'compaction_turn', 'turns', id,
       printf('turn_type is %s; a completed compaction, and only it, has a row in compactions',
              quote(substr(turn_type, 1, 60)))
FROM #turns AS t
WHERE (turn_type = 'compaction' AND on_path = 1)
  <> EXISTS (SELECT 1 FROM #compactions WHERE turn_id = t.id);

-- :check_messages () → :check_missing
SELECT 'message_turn', 'messages', place, printf('turn %d is not there', place >> #SEQUENCE_BITS)
FROM #messages AS m WHERE NOT EXISTS (SELECT 1 FROM #turns AS t WHERE t.id = m.place >> #SEQUENCE_BITS)
UNION ALL
SELECT 'message_turn', 'tool_calls', place, printf('turn %d is not there', place >> #SEQUENCE_BITS)
FROM #tool_calls AS m WHERE NOT EXISTS (SELECT 1 FROM #turns AS t WHERE t.id = m.place >> #SEQUENCE_BITS)
UNION ALL
SELECT 'message_gap', 'messages', place,
       printf('in turn %d, sequence %d: nothing is right before it, or a tool call has its place',
              place >> #SEQUENCE_BITS, place & #SEQUENCE_MASK)
FROM #messages AS m
WHERE (m.place & #SEQUENCE_MASK > 0
       AND NOT EXISTS (SELECT 1 FROM #messages AS b WHERE b.place = m.place - 1)
       AND NOT EXISTS (SELECT 1 FROM #tool_calls AS b WHERE b.place = m.place - 1))
   OR EXISTS (SELECT 1 FROM #tool_calls AS b WHERE b.place = m.place)
UNION ALL
SELECT 'message_gap', 'tool_calls', place,
       printf('in turn %d, sequence %d: nothing is right before it, nor a call before a place that ' ||
              'is left out', place >> #SEQUENCE_BITS, place & #SEQUENCE_MASK)
FROM #tool_calls AS m
WHERE m.place & #SEQUENCE_MASK > 0
  AND NOT EXISTS (SELECT 1 FROM #messages AS b WHERE b.place = m.place - 1)
  AND NOT EXISTS (SELECT 1 FROM #tool_calls AS b WHERE b.place = m.place - 1)
  AND (m.place & #SEQUENCE_MASK < 2
       OR NOT EXISTS (SELECT 1 FROM #tool_calls AS b WHERE b.place = m.place - 2))
UNION ALL
SELECT 'message_word', 'messages', place,
       printf('role is %s, source %s, metadata %s', quote(substr(role, 1, 60)),
              quote(substr(source, 1, 60)), quote(substr(metadata, 1, 60)))
FROM #messages
WHERE role NOT IN (#LIST_ROLE)
   OR source NOT IN (#LIST_SOURCE)
   OR json_valid(ifnull(metadata, '{}')) IS NOT 1 OR (tool_call_id IS NOT NULL AND role <> 'tool')
UNION ALL
SELECT 'call_status', 'tool_calls', place,
       printf('status is %s, completed_at %s, and result or error do not fit it',
              quote(substr(status, 1, 60)), quote(completed_at))
FROM #tool_calls
WHERE status NOT IN (#LIST_CALL_STATUS)
   OR (status = 'pending') <> (completed_at IS NULL) OR (status = 'failed') <> (error IS NOT NULL)
   OR (status = 'completed') <> (result IS NOT NULL) OR json_valid(params) IS NOT 1
UNION ALL
SELECT 'call_id', 'tool_calls', place,
       printf('id is %s, as that of an earlier call of turn %d', quote(substr(id, 1, 60)),
              place >> #SEQUENCE_BITS)
FROM #tool_calls AS k
WHERE EXISTS (SELECT 1 FROM #tool_calls AS b
              WHERE b.place BETWEEN k.place & ~#SEQUENCE_MASK AND k.place - 1 AND b.id = k.id);

-- :check_compactions () → :check_missing
SELECT 'compaction_turn', 'compactions', turn_id, 'the turn does not exist'
FROM #compactions AS c WHERE NOT EXISTS (SELECT 1 FROM #turns AS t WHERE t.id = c.turn_id)
UNION ALL
SELECT 'compaction_word', 'compactions', turn_id,
       printf('compaction_type is %s, first_kept_turn_id %s, trigger %s',
              quote(substr(compaction_type, 1, 60)), quote(first_kept_turn_id),
              quote(substr("trigger", 1, 60)))
FROM #compactions
WHERE compaction_type <> iif(first_kept_turn_id IS NULL, 'full', 'partial')
   OR "trigger" NOT IN (#LIST_COMPACTION_TRIGGER)
   OR min(turns_summarized, turns_kept, tokens_before, tokens_after, summary_tokens) < 0
   OR json_valid(ifnull(metadata_json, '{}')) IS NOT 1
UNION ALL
SELECT 'compaction_recovered', 'compactions', turn_id,
       printf('recovered_turn_id is %d, which is not there', recovered_turn_id)
FROM #compactions AS c
WHERE recovered_turn_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM #turns AS t WHERE t.id = c.recovered_turn_id);

-- :check_compaction_rows () → turn_id, first_kept_turn_id, summarized_through_turn_id
SELECT turn_id, first_kept_turn_id, summarized_through_turn_id FROM #compactions;
