-- report.sql - a report that ends in a question, and an "ok" among several people.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);

---- A report that asks

CREATE TEMP TABLE said(summary, message, action);
INSERT INTO said VALUES
  ('Retries are in. Shall I also update the docs?', 'yes', 'continue'),
  ('Retries are in. Shall I also update the docs?', 'ok', 'continue'),
  ('Retries are in. Shall I also update the docs?', 'go ahead', 'continue'),
  ('Retries are in. Shall I also update the docs?', 'no', 'continue'),
  ('Retries are in. Shall I also update the docs?', 'no thanks', 'continue'),
  ('Retries are in. Shall I also update the docs?', '👍', 'continue'),
  ('Retries are in. Shall I also update the docs?', '是的', 'continue'),
  ('Retries are in. Shall I also update the docs?', 'that solved it for me', 'complete'),
  ('Retries are in. Shall I also update the docs? (y/n)', 'yes', 'continue'),
  ('Retries are in. Push it now (yes/no)', 'yes', 'continue'), ('Retries are in. Looks good to you (y/n)', 'yes', 'complete'), ('The prompt now ends in (y/n).', 'yes', 'complete'),
  ('Retries are in. Push it now [Y/n]', 'y', 'continue'), ('Retries are in. Push it now [Y/n]', 'n', 'continue'), ('Retries are in. Push it now [Y/n]', 'Y, please', 'continue'), ('Die Wiederholungen sind drin. Jetzt pushen? (j/n)', 'j', 'continue'), ('Retries are in. Looks good to you (y/n)', 'y', 'complete'),
  ('Retries are in. Shall I also update the docs? It takes a minute.', 'yes', 'continue'),
  ('Fertig. Soll ich auch die Doku anpassen？', 'ja', 'continue'),
  ('تم. هل أحدث التوثيق أيضًا؟', 'نعم', 'continue'),
  ('Έτοιμο. Να ενημερώσω και την τεκμηρίωση;', 'ok', 'continue'),
  ('完了しました。ドキュメントも更新しますか。', 'はい', 'continue'),
  ('Retries are in. Anything else?', 'yes', 'continue'),
  ('Retries are in. Anything else?', 'no thanks', 'complete'),
  ('Retries are in. Anything else?', 'thanks', 'complete'),
  ('Retries are in. Does this look good?', 'yes', 'complete'),
  ('Why did it fail? A missing lock. Fixed.', 'yes', 'complete'),
  ('Retries are in.', 'yes', 'complete'), ('Retries are in.', '👍', 'complete');
CREATE TEMP TABLE report AS SELECT summary || ' < ' || message AS label, * FROM said;
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM report;
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'PendingComplete', json_object('summary', summary)) FROM report;
CREATE TEMP TABLE done AS SELECT *, session_deliver(label, message) AS d FROM report;
SELECT label, d ->> '$.action', action FROM done;
SELECT label || ': the task', session_state(label) ->> '$.task_state', iif(action = 'continue', 'Running', 'None') FROM done;
SELECT label || ': the message is handed over', (SELECT group_concat(message) FROM session_queue AS q WHERE q.session_label = label),
       iif(action = 'continue', message, NULL) FROM done;
SELECT label || ': it is noted', (SELECT data ->> '$.note' FROM observations AS o WHERE o.session_label = label ORDER BY id DESC LIMIT 1),
       iif(action = 'continue', 'request_more', 'confirmation') FROM done;
-- The caller's own word stands; a question beside the summary counts as its end.
INSERT INTO turnstile VALUES ('session_start', '["given","x"]'), ('session_transition', '["given","PendingComplete",{"summary":"Done. Deploy?"}]'),
  ('session_start', '["beside","x"]'), ('session_transition', '["beside","PendingComplete",{"summary":"Done.","question":"Deploy?"}]');
SELECT 'a class that was given stands', session_deliver('given', 'yes', '{"class":"Confirmation"}') ->> '$.action', 'complete';
SELECT 'a question of its own', session_deliver('beside', 'yes') ->> '$.action', 'continue';
-- A turn's outcome takes its content for the summary.
INSERT INTO turnstile VALUES ('session_deliver', '["turn","add retries",{"owner":"w"}]');
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn_id, token, json('{"content":"Done. Shall I deploy?","outcome":"done"}')) FROM session_runs WHERE session_label = 'turn';
SELECT 'the end of a turn', session_deliver('turn', 'yes') ->> '$.action', 'continue';

