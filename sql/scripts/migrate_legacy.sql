-- migrate_legacy.sql - sessions and messages of an older program, as sessions and turns.
--
-- Say where they are by two TEMP views (or tables), run this, read the report. In the sqlite3
-- shell, with the extension loaded:
--
--   .bail on
--   CREATE TEMP VIEW legacy_session AS
--     SELECT id, name AS label, status, NULL AS reason, title,
--            createdAt AS created_at, updatedAt AS updated_at, NULL AS last_activity
--     FROM AgentSession;
--   CREATE TEMP VIEW legacy_message AS
--     SELECT id, sessionId AS session_id, role, content, createdAt AS created_at FROM ChatMessage;
--   CREATE TEMP TABLE legacy_policy AS SELECT 'archive' AS policy;  -- without it: active
--   .read sql/scripts/migrate_legacy.sql
--
-- From a program: the same views, then the text of this file through executescript(), then
-- SELECT * FROM legacy_report. After an error: ROLLBACK.
--
-- docs/legacy.md says what becomes what. In short: a user's message begins a turn, what follows
-- belongs to it; the status is session_status_from_legacy(status, policy). Nothing is migrated
-- twice: another run adds what has been written since.
--
-- How it works: one statement does all of it, an INSERT into legacy_run with a trigger. So there is
-- everything or nothing, also in a shell that goes on after an error: what comes behind it only
-- looks whether it has come to its end, and rolls back if not.
--
-- The trigger reads both views into TEMP tables, and all times into milliseconds. Every old session
-- is given a label: the one it was given before, which its create event remembers, its own, or
-- legacy:id. Messages that the database does not hold yet become turns, written by one INSERT into
-- the door. Then sessions are moved to their status, by moves that the machine has, with their
-- events. At last it counts what came of it. It only reads what is old.
--
-- For tables without a prefix in the main file. The TEMP tables made here are dropped at the end,
-- but legacy_report, and an empty legacy_policy where there was none.

BEGIN IMMEDIATE;
-- It holds until a transaction ends, and there is nothing here that it is about: by this the
-- trigger sees that BEGIN has not failed.
PRAGMA defer_foreign_keys = ON;

SELECT 1 WHERE turnstile_install() IS NULL;

CREATE TEMP TABLE IF NOT EXISTS legacy_policy(policy TEXT);

DROP TABLE IF EXISTS temp.legacy_run;
DROP TABLE IF EXISTS temp.legacy_done;
DROP TABLE IF EXISTS temp.legacy_report;
DROP TABLE IF EXISTS temp.legacy_old_session;
DROP TABLE IF EXISTS temp.legacy_old_message;
DROP TABLE IF EXISTS temp.legacy_time;
DROP TABLE IF EXISTS temp.legacy_there;
DROP TABLE IF EXISTS temp.legacy_known;
DROP TABLE IF EXISTS temp.legacy_turn;
DROP TABLE IF EXISTS temp.legacy_move;

-- ---- 1. The tables ------------------------------------------------------------------------------

-- Times are kept as they are at first; columns without a type change nothing.
CREATE TEMP TABLE legacy_old_session(
  n             INTEGER PRIMARY KEY,   -- in the order of the view
  id            TEXT,                  -- as text; a BLOB and what is no clean text as hex
  key           TEXT,                  -- the id as part of an external_id
  raw_label     TEXT,                  -- as it is
  old_label     TEXT,                  -- as clean text, as are all texts below
  old_status,
  reason        TEXT,
  title         TEXT,
  created, updated, active,            -- as they are
  created_at    INTEGER,               -- in ms, NULL: not known
  updated_at    INTEGER,
  last_activity INTEGER,
  label         TEXT UNIQUE,
  note          TEXT,                  -- why the label is another one
  made          INTEGER NOT NULL DEFAULT 0,  -- 1: the session is new
  follows       INTEGER NOT NULL DEFAULT 0,  -- 1: its status is that of the old table
  merged        TEXT,                  -- the session that took over
  before        TEXT,                  -- of a session that is there: its status
  before_reason TEXT,
  before_archived_at INTEGER,
  before_activity    INTEGER,
  status        TEXT                   -- what it is to be
);
CREATE INDEX temp.legacy_old_session_by_id ON legacy_old_session(id);

