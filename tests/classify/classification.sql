-- classification.sql - classification_prompt and classification_parse: prompts and replies for a language model.

SELECT turnstile_install();
SELECT turnstile_clock(1000000);

---- A language model instead

SELECT 'the prompt quotes the message and names the classes', instr(classification_prompt('frobnicate it', 'Running', 'port the parser'), 'frobnicate it') > 0
  AND instr(classification_prompt('frobnicate it', 'Running', 'port the parser'), 'port the parser') > 0, 1;
SELECT 'it names ' || class, instr(classification_prompt('x', 'AwaitingUser', 't', 'Which?'), class) > 0, 1 FROM (SELECT DISTINCT class FROM classify('x', 'None'));
SELECT 'it has the question', instr(classification_prompt('x', 'AwaitingUser', 't', 'Which backoff?'), 'Which backoff?') > 0, 1;
SELECT 'it is the same each time', classification_prompt('x', 'Running') = classification_prompt('x', 'Running'), 1;
SELECT 'a prompt for nothing', error_of('SELECT classification_prompt(NULL, ''Running'')'), 'classification_prompt: message is missing';
CREATE TEMP TABLE reply(reply, class);
INSERT INTO reply VALUES ('Abandon', 'Abandon'), ('newtask', 'NewTask'), ('{"class":"NewTask"}', 'NewTask'), ('The class is **Modification**.', 'Modification'),
  ('', NULL), ('I can''t say', NULL), ('Abandon or NewTask', NULL), (NULL, NULL),
  ('new task', 'NewTask'), ('NEW_TASK', 'NewTask'), ('New-Task', 'NewTask'), ('new  task', NULL), ('-NewTask', 'NewTask'), ('_NewTask', NULL), ('xNewTask', NULL), ('NewTasks', NULL), ('NewTask_', NULL),
  ('NewTas', NULL), ('NewTask-', 'NewTask'), ('a b andon', NULL), ('un_clear', NULL), ('9NewTask', NULL), ('NewTask0', NULL), ('NewTaskZ', NULL), ('zUnclear', NULL), ('ZUnclear', NULL), ('éUnclear', NULL), ('Unclearé', NULL),
  ('Unclear and again Unclear', 'Unclear'), ('new', NULL), ('new ', NULL);
SELECT 'reply ' || quote(reply), classification_parse(reply), class FROM reply;
