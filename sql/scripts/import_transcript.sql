-- import_transcript.sql - transcripts of coding agents, as sessions and turns.
--
-- Fill a table, run this, read the report. In the sqlite3 shell, with the extension loaded:
--
--   .bail on
--   CREATE TEMP TABLE import_source(label TEXT, transcript TEXT);
--   INSERT INTO import_source VALUES ('main', CAST(readfile('transcript.jsonl') AS TEXT));
--   .read sql/scripts/import_transcript.sql
--
-- From a program: the same table, then the text of this file through executescript(), then
-- SELECT * FROM import_report. After an error: ROLLBACK.
--
-- A transcript is one JSON entry a line, as in examples/transcript.jsonl. docs/transcripts.md says what
-- becomes what, and what is skipped. In short: a prompt begins a turn, all that follows from it
-- belongs to the turn, its uuid is the turn's external_id. So nothing is imported twice, a longer
-- version of a file adds what is new, and files with the same beginning share their turns.
--
-- How it works: the transcripts of all rows are read into TEMP tables as one forest of entries,
-- which hang together by parentUuid whatever file they stand in. The entries are put into groups (a
-- prompt and what follows from it), those that the database holds already are found, the others
-- become turns, and one INSERT into the door writes all of them; a second one forks sessions that
-- would make no turn of their own. Everything is one transaction.
--
-- What can't be written as it stands (an id that is too long, usage that is no number) is kept in
-- another form or left out with its line, so that nothing in a file refuses the file.
--
-- For tables without a prefix in the main file. The TEMP tables made here are dropped at the end;
-- import_source stays as it is, import_report until the next import.

BEGIN IMMEDIATE;

DROP TABLE IF EXISTS temp.import_report;
DROP TABLE IF EXISTS temp.import_label;
DROP VIEW IF EXISTS temp.import_odd;
DROP TABLE IF EXISTS temp.import_name;
DROP TABLE IF EXISTS temp.import_line;
DROP TABLE IF EXISTS temp.import_depth;
DROP TABLE IF EXISTS temp.import_held;
DROP TABLE IF EXISTS temp.import_entry;
DROP TABLE IF EXISTS temp.import_block;
DROP TABLE IF EXISTS temp.import_group;
DROP TABLE IF EXISTS temp.import_turn;
DROP TABLE IF EXISTS temp.import_trace;
DROP TABLE IF EXISTS temp.import_spawn;
DROP TABLE IF EXISTS temp.import_message;
DROP TABLE IF EXISTS temp.import_order;
DROP TABLE IF EXISTS temp.import_end;
DROP TABLE IF EXISTS temp.import_session;
DROP TABLE IF EXISTS temp.import_fork;

-- ---- 1. Lines ----------------------------------------------------------------------------------

-- The labels of all sessions that are to be. An error shows the name of the constraint.
CREATE TEMP TABLE import_label(
  label,
  CONSTRAINT "a label must be text of 1 to 1024 bytes, also with :sidechain: and a uuid"
    CHECK (typeof(label) = 'text' AND length(CAST(label AS BLOB)) BETWEEN 1 AND 1024
           AND instr(label, char(0)) = 0)
);

INSERT INTO import_label SELECT label FROM import_source;

-- Texts of the files that can't be an id or a name: empty, of over 256 bytes, or with something in
-- them that is no character (a lone surrogate, a stray byte). What is plain ASCII needs no look.
CREATE TEMP TABLE import_name(text TEXT PRIMARY KEY) WITHOUT ROWID;

CREATE TEMP VIEW import_odd(text) AS
SELECT text FROM import_name
WHERE length(CAST(text AS BLOB)) NOT BETWEEN 1 AND 256
   OR text <> (WITH RECURSIVE letter(n) AS (
                 SELECT 1 UNION ALL SELECT n + 1 FROM letter WHERE n < length(text))
               SELECT group_concat(char(unicode(substr(text, n, 1))), '') FROM letter);

CREATE TEMP TABLE import_line(
  id     INTEGER PRIMARY KEY,  -- in order: transcript by transcript, line by line
  source INTEGER NOT NULL,     -- the rowid in import_source
  number INTEGER NOT NULL,     -- of the line in its transcript, from 1
  kind   TEXT,                 -- entry | link (skipped, but others hang from it) | other | broken
  uuid   TEXT,
  json   TEXT
);

-- A newline never stands inside a JSON string, so every newline ends an entry. Looking for them one
-- after the other would copy the rest of the text for each; here the text becomes one JSON array of
-- lines instead: quoted as a JSON string, with "," in place of its newlines. While that is done, \\
-- is set aside, so that \n is a newline and not the end of \\n.
WITH
  quoted(source, text) AS (
    SELECT rowid, replace(json_quote(ltrim(CAST(transcript AS TEXT), char(0xfeff))), '\\', char(1))
    FROM import_source),
  -- An escaped NUL would end the text for SQLite. It becomes the replacement character.
  without_nul(source, text) AS (
    SELECT source, replace(replace(replace(text, char(1, 1), char(2)),
                                   char(1) || 'u0000', char(1) || 'ufffd'), char(2), char(1, 1))
    FROM quoted),
  lines(source, json) AS (
    SELECT source, '[' || replace(replace(text, '\n', '","'), char(1), '\\') || ']'
    FROM without_nul)
INSERT INTO import_line(source, number, json)
SELECT lines.source, line.key + 1, line.value
FROM lines CROSS JOIN temp.json_each(lines.json) AS line
WHERE line.value IS NULL OR trim(line.value, char(9, 13, 32)) <> ''
ORDER BY lines.source, line.key;

-- Content goes into a command as JSON inside JSON: it may lie a little less deep than commands read,
-- 1,000 levels, and takes at most 15 MB. Some versions of SQLite read 2,000: there the content is looked
-- at inside of 1,000 others.
CREATE TEMP TABLE import_depth AS
SELECT replace(hex(zeroblob(n / 2)), '0', '[') AS opening,
       replace(hex(zeroblob(n / 2)), '0', ']') AS closing
FROM (SELECT iif(json_valid(replace(hex(zeroblob(501)), '0', '[') ||
                            replace(hex(zeroblob(501)), '0', ']')), 1004, 4) AS n);

