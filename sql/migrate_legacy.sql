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
--   .read sql/migrate_legacy.sql
--
-- From a program: the same views, then the text of this file through executescript(), then
-- SELECT * FROM legacy_report. After an error: ROLLBACK.
--
-- docs/legacy.md says what becomes what. In short: a user's message begins a turn, what follows
-- belongs to it; the status is session_status_from_legacy(status, policy). Nothing is migrated
-- twice: another run adds what has been written since.
--
-- How it works: both views are read into TEMP tables, and all times into milliseconds. Every old
-- session is given a label: the one it was given before, which its create event remembers, its own,
-- or legacy:id. Messages that the database does not hold yet become turns, written by one INSERT
-- into the door. Then sessions are moved to their status, by moves that the machine has, with their
-- events. Everything, the making of the tables too, is one transaction. It only reads what is old.
--
-- For tables without a prefix in the main file. The TEMP tables made here are dropped at the end,
-- but legacy_report, and an empty legacy_policy where there was none.

BEGIN IMMEDIATE;

SELECT 1 WHERE turnstile_install() IS NULL;

CREATE TEMP TABLE IF NOT EXISTS legacy_policy(policy TEXT);
SELECT 1 WHERE session_status_from_legacy(NULL, (SELECT policy FROM legacy_policy)) IS NULL;

DROP TABLE IF EXISTS temp.legacy_report;
DROP TABLE IF EXISTS temp.legacy_old_session;
DROP TABLE IF EXISTS temp.legacy_old_message;
DROP TABLE IF EXISTS temp.legacy_time;
DROP TABLE IF EXISTS temp.legacy_there;
DROP TABLE IF EXISTS temp.legacy_known;
DROP TABLE IF EXISTS temp.legacy_turn;
DROP TABLE IF EXISTS temp.legacy_move;
DROP TABLE IF EXISTS temp.legacy_check;

-- ---- 1. What is old -----------------------------------------------------------------------------

