-- legacy.sql - session_status_from_legacy(): what the words of older programs are now.

CREATE TEMP TABLE word(word, active, archive);
INSERT INTO word VALUES
  ('active', 'active', 'active'), ('suspended', 'suspended', 'suspended'),
  ('completed', 'active', 'archived'), ('cancelled', 'archived', 'archived'),
  ('canceled', 'archived', 'archived'), ('archived', 'archived', 'archived'),
  ('error', 'error', 'error'),
  -- Unknown words hide nothing.
  ('running', 'active', 'active'), ('failed', 'active', 'active'), ('complete', 'active', 'active'),
  ('errors', 'active', 'active'), ('err', 'active', 'active'), ('in error', 'active', 'active'),
  ('', 'active', 'active'), ('   ', 'active', 'active'), (NULL, 'active', 'active'),
  ('ｅｒｒｏｒ', 'active', 'active'), ('error' || char(0), 'active', 'active'),
  (char(0xa0) || 'error', 'active', 'active'),
  -- Case and white space around a word are no matter, white space inside is.
  ('COMPLETED', 'active', 'archived'), ('Cancelled', 'archived', 'archived'),
  (' error ', 'error', 'error'), (char(9, 10, 11, 12, 13, 32) || 'Suspended' || char(13, 10),
  'suspended', 'suspended'), ('sus pended', 'active', 'active'),
  ('aRCHIVED', 'archived', 'archived');

SELECT 'by default: ' || quote(word), session_status_from_legacy(word), active FROM word;
SELECT 'policy active: ' || quote(word), session_status_from_legacy(word, 'active'), active
FROM word;
SELECT 'policy NULL: ' || quote(word), session_status_from_legacy(word, NULL), active FROM word;
SELECT 'policy archive: ' || quote(word), session_status_from_legacy(word, 'archive'), archive
FROM word;

-- What comes out is a status, and stays it.
SELECT 'settled: ' || value,
       session_status_from_legacy(value) || ' ' || session_status_from_legacy(value, 'archive'),
       value || ' ' || value
FROM json_each('["active","suspended","archived","error"]');

CREATE TEMP TABLE says AS SELECT 'status must be text or NULL; a number or a BLOB has to be put'
  || ' into words, with CASE' AS status;
CREATE TEMP TABLE wrong(call, error);
INSERT INTO wrong VALUES
  ('''error'', ''archived''', 'policy must be one of: active, archive'),
  ('''error'', ''Archive''', 'policy must be one of: active, archive'),
  ('''error'', ''''', 'policy must be one of: active, archive'),
  ('''error'', ''archive '' ', 'policy must be one of: active, archive'),
  ('''error'', 1', 'policy must be one of: active, archive'),
  ('NULL, x''61726368697665''', 'policy must be one of: active, archive'),
  ('x''6572726f72''', (SELECT status FROM says)),
  ('1', (SELECT status FROM says)),
  ('1.5, ''archive''', (SELECT status FROM says)),
  ('', 'it takes a status, and optionally a policy'),
  ('''error'', ''archive'', ''{}''', 'it takes a status, and optionally a policy');
SELECT 'refused: ' || call, error_of('SELECT session_status_from_legacy(' || call || ')'),
       'session_status_from_legacy: ' || error
FROM wrong;

-- It needs no tables, and can stand where only pure functions may: in an index, a view, with
-- trusted_schema off.
SELECT 'nothing is installed', (SELECT count(*) FROM sqlite_schema), 0;
CREATE TABLE old(id INTEGER PRIMARY KEY, status TEXT,
                 now TEXT GENERATED ALWAYS AS (session_status_from_legacy(status, 'archive')));
CREATE INDEX old_by_status ON old(session_status_from_legacy(status));
INSERT INTO old(status) VALUES ('completed'), ('cancelled'), ('error');
PRAGMA trusted_schema = OFF;
SELECT 'in a generated column', group_concat(now), 'archived,archived,error' FROM old;
SELECT 'in an index', group_concat(id), '2' FROM old
WHERE session_status_from_legacy(status) = 'archived';

-- turnstile_legacy_text(): a text as the commands store it.
CREATE TEMP TABLE unclean(value, text);
INSERT INTO unclean VALUES
  (NULL, NULL), ('', ''), ('café 🦊', 'café 🦊'), (5, '5'), (1.5, '1.5'), (x'616263', 'abc'),
  ('a' || char(0) || 'b', 'a' || char(0xfffd) || 'b'),
  (CAST(x'636166e9' AS TEXT), 'caf' || char(0xfffd)),
  (CAST(x'c0af' AS TEXT), char(0xfffd, 0xfffd)),
  (CAST(x'eda080' AS TEXT), char(0xfffd, 0xfffd, 0xfffd)),
  (x'ff', char(0xfffd));
SELECT 'clean: ' || quote(value), turnstile_legacy_text(value), text FROM unclean;
SELECT turnstile_install();
SELECT session_start('x', CAST(x'636166e9' AS TEXT));
SELECT 'it is what a task is called', description, turnstile_legacy_text(CAST(x'636166e9' AS TEXT))
FROM tasks;

-- turnstile_legacy_check(): an error, unless there is no problem.
SELECT 'no problem', turnstile_legacy_check(NULL), NULL;
SELECT 'a problem: ' || quote(value), error_of('SELECT turnstile_legacy_check(' || quote(value) || ')'),
       'migrate_legacy.sql: ' || value
FROM (SELECT 'the id ''7'' occurs 2 times' AS value UNION ALL SELECT '' UNION ALL SELECT 5);
