-- migrate_3_4.sql - schema version 4: an input on which a turn works knows where it belongs after its
-- sender was unlinked.
ALTER TABLE #session_queue ADD COLUMN goes_to TEXT;