-- Times are kept as they are at first; columns without a type change nothing.
CREATE TEMP TABLE legacy_old_session(
  n             INTEGER PRIMARY KEY,   -- in the order of the view
  id            TEXT NOT NULL UNIQUE,
  key           TEXT,                  -- the id as part of an external_id
  old_label     TEXT,
  old_status,
  reason        TEXT,
  title         TEXT,
  created, updated, active,            -- as they are
  created_at    INTEGER,               -- in ms, NULL: not known
  updated_at    INTEGER,
  last_activity INTEGER,
  label         TEXT,
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
INSERT INTO legacy_old_session(id, old_label, old_status, reason, title, created, updated, active)
SELECT CAST(id AS TEXT), CAST(label AS TEXT), status, CAST(reason AS TEXT), CAST(title AS TEXT),
       created_at, updated_at, last_activity
FROM legacy_session;

CREATE TEMP TABLE legacy_old_message(
  n          INTEGER PRIMARY KEY,      -- in the order of the view
  session_id TEXT NOT NULL,
  id         TEXT NOT NULL,
  session    INTEGER,                  -- legacy_old_session.n, NULL: there is none
  key        TEXT,                     -- session and message, as part of an external_id
  old_role   TEXT,
  role       TEXT,                     -- user | assistant | system | tool
  content    TEXT,                     -- NULL: nothing but white space
  created,                             -- as it is
  at         INTEGER,                  -- in ms
  grp        INTEGER,                  -- counts the user's messages of the session up to here
  json       TEXT,                     -- as turn_append takes it; NULL: it is left out, or is there
  turn       INTEGER,                  -- the n of the message that its new turn begins with
  UNIQUE (session_id, id)
);
INSERT INTO legacy_old_message(session_id, id, old_role, content, created)
SELECT CAST(session_id AS TEXT), CAST(id AS TEXT), CAST(role AS TEXT), CAST(content AS TEXT),
       created_at
FROM legacy_message;

UPDATE legacy_old_session SET key = replace(replace(id, '%', '%25'), ':', '%3A');
UPDATE legacy_old_message AS m SET session = s.n,
  key = s.key || ':' || replace(replace(m.id, '%', '%25'), ':', '%3A')
FROM legacy_old_session AS s WHERE s.id = m.session_id;
UPDATE legacy_old_message SET
  content = iif(trim(content, char(9, 10, 11, 12, 13, 32)) = '', NULL, content),
  role = CASE lower(trim(old_role, char(9, 10, 11, 12, 13, 32)))
           WHEN 'user' THEN 'user' WHEN 'human' THEN 'user'
           WHEN 'system' THEN 'system' WHEN 'developer' THEN 'system'
           WHEN 'tool' THEN 'tool' WHEN 'function' THEN 'tool'
           ELSE 'assistant' END;  -- also a word that nobody knows: it must not speak for the user

-- ---- 2. Times -----------------------------------------------------------------------------------

CREATE TEMP TABLE legacy_time(value, number, text TEXT, ms INTEGER);
INSERT INTO legacy_time(value)
SELECT created FROM legacy_old_session UNION SELECT updated FROM legacy_old_session
UNION SELECT active FROM legacy_old_session UNION SELECT created FROM legacy_old_message;
CREATE INDEX temp.legacy_time_by_value ON legacy_time(value);

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
-- without an offset is UTC. strftime('%f') is the seconds with their fraction.
UPDATE legacy_time SET ms =
  CASE WHEN number BETWEEN 1721059.5 AND 5373484.5
         THEN CAST(round((number - 2440587.5) * 86400000) AS INTEGER)
       WHEN number < 100000000000 THEN CAST(round(number * 1000) AS INTEGER)
       WHEN number < 100000000000000 THEN CAST(number AS INTEGER)
       WHEN number < 100000000000000000 THEN CAST(number AS INTEGER) / 1000
       WHEN number < 9000000000000000000 THEN CAST(number AS INTEGER) / 1000000
       WHEN text GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*'
         THEN strftime('%s', text) * 1000 + substr(strftime('%f', text), 4) END;
UPDATE legacy_time SET ms = NULL WHERE ms NOT BETWEEN 0 AND 9007199254740991;

UPDATE legacy_old_message AS m SET at = t.ms
FROM legacy_time AS t WHERE t.value = m.created;
UPDATE legacy_old_session SET
  created_at = (SELECT ms FROM legacy_time WHERE value = created),
  updated_at = (SELECT ms FROM legacy_time WHERE value = updated),
  last_activity = (SELECT ms FROM legacy_time WHERE value = active);

-- A session was last active when the old table says, else with its last message.
CREATE INDEX temp.legacy_old_message_in_order ON legacy_old_message(session, n);
UPDATE legacy_old_session AS s SET
  last_activity = coalesce(last_activity,
    (SELECT max(at) FROM legacy_old_message WHERE session = s.n), created_at, updated_at),
  created_at = coalesce(created_at,
    (SELECT min(at) FROM legacy_old_message WHERE session = s.n), updated_at, last_activity);

-- A message without a time has that of the one above it.
UPDATE legacy_old_message SET at = coalesce(
  (SELECT p.at FROM legacy_old_message AS p
   WHERE p.session = legacy_old_message.session AND p.n < legacy_old_message.n AND p.at IS NOT NULL
   ORDER BY p.n DESC LIMIT 1),
  (SELECT created_at FROM legacy_old_session AS s WHERE s.n = legacy_old_message.session),
  CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER))
WHERE at IS NULL;
DROP INDEX temp.legacy_old_message_in_order;
CREATE INDEX temp.legacy_old_message_by_session ON legacy_old_message(session, at, n);

-- ---- 3. Sessions --------------------------------------------------------------------------------

-- Those of an earlier run: their create event names the old id.
CREATE TEMP TABLE legacy_known(id TEXT PRIMARY KEY, label TEXT NOT NULL);
INSERT OR IGNORE INTO legacy_known
SELECT e.data ->> '$.legacy.id', e.session_label
FROM main.session_events AS e JOIN main.sessions AS s ON s.label = e.session_label
WHERE e.axis = 'status' AND e.from_state IS NULL AND e.data -> '$.legacy.id' IS NOT NULL
ORDER BY e.id;

UPDATE legacy_old_session AS s SET label = k.label,
  note = iif(k.label IS s.old_label, NULL, 'another label')
FROM legacy_known AS k WHERE k.id = s.id;

