-- door.sql - the one door for writes.
--
-- Every command is an INSERT into this view. The trigger gives it a statement journal, so that it
-- is atomic wherever it is called; the statement is a write by anybody's classification, and takes
-- the write lock before anything is read. This and the checks of rules and policies are the only
-- triggers that need the extension.
--
-- The RAISE asks for the statement journal: SQLite before 3.40 gives none to a trigger that only
-- calls a function, and a command that fails would be half done there. The checks ask for it too: of
-- an INSERT OR FAIL the rows before a wrong one would stay.
--
-- The key shows the dispatcher that it is this trigger that calls: a schema that somebody else wrote,
-- in an attached file, can't read it.

CREATE VIEW #turnstile(command, args) AS SELECT NULL, NULL WHERE 0;

CREATE TRIGGER #turnstile_door INSTEAD OF INSERT ON ##turnstile
BEGIN
  SELECT RAISE(ABORT, 'turnstile: command 0 is unknown; docs/reference.md lists them')
  WHERE NEW.command IS 0;
  SELECT turnstile_dispatch(#'version',
    (SELECT value FROM ##turnstile_meta WHERE key = 'door_key'), #'prefix', NEW.command, NEW.args);
END;

-- C checks a policy's conditions too: in SQLite before 3.41 a trigger of a file that is not trusted can't
-- call json_valid.
CREATE TRIGGER #session_policies_check_insert BEFORE INSERT ON ##session_policies
BEGIN
  SELECT RAISE(ABORT, 'session_policies: never') WHERE 0;
  SELECT turnstile_policy_check(NEW.key_template, NEW.persona_id, NEW."match");
END;

CREATE TRIGGER #session_policies_check_update BEFORE UPDATE ON ##session_policies
BEGIN
  SELECT RAISE(ABORT, 'session_policies: never') WHERE 0;
  SELECT turnstile_policy_check(NEW.key_template, NEW.persona_id, NEW."match");
END;

CREATE TRIGGER #session_policies_check_delete BEFORE DELETE ON ##session_policies
BEGIN
  SELECT turnstile_policy_check(NULL, NULL, NULL);
END;

CREATE TRIGGER #message_rules_check_insert BEFORE INSERT ON ##message_rules
BEGIN
  SELECT RAISE(ABORT, 'message_rules: never') WHERE 0;
  SELECT turnstile_rule_check(NEW.class, NEW.state, NEW.pattern, NEW.weight);
END;

CREATE TRIGGER #message_rules_check_delete BEFORE DELETE ON ##message_rules
BEGIN
  SELECT turnstile_rule_check(NULL, NULL, NULL, NULL);
END;

CREATE TRIGGER #message_rules_check_update BEFORE UPDATE ON ##message_rules
BEGIN
  SELECT RAISE(ABORT, 'message_rules: never') WHERE 0;
  SELECT turnstile_rule_check(NEW.class, NEW.state, NEW.pattern, NEW.weight);
END;