UPDATE import_line SET
  uuid = CASE WHEN json_valid(json) THEN json ->> '$.uuid' END,
  kind =
    CASE WHEN json_valid(json) IS NOT 1 THEN 'broken'
         WHEN json_type(json) <> 'object' THEN 'broken'
         WHEN json ->> '$.type' NOT IN ('user', 'assistant') OR json ->> '$.type' IS NULL
           THEN iif(json_type(json, '$.uuid') = 'text', 'link', 'other')
         WHEN json_type(json, '$.uuid') = 'text' AND json_type(json, '$.message') = 'object'
              AND coalesce(json_type(json, '$.message.content'), 'null')
                  IN ('text', 'array', 'null')
              AND (length(json) < 1000 OR (SELECT json_valid(opening || json || closing)
                                              FROM import_depth))
              AND (length(json) < 3000000
                   OR length(CAST(json -> '$.message.content' AS BLOB)) <= 15000000)
           THEN 'entry'
         ELSE 'broken' END;

DROP TABLE import_depth;

CREATE INDEX temp.import_line_by_source ON import_line(source, number);
CREATE INDEX temp.import_line_by_uuid ON import_line(uuid);

INSERT INTO import_name
SELECT DISTINCT uuid FROM import_line
WHERE uuid GLOB '*[^ -~]*' OR length(uuid) NOT BETWEEN 1 AND 256;

UPDATE import_line SET kind = iif(kind = 'entry', 'broken', 'other')
WHERE kind IN ('entry', 'link') AND uuid IN (SELECT text FROM import_odd);

-- Turns off the path (failed, aborted, running) can't be gone on from, and keep their external_id.
-- A prompt that such a turn holds gives its turn the uuid of the next entry; without an answer
-- there is none, and the prompt is left out.
CREATE TEMP TABLE import_held(uuid TEXT PRIMARY KEY) WITHOUT ROWID;

INSERT INTO import_held
SELECT DISTINCT l.uuid
FROM import_line AS l CROSS JOIN main.turns AS t ON t.external_id = l.uuid
WHERE l.kind = 'entry' AND t.on_path = 0;

UPDATE import_line SET kind = 'broken'
WHERE EXISTS (SELECT 1 FROM import_held) AND kind = 'entry' AND uuid IN (
  SELECT uuid FROM import_held
  EXCEPT SELECT json ->> '$.parentUuid' FROM import_line
  WHERE kind = 'entry' AND json ->> '$.type' = 'assistant'
    AND uuid NOT IN (SELECT uuid FROM import_held));

-- ---- 2. Entries --------------------------------------------------------------------------------

CREATE TEMP TABLE import_entry(
  id          INTEGER PRIMARY KEY,   -- the line's
  source      INTEGER NOT NULL,
  uuid        TEXT NOT NULL UNIQUE,  -- an entry in several lines is taken from the first
  type        TEXT,                  -- user | assistant | NULL: a link
  parent_uuid TEXT,
  parent      INTEGER,               -- the entry that it hangs from, NULL: a root
  side        INTEGER NOT NULL,      -- 1: of a sidechain, which a subagent made
  agent       TEXT,                  -- the subagent's id
  spawned     TEXT,                  -- of a result: the subagent that the call started
  meta        INTEGER,               -- 1: the program wrote it, not the user
  prompt      INTEGER NOT NULL DEFAULT 0,
  at          INTEGER,               -- Unix milliseconds
  message_id  TEXT,
  model       TEXT,
  stop_reason TEXT,
  usage       TEXT,
  grp         INTEGER,               -- the entry that begins its group
  turn        INTEGER                -- the entry that begins its turn, NULL: it has no content
);

-- strftime('%f') is the seconds with their fraction, as written. It would also take 'now' and days
-- as a number: a time begins with a date, and is none before 1970.
INSERT OR IGNORE INTO import_entry(id, source, uuid, type, parent_uuid, side, agent, spawned, meta,
                                   at, message_id, model, stop_reason, usage)
SELECT id, source, uuid, iif(kind = 'entry', json ->> '$.type', NULL),
       coalesce(json ->> '$.parentUuid', json ->> '$.logicalParentUuid'),
       json ->> '$.isSidechain' IS 1, json ->> '$.agentId', json ->> '$.toolUseResult.agentId',
       json ->> '$.isMeta' IS 1,
       CASE WHEN json_type(json, '$.timestamp') = 'text'
                 AND json ->> '$.timestamp' GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*'
                 AND strftime('%s', json ->> '$.timestamp') >= '0'
            THEN strftime('%s', json ->> '$.timestamp') * 1000 +
                 substr(strftime('%f', json ->> '$.timestamp'), 4) END,
       json ->> '$.message.id',
       CASE WHEN json_type(json, '$.message.model') = 'text'  -- synthetic: the program's own errors
            THEN nullif(json ->> '$.message.model', '<synthetic>') END,
       CASE WHEN json_type(json, '$.message.stop_reason') = 'text'
            THEN json ->> '$.message.stop_reason' END,
       json -> '$.message.usage'
FROM import_line WHERE kind IN ('entry', 'link') ORDER BY id;

INSERT OR IGNORE INTO import_name
SELECT name.value FROM import_entry AS e
     JOIN temp.json_each(json_array(e.model, e.stop_reason, e.agent)) AS name
WHERE name.value GLOB '*[^ -~]*' OR length(name.value) NOT BETWEEN 1 AND 256;

UPDATE import_entry SET
  model = iif(model IN (SELECT text FROM import_odd), NULL, model),
  stop_reason = iif(stop_reason IN (SELECT text FROM import_odd), NULL, stop_reason)
WHERE model IN (SELECT text FROM import_odd) OR stop_reason IN (SELECT text FROM import_odd);

UPDATE import_entry SET parent =
  (SELECT p.id FROM import_entry AS p
   WHERE p.uuid = import_entry.parent_uuid AND p.side = import_entry.side
     AND p.id <> import_entry.id);

-- Where the named parent is missing (a broken line, a file that begins in the middle), the main
-- chain goes on from the entry above.
UPDATE import_entry SET parent =
  (SELECT p.id FROM import_line AS l CROSS JOIN import_entry AS p ON p.uuid = l.uuid
   WHERE l.source = import_entry.source AND p.side = 0
     AND l.number < (SELECT number FROM import_line WHERE id = import_entry.id)
   ORDER BY l.number DESC LIMIT 1)
