-- rule_check.sql - rules are rows: turnstile_rule_check refuses what can't be one, and what got past it is left out.

SELECT turnstile_install();
SELECT turnstile_clock(1000000);

---- Rules are rows

INSERT INTO message_rules(class, state, pattern, weight) VALUES ('Abandon', 'Running', '^fiddlesticks$', 9);
SELECT 'a rule of one''s own', classify_message('fiddlesticks', 'Running'), 'Abandon';
SELECT 'holds for its state', classify_message('fiddlesticks', 'PendingComplete') <> 'Abandon', 1;
SELECT 'is of origin user', (SELECT origin FROM message_rules WHERE pattern = '^fiddlesticks$'), 'user';
SELECT 'speaks for itself', (SELECT e.value ->> '$.rule' FROM classify('fiddlesticks', 'Running') AS c, json_each(c.evidence) AS e WHERE c.class = 'Abandon' LIMIT 1),
       (SELECT id FROM message_rules WHERE pattern = '^fiddlesticks$');
UPDATE message_rules SET enabled = 0 WHERE pattern = '^fiddlesticks$';
SELECT 'can be switched off', classify_message('fiddlesticks', 'Running') <> 'Abandon', 1;
UPDATE message_rules SET enabled = 1 WHERE pattern = '^fiddlesticks$';
SELECT 'and on', classify_message('fiddlesticks', 'Running'), 'Abandon';
DELETE FROM message_rules WHERE pattern = '^fiddlesticks$';
SELECT 'and removed', classify_message('fiddlesticks', 'Running') <> 'Abandon', 1;
BEGIN;
INSERT INTO message_rules(class, pattern, weight) VALUES ('Abandon', '^fiddlesticks$', 9);
SELECT 'inside a transaction', classify_message('fiddlesticks', 'Running'), 'Abandon';
ROLLBACK;
SELECT 'rolled back', classify_message('fiddlesticks', 'Running') <> 'Abandon', 1;
INSERT INTO message_rules(class, pattern, weight) VALUES ('NewTask', '^fiddlesticks$', 9);
SELECT 'not mistaken for what was rolled back', classify_message('fiddlesticks', 'Running'), 'NewTask';
SELECT 'deliveries go by the rules', (session_start('r', 'x') > 0) || (session_deliver('r', 'fiddlesticks') ->> '$.class'), '1NewTask';

CREATE TEMP TABLE bad(class, state, pattern, weight, message);
INSERT INTO bad VALUES
  ('Abandon', NULL, '(unclosed', 1, 'message_rules: %9%'), ('Abandon', NULL, 'a**b[', 1, 'message_rules: %'), ('Abandon', NULL, '', 1, 'message_rules: %'), ('Abandon', NULL, NULL, 1, '%'),
  ('Maybe', NULL, 'x', 1, 'message_rules: %Maybe%'), ('Abandon', 'Sleeping', 'x', 1, 'message_rules: %Sleeping%'), ('Abandon', NULL, '(*LIMIT_MATCH=9)x', 1, 'message_rules: %'),
  ('Abandon', NULL, '(*UTF)x', 1, 'message_rules: %'), ('Abandon', NULL, 'x(*COMMIT)y', 1, 'message_rules: %'), ('Abandon', NULL, 'x', 1e300, 'message_rules: %'), ('Abandon', NULL, 'x', NULL, '%');
SELECT 'refused: ' || quote(class) || ' ' || quote(state) || ' ' || quote(pattern) || ' ' || quote(weight),
  error_of(printf('INSERT INTO message_rules(class, state, pattern, weight) VALUES (%Q, %Q, %Q, %s)', class, state, pattern, quote(weight))) LIKE message, 1 FROM bad;
