-- dispatch.sql - turnstile_dispatch: what the door's trigger calls, and nobody else can. door.sql and foreign.py try more
-- ways to it.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);
CREATE TEMP TABLE k AS SELECT value AS door_key FROM turnstile_meta WHERE key = 'door_key';
SELECT 'with no key', error_of('SELECT turnstile_dispatch(1, '''', '''', ''session_start'', ''["main","x"]'')'), 'turnstile_dispatch: INSERT INTO turnstile calls it; it can''t be called by itself';
SELECT 'with the file''s key', error_of(printf('SELECT turnstile_dispatch(1, %Q, '''', ''session_start'', ''["main","x"]'')', door_key)), 'turnstile_dispatch: INSERT INTO turnstile calls it; it can''t be called by itself' FROM k;
SELECT 'with NULLs', error_of('SELECT turnstile_dispatch(NULL, NULL, NULL, NULL, NULL)'), 'turnstile_dispatch: INSERT INTO turnstile calls it; it can''t be called by itself';
SELECT 'no session', (SELECT count(*) FROM sessions), 0;
INSERT INTO turnstile(command, args) VALUES ('session_start', '["main","x"]') RETURNING 'by the door', turnstile_result(), 1;
CREATE TRIGGER o AFTER INSERT ON observations BEGIN
  INSERT INTO turnstile(command, args) VALUES ('session_note', '["main","again"]');
END;
SELECT 'a command inside a command', error_of('SELECT session_note(''main'', ''once'')') LIKE '%a command can''t run inside another command', 1;
SELECT 'neither is there', (SELECT count(*) FROM observations), 0;