-- What stands against the label of the others. Of several, the one used last keeps it.
WITH ranked(n, rank) AS (
  SELECT n, row_number() OVER (PARTITION BY old_label ORDER BY last_activity DESC, n DESC)
  FROM legacy_old_session WHERE label IS NULL)
UPDATE legacy_old_session AS s SET note =
  CASE WHEN coalesce(old_label, '') = '' THEN 'no label'
       WHEN length(CAST(old_label AS BLOB)) > 1024 THEN 'label over 1024 bytes'
       WHEN instr(old_label, char(0)) THEN 'label with a NUL'
       WHEN EXISTS (SELECT 1 FROM main.sessions WHERE label = old_label) OR
            EXISTS (SELECT 1 FROM main.session_aliases WHERE alias = old_label)
         THEN 'label is taken'
       WHEN ranked.rank > 1 THEN 'label of another one too' END
FROM ranked WHERE ranked.n = s.n;
UPDATE legacy_old_session SET made = 1, follows = 1,
  label = iif(note IS NULL, old_label, 'legacy:' || id),
  created_at = coalesce(created_at, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER))
WHERE label IS NULL;

-- A session that is there follows the old table as long as nobody else has moved its status or gone
-- on with it.
UPDATE legacy_old_session AS s SET
  before = d.status, before_reason = d.status_reason, before_archived_at = d.archived_at,
  before_activity = d.last_activity, merged = d.superseded_by,
  created_at = coalesce(s.created_at, d.created_at),
  follows = d.superseded_by IS NULL AND d.open_task_id IS NULL
    AND (SELECT data -> '$.legacy' FROM main.session_events
         WHERE session_label = d.label AND axis = 'status' ORDER BY id DESC LIMIT 1) IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM main.session_runs
                    WHERE session_label = d.label AND run_state <> 'idle')
    AND NOT EXISTS (SELECT 1 FROM main.session_history AS h
                    JOIN main.turns AS t ON t.id = h.thread_id
                    WHERE h.session_label = d.label AND
                      (t.external_id >= 'legacy:' AND t.external_id < 'legacy;') IS NOT 1)
FROM main.sessions AS d WHERE d.label = s.label AND NOT s.made;
UPDATE legacy_old_session SET status =
  iif(follows, session_status_from_legacy(old_status, (SELECT policy FROM legacy_policy)), before);

INSERT INTO main.sessions(label, origin, routing_key, created_at, updated_at, last_activity)
SELECT label, 'import', label, created_at, created_at, created_at
FROM legacy_old_session WHERE made ORDER BY n;
INSERT INTO main.session_events(session_label, axis, to_state, "trigger", data, at)
SELECT label, 'status', 'active', 'create',
       json_object('legacy', json_object('id', id, 'label', old_label, 'status', old_status,
                                         'title', title)),
       created_at
FROM legacy_old_session WHERE made ORDER BY n;

-- ---- 4. Turns -----------------------------------------------------------------------------------

-- The messages that the database holds.
CREATE TEMP TABLE legacy_there(key TEXT PRIMARY KEY) WITHOUT ROWID;
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
WITH counted(n, grp) AS MATERIALIZED (
  SELECT n, sum(role = 'user') OVER (PARTITION BY session ORDER BY at, n)
  FROM legacy_old_message WHERE session IS NOT NULL)
UPDATE legacy_old_message AS m SET grp = counted.grp FROM counted WHERE counted.n = m.n;

-- A tool's answer is a finished call: an answer without a call can't be stored, and would not be
-- taken by a model.
UPDATE legacy_old_message AS m SET json =
  iif(role = 'tool',
      json_object('role', 'assistant', 'created_at', at, 'tool_calls', json_array(
        json_object('id', 'legacy:' || key, 'name', 'tool', 'result', content))),
      json_object('role', role, 'content', content, 'created_at', at, 'metadata',
        json_patch(json_object('legacy_id', key), json_object('legacy_role',
          iif(role = 'assistant' AND lower(trim(old_role, char(9, 10, 11, 12, 13, 32))) NOT IN
              ('assistant', 'ai', 'bot', 'model', 'agent'), old_role, NULL)))))
WHERE session IS NOT NULL AND content IS NOT NULL AND key NOT IN legacy_there;