SELECT 'a change for the worse is refused too', error_of('UPDATE message_rules SET pattern = ''(x'' WHERE id = 1') LIKE 'message_rules: %', 1;
SELECT 'a pattern that explodes is refused', error_of('INSERT INTO message_rules(class, pattern, weight) VALUES (''Abandon'', ''(a+)+$'', 1)') LIKE 'message_rules: pattern: it goes beyond its limits on a text of % bytes, "aaa…"%', 1;
SELECT 'so is one that calls itself', error_of('INSERT INTO message_rules(class, pattern, weight) VALUES (''Abandon'', ''(?R)'', 1)'), 'message_rules: pattern: calls of groups, such as (?R), are not allowed at offset 0';
CREATE TEMP TABLE repeated(times);
INSERT INTO repeated VALUES ('999'), ('1000'), ('1001'), ('10000'), ('10012'), ('65535'), ('0000000001');
INSERT INTO message_rules(class, pattern, weight) SELECT 'Abandon', '^zq{' || times || '}$', 9 FROM repeated;
INSERT INTO repeated VALUES ('2'), ('998'), ('1002');
SELECT 'repeated as often as its pattern says: ' || times, classify_message('z' || replace(hex(zeroblob(CAST(times AS INTEGER))), '00', 'q'), 'Running') = 'Abandon', CAST(times AS INTEGER) IN (1, 999, 1000, 1001) FROM repeated
WHERE CAST(times AS INTEGER) < 5000;
DELETE FROM message_rules WHERE pattern LIKE '^%zq%';

---- Rows that nobody has checked, as in a stranger's file: left out, and named

DROP TRIGGER message_rules_check_insert;
DROP TRIGGER message_rules_check_update;
CREATE TEMP TABLE unchecked(pattern, why);
INSERT INTO unchecked VALUES ('(?R)', 'message_rules row 9001: pattern: calls of groups, such as (?R), are not allowed at offset 0; correct it or set enabled = 0'),
  ('(unclosed', 'message_rules row 9001: pattern: missing closing parenthesis at offset 9; correct it or set enabled = 0'),
  ('(a+)+$', 'rule 9001 ((a+)+$): match limit exceeded');
CREATE TEMP TABLE unchecked_said(pattern, kind, text);
INSERT INTO message_rules(id, class, pattern, weight) VALUES (9001, 'Abandon', '(?R)', 1);
INSERT INTO unchecked_said SELECT '(?R)', 'delivered', session_deliver('unchecked-1', printf('%.60c', 'a') || 'c');
INSERT INTO unchecked_said SELECT '(?R)', 'given', session_deliver('unchecked-given', printf('%.60c', 'a') || 'c', '{"class":"NewTask"}');
INSERT INTO unchecked_said SELECT '(?R)', 'error', error_of('SELECT classify_message(printf(''%.60c'', ''a'') || ''c'', ''Running'')');
INSERT INTO unchecked_said SELECT '(?R)', 'check', problem FROM turnstile_check WHERE rule = 'rule_value';
UPDATE message_rules SET enabled = 0 WHERE id = 9001;
SELECT 'switched off, it is no trouble', error_of('SELECT classify_message(''x'', ''Running'')'), NULL;
DELETE FROM message_rules WHERE id = 9001;
INSERT INTO message_rules(id, class, pattern, weight) VALUES (9001, 'Abandon', '(unclosed', 1);
INSERT INTO unchecked_said SELECT '(unclosed', 'delivered', session_deliver('unchecked-2', printf('%.60c', 'a') || 'c');
INSERT INTO unchecked_said SELECT '(unclosed', 'error', error_of('SELECT classify_message(printf(''%.60c'', ''a'') || ''c'', ''Running'')');
INSERT INTO unchecked_said SELECT '(unclosed', 'check', problem FROM turnstile_check WHERE rule = 'rule_value';
DELETE FROM message_rules WHERE id = 9001;
INSERT INTO message_rules(id, class, pattern, weight) VALUES (9001, 'Abandon', '(a+)+$', 1);
INSERT INTO unchecked_said SELECT '(a+)+$', 'delivered', session_deliver('unchecked-3', printf('%.60c', 'a') || 'c');
INSERT INTO unchecked_said SELECT '(a+)+$', 'error', error_of('SELECT classify_message(printf(''%.60c'', ''a'') || ''c'', ''Running'')');
INSERT INTO unchecked_said SELECT '(a+)+$', 'check', problem FROM turnstile_check WHERE rule = 'rule_value';
INSERT INTO unchecked_said SELECT '(a+)+$', 'other', classify_message('stop it', 'Running');
DELETE FROM message_rules WHERE id = 9001;
-- Between two literals of the library's own scripts: it is compiled as late as theirs, under the same checks.
INSERT INTO message_rules(id, class, pattern, weight) VALUES (0, 'Abandon', '),' || char(10) || '(', 1);
SELECT 'what stands in a script and is no pattern of it', error_of('SELECT classify_message(''x'', ''Running'')'),
  'classify_message: rule 0 (),' || char(10) || '(): pattern: unmatched closing parenthesis at offset 0';
