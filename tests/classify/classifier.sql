-- classifier.sql - turnstile_classifier: a host's own function decides.

SELECT turnstile_install();
SELECT turnstile_clock(1000000);

---- A host's own function

SELECT turnstile_classifier('nullif');
SELECT 'an error of it is an error', error_of('SELECT session_deliver(''h'', ''hi'')') LIKE 'session_deliver: classifier nullif%', 1;
SELECT turnstile_classifier('coalesce');
SELECT 'what it returns is checked', error_of('SELECT session_deliver(''h'', ''hello there'')') LIKE 'session_deliver: classifier coalesce%hello there%', 1;
SELECT 'a class it returns stands', session_deliver('h', 'Clarification') ->> '$.class', 'Clarification';
SELECT 'and is recorded', (SELECT class FROM deliveries WHERE session_label = 'h'), 'Clarification';
SELECT 'the option class comes before it', session_deliver('h', 'Clarification', '{"class":"NewTask"}') ->> '$.class', 'NewTask';
SELECT turnstile_classifier('no_such_function');
SELECT 'one that is not there', error_of('SELECT session_deliver(''h'', ''hi'')') LIKE 'session_deliver: classifier no_such_function%', 1;
SELECT turnstile_classifier(NULL);
SELECT 'without it the rules again', session_deliver('h', 'make it 5 not 3') ->> '$.class', 'Modification';

---- Its name

SELECT 'none is set', turnstile_classifier(), NULL;
SELECT 'setting it gives NULL', turnstile_classifier('nullif'), NULL;
SELECT 'which one it is', turnstile_classifier(), 'nullif';
SELECT 'no name', error_of('SELECT turnstile_classifier(''a b'')'), 'turnstile_classifier: name must be the name of an SQL function (letters, digits and _), or NULL for none';
SELECT 'an empty one', error_of('SELECT turnstile_classifier('''')') LIKE 'turnstile_classifier: name must be%', 1;
SELECT 'two names', error_of('SELECT turnstile_classifier(''a'', ''b'')'), 'turnstile_classifier: it takes one name';
SELECT 'it stayed as it was', turnstile_classifier(), 'nullif';
SELECT 'removed', turnstile_classifier(NULL) IS NULL AND turnstile_classifier() IS NULL, 1;