WHERE parent IS NULL AND parent_uuid IS NOT NULL AND side = 0;

CREATE INDEX temp.import_entry_by_parent ON import_entry(parent);

-- The blocks of their contents. Content that is plain text is one block of it.
CREATE TEMP TABLE import_block(
  id      INTEGER PRIMARY KEY,
  entry   INTEGER NOT NULL,
  grp     INTEGER,           -- the entry's
  kind    TEXT NOT NULL,     -- text | call | result | more (a thought, an image: kept as JSON)
  call_id TEXT,              -- of a call or a result
  call    INTEGER,           -- of a result: the block of its call
  text    TEXT,
  json    TEXT NOT NULL
);

WITH block(entry, type, is_object, value, name) AS MATERIALIZED (
  SELECT e.id, e.type, b.type = 'object',
         CASE WHEN b.type IN ('object', 'array') THEN b.value
              WHEN b.type = 'text' THEN json_quote(b.value)
              ELSE l.json -> b.fullkey END,  -- as written, however large the number
         iif(b.type = 'object', b.value ->> '$.type', iif(b.type = 'text', 'text', NULL))
  FROM import_entry AS e CROSS JOIN import_line AS l ON l.id = e.id
       CROSS JOIN temp.json_each(l.json, '$.message.content') AS b
  WHERE e.type IS NOT NULL AND b.type <> 'null'
  ORDER BY e.id, b.id)
INSERT INTO import_block(entry, kind, call_id, text, json)
SELECT entry,
       CASE WHEN name = 'text' THEN 'text'
            WHEN name = 'tool_use' AND type = 'assistant' AND json_type(value, '$.id') = 'text'
                 AND json_type(value, '$.name') = 'text' THEN 'call'
            WHEN name = 'tool_result' AND type = 'user' THEN 'result'
            ELSE 'more' END,
       CASE WHEN name = 'tool_use' THEN value ->> '$.id'
            WHEN name = 'tool_result' AND json_type(value, '$.tool_use_id') = 'text'
              THEN value ->> '$.tool_use_id' END,
       CASE WHEN name = 'text' THEN iif(is_object, value ->> '$.text', value ->> '$') END,
       value
FROM block
WHERE name IS NOT 'text' OR  -- a text of nothing but white space is nothing
      trim(iif(is_object, value ->> '$.text', value ->> '$'), char(9, 10, 13, 32)) <> '';

CREATE INDEX temp.import_block_by_entry ON import_block(entry);

-- A call whose id or name can't be one, and calls of an entry that has more of them than a turn
-- could hold, are kept as what they are, JSON; and so are results without a call, by and by.
INSERT OR IGNORE INTO import_name
SELECT name.value FROM import_block AS b
     JOIN temp.json_each(json_array(b.call_id, b.json ->> '$.name')) AS name
WHERE b.kind = 'call'
  AND (name.value GLOB '*[^ -~]*' OR length(name.value) NOT BETWEEN 1 AND 256);

UPDATE import_block SET kind = 'more'
WHERE kind = 'call'
  AND (call_id IN (SELECT text FROM import_odd)
       OR json ->> '$.name' IN (SELECT text FROM import_odd));

WITH crowd(entry) AS MATERIALIZED (
  SELECT entry FROM import_block WHERE kind IN ('call', 'result')
  GROUP BY entry HAVING count(*) > 3000)
UPDATE import_block SET kind = iif(kind = 'call', 'more', kind), call_id = NULL
WHERE entry IN (SELECT entry FROM crowd);

-- ---- 3. Groups: a prompt and what follows from it ----------------------------------------------

-- A prompt is what the user says: more than results of tools, not written by the program, and not
-- the mark that a run was interrupted, which belongs to that run.
UPDATE import_entry SET prompt = 1
WHERE type = 'user' AND NOT meta AND EXISTS (
  SELECT 1 FROM import_block AS b
  WHERE b.entry = import_entry.id AND b.kind IN ('text', 'more')
    AND b.text IS NOT '[Request interrupted by user]'
    AND b.text IS NOT '[Request interrupted by user for tool use]');

WITH RECURSIVE member(id, grp) AS (
  SELECT id, id FROM import_entry WHERE prompt OR parent IS NULL
  UNION ALL
  SELECT e.id, m.grp FROM member AS m JOIN import_entry AS e ON e.parent = m.id WHERE NOT e.prompt)
UPDATE import_entry SET grp = member.grp FROM member WHERE member.id = import_entry.id;

CREATE INDEX temp.import_entry_by_group ON import_entry(grp, id);

-- The tree of groups. An edited prompt hangs from the same entry as the one that it replaces.
CREATE TEMP TABLE import_group(
  id     INTEGER PRIMARY KEY,  -- the entry that it begins with
  origin INTEGER,              -- the entry that it hangs from
  parent INTEGER,              -- the group of that
  top    INTEGER NOT NULL      -- the group at the root
);

WITH RECURSIVE tree(id, origin, parent, top) AS (
  SELECT id, NULL, NULL, id FROM import_entry WHERE parent IS NULL
  UNION ALL
  SELECT e.id, p.id, t.id, t.top
  FROM tree AS t JOIN import_entry AS p ON p.grp = t.id
       JOIN import_entry AS e ON e.parent = p.id AND e.prompt)
INSERT INTO import_group SELECT id, origin, parent, top FROM tree;

-- What no root leads to: entries that name each other as parents.
UPDATE import_line SET kind = 'broken'
WHERE kind = 'entry' AND uuid IN
  (SELECT uuid FROM import_entry WHERE grp IS NULL OR grp NOT IN (SELECT id FROM import_group));
DELETE FROM import_entry WHERE grp IS NULL OR grp NOT IN (SELECT id FROM import_group);
DELETE FROM import_block WHERE entry NOT IN (SELECT id FROM import_entry);

-- ---- 4. Calls and their results ----------------------------------------------------------------

UPDATE import_block SET grp = (SELECT grp FROM import_entry WHERE id = entry);
CREATE INDEX temp.import_block_by_call ON import_block(grp, call_id, kind);

-- The same call twice in a group, the same result twice: the first counts.
WITH ranked(id, rank) AS (
  SELECT id, row_number() OVER (PARTITION BY grp, kind, call_id ORDER BY id)
  FROM import_block WHERE kind IN ('call', 'result'))