CREATE TEMP TABLE legacy_old_message(
  n          INTEGER PRIMARY KEY,      -- in the order of the view
  session_id TEXT,                     -- both ids as those of sessions
  id         TEXT,
  session    INTEGER,                  -- legacy_old_session.n, NULL: there is none
  key        TEXT,                     -- session and message, as part of an external_id
  old_role   TEXT,
  role       TEXT,                     -- user | assistant | system | tool
  content    TEXT,                     -- NULL: nothing but white space
  created,                             -- as it is
  at         INTEGER,                  -- in ms
  grp        INTEGER,                  -- counts the user's messages of the session up to here
  json       TEXT,                     -- as turn_append takes it; NULL: it is left out, or is there
  turn       INTEGER                   -- the n of the message that its new turn begins with
);
CREATE INDEX temp.legacy_old_message_by_id ON legacy_old_message(session_id, id);
CREATE INDEX temp.legacy_old_message_in_order ON legacy_old_message(session, n);
CREATE INDEX temp.legacy_old_message_by_time ON legacy_old_message(session, at, n);
CREATE INDEX temp.legacy_old_message_by_turn ON legacy_old_message(turn, at, n);

CREATE TEMP TABLE legacy_time(value, number, text TEXT, ms INTEGER);
CREATE INDEX temp.legacy_time_by_value ON legacy_time(value);

-- Sessions of an earlier run: their create event names the old id.
CREATE TEMP TABLE legacy_known(id TEXT PRIMARY KEY, label TEXT NOT NULL);

-- The messages that the database holds.
CREATE TEMP TABLE legacy_there(key TEXT PRIMARY KEY) WITHOUT ROWID;

CREATE TEMP TABLE legacy_turn(
  id         INTEGER PRIMARY KEY,  -- in the order of writing
  begin      INTEGER NOT NULL UNIQUE,  -- legacy_old_message.n
  session    INTEGER NOT NULL,
  external_id TEXT NOT NULL,
  source     TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at   INTEGER NOT NULL
);
CREATE INDEX temp.legacy_turn_by_session ON legacy_turn(session);

-- Moves of the status: what is, what is to be.
CREATE TEMP TABLE legacy_move(label TEXT PRIMARY KEY, from_state TEXT, to_state TEXT, reason TEXT,
                              archived_at INTEGER, data TEXT, at INTEGER);

CREATE TEMP TABLE legacy_report(id TEXT, label TEXT, status TEXT, made INTEGER, turns_made INTEGER,
                                turns_there INTEGER, messages INTEGER, left_out INTEGER,
                                bad_times INTEGER, old_label TEXT, old_status, note TEXT);

CREATE TEMP TABLE legacy_run(done INTEGER NOT NULL);
CREATE TEMP TRIGGER legacy_migrate AFTER INSERT ON legacy_run
BEGIN

-- ---- 2. What is old -----------------------------------------------------------------------------

SELECT turnstile_legacy_check('there is no transaction, as BEGIN has failed; nothing was written')
WHERE (SELECT defer_foreign_keys FROM temp.pragma_defer_foreign_keys) IS NOT 1;
SELECT session_status_from_legacy(NULL, (SELECT policy FROM legacy_policy));

INSERT INTO legacy_old_session(id, raw_label, old_label, old_status, reason, title,
                               created, updated, active)
SELECT iif(typeof(id) = 'blob' OR turnstile_legacy_text(CAST(id AS TEXT)) <> CAST(id AS TEXT),
           hex(id), CAST(id AS TEXT)),
       CAST(label AS TEXT), turnstile_legacy_text(CAST(label AS TEXT)),
       iif(typeof(status) = 'text', turnstile_legacy_text(status), status),
       turnstile_legacy_text(CAST(reason AS TEXT)), turnstile_legacy_text(CAST(title AS TEXT)),
       created_at, updated_at, last_activity
FROM legacy_session;

INSERT INTO legacy_old_message(session_id, id, old_role, content, created)
SELECT iif(typeof(session_id) = 'blob' OR
             turnstile_legacy_text(CAST(session_id AS TEXT)) <> CAST(session_id AS TEXT),
           hex(session_id), CAST(session_id AS TEXT)),
       iif(typeof(id) = 'blob' OR turnstile_legacy_text(CAST(id AS TEXT)) <> CAST(id AS TEXT),
           hex(id), CAST(id AS TEXT)),
       turnstile_legacy_text(CAST(role AS TEXT)), CAST(content AS TEXT), created_at
FROM legacy_message;

