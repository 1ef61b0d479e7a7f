-- needs_compaction.sql - session_needs_compaction: whether a context takes more than its share. It only reads.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);
SELECT turn_append('main', '[{"role":"user","content":"a"}]', '{"tokens":800}');
SELECT 'the share is 85 percent by itself', (SELECT session_needs_compaction('main', 1000)) || session_needs_compaction('main', 941), '01';
SELECT 'at the share: no; a token above: yes', session_needs_compaction('main', 1000, 50) || session_needs_compaction('main', 1000, 51), '01';
SELECT 'extra_tokens NULL are none', session_needs_compaction('main', 1000, NULL), 0;
SELECT 'a limit below the context', session_needs_compaction('main', 1), 1;
SELECT 'the largest limit', session_needs_compaction('main', 8796093022207), 0;
SELECT 'with as much on top', session_needs_compaction('main', 8796093022207, 8796093022207), 1;
SELECT session_start('empty', 'x');
SELECT 'no turns', session_needs_compaction('empty', 100, 85) || session_needs_compaction('empty', 100, 86), '01';
SELECT turnstile_config('compaction_threshold', 50, '{"session":"main"}');
SELECT 'a share of its own', session_needs_compaction('main', 1600) || session_needs_compaction('main', 1599), '01';
SELECT 'the others keep theirs', session_needs_compaction('empty', 100, 85), 0;
SELECT turn_append('main', '[{"role":"user","content":"b"}]', '{"tokens":800}');
SELECT turn_compact('main', 'what was said', '{"keep_turns":0}') IS NOT NULL;
SELECT 'after a summary', session_needs_compaction('main', 1600), 0;
INSERT INTO turnstile(command, args) VALUES ('session_needs_compaction', '["empty",100,86]') RETURNING 'the door', turnstile_result(), 1;
INSERT INTO turnstile(command, args) VALUES ('session_needs_compaction', '{"label":"empty","model_limit":100}') RETURNING 'arguments by name', turnstile_result(), 0;
SELECT session_alias('nick', 'main');
SELECT 'another name', session_needs_compaction('nick', 1), 1;
CREATE TEMP TABLE was AS SELECT dump_of() AS d;
SELECT session_needs_compaction('main', 10);
SELECT 'it writes nothing', dump_of() = d, 1 FROM was;
CREATE TEMP TABLE wrong(args, error);
INSERT INTO wrong VALUES ('NULL, 5', 'label is missing'), ('''main'', NULL', 'model_limit is missing'), ('''main'', 0', 'model_limit is 0; it must be a number of tokens from 1 to 2^43 - 1'),
  ('''main'', 8796093022208', 'model_limit is 8796093022208; it must be a number of tokens from 1 to 2^43 - 1'),
  ('''main'', ''a''', 'model_limit must be an integer from 0 to 9007199254740991, not text'), ('''main'', 5, -1', 'extra_tokens is -1; it must be from 0 to 9007199254740991'),
  ('''main'', 5, 8796093022208', 'extra_tokens is 8796093022208; it must be a number of tokens from 0 to 2^43 - 1'),
  ('''nobody'', 5', 'there is no session ''nobody''; session_deliver or session_start makes one');
SELECT args, error_of('SELECT session_needs_compaction(' || args || ')'), 'session_needs_compaction: ' || error FROM wrong;
