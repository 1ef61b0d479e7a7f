-- policy.sql - policies: in which order they are asked, and their conditions.

-- :policies_version () → value: changes with every change of session_policies
SELECT value FROM #turnstile_meta WHERE key = 'policies_version';

-- :policies_load (policies, longest template, longest match) → id, name, key_template, persona_id,
-- match, problem: in the order of evaluation. problem: 0: none, 1: the match is too long, 2: it is
-- not JSON
SELECT id, substr(name, 1, 256), substr(key_template, 1, ?2), substr(persona_id, 1, 257),
       iif(typeof("match") = 'text' AND length(CAST("match" AS BLOB)) <= ?3, "match", NULL),
       CASE WHEN typeof("match") <> 'text' THEN 2 WHEN length(CAST("match" AS BLOB)) > ?3 THEN 1
            WHEN is_json("match") THEN 0 ELSE 2 END
FROM #session_policies INDEXED BY ##session_policies_in_order WHERE likelihood(enabled <> 0, 1.0)
ORDER BY priority DESC, id LIMIT ?1;

-- :policy_conditions (match) → side, field, value, is_odd: is it no condition? A row for each value of
-- each condition; an object without conditions has rows without a field
SELECT g.key, f.key,
       CASE WHEN f.type IN ('true', 'false') THEN f.type
            WHEN v.type IN ('true', 'false') THEN v.type ELSE v.value END,
       ifnull(json_type(?1) <> 'object' OR g.key NOT IN ('principal', 'delivery') OR g.type <> 'object'
              OR (g.key = 'principal' AND f.key NOT IN ('type', 'entity_id')) OR f.type = 'object'
              OR (f.type = 'array' AND v.type IS NULL) OR v.type IN ('array', 'object'), 0)
FROM (SELECT 1)
LEFT JOIN temp.json_each(?1) AS g
LEFT JOIN temp.json_each(iif(g.type = 'object', g.value, '{}')) AS f
LEFT JOIN temp.json_each(iif(f.type = 'array', f.value,
                             json_array(iif(f.type = 'object', NULL, f.value)))) AS v
ORDER BY g.key, f.key, v.key;

-- :policy_match (match) → problem: what is wrong with the conditions of a policy; NULL: nothing. They are
-- two objects whose values are texts, numbers, booleans, null, or lists of these.
SELECT CASE
  WHEN json_type(?1) <> 'object'
    OR EXISTS (SELECT 1 FROM temp.json_each(?1) AS side
               WHERE side.key NOT IN ('principal', 'delivery') OR side.type <> 'object')
    THEN 'it must be {"principal":{"type"|"entity_id":…},"delivery":{field:…}} with values or lists of values'
  WHEN EXISTS (SELECT 1 FROM temp.json_each(?1) AS side, temp.json_each(side.value) AS field
               WHERE side.key = 'principal' AND field.key NOT IN ('type', 'entity_id')
                  OR field.type = 'object' OR field.value = '[]')
    OR EXISTS (SELECT 1 FROM temp.json_each(?1) AS side, temp.json_each(side.value) AS field,
                             temp.json_each(iif(field.type = 'array', field.value, '[]')) AS value
               WHERE value.type IN ('array', 'object'))
    THEN 'it must be {"principal":{"type"|"entity_id":…},"delivery":{field:…}} with values or lists of values'
  WHEN EXISTS (SELECT 1 FROM temp.json_each(?1, '$.principal.type')
               WHERE ifnull(value, '') NOT IN ('known', 'unknown'))
    THEN 'principal.type is known or unknown' END;