UPDATE import_block SET kind = 'more' FROM ranked
WHERE ranked.id = import_block.id AND ranked.rank > 1;

-- A result belongs to a call that stands above it in its group; a prompt that brings one along
-- belongs to a call of the group that it hangs from. Others are kept as what they are, JSON.
UPDATE import_block SET call = coalesce(
  (SELECT c.id FROM import_block AS c
   WHERE c.grp = import_block.grp AND c.call_id = import_block.call_id AND c.kind = 'call'
     AND c.entry < import_block.entry),
  (SELECT c.id FROM import_group AS g JOIN import_block AS c ON c.grp = g.parent
   WHERE g.id = import_block.grp AND c.call_id = import_block.call_id AND c.kind = 'call'
     AND c.entry <= g.origin AND NOT EXISTS (
       SELECT 1 FROM import_block AS r
       WHERE r.grp = c.grp AND r.call_id = c.call_id AND r.kind = 'result')))
WHERE kind = 'result';

UPDATE import_block SET kind = 'more' WHERE kind = 'result' AND call IS NULL;

-- ---- 5. What the database holds already --------------------------------------------------------

CREATE TEMP TABLE import_turn(
  id         INTEGER PRIMARY KEY,  -- the entry that it begins with, whose uuid is its external_id
  grp        INTEGER NOT NULL,
  source     INTEGER NOT NULL,
  label      TEXT,                 -- the session that makes it
  turn_id    INTEGER,              -- NULL: it is new
  elsewhere  INTEGER NOT NULL DEFAULT 0,  -- 1: not made by an import: taken as complete
  parent,                          -- of a new turn: a turn id, an external_id, NULL: a root
  new_parent INTEGER               -- the same, where the parent is new
);

INSERT INTO import_turn(id, grp, source, turn_id)
SELECT e.id, e.grp, e.source, t.id
FROM import_entry AS e CROSS JOIN main.turns AS t ON t.external_id = e.uuid
WHERE t.on_path = 1;

CREATE INDEX temp.import_turn_by_group ON import_turn(grp, id);

-- What tells that an entry is there: its uuid with a message; without a message, its call or result
-- in a turn of its group, or in any turn when the id of the call stands for one call only.
CREATE TEMP TABLE import_trace(
  grp  INTEGER NOT NULL,  -- 0: any
  kind TEXT NOT NULL,     -- message | call | result
  key  TEXT NOT NULL,
  turn INTEGER NOT NULL,
  PRIMARY KEY (grp, kind, key)
) WITHOUT ROWID;

INSERT OR IGNORE INTO import_trace
SELECT 0, 'message', m.metadata ->> '$.uuid', t.id
FROM import_turn AS t
     CROSS JOIN main.messages AS m ON m.place BETWEEN t.turn_id << 12 AND t.turn_id << 12 | 4095
WHERE m.metadata ->> '$.uuid' IS NOT NULL;

INSERT OR IGNORE INTO import_trace
SELECT t.grp, kind.value, c.id, t.id
FROM import_turn AS t
     CROSS JOIN main.tool_calls AS c ON c.place BETWEEN t.turn_id << 12 AND t.turn_id << 12 | 4095
     CROSS JOIN temp.json_each('["call","result"]') AS kind
WHERE kind.value = 'call' OR c.status <> 'pending';

INSERT OR IGNORE INTO import_trace
SELECT t.grp, 'result', m.tool_call_id, t.id
FROM import_turn AS t
     CROSS JOIN main.messages AS m ON m.place BETWEEN t.turn_id << 12 AND t.turn_id << 12 | 4095
WHERE m.tool_call_id IS NOT NULL;

INSERT OR IGNORE INTO import_trace
SELECT 0, kind, key, turn FROM import_trace
WHERE kind <> 'message' AND key IN
  (SELECT call_id FROM import_block WHERE kind = 'call' GROUP BY call_id HAVING count(*) = 1);

UPDATE import_turn SET elsewhere = 1
WHERE id = grp AND (SELECT prompt FROM import_entry AS e WHERE e.id = import_turn.id)
  AND NOT EXISTS (
    SELECT 1 FROM import_trace AS x JOIN import_entry AS e ON e.uuid = x.key
    WHERE x.grp = 0 AND x.kind = 'message' AND e.id = import_turn.id);

UPDATE import_entry SET turn = coalesce(
  (SELECT t.id FROM import_turn AS t WHERE t.id = import_entry.grp AND t.elsewhere),
  (SELECT x.turn FROM import_trace AS x
   WHERE x.grp = 0 AND x.kind = 'message' AND x.key = import_entry.uuid),
  (SELECT x.turn FROM import_block AS b
        JOIN import_trace AS x
          ON x.grp IN (0, import_entry.grp) AND x.kind = b.kind AND x.key = b.call_id
   WHERE b.entry = import_entry.id AND NOT EXISTS (
     SELECT 1 FROM import_block AS o WHERE o.entry = b.entry AND o.kind IN ('text', 'more'))
   LIMIT 1))
WHERE id IN (SELECT entry FROM import_block);

-- ---- 6. New turns ------------------------------------------------------------------------------

-- The new entries of a group become one turn, or several when they are more than a turn can hold
-- (4,096 messages and calls, 16 MB): a part ends with 3,000 of them or 8 MB. It can pass that by no
-- more than its first entry, so a large one is a part of its own.
WITH
  weight(id, grp, n, size, is_large) AS MATERIALIZED (
    SELECT e.id, e.grp, b.n, b.size + b.n * (200 + length(e.uuid)),
           b.n > 1000 OR b.size + b.n * (200 + length(e.uuid)) > 7000000
    FROM import_entry AS e
         JOIN (SELECT entry, count(*) AS n, sum(length(CAST(json AS BLOB))) AS size
               FROM import_block GROUP BY entry) AS b ON b.entry = e.id
    WHERE e.turn IS NULL),
  part(id, grp, by_n, by_size, by_large) AS (
    SELECT id, grp, CAST(sum(n / 3000.0) OVER place AS INTEGER),
           CAST(sum(size / 8000000.0) OVER place AS INTEGER),
           sum(2 * is_large) OVER place - is_large
    FROM weight WINDOW place AS (PARTITION BY grp ORDER BY id)),
  placed(id, turn) AS (
    SELECT p.id, min(iif(e.uuid IN (SELECT uuid FROM import_held), NULL, p.id))
                   OVER (PARTITION BY p.grp, by_n, by_size, by_large)
    FROM part AS p JOIN import_entry AS e ON e.id = p.id)
