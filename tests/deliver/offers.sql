-- offers.sql - "yes" to a report whose end offers something goes on with the work, whatever else stands there.

SELECT turnstile_install();
CREATE TEMP TABLE report(label, summary, state);
INSERT INTO report VALUES
  ('a link', 'Done. Shall I deploy it? See https://x/y?z=1', 'Running'),
  ('a link in brackets', 'Want me to also add tests? (details: [log](http://a/b?c))', 'Running'),
  ('a signature', 'Done. Deploy now?' || char(10, 10) || '— Claude', 'Running'),
  ('options', 'Done. Which do you prefer?' || char(10) || '- deploy' || char(10) || '- wait', 'Running'),
  ('a link alone', 'Done. Log: https://x/y?z=1', 'None'),
  ('a question in code', 'Done. It runs `ls a?`', 'None'),
  ('a question that was quoted', 'You asked "should I use Redis?" It does now.', 'None');
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM report;
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'PendingComplete', json_object('summary', summary)) FROM report;
SELECT label, session_deliver(label, 'yes') ->> '$.state', state FROM report;