-- What asks for leave, or offers something, without a question mark.
CREATE TEMP TABLE quiet(summary, asks);
INSERT INTO quiet VALUES ('Done. Please confirm that I may push.', 1), ('Done. If you agree I will merge.', 1), ('完成。可以吗？', 1),
  ('I can also update the docs if you like.', 1), ('Done. Awaiting your approval to deploy.', 1), ('Fertig. Wenn du magst, passe ich auch die Doku an.', 1),
  ('Listo. Si quieres, actualizo también los docs.', 1), ('C''est fait. Dites-moi si je dois pousser.', 1), ('Готово. Подтвердите, что можно пушить.', 1),
  ('Tamam. İstersen dokümanı da güncellerim.', 1), ('完了しました。よろしければプッシュします。', 1), ('완료했습니다. 원하시면 문서도 고치겠습니다.', 1),
  ('تم. إذا أردت أحدث التوثيق أيضا.', 1), ('Pronto. Se quiser, atualizo também os docs.', 1), ('Fatto. Se vuoi aggiorno anche la guida.', 1),
  ('Gotowe. Jeśli chcesz, zaktualizuję też dokumentację.', 1), ('Klaar. Als je wilt pas ik ook de docs aan.', 1),
  ('Done. You can change the colour if you like.', 0), ('Done. Let me know if you have questions.', 0), ('If you like short names, they are in. Done.', 0),
  ('Your approval was asked for, and the tests pass.', 0), ('Done. Please confirm.', 0), ('Fertig. Du kannst die Farbe ändern, wenn du magst.', 0);
INSERT INTO turnstile SELECT 'session_start', json_array('quiet ' || a.value || summary, 'x') FROM quiet, json_each('["yes","no"]') AS a;
INSERT INTO turnstile SELECT 'session_transition', json_array('quiet ' || a.value || summary, 'PendingComplete', json_object('summary', summary)) FROM quiet, json_each('["yes","no"]') AS a;
SELECT summary || ' < yes', session_deliver('quiet yes' || summary, 'yes') ->> '$.action', iif(asks, 'continue', 'complete') FROM quiet;
SELECT summary || ' < no', session_deliver('quiet no' || summary, 'no') ->> '$.action', iif(asks, 'continue', 'prompt') FROM quiet;
-- The text of the report asks, and its summary leaves that out.
CREATE TEMP TABLE left_out(label, content, summary, action);
INSERT INTO left_out VALUES ('out asks', 'Retries are in. Shall I also update the docs?', 'Retries are in.', 'continue'),
  ('out both', 'Retries are in. Shall I deploy?', 'Retries are in. Does this look good?', 'complete'), ('out neither', 'Retries are in.', 'Added retries.', 'complete'),
  ('out long', replace(printf('%.*c', 900, 'ä'), 'ä', 'ä ') || '. Shall I also update the docs?', 'Retries are in.', 'continue');
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'add retries', json('{"owner":"w"}')) FROM left_out;
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn_id, token, json_object('content', content, 'summary', summary, 'outcome', 'done'))
  FROM session_runs AS r JOIN left_out ON label = r.session_label;
SELECT label || ': the summary is as given', session_state(label) ->> '$.state_data.summary', summary FROM left_out;
SELECT label || ': yes', session_deliver(label, 'yes') ->> '$.action', action FROM left_out;
-- What turns down an offer that nobody has made gives the task up.
INSERT INTO turnstile SELECT 'session_start', json_array('over ' || value, 'x') FROM json_each('["leave it","nicht nötig"]');
INSERT INTO turnstile SELECT 'session_transition', json_array('over ' || value, 'PendingComplete', json('{"summary":"Done."}')) FROM json_each('["leave it","nicht nötig"]');
SELECT 'over a report that offers nothing: ' || value, session_deliver('over ' || value, value) ->> '$.action', 'abandon' FROM json_each('["leave it","nicht nötig"]');

---- A no

CREATE TEMP TABLE no(message);
INSERT INTO no VALUES ('no'), ('nope'), ('nah'), ('No!'), ('no no no'), ('no thanks'), ('nein'), ('nein danke'), ('нет'),
  ('いいえ'), ('não'), ('ne'), ('non'), ('not yet');
CREATE TEMP TABLE unasked(summary);
INSERT INTO unasked VALUES ('Done. Does this look good?'), ('Done.'), ('Done. OK?'), ('Fertig. Passt das so?'), ('Please check it.');
CREATE TEMP TABLE denied AS SELECT 'denied: ' || summary || ' < ' || message AS label, summary, message FROM unasked, no;
INSERT INTO denied SELECT 'offered: ' || message, 'Done.', message FROM no;
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM denied;
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'PendingComplete', json_object('summary', summary)) FROM denied;
INSERT INTO turnstile SELECT 'session_recover', json_array(label) FROM denied WHERE label LIKE 'offered:%';
CREATE TEMP TABLE asked_back AS SELECT label, session_deliver(label, message) AS d FROM denied;
SELECT label, json_extract(d, '$.action', '$.state', '$.kind'), '["prompt","PendingComplete","UnclearChoice"]' FROM asked_back;
SELECT 'no such no commits anything', (SELECT count(*) FROM commits WHERE session_label LIKE 'denied:%' OR session_label LIKE 'offered:%'), 0;
INSERT INTO turnstile VALUES ('session_start', '["more","x"]'), ('session_transition', '["more","PendingComplete",{"summary":"Fertig. Sonst noch etwas?"}]'),
  ('session_start', '["own","x"]'), ('session_transition', '["own","PendingComplete",{"summary":"Done."}]');
SELECT 'a no to "anything else?" is the end', session_deliver('more', 'nein') ->> '$.action', 'complete';
SELECT 'the caller''s own word stands for a no', session_deliver('own', 'no', '{"class":"Confirmation"}') ->> '$.action', 'complete';