UPDATE import_entry SET turn = placed.turn FROM placed WHERE placed.id = import_entry.id;

INSERT INTO import_turn(id, grp, source, label)
SELECT e.id, e.grp, e.source,
       s.label || iif(e.side, ':sidechain:' || (SELECT uuid FROM import_entry WHERE id = g.top), '')
FROM import_entry AS e JOIN import_group AS g ON g.id = e.grp
     JOIN import_source AS s ON s.rowid = e.source
WHERE e.turn = e.id AND e.id NOT IN (SELECT id FROM import_turn);

CREATE INDEX temp.import_entry_by_turn ON import_entry(turn, id);

-- Its parent: the turn before it in its group …
UPDATE import_turn SET new_parent =
  (SELECT max(p.id) FROM import_turn AS p
   WHERE p.grp = import_turn.grp AND p.id < import_turn.id AND p.turn_id IS NULL)
WHERE turn_id IS NULL;

-- … or, when the group is there and has grown, its last turn; but the session's head when that lies
-- below it, so that what is late stays on the path …
UPDATE import_turn SET parent =
  (SELECT coalesce((SELECT s.thread_id FROM main.sessions AS s
                    WHERE s.label = import_turn.label AND turn_is_ancestor(p.turn_id, s.thread_id)),
                   p.turn_id)
   FROM import_turn AS p WHERE p.grp = import_turn.grp AND p.turn_id IS NOT NULL
   ORDER BY p.id DESC LIMIT 1)
WHERE turn_id IS NULL AND new_parent IS NULL;

-- … or the turn that holds the entry which the group hangs from …
WITH above(id, parent_id, turn_id) AS (
  SELECT t.id, p.id, p.turn_id
  FROM import_turn AS t JOIN import_group AS g ON g.id = t.grp
       JOIN import_turn AS p ON p.id =
         (SELECT o.turn FROM import_entry AS o
          WHERE o.grp = g.parent AND o.id <= g.origin AND o.turn IS NOT NULL
          ORDER BY o.id DESC LIMIT 1)
  WHERE t.turn_id IS NULL AND t.new_parent IS NULL AND t.parent IS NULL)
UPDATE import_turn
SET parent = above.turn_id, new_parent = iif(above.turn_id IS NULL, above.parent_id, NULL)
FROM above WHERE above.id = import_turn.id;

-- … or, for a root, whatever the topmost turn of the file hangs from that is there already, else
-- the session's head, else nothing. (The low 24 bits of a turn id are its depth.)
WITH topmost(source, parent) AS MATERIALIZED (
  SELECT source, parent FROM (
    SELECT l.source, t.parent_turn_id AS parent,
           row_number() OVER (PARTITION BY l.source ORDER BY t.id & 16777215) AS rank
    FROM import_turn AS k JOIN import_entry AS e ON e.id = k.id AND e.side = 0
         JOIN import_line AS l ON l.uuid = e.uuid JOIN main.turns AS t ON t.id = k.turn_id)
  WHERE rank = 1)
UPDATE import_turn SET parent =
  CASE WHEN source IN (SELECT source FROM topmost)
            AND (SELECT side = 0 FROM import_entry AS e WHERE e.id = import_turn.id)
         THEN (SELECT topmost.parent FROM topmost WHERE topmost.source = import_turn.source)
       ELSE (SELECT s.thread_id FROM main.sessions AS s WHERE s.label = import_turn.label) END
WHERE turn_id IS NULL AND new_parent IS NULL AND parent IS NULL;

UPDATE import_turn
SET parent = (SELECT uuid FROM import_entry AS e WHERE e.id = import_turn.new_parent)
WHERE new_parent IS NOT NULL;

CREATE INDEX temp.import_turn_by_parent ON import_turn(new_parent);

-- Where a transcript's session ends: the group of its last prompt (without one, of its last entry).
CREATE TEMP TABLE import_end(
  source INTEGER PRIMARY KEY,
  turn   INTEGER NOT NULL,  -- the group's last
  top    INTEGER NOT NULL,  -- the group at the root above it
  at     INTEGER
);

INSERT INTO import_end
SELECT said.source, (SELECT max(t.id) FROM import_turn AS t WHERE t.grp = said.grp), g.top,
       (SELECT max(at) FROM import_entry AS e WHERE e.grp = said.grp)
FROM (SELECT l.source, e.grp,
             row_number() OVER (PARTITION BY l.source ORDER BY e.prompt DESC, l.number DESC) AS rank
      FROM import_line AS l JOIN import_entry AS e ON e.uuid = l.uuid
      WHERE e.side = 0 AND e.turn IS NOT NULL) AS said JOIN import_group AS g ON g.id = said.grp
WHERE rank = 1;

-- A first prompt that was edited makes a second tree. A root can only be made by a session without
-- turns. So the session gets the tree that its transcript ends in, and every other tree becomes a
-- session label:root:uuid. Where the session is there already, the root of its new tree becomes such
-- a session as well, and the session follows with the first turn below it.
WITH
  tree(source, top, label, is_end) AS MATERIALIZED (
    SELECT t.source, g.top, t.label || ':root:' || e.uuid, g.top IS x.top
    FROM import_turn AS t JOIN import_group AS g ON g.id = t.grp
         JOIN import_entry AS e ON e.id = t.id LEFT JOIN import_end AS x ON x.source = t.source
    WHERE t.turn_id IS NULL AND t.parent IS NULL AND e.side = 0
      AND (g.top IS NOT x.top
           OR t.label IN (SELECT label FROM main.sessions WHERE thread_id IS NOT NULL))),
  moved(id, label) AS MATERIALIZED (
    SELECT t.id, tree.label
    FROM import_turn AS t JOIN import_group AS g ON g.id = t.grp
         JOIN tree ON tree.top = g.top AND tree.source = t.source
    WHERE t.turn_id IS NULL AND (t.parent IS NULL OR NOT tree.is_end))
UPDATE import_turn SET label = moved.label FROM moved WHERE moved.id = import_turn.id;

