-- guards.sql - triggers that keep the invariants even against plain SQL, and without the extension.
--
-- RAISE(FAIL) with a static text: no journal of their own, and SQLite 3.40 takes no expression
-- there. All stand open while turnstile_meta holds a row 'unguarded', which only exists within one
-- command.
--
-- A row that is kept has three guards. _keep: it is not deleted. _first: no new row takes its place, for
-- REPLACE deletes what stands in its way without asking a DELETE trigger; every key counts, and the
-- rowid behind a key of another type. _place (or a _fixed that lets nothing change): it does not move
-- onto the key of another row, which UPDATE OR REPLACE would delete in the same way. The rowid has
-- three more names, and UPDATE OF goes by names. A new row whose rowid is left to SQLite has -1 there.

-- Task states move as state_transitions says.
CREATE GUARD #tasks_move BEFORE UPDATE OF state ON ##tasks
WHEN NOT EXISTS (SELECT 1 FROM ##state_transitions
                 WHERE axis = 'task' AND from_state = OLD.state AND to_state = NEW.state)
FAILS 'tasks.state: state_transitions has no such move';

-- A task ends with its state None, and stays ended.
CREATE GUARD #tasks_end BEFORE UPDATE OF state, ended_at ON ##tasks
WHEN ((NEW.state = 'None') <> (NEW.ended_at IS NOT NULL) OR OLD.ended_at IS NOT NULL)
FAILS 'tasks.ended_at: set exactly when the state becomes None, and once';

