-- choose.sql - session_choose.

-- :choice_hold (choice, delivery, the merged session that it is for or NULL) → choice: which holds one
-- more
SELECT json_set(iif(?3 IS NULL, ?1, json_set(?1, '$.homes."' || ?2 || '"', ?3)), '$.earlier',
                json_insert(iif(json_type(?1, '$.earlier') = 'array', json_extract(?1, '$.earlier'), json('[]')), '$[#]', ?2));