SELECT turnstile_legacy_check(coalesce(
  (SELECT 'legacy_session: the row with the label ' || quote(substr(old_label, 1, 60)) ||
          ' has no id'
   FROM legacy_old_session WHERE id IS NULL LIMIT 1),
  (SELECT 'legacy_session: the id ' || quote(substr(id, 1, 60)) || ' occurs ' || count(*) ||
          ' times; each session needs its own id'
   FROM legacy_old_session GROUP BY id HAVING count(*) > 1 LIMIT 1),
  (SELECT 'legacy_session: the status of ' || quote(substr(id, 1, 60)) || ' is ' ||
          quote(old_status) || '; a number or a BLOB has to be put into words, with CASE'
   FROM legacy_old_session WHERE typeof(old_status) NOT IN ('text', 'null') LIMIT 1),
  (SELECT 'legacy_message: a message of the session ' || quote(substr(session_id, 1, 60)) ||
          ' has no id'
   FROM legacy_old_message WHERE id IS NULL LIMIT 1),
  (SELECT 'legacy_message: the message ' || quote(substr(id, 1, 60)) || ' names no session'
   FROM legacy_old_message WHERE session_id IS NULL LIMIT 1),
  (SELECT 'legacy_message: the id ' || quote(substr(id, 1, 60)) || ' occurs ' || count(*) ||
          ' times in the session ' || quote(substr(session_id, 1, 60)) ||
          '; each message needs its own id'
   FROM legacy_old_message GROUP BY session_id, id HAVING count(*) > 1 LIMIT 1)));

UPDATE legacy_old_session SET key = replace(replace(id, '%', '%25'), ':', '%3A');
UPDATE legacy_old_message SET session = s.n,
  key = s.key || ':' || replace(replace(legacy_old_message.id, '%', '%25'), ':', '%3A')
FROM legacy_old_session AS s WHERE s.id = legacy_old_message.session_id;
UPDATE legacy_old_message SET
  content = iif(trim(content, char(9, 10, 11, 12, 13, 32)) = '', NULL, content),
  role = CASE lower(trim(old_role, char(9, 10, 11, 12, 13, 32)))
           WHEN 'user' THEN 'user' WHEN 'human' THEN 'user'
           WHEN 'system' THEN 'system' WHEN 'developer' THEN 'system'
           WHEN 'tool' THEN 'tool' WHEN 'function' THEN 'tool'
           ELSE 'assistant' END;  -- also a word that nobody knows: it must not speak for the user

-- ---- 3. Times -----------------------------------------------------------------------------------

INSERT INTO legacy_time(value)
SELECT created FROM legacy_old_session UNION SELECT updated FROM legacy_old_session
UNION SELECT active FROM legacy_old_session UNION SELECT created FROM legacy_old_message;

UPDATE legacy_time SET
  text = upper(trim(value, char(9, 10, 11, 12, 13, 32))),
  number = iif(typeof(value) = 'text', NULL, value)
WHERE typeof(value) IN ('text', 'integer', 'real');
-- A number as text.
UPDATE legacy_time SET number = text + 0
WHERE number IS NULL AND text GLOB '[0-9]*' AND text NOT GLOB '*[^0-9.]*'
  AND text NOT GLOB '*.*.*';
-- Offsets without a colon, or of hours only, as SQLite reads them.
UPDATE legacy_time SET text =
  CASE WHEN text GLOB '*:*[+-][0-9][0-9][0-9][0-9]'
         THEN substr(text, 1, length(text) - 2) || ':' || substr(text, -2)
       WHEN text GLOB '*:*[+-][0-9][0-9]' THEN text || ':00'
       ELSE text END
WHERE number IS NULL;

-- Numbers tell their unit by their size: Julian days, seconds, ms, microseconds, nanoseconds. Text
-- without an offset is UTC. SQLite takes 31 February for 2 March: a day that is not in the calendar
-- is no time.
UPDATE legacy_time SET ms =
  CASE WHEN number BETWEEN 1721059.5 AND 5373484.5
         THEN CAST(round((number - 2440587.5) * 86400000) AS INTEGER)
       WHEN number < 100000000000 THEN CAST(round(number * 1000) AS INTEGER)
       WHEN number < 100000000000000 THEN CAST(number AS INTEGER)
       WHEN number < 100000000000000000 THEN CAST(number AS INTEGER) / 1000
       WHEN number < 9000000000000000000 THEN CAST(number AS INTEGER) / 1000000
       WHEN text GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*'
            AND date(substr(text, 1, 10), '+0 days') = substr(text, 1, 10)
         THEN CAST(round((julianday(text) - 2440587.5) * 86400000) AS INTEGER) END;
UPDATE legacy_time SET ms = NULL WHERE ms NOT BETWEEN 0 AND 9007199254740991;