---- What turns down an offer leaves the work as it is

CREATE TEMP TABLE declines(message);
INSERT INTO declines VALUES ('nicht nötig'), ('不用了'), ('não precisa'), ('no hace falta'), ('не надо'), ('не нужно'), ('není třeba'),
  ('nie trzeba'), ('non serve'), ('結構です'), ('いらない'), ('no, leave it'), ('leave it'), ('don''t bother'), ('lass es'), ('that''s enough'),
  ('never mind'), ('forget it'), ('vergiss es'), ('laisse tomber'), ('no need'), ('lieber nicht');
CREATE TEMP TABLE extra AS SELECT value || ' < ' || message AS label, value AS summary, message
  FROM declines, json_each('["Fertig. Soll ich auch die Doku anpassen?","Done. Anything else?","Done. Does this look good?"]');
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM extra;
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'PendingComplete', json_object('summary', summary)) FROM extra;
CREATE TEMP TABLE turned AS SELECT label, summary, session_deliver(label, message) AS d FROM extra;
SELECT label || ': ' || (d ->> '$.action'), d ->> '$.action' IN ('continue', 'complete', 'prompt'), 1 FROM turned;
SELECT 'nothing finished is dropped', (SELECT count(*) FROM commits WHERE session_label IN (SELECT label FROM extra) AND commit_type = 'Abandoned'), 0;
INSERT INTO turnstile VALUES ('session_start', '["stop","x"]'), ('session_transition', '["stop","PendingComplete",{"summary":"Done. Shall I deploy?"}]');
SELECT 'stop is still that', session_deliver('stop', 'stop') ->> '$.action', 'abandon';

---- Among several people

CREATE TEMP TABLE people(label, options);
INSERT INTO people VALUES ('group:telegram:7', '{}'), ('group:slack:C1:thread:9', '{}'),
  ('team', '{"envelope":{"channel":"slack","sender_id":"u1","peer_kind":"group","peer_id":"C1"}}'),
  ('room', '{"envelope":{"channel":"irc","sender_id":"u1","peer_kind":"room"}}');
CREATE TEMP TABLE word(message);
INSERT INTO word VALUES ('ok'), ('thanks!'), ('👍'), ('perfect, thanks');
CREATE TEMP TABLE alone AS SELECT label, options, message FROM people, word;
CREATE TEMP TABLE heard AS SELECT label, message, session_deliver(label, message, options) AS d FROM alone;
SELECT label || ', no task: ' || message, json_extract(d, '$.action', '$.state') || (d ->> '$.queue_id' IS NOT NULL), '["answer","None"]1' FROM heard;
SELECT label || ': reaches the agent', (SELECT count(*) FROM session_queue AS q WHERE q.session_label = p.label), 4 FROM people AS p;
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'plan the party') FROM people;
DELETE FROM heard;
INSERT INTO heard SELECT label, message, session_deliver(label, message, options) FROM alone;
SELECT label || ', Running: ' || message, json_extract(d, '$.action', '$.state') || (d ->> '$.queue_id' IS NOT NULL), '["continue","Running"]1' FROM heard;
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'PendingComplete', json('{"summary":"The party is planned."}')) FROM people;
SELECT label || ': a report is approved by it', session_deliver(label, 'ok', options) ->> '$.action', 'complete' FROM people;
-- Behind a live run it waits, and is handed over when the run is done.
INSERT INTO turnstile VALUES ('session_deliver', '["group:telegram:8","plan the party",{"owner":"w"}]'), ('session_deliver', '["room 8","plan the party",{"owner":"w"}]');
SELECT 'with a live run', json_extract(session_deliver('group:telegram:8', 'ok', '{"mode":"queue"}'), '$.action', '$.class'), '["queue","Modification"]';
SELECT 'with a live run, by its envelope', session_deliver('room 8', 'ok', '{"mode":"queue","envelope":{"channel":"irc","sender_id":"u1","peer_kind":"room"}}') ->> '$.action', 'queue';
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn_id, token, json('{"content":"So far."}')) FROM session_runs WHERE session_label IN ('group:telegram:8', 'room 8');
SELECT 'the next turn has it', turn_begin('group:telegram:8', 'w') ->> '$.messages[0].content', 'ok';
SELECT 'the next turn has it, by its envelope', turn_begin('room 8', 'w') ->> '$.messages[0].content', 'ok';
-- Elsewhere it is acknowledged, as ever.
INSERT INTO turnstile VALUES ('session_start', '["dm:rosa","x"]'), ('session_start', '["group","x"]');
SELECT 'one person', session_deliver('dm:rosa', 'ok') ->> '$.action', 'acknowledge';
SELECT 'one person, with an envelope', session_deliver('dm:rosa', 'ok', '{"envelope":{"channel":"sms","sender_id":"r"}}') ->> '$.action', 'acknowledge';
SELECT 'a label is no key', session_deliver('group', 'ok') ->> '$.action', 'acknowledge';

SELECT 'the file is sound', (SELECT count(*) FROM turnstile_check()), 0;