-- What is new of a group is a turn; several, where it is more than a turn holds.
WITH
  sized(n, session, grp, at, part) AS (
    SELECT n, session, grp, at,
           ((row_number() OVER w - 1) / 4000) || ' ' ||
           (sum(length(CAST(json AS BLOB))) OVER w / 4000000)
    FROM legacy_old_message WHERE json IS NOT NULL
    WINDOW w AS (PARTITION BY session, grp ORDER BY at, n ROWS UNBOUNDED PRECEDING)),
  begun(n, turn) AS MATERIALIZED (
    SELECT n, first_value(n) OVER (PARTITION BY session, grp, part ORDER BY at, n) FROM sized)
UPDATE legacy_old_message AS m SET turn = begun.turn FROM begun WHERE begun.n = m.n;

CREATE TEMP TABLE legacy_turn(
  id         INTEGER PRIMARY KEY,  -- in the order of writing
  begin      INTEGER NOT NULL UNIQUE,  -- legacy_old_message.n
  session    INTEGER NOT NULL,
  external_id TEXT NOT NULL,
  source     TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at   INTEGER NOT NULL
);
INSERT INTO legacy_turn(begin, session, external_id, source, started_at, ended_at)
SELECT b.n, b.session, 'legacy:' || b.key, iif(b.grp = 0, 'system', 'user'), min(m.at), max(m.at)
FROM legacy_old_message AS m JOIN legacy_old_message AS b ON b.n = m.turn
GROUP BY b.n ORDER BY b.session, b.at, b.n;
CREATE INDEX temp.legacy_old_message_by_turn ON legacy_old_message(turn, at, n);
CREATE INDEX temp.legacy_turn_by_session ON legacy_turn(session);

-- Moves of the status: what is, what is to be.
CREATE TEMP TABLE legacy_move(label TEXT PRIMARY KEY, from_state TEXT, to_state TEXT, reason TEXT,
                              archived_at INTEGER, data TEXT, at INTEGER);

-- A session in error takes no turn: it is reopened for as long as this takes.
INSERT INTO legacy_move
SELECT label, 'error', 'active', NULL, NULL, NULL,
       (SELECT min(started_at) FROM legacy_turn WHERE session = s.n)
FROM legacy_old_session AS s
WHERE before = 'error' AND merged IS NULL
  AND EXISTS (SELECT 1 FROM legacy_turn WHERE session = s.n);
INSERT INTO main.session_events(session_label, axis, from_state, to_state, "trigger", at)
SELECT m.label, 'status', m.from_state, m.to_state, t."trigger", m.at
FROM legacy_move AS m JOIN main.state_transitions AS t
  ON t.axis = 'status' AND t.from_state = m.from_state AND t.to_state = m.to_state
ORDER BY m.label;
UPDATE main.sessions AS s SET status = m.to_state, status_reason = NULL
FROM legacy_move AS m WHERE m.label = s.label;

INSERT INTO main.turnstile(command, args)
SELECT 'turn_append',
       json_array(s.label,
         json((SELECT json_group_array(json(json)) FROM
               (SELECT json FROM legacy_old_message WHERE turn = t.begin ORDER BY at, n))),
         json_object('external_id', t.external_id, 'source', t.source,
                     'started_at', t.started_at, 'now', t.ended_at))
FROM legacy_turn AS t JOIN legacy_old_session AS s ON s.n = t.session
ORDER BY t.id;

-- ---- 5. Status and times ------------------------------------------------------------------------

-- Twice: what the machine has no single move for goes by active.
DELETE FROM legacy_move;
INSERT INTO legacy_move
SELECT d.label, d.status, 'active', NULL, NULL, NULL, coalesce(s.updated_at, s.last_activity)
FROM legacy_old_session AS s JOIN main.sessions AS d ON d.label = s.label
WHERE d.status <> s.status AND d.superseded_by IS NULL
  AND NOT EXISTS (SELECT 1 FROM main.state_transitions
                  WHERE axis = 'status' AND from_state = d.status AND to_state = s.status);
INSERT INTO main.session_events(session_label, axis, from_state, to_state, "trigger", at)
SELECT m.label, 'status', m.from_state, m.to_state, t."trigger", m.at
FROM legacy_move AS m JOIN main.state_transitions AS t
  ON t.axis = 'status' AND t.from_state = m.from_state AND t.to_state = m.to_state