UPDATE legacy_old_message SET at = t.ms
FROM legacy_time AS t WHERE t.value = legacy_old_message.created;
UPDATE legacy_old_session SET
  created_at = (SELECT ms FROM legacy_time WHERE value = created),
  updated_at = (SELECT ms FROM legacy_time WHERE value = updated),
  last_activity = (SELECT ms FROM legacy_time WHERE value = active);

-- A session was last active when the old table says, else with its last message.
UPDATE legacy_old_session SET
  last_activity = coalesce(last_activity,
    (SELECT max(at) FROM legacy_old_message WHERE session = legacy_old_session.n), created_at,
    updated_at),
  created_at = coalesce(created_at,
    (SELECT min(at) FROM legacy_old_message WHERE session = legacy_old_session.n), updated_at,
    last_activity);

-- A message without a time has that of the one above it.
UPDATE legacy_old_message SET at = coalesce(
  (SELECT p.at FROM legacy_old_message AS p
   WHERE p.session = legacy_old_message.session AND p.n < legacy_old_message.n AND p.at IS NOT NULL
   ORDER BY p.n DESC LIMIT 1),
  (SELECT created_at FROM legacy_old_session AS s WHERE s.n = legacy_old_message.session),
  CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER))
WHERE at IS NULL;

-- ---- 4. Sessions --------------------------------------------------------------------------------

INSERT OR IGNORE INTO legacy_known
SELECT e.data ->> '$.legacy.id', e.session_label
FROM main.session_events AS e JOIN main.sessions AS s ON s.label = e.session_label
WHERE e.axis = 'status' AND e.from_state IS NULL AND e.data -> '$.legacy.id' IS NOT NULL
ORDER BY e.id;

UPDATE legacy_old_session SET label = k.label,
  note = iif(k.label IS old_label, NULL, 'another label')
FROM legacy_known AS k WHERE k.id = legacy_old_session.id;

-- What stands against the label of the others. Of several, the one used last keeps it.
UPDATE legacy_old_session SET made = 1, follows = 1, note =
  CASE WHEN coalesce(raw_label, '') = '' THEN 'no label'
       WHEN length(CAST(raw_label AS BLOB)) > 1024 THEN 'label over 1024 bytes'
       WHEN instr(raw_label, char(0)) THEN 'label with a NUL'
       WHEN raw_label <> old_label THEN 'label with invalid UTF-8'
       WHEN instr(raw_label, char(65533)) THEN 'label with U+FFFD'
       WHEN EXISTS (SELECT 1 FROM main.sessions WHERE label = raw_label) OR
            EXISTS (SELECT 1 FROM main.session_aliases WHERE alias = raw_label)
         THEN 'label is taken'
       WHEN ranked.rank > 1 THEN 'label of another one too' END
FROM (SELECT n AS m,
             row_number() OVER (PARTITION BY raw_label ORDER BY last_activity DESC, n DESC) AS rank
      FROM legacy_old_session WHERE label IS NULL) AS ranked
WHERE ranked.m = legacy_old_session.n;
UPDATE legacy_old_session SET label = raw_label WHERE made AND note IS NULL;

-- The others are called legacy:id; where that is taken too, with the first number behind it that is
-- free. Ids are different, and so are these.
SELECT turnstile_legacy_check(
  (SELECT 'legacy_session: the id that begins with ' || quote(substr(id, 1, 60)) || ' is ' ||
          length(CAST(id AS BLOB)) || ' bytes long; it stands in for the label (' || note ||
          '), and 1000 are allowed then'
   FROM legacy_old_session WHERE label IS NULL AND length(CAST(id AS BLOB)) > 1000 LIMIT 1));
UPDATE legacy_old_session SET label = 'legacy:' || id
WHERE label IS NULL
  AND NOT EXISTS (SELECT 1 FROM main.sessions AS d WHERE d.label = 'legacy:' || id)
  AND NOT EXISTS (SELECT 1 FROM main.session_aliases WHERE alias = 'legacy:' || id)
  AND NOT EXISTS (SELECT 1 FROM legacy_old_session AS o
                  WHERE o.label = 'legacy:' || legacy_old_session.id);
UPDATE legacy_old_session SET note = note || '; legacy:' || id || ' is taken',
  label = (WITH RECURSIVE name(label, number) AS (
             SELECT 'legacy:' || legacy_old_session.id || '-2', 2 UNION ALL
             SELECT 'legacy:' || legacy_old_session.id || '-' || (number + 1), number + 1 FROM name)
           SELECT name.label FROM name
           WHERE NOT EXISTS (SELECT 1 FROM main.sessions AS d WHERE d.label = name.label)
             AND NOT EXISTS (SELECT 1 FROM main.session_aliases WHERE alias = name.label)
             AND NOT EXISTS (SELECT 1 FROM legacy_old_session AS o WHERE o.label = name.label)
           LIMIT 1)