SELECT 'and with it', session_deliver('unchecked-4', 'write a letter') ->> '$.notes[0]', 'classified without rule 0 (),' || char(10) || '(): pattern: unmatched closing parenthesis at offset 0';
SELECT 'turnstile_check names it', (SELECT problem FROM turnstile_check WHERE rule = 'rule_value'), 'pattern: unmatched closing parenthesis at offset 0';
DELETE FROM message_rules WHERE id = 0;
SELECT 'the message is taken, without ' || pattern, text ->> '$.action' || ': ' || (text ->> '$.notes[0]'), 'start: classified without ' || why FROM unchecked_said JOIN unchecked USING (pattern) WHERE kind = 'delivered';
SELECT 'with a class that is given too', text ->> '$.class' || ': ' || (text ->> '$.notes[0]'), 'NewTask: classified without ' || why FROM unchecked_said JOIN unchecked USING (pattern) WHERE kind = 'given';
SELECT 'who only classifies gets an error, of ' || pattern, text, 'classify_message: ' || why FROM unchecked_said JOIN unchecked USING (pattern) WHERE kind = 'error';
SELECT 'turnstile_check names ' || pattern, text LIKE 'pattern: %', 1 FROM unchecked_said WHERE kind = 'check';
SELECT 'each was looked at', count(*), 11 FROM unchecked_said;
SELECT 'other messages are no trouble', text, 'Abandon' FROM unchecked_said WHERE kind = 'other';
SELECT turnstile_install();
INSERT INTO message_rules(class, pattern, weight, lang) VALUES ('Abandon', '^hagyjuk$', 9, 'hu');
SELECT 'a language of one''s own', classify_message('hagyjuk', 'Running'), 'Abandon';

---- Rules that are shipped pass what a user's must

UPDATE message_rules SET pattern = pattern;
SELECT 'each was tried again', changes() > 700, 1;

---- The function by itself

SELECT 'a good one: nothing is said', turnstile_rule_check('Abandon', 'Running, Interrupted', '^halt$', 3), NULL;
SELECT 'a row that goes', turnstile_rule_check(NULL, NULL, NULL, NULL), NULL;
SELECT 'a unit is a class as well', turnstile_rule_check('Affirmation', NULL, 'ok', 1), NULL;
SELECT 'no class', error_of('SELECT turnstile_rule_check(''Maybe'', NULL, ''x'', 1)'), 'message_rules: class: there is no class "Maybe"';
SELECT 'no state', error_of('SELECT turnstile_rule_check(''Abandon'', ''Running,Asleep'', ''x'', 1)'), 'message_rules: state: there is no task state "Asleep"';
SELECT 'too heavy', error_of('SELECT turnstile_rule_check(''Abandon'', NULL, ''x'', 100.5)'), 'message_rules: weight: must lie between -100 and 100';
SELECT 'no pattern', error_of('SELECT turnstile_rule_check(''Abandon'', NULL, NULL, 1)'), 'message_rules: pattern is empty';