-- Parents before children, otherwise as in the files: of all turns whose parent has been taken, the
-- recursion takes the first.
CREATE TEMP TABLE import_order(
  seq    INTEGER PRIMARY KEY,
  turn   INTEGER NOT NULL UNIQUE,
  anchor INTEGER NOT NULL  -- the turn in the database that it grows from, 0: none
);

WITH RECURSIVE ready(id, anchor) AS (
  SELECT id, coalesce(parent, 0) FROM import_turn WHERE turn_id IS NULL AND new_parent IS NULL
  UNION ALL
  SELECT t.id, r.anchor FROM ready AS r JOIN import_turn AS t ON t.new_parent = r.id
  ORDER BY 1)
INSERT INTO import_order(turn, anchor) SELECT id, anchor FROM ready;

-- A result can't be given to a call that is not on the path to it, or that was answered on it: it
-- is kept as JSON as well. (This takes other versions of a file, or a broken line that was mended.)
WITH pair(result, key, anchor, call_turn, is_above, is_closed) AS (
  SELECT r.id, r.call_id, o.anchor, ct.turn_id,
         ct.grp = t.grp OR ct.id <= (SELECT f.new_parent FROM import_turn AS f
                                     WHERE f.grp = t.grp AND f.turn_id IS NULL
                                     ORDER BY f.id LIMIT 1),
         ct.elsewhere
  FROM import_block AS r JOIN import_entry AS e ON e.id = r.entry
       JOIN import_turn AS t ON t.id = e.turn AND t.turn_id IS NULL
       JOIN import_order AS o ON o.turn = t.id
       JOIN import_block AS c ON c.id = r.call
       JOIN import_entry AS a ON a.id = c.entry
       JOIN import_turn AS ct ON ct.id = a.turn
  WHERE r.kind = 'result')
UPDATE import_block SET kind = 'more'
WHERE id IN (
  SELECT result FROM pair
  WHERE is_closed
     OR call_turn IS NULL AND is_above IS NOT 1
     OR call_turn IS NOT NULL AND (
          anchor = 0 OR NOT turn_is_ancestor(call_turn, anchor)
          OR NOT EXISTS (SELECT 1 FROM main.tool_calls AS c
                         WHERE c.id = pair.key AND c.status = 'pending'
                           AND c.place BETWEEN call_turn << 12 AND call_turn << 12 | 4095)
          OR EXISTS (SELECT 1 FROM main.messages AS m
                     WHERE m.tool_call_id = pair.key AND turn_is_ancestor(m.turn_id, anchor))));

-- ---- 7. Messages -------------------------------------------------------------------------------

-- The session that a call started: the result names the subagent, or the sidechain hangs from the
-- call's entry, or it begins with the text that the call gives. One call, one session; what an
-- earlier import has found stays.
CREATE TEMP TABLE import_spawn(call INTEGER PRIMARY KEY, label TEXT NOT NULL UNIQUE);

WITH
  side(id, source, agent, parent_uuid, label) AS (
    SELECT e.id, e.source, e.agent, e.parent_uuid, s.label || ':sidechain:' || e.uuid
    FROM import_entry AS e JOIN import_source AS s ON s.rowid = e.source
    WHERE e.side AND e.parent IS NULL AND EXISTS (SELECT 1 FROM import_block WHERE entry = e.id)),
  result(source, agent, call) AS MATERIALIZED (
    SELECT e.source, e.spawned, b.call
    FROM import_entry AS e JOIN import_block AS b ON b.entry = e.id AND b.kind = 'result'
    WHERE e.spawned IS NOT NULL),
  call(id, source, text) AS MATERIALIZED (
    SELECT b.id, e.source, b.json ->> '$.input.prompt'
    FROM import_block AS b JOIN import_entry AS e ON e.id = b.entry
    WHERE b.kind = 'call' AND json_type(b.json, '$.input.prompt') = 'text'),
  found(call, rank, side, label) AS (
    SELECT result.call, 1, side.id, side.label
    FROM result CROSS JOIN side ON side.agent = result.agent AND side.source = result.source
    UNION ALL
    SELECT iif(count(*) = 1, min(c.id), NULL), 2, side.id, side.label
    FROM side JOIN import_entry AS p ON p.uuid = side.parent_uuid
         JOIN import_block AS c ON c.entry = p.id AND c.kind = 'call'
    GROUP BY side.id
    UNION ALL
    SELECT call.id, 3, side.id, side.label
    FROM side JOIN import_block AS b ON b.entry = side.id AND b.kind = 'text'
         CROSS JOIN call ON call.text = +b.text AND +call.source = side.source)
INSERT OR IGNORE INTO import_spawn
SELECT f.call, f.label
FROM found AS f JOIN import_block AS b ON b.id = f.call JOIN import_group AS g ON g.id = b.grp
     LEFT JOIN main.sessions AS s ON s.label = f.label
WHERE g.top <> f.side AND coalesce(s.spawn_tool_call_id, b.call_id) = b.call_id
ORDER BY f.rank, f.side, f.call;

CREATE TEMP TABLE import_message(
  id   INTEGER PRIMARY KEY,  -- in order
  turn INTEGER NOT NULL,
  json TEXT NOT NULL
);