WHERE label IS NULL;
UPDATE legacy_old_session SET
  created_at = coalesce(created_at, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER))
WHERE made;

-- A session that is there follows the old table as long as nobody else has moved its status or gone
-- on with it: all that it has is what this script writes, events of its status and turns appended.
UPDATE legacy_old_session SET
  before = d.status, before_reason = d.status_reason, before_archived_at = d.archived_at,
  before_activity = d.last_activity, merged = d.superseded_by,
  created_at = coalesce(legacy_old_session.created_at, d.created_at),
  follows = d.superseded_by IS NULL
    AND (SELECT data -> '$.legacy' FROM main.session_events
         WHERE session_label = d.label AND axis = 'status' ORDER BY id DESC LIMIT 1) IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM main.session_events
                    WHERE session_label = d.label AND axis NOT IN ('status', 'turn'))
    AND NOT EXISTS (SELECT 1 FROM main.session_runs WHERE session_label = d.label)
    AND NOT EXISTS (SELECT 1 FROM main.deliveries WHERE session_label = d.label)
    AND NOT EXISTS (SELECT 1 FROM main.session_queue
                    WHERE session_label = d.label AND delivered_at IS NULL)
    AND NOT EXISTS (SELECT 1 FROM main.session_queue
                    WHERE session_label = d.label AND delivered_at IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM main.tasks WHERE session_label = d.label)
    AND NOT EXISTS (SELECT 1 FROM main.observations
                    WHERE session_label = d.label AND task_id IS NULL)
    AND NOT EXISTS (SELECT 1 FROM main.sessions WHERE superseded_by = d.label)
    AND NOT EXISTS (SELECT 1 FROM main.sessions WHERE parent_session_label = d.label)
    AND NOT EXISTS (SELECT 1 FROM main.session_history AS h
                    JOIN main.turns AS t ON t.id = h.thread_id
                    WHERE h.session_label = d.label AND (h.reason <> 'append' OR
                      (t.external_id >= 'legacy:' AND t.external_id < 'legacy;') IS NOT 1))
FROM main.sessions AS d WHERE d.label = legacy_old_session.label AND NOT made;
UPDATE legacy_old_session SET status =
  iif(follows, session_status_from_legacy(old_status, (SELECT policy FROM legacy_policy)), before);

INSERT INTO sessions(label, origin, routing_key, created_at, updated_at, last_activity)
SELECT label, 'import', label, created_at, created_at, created_at
FROM legacy_old_session WHERE made ORDER BY n;
INSERT INTO session_events(session_label, axis, to_state, "trigger", data, at)
SELECT label, 'status', 'active', 'create',
       json_object('legacy', json_object('id', id, 'label', old_label, 'status', old_status,
                                         'title', title)),
       created_at
FROM legacy_old_session WHERE made ORDER BY n;

-- ---- 5. Turns -----------------------------------------------------------------------------------

INSERT OR IGNORE INTO legacy_there
SELECT m.metadata ->> '$.legacy_id'
FROM main.turns AS t CROSS JOIN main.messages AS m
  ON m.place BETWEEN t.id << 12 AND t.id << 12 | 4095
WHERE t.external_id >= 'legacy:' AND t.external_id < 'legacy;'
  AND m.metadata ->> '$.legacy_id' IS NOT NULL;
INSERT OR IGNORE INTO legacy_there
SELECT substr(c.id, 8)
FROM main.turns AS t CROSS JOIN main.tool_calls AS c
  ON c.place BETWEEN t.id << 12 AND t.id << 12 | 4095
WHERE t.external_id >= 'legacy:' AND t.external_id < 'legacy;'
  AND c.id >= 'legacy:' AND c.id < 'legacy;';

-- A user's message begins a group, and the first message of a session does.
UPDATE legacy_old_message SET grp = counted.grp
FROM (SELECT n AS m, sum(role = 'user') OVER (PARTITION BY session ORDER BY at, n) AS grp
      FROM legacy_old_message WHERE session IS NOT NULL) AS counted
WHERE counted.m = legacy_old_message.n;

