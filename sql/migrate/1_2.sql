-- 1_2.sql - schema version 2: the edges of a session are found by index.
CREATE INDEX #edges_by_session ON ##edges(session_label, id);
