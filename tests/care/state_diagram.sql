-- state_diagram(): the pictures say what the machines say.

SELECT turnstile_install();

-- Every move of every machine is drawn, in every format, and nothing else.
CREATE TEMP TABLE drawn(format, axis, picture);
INSERT INTO drawn SELECT format.value, axis.value, state_diagram(format.value, axis.value)
FROM json_each('["mermaid","dot","text"]') AS format, json_each('["task","status","run","turn"]') AS axis;
SELECT 'mermaid ' || axis || ': arrows',
       (length(picture) - length(replace(picture, ' --> ', ''))) / 5,
       (SELECT count(*) + 1 FROM state_transitions AS t WHERE t.axis = drawn.axis)
FROM drawn WHERE format = 'mermaid';
SELECT 'dot ' || axis || ': arrows',
       (length(picture) - length(replace(picture, ' -> ', ''))) / 4,
       (SELECT count(*) FROM state_transitions AS t WHERE t.axis = drawn.axis)
FROM drawn WHERE format = 'dot';
SELECT 'text ' || axis || ': triggers',
       length(picture) - length(replace(picture, '(', '')),
       (SELECT count(*) FROM state_transitions AS t WHERE t.axis = drawn.axis)
FROM drawn WHERE format = 'text';
SELECT 'mermaid draws ' || axis || ' ' || from_state || ' to ' || to_state,
       instr((SELECT picture FROM drawn WHERE format = 'mermaid' AND drawn.axis = t.axis),
             printf('    %s --> %s: %s%s', from_state, to_state, "trigger", char(10))) > 0, 1
FROM state_transitions AS t;
SELECT 'dot draws ' || axis || ' ' || from_state || ' to ' || to_state,
       instr((SELECT picture FROM drawn WHERE format = 'dot' AND drawn.axis = t.axis),
             printf('  %s -> %s [label="%s"];', from_state, to_state, "trigger")) > 0, 1
FROM state_transitions AS t;

-- All four at once: two machines have a state called error, so states carry their machine's name.
SELECT 'all of them', instr(state_diagram(), printf('run_starting --> run_error: fail%s', char(10))) > 0
  AND instr(state_diagram(), printf('status_active --> status_error: fail%s', char(10))) > 0, 1;
SELECT 'all of them, dot', instr(state_diagram('dot'), 'subgraph cluster_turn {') > 0, 1;
SELECT 'NULL is the default', state_diagram(NULL, NULL) = state_diagram('mermaid'), 1;

SELECT 'an unknown format', error_of('SELECT state_diagram(''svg'')'), 'state_diagram: format must be one of: mermaid, dot, text';
SELECT 'an unknown axis', error_of('SELECT state_diagram(''dot'', ''x'')'), 'state_diagram: axis must be one of: task, status, run, turn';
SELECT 'too many arguments', error_of('SELECT state_diagram(1, 2, 3)'), 'state_diagram: it takes format and axis';