-- A tool's answer is a finished call: an answer without a call can't be stored, and would not be
-- taken by a model.
UPDATE legacy_old_message SET json =
  iif(role = 'tool',
      json_object('role', 'assistant', 'created_at', at, 'tool_calls', json_array(
        json_object('id', 'legacy:' || key, 'name', 'tool', 'result', content))),
      json_object('role', role, 'content', content, 'created_at', at, 'metadata',
        json_patch(json_object('legacy_id', key), json_object('legacy_role',
          iif(role = 'assistant' AND lower(trim(old_role, char(9, 10, 11, 12, 13, 32))) NOT IN
              ('assistant', 'ai', 'bot', 'model', 'agent'), old_role, NULL)))))
WHERE session IS NOT NULL AND content IS NOT NULL AND key NOT IN legacy_there;

-- What is new of a group is a turn; several, where it is more than a turn holds. A message of over
-- 4 MB has one of its own: what turn_append takes in one call is 16 MB.
UPDATE legacy_old_message SET turn = begun.turn
FROM (SELECT n AS m, first_value(n) OVER (PARTITION BY session, grp, part ORDER BY at, n) AS turn
      FROM (SELECT n, session, grp, at,
                   ((row_number() OVER w - 1) / 4000) || ' ' ||
                   (sum(size) OVER w / 4000000) || ' ' ||
                   (sum(size > 4000000) OVER w) || ' ' || (size > 4000000) AS part
            FROM (SELECT n, session, grp, at, length(CAST(json AS BLOB)) AS size
                  FROM legacy_old_message WHERE json IS NOT NULL)
            WINDOW w AS (PARTITION BY session, grp ORDER BY at, n ROWS UNBOUNDED PRECEDING))
     ) AS begun
WHERE begun.m = legacy_old_message.n;

-- The longest id is that of a turn or of a call. The brackets of the array count as well.
SELECT turnstile_legacy_check(coalesce(
  (SELECT 'legacy_message: ' || quote('legacy:' || substr(key, 1, 60)) || '..., made of the ids ' ||
          'of a session and its message, is ' || length(CAST('legacy:' || key AS BLOB)) ||
          ' bytes long; at most 256 are allowed'
   FROM legacy_old_message WHERE json IS NOT NULL AND (turn = n OR role = 'tool')
     AND length(CAST('legacy:' || key AS BLOB)) > 256 LIMIT 1),
  (SELECT 'legacy_message: the message ' || quote(substr(id, 1, 60)) || ' of the session ' ||
          quote(substr(session_id, 1, 60)) || ' is ' || length(CAST(json AS BLOB)) ||
          ' bytes long as JSON; at most 16777214 are allowed'
   FROM legacy_old_message WHERE length(CAST(json AS BLOB)) > 16777214 LIMIT 1)));

INSERT INTO legacy_turn(begin, session, external_id, source, started_at, ended_at)
SELECT b.n, b.session, 'legacy:' || b.key, iif(b.grp = 0, 'system', 'user'), min(m.at), max(m.at)
FROM legacy_old_message AS m JOIN legacy_old_message AS b ON b.n = m.turn
GROUP BY b.n ORDER BY b.session, b.at, b.n;

-- A session in error takes no turn: it is reopened for as long as this takes.
INSERT INTO legacy_move
SELECT label, 'error', 'active', NULL, NULL, NULL,
       (SELECT min(started_at) FROM legacy_turn WHERE session = s.n)
FROM legacy_old_session AS s
WHERE before = 'error' AND merged IS NULL
  AND EXISTS (SELECT 1 FROM legacy_turn WHERE session = s.n);
INSERT INTO session_events(session_label, axis, from_state, to_state, "trigger", at)
SELECT m.label, 'status', m.from_state, m.to_state, t."trigger", m.at
FROM legacy_move AS m JOIN main.state_transitions AS t
  ON t.axis = 'status' AND t.from_state = m.from_state AND t.to_state = m.to_state
ORDER BY m.label;
UPDATE sessions SET status = m.to_state, status_reason = NULL
FROM legacy_move AS m WHERE m.label = sessions.label;