WITH
  -- One message for every result …
  answer(entry, n, turn, json) AS (
    SELECT e.id, b.id, e.turn,
           json_object('role', 'tool', 'tool_call_id', b.call_id,
             'content', CASE
                WHEN coalesce(json_type(b.json, '$.content'), 'null') IN ('text', 'null')
                  THEN coalesce(b.json ->> '$.content', '')
                WHEN json_type(b.json, '$.content') NOT IN ('array', 'object')
                  THEN '' || (b.json -> '$.content')  -- a number as text
                WHEN EXISTS (SELECT 1 FROM temp.json_each(b.json, '$.content') AS c
                             WHERE c.type <> 'object' OR c.value ->> '$.type' IS NOT 'text')
                  THEN json(b.json -> '$.content')
                ELSE (SELECT coalesce(group_concat(c.value ->> '$.text', char(10)), '')
                      FROM temp.json_each(b.json, '$.content') AS c) END,
             'is_error', b.json ->> '$.is_error' IS 1, 'created_at', e.at,
             'metadata', json_patch('{}', json_object('uuid', e.uuid,
                'is_error', iif(b.json ->> '$.is_error', json('true'), NULL))))
    FROM import_block AS b JOIN import_entry AS e ON e.id = b.entry
         JOIN import_turn AS t ON t.id = e.turn AND t.turn_id IS NULL
    WHERE b.kind = 'result'),
  -- … and one for the rest of an entry: its text; or, when there is more than text, its blocks.
  said(entry, turn, type, source, at, uuid, stop_reason, agent, content, calls) AS (
    SELECT e.id, e.turn, e.type, iif(e.type = 'user' AND e.meta, 'system', NULL), e.at, e.uuid,
           e.stop_reason, e.agent,
           CASE
             WHEN EXISTS (SELECT 1 FROM import_block AS b WHERE b.entry = e.id AND b.kind = 'more')
               THEN (SELECT json_group_array(json(b.json))
                     FROM (SELECT json FROM import_block
                           WHERE entry = e.id AND kind IN ('text', 'more') ORDER BY id) AS b)
             ELSE (SELECT iif(count(*), json_quote(group_concat(b.text, char(10, 10))), NULL)
                   FROM (SELECT text FROM import_block
                         WHERE entry = e.id AND kind = 'text' ORDER BY id) AS b) END,
           (SELECT iif(count(*), json_group_array(json_object(
                     'id', b.call_id, 'name', b.json ->> '$.name',
                     'params', json(coalesce(b.json -> '$.input', '{}')),
                     'spawned_session_label',  -- which takes 256 bytes
                     (SELECT label FROM import_spawn
                      WHERE call = b.id AND length(CAST(label AS BLOB)) <= 256))), NULL)
            FROM (SELECT id, call_id, json FROM import_block
                  WHERE entry = e.id AND kind = 'call' ORDER BY id) AS b)
    FROM import_entry AS e JOIN import_turn AS t ON t.id = e.turn AND t.turn_id IS NULL
    WHERE e.type IS NOT NULL)
INSERT INTO import_message(turn, json)
SELECT turn, json FROM (
  SELECT entry, n, turn, json FROM answer
  UNION ALL
  -- Metadata only beside content: alone it would make a message of a call.
  SELECT entry, 1e18, turn, json_object('role', type, 'created_at', at, 'source', source,
           'content', json(content), 'tool_calls', json(calls),
           'metadata', iif(content IS NULL, NULL,
              json_patch('{}', json_object(
                'uuid', uuid, 'stop_reason', stop_reason,
                'agent_id', iif(agent IN (SELECT text FROM import_odd), NULL, agent)))))
  FROM said WHERE content IS NOT NULL OR calls IS NOT NULL)
ORDER BY entry, n;

CREATE INDEX temp.import_message_by_turn ON import_message(turn, id);

-- ---- 8. Writing --------------------------------------------------------------------------------

-- The sessions that will be made.
CREATE TEMP TABLE import_session(
  label  TEXT PRIMARY KEY,
  parent TEXT,    -- of a sidechain: the transcript's label
  side   INTEGER  -- the entry that the sidechain begins with
);

INSERT INTO import_session
SELECT t.label, iif(e.side, s.label, NULL), iif(e.side, g.top, NULL)
FROM import_turn AS t JOIN import_entry AS e ON e.id = t.id JOIN import_group AS g ON g.id = t.grp
     JOIN import_source AS s ON s.rowid = t.source
WHERE t.turn_id IS NULL AND t.label NOT IN (SELECT label FROM main.sessions)
GROUP BY t.label;

INSERT INTO import_label SELECT label FROM import_session;

-- Usage is what the messages of a turn have used. A message can be written as several entries, each
-- with the usage so far: it is counted once, where it begins. A number of tokens is whole and at
-- most 2^43 - 1, and so is a sum of them; anything else is none. Appending moves the head: the turn
-- that a session ends with is appended last.
WITH
  used(entry, name, tokens) AS (
    SELECT min(e.id), u.key, max(CAST(u.value AS INTEGER))
    FROM import_entry AS e CROSS JOIN temp.json_each(e.usage) AS u
    WHERE e.turn IS NOT NULL AND u.type IN ('integer', 'real')
      AND u.value BETWEEN 0 AND 8796093022207 AND u.value = CAST(u.value AS INTEGER)
      AND u.key IN ('input_tokens', 'output_tokens', 'cache_read_input_tokens',
                    'cache_creation_input_tokens')
    GROUP BY e.grp, coalesce(e.message_id, e.uuid), u.key),
  summed(turn, name, tokens) AS (
    SELECT e.turn,
           CASE name WHEN 'cache_read_input_tokens' THEN 'cached_input_tokens'
                     WHEN 'cache_creation_input_tokens' THEN 'cache_write_tokens' ELSE name END,
           sum(tokens)
    FROM used JOIN import_entry AS e ON e.id = used.entry GROUP BY e.turn, name),
  usage(turn, json) AS MATERIALIZED (
    SELECT turn, json_group_object(name, tokens) FROM summed
    WHERE tokens <= 8796093022207 GROUP BY turn),
  time(turn, started_at, ended_at) AS MATERIALIZED (
    SELECT turn, min(at), max(at) FROM import_entry WHERE turn IS NOT NULL GROUP BY turn)
INSERT INTO main.turnstile(command, args)
SELECT 'turn_append',
       json_array(t.label,
         json((SELECT json_group_array(json(m.json))
               FROM (SELECT json FROM import_message WHERE turn = t.id ORDER BY id) AS m)),
         json_object('external_id', e.uuid, 'parent', t.parent,
           'source', iif(e.side, 'agent', 'user'),
           'model', (SELECT a.model FROM import_entry AS a
                     WHERE a.turn = t.id AND a.model IS NOT NULL ORDER BY a.id DESC LIMIT 1),
           'usage', json((SELECT json FROM usage WHERE usage.turn = t.id)),
           'started_at', time.started_at, 'now', time.ended_at))
FROM import_order AS o JOIN import_turn AS t ON t.id = o.turn JOIN import_entry AS e ON e.id = t.id
     JOIN time ON time.turn = t.id
ORDER BY t.id IN
  (SELECT x.turn FROM import_end AS x JOIN import_order AS last ON last.turn = x.turn
   WHERE NOT EXISTS (SELECT 1 FROM import_turn AS c WHERE c.new_parent = x.turn)
     AND EXISTS (SELECT 1 FROM import_turn AS c JOIN import_order AS later ON later.turn = c.id
                 WHERE c.source = x.source AND later.seq > last.seq)),
  o.seq;