-- Only two commit types, or no commit at all for a task without work, end a task that is neither
-- Complete nor Aborted.
CREATE GUARD #tasks_save BEFORE UPDATE OF state ON ##tasks
WHEN NEW.state = 'None' AND OLD.state NOT IN (#LIST_TASK_OVER)
 AND NEW.commit_id IS NOT NULL
 AND NOT EXISTS (SELECT 1 FROM (SELECT id, commit_type FROM ##commits INDEXED BY ##commits_by_session
                                WHERE session_label = NEW.session_label ORDER BY seq DESC LIMIT 1)
                 WHERE id = NEW.commit_id
                 AND commit_type IN ('StaleAutoCompact', 'InterruptedByNewTask'))
FAILS 'tasks.state: an open task is saved by StaleAutoCompact or InterruptedByNewTask only';

CREATE GUARD #tasks_first BEFORE INSERT ON ##tasks
WHEN (NEW.state <> 'Running' OR NEW.ended_at IS NOT NULL
      OR (NEW.id <> -1 AND EXISTS (SELECT 1 FROM ##tasks WHERE id = NEW.id))
      OR EXISTS (SELECT 1 FROM ##tasks INDEXED BY ##tasks_one_open
                 WHERE session_label = NEW.session_label AND ended_at IS NULL))
FAILS 'tasks: a task begins Running, under a new id, in a session without an open task';

CREATE GUARD #tasks_place BEFORE UPDATE OF id, session_label, rowid, _rowid_, oid ON ##tasks
WHEN (NEW.id <> OLD.id OR NEW.session_label <> OLD.session_label)
FAILS 'tasks: a task keeps its id and its session';

CREATE GUARD #tasks_keep BEFORE DELETE ON ##tasks
FAILS 'tasks: rows are kept';

-- Session status moves as state_transitions says.
CREATE GUARD #sessions_move BEFORE UPDATE OF status ON ##sessions
WHEN NEW.status <> OLD.status
 AND NOT EXISTS (SELECT 1 FROM ##state_transitions
                 WHERE axis = 'status' AND from_state = OLD.status AND to_state = NEW.status)
FAILS 'sessions.status: state_transitions has no such move';

CREATE GUARD #sessions_first BEFORE INSERT ON ##sessions
WHEN (NEW.status <> 'active' OR NEW.thread_id IS NOT NULL OR NEW.superseded_by IS NOT NULL
      OR EXISTS (SELECT 1 FROM ##sessions WHERE label = NEW.label)
      OR (NEW.rowid <> -1 AND EXISTS (SELECT 1 FROM ##sessions WHERE rowid = NEW.rowid))
      OR NEW.label IN (SELECT alias FROM ##session_aliases))
FAILS 'sessions: a session begins active, without turns, under a new label that is no alias';

CREATE GUARD #sessions_keep BEFORE DELETE ON ##sessions
FAILS 'sessions: rows are kept; archive the session instead';

CREATE GUARD #sessions_label BEFORE UPDATE OF label, rowid, _rowid_, oid ON ##sessions
WHEN (NEW.label <> OLD.label OR NEW.rowid <> OLD.rowid)
FAILS 'sessions.label: a label never changes; make an alias';

-- Run states move as state_transitions says, and tokens only grow.
CREATE GUARD #session_runs_move BEFORE UPDATE OF run_state ON ##session_runs
WHEN NEW.run_state <> OLD.run_state
 AND NOT EXISTS (SELECT 1 FROM ##state_transitions
                 WHERE axis = 'run' AND from_state = OLD.run_state AND to_state = NEW.run_state)
FAILS 'session_runs.run_state: state_transitions has no such move';

CREATE GUARD #session_runs_token BEFORE UPDATE OF token ON ##session_runs
WHEN NEW.token < OLD.token
FAILS 'session_runs.token: a fencing token only grows';

CREATE GUARD #session_runs_first BEFORE INSERT ON ##session_runs
WHEN (NEW.run_state NOT IN ('idle', 'starting')
      OR EXISTS (SELECT 1 FROM ##session_runs WHERE session_label = NEW.session_label)
      OR (NEW.rowid <> -1 AND EXISTS (SELECT 1 FROM ##session_runs WHERE rowid = NEW.rowid)))
FAILS 'session_runs: a run begins idle or starting, one row per session';

-- Without the row of a run its turn and its inputs would hang, and its tokens would be given out again.
CREATE GUARD #session_runs_place BEFORE UPDATE OF session_label, rowid, _rowid_, oid ON ##session_runs
WHEN (NEW.session_label <> OLD.session_label OR NEW.rowid <> OLD.rowid)
FAILS 'session_runs: a run keeps its session';

CREATE GUARD #session_runs_keep BEFORE DELETE ON ##session_runs
FAILS 'session_runs: rows are kept; turnstile_startup or session_run makes a run idle';

-- Inputs and their order are kept.
CREATE GUARD #session_queue_first BEFORE INSERT ON ##session_queue
WHEN NEW.id <> -1 AND EXISTS (SELECT 1 FROM ##session_queue WHERE id = NEW.id)
FAILS 'session_queue: an input comes under a new id';

CREATE GUARD #session_queue_place BEFORE UPDATE OF id, rowid, _rowid_, oid ON ##session_queue
WHEN NEW.id <> OLD.id
FAILS 'session_queue: an input keeps its id';

CREATE GUARD #session_queue_keep BEFORE DELETE ON ##session_queue
FAILS 'session_queue: rows are kept; queue_cancel calls an input off';

-- History is append-only: events, commits, steps and deliveries.
CREATE GUARD #session_events_fixed BEFORE UPDATE, #session_events_keep BEFORE DELETE ON ##session_events
FAILS 'session_events: append-only';

CREATE GUARD #session_events_first BEFORE INSERT ON ##session_events
WHEN NEW.id <> -1 AND EXISTS (SELECT 1 FROM ##session_events WHERE id = NEW.id)
FAILS 'session_events: append-only';

CREATE GUARD #commits_fixed BEFORE UPDATE, #commits_keep BEFORE DELETE ON ##commits
FAILS 'commits: append-only';

CREATE GUARD #commits_first BEFORE INSERT ON ##commits
WHEN ((NEW.seq <> -1 AND NEW.seq IN (SELECT seq FROM ##commits))
      OR NEW.id IN (SELECT id FROM ##commits))
FAILS 'commits: append-only';

CREATE GUARD #steps_fixed BEFORE UPDATE, #steps_keep BEFORE DELETE ON ##steps
FAILS 'steps: append-only';

CREATE GUARD #steps_first BEFORE INSERT ON ##steps
WHEN (EXISTS (SELECT 1 FROM ##steps WHERE task_id = NEW.task_id AND id = NEW.id)
      OR (NEW.rowid <> -1 AND EXISTS (SELECT 1 FROM ##steps WHERE rowid = NEW.rowid)))
FAILS 'steps: append-only';

CREATE GUARD #deliveries_fixed BEFORE UPDATE, #deliveries_keep BEFORE DELETE ON ##deliveries
FAILS 'deliveries: append-only';

CREATE GUARD #deliveries_first BEFORE INSERT ON ##deliveries
WHEN (EXISTS (SELECT 1 FROM ##deliveries WHERE id = NEW.id)
      OR (NEW.message_id IS NOT NULL
          AND EXISTS (SELECT 1 FROM ##deliveries INDEXED BY ##deliveries_by_message_id
                      WHERE session_label = NEW.session_label
                      AND message_id = NEW.message_id AND channel = NEW.channel
                      AND sender = NEW.sender)))
FAILS 'deliveries: append-only';

-- Content is what its SHA-256 says, and is there as long as an observation has it.
CREATE GUARD #objects_first BEFORE INSERT ON ##objects
WHEN (EXISTS (SELECT 1 FROM ##objects WHERE id = NEW.id AND (kind <> NEW.kind OR data IS NOT NEW.data))
      OR (NEW.rowid <> -1 AND EXISTS (SELECT 1 FROM ##objects WHERE rowid = NEW.rowid)))
FAILS 'objects: content never changes';

CREATE GUARD #objects_fixed BEFORE UPDATE ON ##objects
FAILS 'objects: content never changes';

CREATE GUARD #objects_keep BEFORE DELETE ON ##objects
WHEN EXISTS (SELECT 1 FROM ##observations INDEXED BY ##observations_by_object
             WHERE object_id = OLD.id)
FAILS 'objects: an observation has this content';

-- The answer to a request_id stands until the request is forgotten.
CREATE GUARD #turnstile_requests_first BEFORE INSERT ON ##turnstile_requests
WHEN (EXISTS (SELECT 1 FROM ##turnstile_requests WHERE request_id = NEW.request_id)
      OR (NEW.rowid <> -1 AND EXISTS (SELECT 1 FROM ##turnstile_requests WHERE rowid = NEW.rowid)))
FAILS 'turnstile_requests: a request_id has one result';

CREATE GUARD #turnstile_requests_fixed BEFORE UPDATE ON ##turnstile_requests
FAILS 'turnstile_requests: a request_id has one result';

-- The classifier keeps a compiled copy of the rules; any change makes it look again.
CREATE TRIGGER #message_rules_inserted AFTER INSERT ON ##message_rules
BEGIN
  UPDATE ##turnstile_meta SET value = value + 1 WHERE key = 'rules_version';
END;

CREATE TRIGGER #message_rules_updated AFTER UPDATE ON ##message_rules
BEGIN
  UPDATE ##turnstile_meta SET value = value + 1 WHERE key = 'rules_version';
END;

CREATE TRIGGER #message_rules_deleted AFTER DELETE ON ##message_rules
BEGIN
  UPDATE ##turnstile_meta SET value = value + 1 + 1000 * OLD.id WHERE key = 'rules_version';
END;

-- A user's policy may have the name of a built-in one, as the three that everybody starts from do: the
-- built-in one then stays behind it, under another name.
CREATE TRIGGER #session_policies_named BEFORE INSERT ON ##session_policies
WHEN NEW.origin <> 'builtin'
BEGIN
  UPDATE ##session_policies SET name = name || ' (built in)'
  WHERE name = NEW.name AND origin = 'builtin';
END;

CREATE TRIGGER #session_policies_renamed BEFORE UPDATE OF name ON ##session_policies
WHEN NEW.origin <> 'builtin' AND NEW.name <> OLD.name
BEGIN
  UPDATE ##session_policies SET name = name || ' (built in)'
  WHERE name = NEW.name AND origin = 'builtin';
END;

-- Policies are kept in a form that is quick to ask; any change makes the connection look again.
CREATE TRIGGER #session_policies_inserted AFTER INSERT ON ##session_policies
BEGIN
  UPDATE ##turnstile_meta SET value = value + 1 WHERE key = 'policies_version';
END;

CREATE TRIGGER #session_policies_updated AFTER UPDATE ON ##session_policies
BEGIN
  UPDATE ##turnstile_meta SET value = value + 1 WHERE key = 'policies_version';
END;

CREATE TRIGGER #session_policies_deleted AFTER DELETE ON ##session_policies
BEGIN
  UPDATE ##turnstile_meta SET value = value + 1 + 1000 * OLD.id WHERE key = 'policies_version';
END;

-- A sender has a name, and so does the entity that it is.
CREATE GUARD #identities_first BEFORE INSERT, #identities_move BEFORE UPDATE ON ##identities
WHEN (NEW.channel = '' OR NEW.sender_id = '' OR NEW.entity_id = '')
FAILS 'identities: channel, sender_id and entity_id must not be empty';

-- No sender takes the place of another.
CREATE GUARD #identities_place_first BEFORE INSERT ON ##identities
WHEN (EXISTS (SELECT 1 FROM ##identities WHERE channel = NEW.channel AND sender_id = NEW.sender_id)
      OR (NEW.rowid <> -1 AND EXISTS (SELECT 1 FROM ##identities WHERE rowid = NEW.rowid)))
FAILS 'identities: a sender of a channel is known once; identity_unlink forgets it';

CREATE GUARD #identities_place BEFORE UPDATE OF channel, sender_id, rowid, _rowid_, oid ON ##identities
WHEN (NEW.channel <> OLD.channel OR NEW.sender_id <> OLD.sender_id OR NEW.rowid <> OLD.rowid)
FAILS 'identities: a row keeps its channel and sender_id; identity_unlink forgets it';

-- An alias is a text that can be a label.
CREATE GUARD #session_aliases_name_first BEFORE INSERT, #session_aliases_name_move BEFORE UPDATE ON ##session_aliases
WHEN (length(NEW.alias) NOT BETWEEN 1 AND 1024
      OR instr(NEW.alias, char(0)) > 0
      OR ifnull(NEW.reason, 'manual') NOT IN (#LIST_ALIAS_REASON))
FAILS 'session_aliases: an alias has 1 to 1024 characters without NUL, its reason is identity_promotion, identity_merge or manual';

-- The row of a name moves it to another session, and never takes the place of another name.
CREATE GUARD #session_aliases_place_first BEFORE INSERT ON ##session_aliases
WHEN (EXISTS (SELECT 1 FROM ##session_aliases WHERE alias = NEW.alias)
      OR (NEW.rowid <> -1 AND EXISTS (SELECT 1 FROM ##session_aliases WHERE rowid = NEW.rowid)))
FAILS 'session_aliases: the name leads somewhere already; session_alias leads it elsewhere';

CREATE GUARD #session_aliases_place BEFORE UPDATE OF alias, rowid, _rowid_, oid ON ##session_aliases
WHEN ((NEW.alias <> OLD.alias
       AND EXISTS (SELECT 1 FROM ##session_aliases WHERE alias = NEW.alias))
      OR NEW.rowid <> OLD.rowid)
FAILS 'session_aliases: the name leads somewhere already; session_alias leads it elsewhere';

-- Aliases are flat: from a name that is no session's (any more) to a session that takes messages.
CREATE GUARD #session_aliases_first BEFORE INSERT, #session_aliases_move BEFORE UPDATE ON ##session_aliases
WHEN (EXISTS (SELECT 1 FROM ##sessions WHERE label = NEW.alias AND superseded_by IS NULL)
      OR NOT EXISTS (SELECT 1 FROM ##sessions
                     WHERE label = NEW.session_label AND superseded_by IS NULL))
FAILS 'session_aliases: from a name that no session has, to a session that was not merged';

-- A merged session leads to its primary in one step.
CREATE GUARD #sessions_merge BEFORE UPDATE OF superseded_by ON ##sessions
WHEN NEW.superseded_by IS NOT NULL
 AND (NEW.superseded_by = NEW.label
      OR NOT EXISTS (SELECT 1 FROM ##sessions
                     WHERE label = NEW.superseded_by AND superseded_by IS NULL)
      OR EXISTS (SELECT 1 FROM ##sessions INDEXED BY ##sessions_by_successor
                 WHERE superseded_by = NEW.label)
      OR EXISTS (SELECT 1 FROM ##session_aliases INDEXED BY ##session_aliases_by_session
                 WHERE session_label = NEW.label))
FAILS 'sessions.superseded_by: it must name a session that was not merged, and nothing may lead here';

-- A label leads to one session: before a merged session takes messages again, its alias goes.
CREATE GUARD #sessions_unmerge BEFORE UPDATE OF superseded_by ON ##sessions
WHEN NEW.superseded_by IS NULL AND OLD.superseded_by IS NOT NULL
 AND EXISTS (SELECT 1 FROM ##session_aliases WHERE alias = NEW.label)
FAILS 'sessions.superseded_by: an alias has the label; drop it first';

-- A waiting input only moves to a session that somebody takes it from.
CREATE GUARD #session_queue_label BEFORE UPDATE OF session_label ON ##session_queue
WHEN NEW.session_label <> OLD.session_label AND NEW.delivered_at IS NULL
 AND NOT EXISTS (SELECT 1 FROM ##sessions
                 WHERE label = NEW.session_label AND superseded_by IS NULL)
FAILS 'session_queue.session_label: it must name a session that was not merged';

-- The turn tree. A branch is written once; a turn lies below its parent, begins running, and is
-- fixed once it has ended; its messages and tool calls are written while it runs.
CREATE GUARD #branches_first BEFORE INSERT ON ##branches
WHEN (EXISTS (SELECT 1 FROM ##branches WHERE id = NEW.id)
      OR NEW.id NOT BETWEEN 1 AND #MAX_BRANCH
      OR NEW.first_depth <> ifnull((NEW.parent_turn_id & #DEPTH_MASK) + 1, 0)
      OR NEW.level <> ifnull((SELECT level + 1 FROM ##branches
                              WHERE id = NEW.parent_turn_id >> #DEPTH_BITS), 0))
FAILS 'branches: append-only, with an id from 1 to #MAX_BRANCH, each right below the turn that it grows from';

CREATE GUARD #branches_fixed BEFORE UPDATE ON ##branches
FAILS 'branches: append-only';

CREATE GUARD #branches_keep BEFORE DELETE ON ##branches
FAILS 'branches: append-only';

CREATE TRIGGER #turns_first BEFORE INSERT ON ##turns
WHEN NOT EXISTS (SELECT 1 FROM ##turnstile_meta WHERE key = 'unguarded')
BEGIN
  SELECT RAISE(FAIL, 'turns: a turn begins running, under a new id')
  WHERE NEW.status <> 'running' OR NEW.on_path <> 0 OR NEW.phase IS NULL
     OR (NEW.phase <> 'processing' AND NEW.phase <> 'completing')
     OR EXISTS (SELECT 1 FROM ##turns WHERE id = NEW.id)
     OR (NEW.external_id IS NOT NULL
         AND EXISTS (SELECT 1 FROM ##turns INDEXED BY ##turns_by_external_id
                     WHERE external_id = NEW.external_id));
  SELECT RAISE(FAIL, 'turns.id: it must lie right below the parent, in a branch that is there')
  WHERE NOT EXISTS (
    SELECT 1 FROM ##branches AS b WHERE b.id = NEW.id >> #DEPTH_BITS
    AND ((b.first_depth = NEW.id & #DEPTH_MASK AND b.parent_turn_id IS NEW.parent_turn_id)
         OR (b.first_depth < NEW.id & #DEPTH_MASK AND NEW.parent_turn_id = NEW.id - 1)));
  SELECT RAISE(FAIL, 'turns.parent_turn_id: only a turn that was completed or kept has children')
  WHERE NEW.parent_turn_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM ##turns WHERE id = NEW.parent_turn_id AND on_path = 1);
END;

CREATE GUARD #turns_fixed BEFORE UPDATE ON ##turns
WHEN (OLD.status <> 'running' OR NEW.id <> OLD.id OR NEW.parent_turn_id IS NOT OLD.parent_turn_id
      OR NEW.external_id IS NOT OLD.external_id)
FAILS 'turns: a turn that has ended is fixed, and none changes its place or its external_id';

CREATE GUARD #turns_move BEFORE UPDATE OF status, phase, on_path ON ##turns
WHEN ((NEW.status = 'running') <> (NEW.phase IS NOT NULL)
      OR NEW.on_path <> (NEW.status = 'completed' OR (NEW.status = 'aborted' AND NEW.on_path))
      OR (coalesce(NEW.phase, NEW.status) <> OLD.phase
          AND NOT EXISTS (SELECT 1 FROM ##state_transitions WHERE axis = 'turn'
                          AND from_state = OLD.phase
                          AND to_state = coalesce(NEW.phase, NEW.status))))
FAILS 'turns.phase: state_transitions has no such move';

CREATE GUARD #turns_keep BEFORE DELETE ON ##turns
FAILS 'turns: rows are kept';

CREATE GUARD #messages_first BEFORE INSERT ON ##messages
WHEN (NOT EXISTS (SELECT 1 FROM ##turns WHERE id = NEW.place >> #SEQUENCE_BITS AND status = 'running')
      OR EXISTS (SELECT 1 FROM ##messages WHERE place = NEW.place)
      OR EXISTS (SELECT 1 FROM ##tool_calls WHERE place = NEW.place))
FAILS 'messages: written while their turn runs, each in a place that no message and no tool call has';

CREATE GUARD #messages_fixed BEFORE UPDATE ON ##messages
WHEN (NEW.place <> OLD.place
      OR NOT EXISTS (SELECT 1 FROM ##turns WHERE id = OLD.place >> #SEQUENCE_BITS AND status = 'running'))
FAILS 'messages: fixed once their turn has ended';

CREATE GUARD #messages_keep BEFORE DELETE ON ##messages
FAILS 'messages: rows are kept';

CREATE GUARD #tool_calls_first BEFORE INSERT ON ##tool_calls
WHEN (NOT EXISTS (SELECT 1 FROM ##turns WHERE id = NEW.place >> #SEQUENCE_BITS AND status = 'running')
      OR EXISTS (SELECT 1 FROM ##tool_calls WHERE place = NEW.place)
      OR EXISTS (SELECT 1 FROM ##messages WHERE place = NEW.place))
FAILS 'tool_calls: written while their turn runs, each in a place that no message and no tool call has';

CREATE GUARD #tool_calls_fixed BEFORE UPDATE ON ##tool_calls
WHEN (NEW.place <> OLD.place OR OLD.status <> 'pending'
      OR NOT EXISTS (SELECT 1 FROM ##turns WHERE id = OLD.place >> #SEQUENCE_BITS AND status = 'running'))
FAILS 'tool_calls: fixed once they have a result or their turn has ended';

CREATE GUARD #tool_calls_keep BEFORE DELETE ON ##tool_calls
FAILS 'tool_calls: rows are kept';

CREATE GUARD #compactions_first BEFORE INSERT ON ##compactions
WHEN (EXISTS (SELECT 1 FROM ##compactions WHERE turn_id = NEW.turn_id)
      OR NOT EXISTS (SELECT 1 FROM ##turns WHERE id = NEW.turn_id AND status = 'running'
                     AND turn_type = 'compaction'))
FAILS 'compactions: append-only';

CREATE GUARD #compactions_fixed BEFORE UPDATE, #compactions_keep BEFORE DELETE ON ##compactions
FAILS 'compactions: append-only';

-- A head moves only to a turn that stands on the path, and only with a row in session_history.
CREATE GUARD #session_history_first BEFORE INSERT ON ##session_history
WHEN ((NEW.id <> -1 AND EXISTS (SELECT 1 FROM ##session_history WHERE id = NEW.id))
      OR ((NEW.thread_id <> 0 OR NEW.reason <> 'rewind')
          AND NOT EXISTS (SELECT 1 FROM ##turns WHERE id = NEW.thread_id AND on_path = 1)))
FAILS 'session_history: append-only, of turns that were completed or kept';

CREATE GUARD #session_history_fixed BEFORE UPDATE ON ##session_history
FAILS 'session_history: append-only';

CREATE GUARD #session_history_keep BEFORE DELETE ON ##session_history
FAILS 'session_history: append-only';

CREATE GUARD #sessions_head BEFORE UPDATE OF thread_id ON ##sessions
WHEN NEW.thread_id IS NOT OLD.thread_id
 AND NEW.thread_id IS NOT (SELECT nullif(thread_id, 0) FROM ##session_history
                           INDEXED BY ##session_history_by_session
                           WHERE session_label = NEW.label ORDER BY id DESC LIMIT 1)
FAILS 'sessions.thread_id: the head moves with a row in session_history';

-- Whether inputs are pending, which keeps a session out of the archive: sessions_unused leaves it out then.
CREATE TRIGGER #session_queue_waits AFTER INSERT ON ##session_queue
WHEN NEW.status = 'pending'
BEGIN
  UPDATE ##sessions SET waits = 1 WHERE label = NEW.session_label AND waits = 0;
END;

-- The search for another waiting input begins with the newest, because inputs are handed over oldest first.
CREATE TRIGGER #session_queue_waits_move AFTER UPDATE OF status, session_label ON ##session_queue
WHEN (NEW.status = 'pending') <> (OLD.status = 'pending')
  OR (NEW.session_label <> OLD.session_label AND NEW.status = 'pending')
BEGIN
  UPDATE ##sessions SET waits = 1
  WHERE label = NEW.session_label AND waits = 0 AND NEW.status = 'pending';
  UPDATE ##sessions SET waits = 0
  WHERE label = OLD.session_label AND waits = 1 AND OLD.status = 'pending'
    AND (SELECT id FROM ##session_queue INDEXED BY ##session_queue_open
                    WHERE session_label = OLD.session_label
         AND delivered_at IS NULL AND status = 'pending' ORDER BY id DESC LIMIT 1) IS NULL;
END;

-- The delivery of an input stays in the session where it was said, and moves along when that one is deleted.
CREATE TRIGGER #session_queue_said_in AFTER UPDATE OF session_label ON ##session_queue
WHEN NEW.session_label <> OLD.session_label AND NEW.delivery_id IS NOT NULL
BEGIN
  UPDATE ##session_queue SET said_in = nullif(ifnull(OLD.said_in, OLD.session_label), NEW.session_label)
  WHERE id = NEW.id;
END;

CREATE TRIGGER #session_queue_waits_drop AFTER DELETE ON ##session_queue
WHEN OLD.status = 'pending'
BEGIN
  UPDATE ##sessions SET waits = 0
  WHERE label = OLD.session_label AND waits = 1
    AND (SELECT id FROM ##session_queue INDEXED BY ##session_queue_open
                    WHERE session_label = OLD.session_label
         AND delivered_at IS NULL AND status = 'pending' ORDER BY id DESC LIMIT 1) IS NULL;
END;