-- turn_append is told an old time, at which every lease still holds: runs that are dead by now are
-- ended before.
INSERT INTO turnstile(command, args)
SELECT command.value, iif(command.key = 0,
         json_array(r.turn_id, r.token, 'the lease of ''' || coalesce(r.owner, '') ||
                    ''' ran out; migrate_legacy.sql took over'),
         json_array(r.session_label, r.owner, 'idle'))
FROM main.session_runs AS r, temp.json_each('["turn_fail","session_run"]') AS command
WHERE r.turn_id IS NOT NULL
  AND r.expires_at <= CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)
  AND r.session_label IN
    (SELECT coalesce(s.merged, s.label) FROM legacy_turn AS t
     JOIN legacy_old_session AS s ON s.n = t.session)
ORDER BY r.session_label, command.key;

INSERT INTO turnstile(command, args)
SELECT 'turn_append',
       json_array(s.label,
         json((SELECT json_group_array(json(json)) FROM
               (SELECT json FROM legacy_old_message WHERE turn = t.begin ORDER BY at, n))),
         json_object('external_id', t.external_id, 'source', t.source,
                     'started_at', t.started_at, 'now', t.ended_at))
FROM legacy_turn AS t JOIN legacy_old_session AS s ON s.n = t.session
ORDER BY t.id;

-- ---- 6. Status and times ------------------------------------------------------------------------

-- Twice: what the machine has no single move for goes by active.
DELETE FROM legacy_move;
INSERT INTO legacy_move
SELECT d.label, d.status, 'active', NULL, NULL, NULL, coalesce(s.updated_at, s.last_activity)
FROM legacy_old_session AS s JOIN main.sessions AS d ON d.label = s.label
WHERE d.status <> s.status AND d.superseded_by IS NULL
  AND NOT EXISTS (SELECT 1 FROM main.state_transitions
                  WHERE axis = 'status' AND from_state = d.status AND to_state = s.status);
INSERT INTO session_events(session_label, axis, from_state, to_state, "trigger", at)
SELECT m.label, 'status', m.from_state, m.to_state, t."trigger", m.at
FROM legacy_move AS m JOIN main.state_transitions AS t
  ON t.axis = 'status' AND t.from_state = m.from_state AND t.to_state = m.to_state
ORDER BY m.label;
UPDATE sessions SET status = m.to_state, status_reason = NULL, archived_at = NULL
FROM legacy_move AS m WHERE m.label = sessions.label;

DELETE FROM legacy_move;
INSERT INTO legacy_move
SELECT d.label, d.status, s.status,
       CASE WHEN NOT s.follows THEN s.before_reason
            WHEN s.status = 'error'
              THEN coalesce(nullif(s.reason, ''), 'error in the old table') END,
       CASE WHEN s.status <> 'archived' THEN NULL
            WHEN s.follows THEN coalesce(s.updated_at, s.last_activity, s.created_at)
            ELSE s.before_archived_at END,
       iif(s.follows, json_object('legacy', json_object('status', s.old_status)), NULL),
       coalesce(s.updated_at, s.last_activity, s.created_at)
FROM legacy_old_session AS s JOIN main.sessions AS d ON d.label = s.label
WHERE d.status <> s.status AND d.superseded_by IS NULL;
INSERT INTO session_events(session_label, axis, from_state, to_state, "trigger", data, at)
SELECT m.label, 'status', m.from_state, m.to_state, t."trigger", m.data, m.at
FROM legacy_move AS m JOIN main.state_transitions AS t
  ON t.axis = 'status' AND t.from_state = m.from_state AND t.to_state = m.to_state
ORDER BY m.label;
UPDATE sessions SET status = m.to_state, status_reason = m.reason, archived_at = m.archived_at
FROM legacy_move AS m WHERE m.label = sessions.label;

-- Activity is what the old table says, and never goes back.
UPDATE sessions SET
  last_activity = max(coalesce(s.before_activity, 0),
                      coalesce(s.last_activity, s.before_activity, s.created_at)),
  updated_at = iif(s.made, coalesce(s.updated_at, s.last_activity, s.created_at),
                   max(sessions.updated_at, coalesce(s.updated_at, s.last_activity, 0)))
FROM legacy_old_session AS s WHERE s.label = sessions.label AND (s.follows OR EXISTS
  (SELECT 1 FROM legacy_turn WHERE session = s.n));

-- ---- 7. What came of it -------------------------------------------------------------------------

SELECT turnstile_legacy_check(coalesce(
  (SELECT 'the session ' || quote(substr(s.id, 1, 60)) || ' has not become what it should'
   FROM legacy_old_session AS s LEFT JOIN main.sessions AS d ON d.label = s.label
   WHERE d.status IS NOT s.status LIMIT 1),
  (SELECT 'the turn ' || quote(t.external_id) || ' is not where it should be'
   FROM legacy_turn AS t JOIN legacy_old_session AS s ON s.n = t.session
   WHERE NOT EXISTS (SELECT 1 FROM main.turns AS u JOIN main.session_history AS h
                       ON h.thread_id = u.id
                     WHERE u.external_id = t.external_id AND h.reason = 'append'
                       AND h.session_label = coalesce(s.merged, s.label)) LIMIT 1),
  (SELECT 'the turn ' || quote(t.external_id) || ' does not hold its messages'
   FROM legacy_turn AS t JOIN main.turns AS u ON u.external_id = t.external_id
   WHERE (SELECT count(*) FROM legacy_old_message WHERE turn = t.begin) <>
         (SELECT count(*) FROM main.messages
          WHERE place BETWEEN u.id << 12 AND u.id << 12 | 4095 AND tool_call_id IS NULL
            AND metadata ->> '$.legacy_id' IS NOT NULL) +
         (SELECT count(*) FROM main.tool_calls
          WHERE place BETWEEN u.id << 12 AND u.id << 12 | 4095)
   LIMIT 1)));

INSERT INTO legacy_report
WITH
  said(session, messages, left_out, bad_times) AS MATERIALIZED (
    SELECT m.session, count(*), sum(m.content IS NULL),
           sum(m.created IS NOT NULL AND t.ms IS NULL)
    FROM legacy_old_message AS m LEFT JOIN legacy_time AS t ON t.value = m.created
    WHERE m.session IS NOT NULL GROUP BY m.session),
  made(session, turns) AS MATERIALIZED (
    SELECT session, count(*) FROM legacy_turn GROUP BY session)
SELECT s.id, s.label, d.status, s.made, coalesce(made.turns, 0),
       (SELECT count(*) FROM main.turns
        WHERE external_id >= 'legacy:' || s.key || ':' AND external_id < 'legacy:' || s.key || ';')
         - coalesce(made.turns, 0),
       coalesce(said.messages, 0),
       coalesce(said.left_out, 0),
       coalesce(said.bad_times, 0) +
         (SELECT count(*) FROM legacy_time AS t, temp.json_each('[1,2,3]') AS i
          WHERE t.ms IS NULL AND t.value =
            CASE i.value WHEN 1 THEN s.created WHEN 2 THEN s.updated ELSE s.active END),
       s.old_label, s.old_status,
       nullif(noted.text, '')
FROM legacy_old_session AS s JOIN main.sessions AS d ON d.label = s.label
     LEFT JOIN said ON said.session = s.n LEFT JOIN made ON made.session = s.n
     JOIN (SELECT n, coalesce(note, '') ||
                  CASE WHEN lower(trim(coalesce(old_status, 'active'), char(9, 10, 11, 12, 13, 32)))
                            NOT IN ('active', 'suspended', 'completed', 'cancelled', 'canceled',
                                    'archived', 'error')
                       THEN iif(note IS NULL, '', '; ') || 'unknown status' ELSE '' END ||
                  iif(follows, '', iif(note IS NULL, '', '; ') ||
                      iif(merged IS NULL, 'has gone on by itself', 'merged')) AS text
           FROM legacy_old_session) AS noted ON noted.n = s.n
ORDER BY s.n;
INSERT INTO legacy_report(id, made, turns_made, turns_there, messages, left_out, bad_times, note)
SELECT session_id, 0, 0, 0, count(*), count(*), 0, 'messages without a session'
FROM legacy_old_message WHERE session IS NULL GROUP BY session_id ORDER BY min(n);

UPDATE legacy_run SET done = 1;
END;

-- ---- 8. All of it, or nothing -------------------------------------------------------------------

INSERT INTO legacy_run VALUES (0);

-- A shell that goes on after an error comes here all the same.
CREATE TEMP TABLE legacy_done(done INTEGER);
CREATE TEMP TRIGGER legacy_undo BEFORE INSERT ON legacy_done
WHEN (SELECT done FROM legacy_run) IS NOT 1
BEGIN
  SELECT RAISE(ROLLBACK, 'migrate_legacy.sql: not everything could be written; nothing was');
END;
INSERT INTO legacy_done VALUES (1);

DROP TABLE IF EXISTS temp.legacy_run;
DROP TABLE IF EXISTS temp.legacy_done;
DROP TABLE IF EXISTS temp.legacy_old_session;
DROP TABLE IF EXISTS temp.legacy_old_message;
DROP TABLE IF EXISTS temp.legacy_time;
DROP TABLE IF EXISTS temp.legacy_there;
DROP TABLE IF EXISTS temp.legacy_known;
DROP TABLE IF EXISTS temp.legacy_turn;
DROP TABLE IF EXISTS temp.legacy_move;

COMMIT;

SELECT * FROM legacy_report;