-- A transcript all of whose turns are there, made for another session: a session of its own, by a
-- fork.
CREATE TEMP TABLE import_fork AS
SELECT s.label, t.id AS turn_id, h.at
FROM import_source AS s JOIN import_end AS h ON h.source = s.rowid
     JOIN import_entry AS e ON e.id = h.turn JOIN main.turns AS t ON t.external_id = e.uuid
WHERE NOT EXISTS (SELECT 1 FROM main.sessions WHERE label = s.label)
  AND NOT EXISTS (SELECT 1 FROM main.session_aliases WHERE alias = s.label)
GROUP BY s.label;

INSERT INTO main.turnstile(command, args)
SELECT 'session_fork', json_array(turn_id, label, json_object('now', at)) FROM import_fork;

-- What the commands can't say: where the sessions come from, and that those of sidechains are
-- subagents, done: nobody waits for them, and stopping their parent leaves them as they are.
UPDATE main.sessions SET origin = 'import'
WHERE label IN (SELECT label FROM import_session UNION ALL SELECT label FROM import_fork);

-- The task is the first prompt's first line, of at most 200 characters (as they are read: what is
-- no character becomes the replacement character).
WITH
  prompt(label, parent, line) AS MATERIALIZED (
    SELECT n.label, n.parent,
           (SELECT ltrim(b.text, char(9, 10, 13, 32)) || char(10)
            FROM import_entry AS e CROSS JOIN import_block AS b ON b.entry = e.id
            WHERE e.grp = n.side AND e.type = 'user' AND b.kind = 'text' ORDER BY b.id LIMIT 1)
    FROM import_session AS n WHERE n.side IS NOT NULL),
  first(label, parent, line) AS MATERIALIZED (
    SELECT label, parent, rtrim(substr(line, 1, instr(line, char(10)) - 1), char(9, 13, 32))
    FROM prompt),
  task(label, parent, text) AS (
    SELECT label, parent,
           (WITH RECURSIVE letter(n) AS (
              SELECT 1 WHERE line <> ''
              UNION ALL
              SELECT n + 1 FROM letter WHERE n < iif(length(line) > 200, 199, length(line)))
            SELECT rtrim(group_concat(char(unicode(substr(line, n, 1))), ''), char(9, 32))
            FROM letter) || iif(length(line) > 200, '…', '')
    FROM first)
UPDATE main.sessions SET is_subagent = 1, parent_session_label = task.parent,
  task_description = task.text, task_status = 'completed'
FROM task WHERE task.label = sessions.label;

-- Their calls, also where only a longer file tells.
WITH link(label, turn_id, call_id) AS MATERIALIZED (
  SELECT w.label, d.id, b.call_id
  FROM import_spawn AS w CROSS JOIN import_block AS b ON b.id = w.call
       CROSS JOIN import_entry AS e ON e.id = b.entry
       CROSS JOIN import_entry AS f ON f.id = e.turn
       CROSS JOIN main.turns AS d ON d.external_id = f.uuid
       CROSS JOIN main.tool_calls AS c
         ON c.place BETWEEN d.id << 12 AND d.id << 12 | 4095 AND c.id = b.call_id
  WHERE coalesce(c.spawned_session_label, w.label) = w.label)
UPDATE main.sessions SET parent_turn_id = link.turn_id, spawn_tool_call_id = link.call_id
FROM link
WHERE link.label = sessions.label AND origin = 'import' AND is_subagent = 1
  AND spawn_tool_call_id IS NULL;

-- ---- 9. The report -----------------------------------------------------------------------------

CREATE TEMP TABLE import_report AS
WITH
  line(source, entries, skipped, broken, first_broken_line) AS MATERIALIZED (
    SELECT source, count(DISTINCT iif(kind = 'entry', uuid, NULL)), sum(kind IN ('link', 'other')),
           sum(kind = 'broken'), min(iif(kind = 'broken', number, NULL))
    FROM import_line GROUP BY source),
  held(source, turns_there, sidechains) AS MATERIALIZED (
    SELECT l.source,
           count(DISTINCT iif(t.turn_id IS NULL AND t.source = l.source, NULL, t.id)),
           count(DISTINCT iif(e.side AND e.parent IS NULL, e.id, NULL))
    FROM import_line AS l JOIN import_entry AS e ON e.uuid = l.uuid
         JOIN import_turn AS t ON t.id = e.turn
    GROUP BY l.source),
  made(source, turns_made, tool_calls) AS MATERIALIZED (
    SELECT t.source, count(DISTINCT t.id), count(b.id)
    FROM import_turn AS t JOIN import_entry AS f ON f.id = t.id
         JOIN main.turns AS d ON d.external_id = f.uuid  -- nothing, where the writing has failed
         JOIN import_entry AS e ON e.turn = t.id
         LEFT JOIN import_block AS b ON b.entry = e.id AND b.kind = 'call'
    WHERE t.turn_id IS NULL GROUP BY t.source)
SELECT s.label,
       (SELECT thread_id FROM main.sessions WHERE label = s.label) AS head,
       coalesce(line.entries, 0) AS entries,
       coalesce(made.turns_made, 0) AS turns_made,
       coalesce(held.turns_there, 0) AS turns_there,
       coalesce(made.tool_calls, 0) AS tool_calls,
       coalesce(held.sidechains, 0) AS sidechains,
       coalesce(line.skipped, 0) AS skipped,
       coalesce(line.broken, 0) AS broken,
       line.first_broken_line
FROM import_source AS s LEFT JOIN line ON line.source = s.rowid
     LEFT JOIN held ON held.source = s.rowid LEFT JOIN made ON made.source = s.rowid
ORDER BY s.rowid;

DROP TABLE import_label;
DROP VIEW import_odd;
DROP TABLE import_name;
DROP TABLE import_line;
DROP TABLE import_held;
DROP TABLE import_entry;
DROP TABLE import_block;
DROP TABLE import_group;
DROP TABLE import_turn;
DROP TABLE import_trace;
DROP TABLE import_spawn;
DROP TABLE import_message;
DROP TABLE import_order;
DROP TABLE import_end;
DROP TABLE import_session;
DROP TABLE import_fork;

COMMIT;

SELECT * FROM import_report;