ORDER BY m.label;
UPDATE main.sessions AS s SET status = m.to_state, status_reason = NULL, archived_at = NULL
FROM legacy_move AS m WHERE m.label = s.label;

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
INSERT INTO main.session_events(session_label, axis, from_state, to_state, "trigger", data, at)
SELECT m.label, 'status', m.from_state, m.to_state, t."trigger", m.data, m.at
FROM legacy_move AS m JOIN main.state_transitions AS t
  ON t.axis = 'status' AND t.from_state = m.from_state AND t.to_state = m.to_state
ORDER BY m.label;
UPDATE main.sessions AS s SET status = m.to_state, status_reason = m.reason,
  archived_at = m.archived_at
FROM legacy_move AS m WHERE m.label = s.label;

-- Activity is what the old table says, and never goes back.
UPDATE main.sessions AS d SET
  last_activity = max(coalesce(s.before_activity, 0),
                      coalesce(s.last_activity, s.before_activity, s.created_at)),
  updated_at = iif(s.made, coalesce(s.updated_at, s.last_activity, s.created_at),
                   max(d.updated_at, coalesce(s.updated_at, s.last_activity, 0)))
FROM legacy_old_session AS s WHERE s.label = d.label AND (s.follows OR EXISTS
  (SELECT 1 FROM legacy_turn WHERE session = s.n));

-- ---- 6. All of it, or nothing -------------------------------------------------------------------

-- A shell that goes on after an error comes here with a part.
CREATE TEMP TABLE legacy_check(missing INTEGER);
CREATE TEMP TRIGGER legacy_check_all BEFORE INSERT ON legacy_check WHEN NEW.missing IS NOT 0
BEGIN
  SELECT RAISE(ROLLBACK, 'migrate_legacy.sql: not everything could be written; nothing was');
END;
INSERT INTO legacy_check
SELECT (SELECT count(*) FROM legacy_turn AS t
        WHERE NOT EXISTS (SELECT 1 FROM main.turns WHERE external_id = t.external_id)) +
       (SELECT count(*) FROM legacy_old_session AS s
        WHERE NOT EXISTS (SELECT 1 FROM main.sessions
                          WHERE label = s.label AND status = s.status)) +
       (SELECT count(*) FROM legacy_session) - (SELECT count(*) FROM legacy_old_session) +
       (SELECT count(*) FROM legacy_message) - (SELECT count(*) FROM legacy_old_message);

-- ---- 7. The report ------------------------------------------------------------------------------

CREATE TEMP TABLE legacy_report AS
WITH
  said(session, messages, left_out, bad_times) AS MATERIALIZED (
    SELECT m.session, count(*), sum(m.content IS NULL),
           sum(m.created IS NOT NULL AND t.ms IS NULL)
    FROM legacy_old_message AS m LEFT JOIN legacy_time AS t ON t.value = m.created
    WHERE m.session IS NOT NULL GROUP BY m.session),
  made(session, turns) AS MATERIALIZED (
    SELECT session, count(*) FROM legacy_turn GROUP BY session)
SELECT s.id, s.label, d.status, s.made, coalesce(made.turns, 0) AS turns_made,
       (SELECT count(*) FROM main.turns
        WHERE external_id >= 'legacy:' || s.key || ':' AND external_id < 'legacy:' || s.key || ';')
         - coalesce(made.turns, 0) AS turns_there,
       coalesce(said.messages, 0) AS messages,
       coalesce(said.left_out, 0) AS left_out,
       coalesce(said.bad_times, 0) +
         (SELECT count(*) FROM legacy_time AS t, json_each('[1,2,3]') AS i
          WHERE t.ms IS NULL AND t.value =
            CASE i.value WHEN 1 THEN s.created WHEN 2 THEN s.updated ELSE s.active END)
         AS bad_times,
       s.old_label, s.old_status,
       nullif(noted.text, '') AS note
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

DROP TABLE legacy_old_session;
DROP TABLE legacy_old_message;
DROP TABLE legacy_time;
DROP TABLE legacy_there;
DROP TABLE legacy_known;
DROP TABLE legacy_turn;
DROP TABLE legacy_move;
DROP TABLE legacy_check;

COMMIT;

SELECT * FROM legacy_report;
