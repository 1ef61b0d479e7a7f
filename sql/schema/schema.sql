-- schema.sql - the tables and their indexes.
--
-- Names are written with a marker, because the tables can carry a prefix and can live in an
-- attached database: #name is the schema-qualified name, ##name the bare one (SQLite wants bare
-- names inside the things it stores), ###name the index that SQLite keeps of the table's key.
-- #'prefix' becomes a text literal, #'version' a number.
-- Times are INTEGER Unix milliseconds; durations are milliseconds.

-- Facts about the file: uuid, door_key (the secret of the door's trigger), schema_version,
-- rules_version, policies_version; once branches of turns were deleted, last_branch, the highest id that
-- one had; last_task, last_event, …: ids whose rows are gone, see ext/core/ids.h. While a row 'unguarded' exists (only ever within one
-- command) the guards of guards.sql stand open.
CREATE TABLE #turnstile_meta (
  key   TEXT PRIMARY KEY NOT NULL,
  value ANY
) STRICT, WITHOUT ROWID;

-- The moves of the four state machines, written here by installing from ext/core/states.c.
CREATE TABLE #state_transitions (
  axis       TEXT NOT NULL,     -- task | status | run | turn
  from_state TEXT NOT NULL,
  to_state   TEXT NOT NULL,
  "trigger"  TEXT NOT NULL,     -- what makes the move
  PRIMARY KEY (axis, from_state, to_state)
) STRICT, WITHOUT ROWID;

-- A session: a durable conversation.
CREATE TABLE #sessions (
  label                TEXT PRIMARY KEY NOT NULL,
  status               TEXT NOT NULL DEFAULT 'active',
  status_reason        TEXT,
  thread_id            INTEGER,            -- the head turn, NULL until the first one
  persona_id           TEXT,
  routing_key          TEXT,
  origin               TEXT NOT NULL DEFAULT 'user',  -- user | system | subagent | fork | import
  is_subagent          INTEGER NOT NULL DEFAULT 0,
  parent_session_label TEXT,
  parent_turn_id       INTEGER,
  spawn_tool_call_id   TEXT,
  task_description     TEXT,               -- of a subagent: what it was spawned for
  task_status          TEXT,               -- of a subagent: pending | running | completed | failed
  resume_cursor        TEXT,               -- the provider's own thread id
  superseded_by        TEXT,               -- the session that took over after a merge
  queue_mode           TEXT,
  pending_choice       TEXT,               -- JSON: the open choice
  open_task_id         INTEGER,            -- the open task, NULL in state None
  work_source          TEXT NOT NULL DEFAULT 'user',  -- whose message the present work answers
  offered_at           INTEGER,            -- recover asked "should I continue?", unanswered
  created_at           INTEGER NOT NULL,
  updated_at           INTEGER NOT NULL,
  last_activity        INTEGER NOT NULL,
  archived_at          INTEGER,
  turns                INTEGER NOT NULL DEFAULT 0,    -- that this session made, and what they used
  input_tokens         INTEGER NOT NULL DEFAULT 0,
  output_tokens        INTEGER NOT NULL DEFAULT 0,
  cached_input_tokens  INTEGER NOT NULL DEFAULT 0,
  cache_write_tokens   INTEGER NOT NULL DEFAULT 0,
  reasoning_tokens     INTEGER NOT NULL DEFAULT 0,
  total_tokens         INTEGER NOT NULL DEFAULT 0,
  last_used            INTEGER NOT NULL DEFAULT 0,    -- by others than a user, up to the full hour
  refused              TEXT,               -- JSON: inputs that were not taken, and nobody looked at yet
  waits                INTEGER NOT NULL DEFAULT 0,    -- 1: inputs are pending; kept by triggers of the queue
  deadline             INTEGER,            -- of a subagent: until when it must have reported
  head_event_id        INTEGER,            -- the last event before something was handed over at this head
  timeout              INTEGER             -- of a subagent: how long it has for each of its tasks
) STRICT;

-- What can go stale, by age: the two ranges that stale_sessions and the sweep read. Whose message it was
-- decides when the user is asked; any use keeps a session out of the archive.
CREATE INDEX #sessions_by_open_task ON ##sessions(last_activity)
  WHERE open_task_id IS NOT NULL AND status <> 'archived' AND superseded_by IS NULL;
CREATE INDEX #sessions_unused ON ##sessions(max(last_activity, last_used))
  WHERE open_task_id IS NULL AND none_of(status, STATUS_CLOSED)
    AND superseded_by IS NULL AND pending_choice IS NULL
    AND waits = 0 AND (label < 'group:' OR label >= 'group;');
CREATE INDEX #sessions_by_parent ON ##sessions(parent_session_label)
  WHERE parent_session_label IS NOT NULL;
CREATE INDEX #sessions_by_successor ON ##sessions(superseded_by) WHERE superseded_by IS NOT NULL;
-- Sessions that wait for a person: session_attention.
CREATE INDEX #sessions_in_error ON ##sessions(label) WHERE status = 'error';
CREATE INDEX #sessions_with_choice ON ##sessions(label) WHERE pending_choice IS NOT NULL;
CREATE INDEX #sessions_with_refused ON ##sessions(label) WHERE refused IS NOT NULL;
-- Workers that are not done: how many of a session are at work.
CREATE INDEX #sessions_at_work ON ##sessions(parent_session_label)
  WHERE one_of(task_status, WORKER_OPEN);
-- All workers; those that must have reported by a time: of all sessions by it and by when they got their task,
-- and of one.
CREATE INDEX #sessions_workers ON ##sessions(label) WHERE is_subagent = 1;
CREATE INDEX #sessions_by_deadline ON ##sessions(deadline) WHERE deadline IS NOT NULL;
CREATE INDEX #sessions_by_given ON ##sessions(deadline - timeout) WHERE deadline IS NOT NULL;
CREATE INDEX #sessions_by_parent_deadline ON ##sessions(parent_session_label, deadline)
  WHERE deadline IS NOT NULL;

-- Other names of a session. Flat: session_label is always a real session.
CREATE TABLE #session_aliases (
  alias         TEXT PRIMARY KEY NOT NULL,
  session_label TEXT NOT NULL,
  reason        TEXT,                      -- identity_promotion | identity_merge | manual
  created_at    INTEGER NOT NULL
) STRICT;
CREATE INDEX #session_aliases_by_session ON ##session_aliases(session_label);

-- Manual aliases that a merge took along: the session for which each was made, and to which an unmerge
-- leads it back.
CREATE TABLE #alias_homes (
  alias         TEXT PRIMARY KEY NOT NULL,
  session_label TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX #alias_homes_by_session ON ##alias_homes(session_label);

-- More keys that messages of an entity have had, beside those in identities: keys with a thread, or from
-- before the policies changed. identity_unlink looks there for keys of the sender.
CREATE TABLE #identity_keys (
  entity_id TEXT NOT NULL,
  key       TEXT NOT NULL,
  PRIMARY KEY (entity_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX #identity_keys_by_key ON ##identity_keys(key);

-- A task: one logical unit of work. At most one is open per session.
CREATE TABLE #tasks (
  id             INTEGER PRIMARY KEY,
  session_label  TEXT NOT NULL,
  description    TEXT NOT NULL,
  state          TEXT NOT NULL DEFAULT 'Running',
  state_data     TEXT,                     -- JSON: what belongs to the state
  started_at     INTEGER NOT NULL,
  last_activity  INTEGER NOT NULL,
  ended_at       INTEGER,                  -- set exactly when the state is None
  head_step_id   TEXT,
  base_commit_id TEXT,                     -- the session's newest commit when the task began
  commit_id      TEXT,                     -- NULL when the task ended without work
  worked         INTEGER NOT NULL DEFAULT 0, -- 1: more is on record of it than its first message
  continues_id   INTEGER,                  -- a task that had ended, which an undo went on with
  asked_after    INTEGER                   -- AwaitingUser, PendingComplete: the last delivery before it asked or
                                           -- reported that; what was said up to then is no answer to it
) STRICT;
CREATE UNIQUE INDEX #tasks_one_open ON ##tasks(session_label) WHERE ended_at IS NULL;
-- Tasks that session_transition ended and nobody has committed yet: deliver, recover and the sweep do.
CREATE INDEX #tasks_left_behind ON ##tasks(session_label) WHERE state IN (#LIST_TASK_OVER);
-- Tasks that wait for somebody: session_attention.
CREATE INDEX #tasks_waiting ON ##tasks(session_label)
  WHERE one_of(state, TASK_WAITS);
CREATE INDEX #tasks_by_session ON ##tasks(session_label, id);

-- A step: a checkpoint of the open task, chained by parent_id up to the task's head_step_id.
-- id is the SHA-256 of its content; payload is a JSON array of the observations' hashes.
CREATE TABLE #steps (
  task_id    INTEGER NOT NULL,
  id         TEXT NOT NULL,
  parent_id  TEXT,
  step_kind  TEXT NOT NULL,  -- SessionStart | FileRead | FileWrite | CommandRun | Note | Plan | Compact
  state      TEXT NOT NULL,
  state_data TEXT,
  payload    TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (task_id, id)
) STRICT;

-- Content, stored once per SHA-256.
CREATE TABLE #objects (
  id   TEXT PRIMARY KEY NOT NULL,
  kind TEXT NOT NULL,
  size INTEGER NOT NULL,                   -- bytes
  data ANY
) STRICT;

-- What the agent saw and did. step_id is NULL until a flush puts the row into a step.
CREATE TABLE #observations (
  id            INTEGER PRIMARY KEY,
  session_label TEXT NOT NULL,
  task_id       INTEGER,
  turn_id       INTEGER,
  kind          TEXT NOT NULL,             -- FileRead | FileWrite | CommandRun | Note | Plan
  auto          INTEGER NOT NULL DEFAULT 0,  -- 1: written by a command itself, not work
  hash          TEXT NOT NULL,             -- SHA-256 of kind, data and content
  object_id     TEXT,
  step_id       TEXT,
  created_at    INTEGER NOT NULL,
  data          TEXT NOT NULL
) STRICT;
CREATE INDEX #observations_by_task ON ##observations(task_id, id);
CREATE INDEX #observations_unflushed ON ##observations(task_id) WHERE step_id IS NULL;
CREATE INDEX #observations_without_task ON ##observations(session_label) WHERE task_id IS NULL;
-- Those that the next task takes over.
CREATE INDEX #observations_to_adopt ON ##observations(session_label)
  WHERE task_id IS NULL AND step_id IS NULL AND auto = 1;
CREATE INDEX #observations_by_object ON ##observations(object_id) WHERE object_id IS NOT NULL;

-- Relations between notes, tasks, files and the like.
CREATE TABLE #edges (
  id            INTEGER PRIMARY KEY,
  session_label TEXT NOT NULL,
  from_kind     TEXT NOT NULL,
  from_ref      TEXT NOT NULL,
  to_kind       TEXT NOT NULL,
  to_ref        TEXT NOT NULL,
  label         TEXT NOT NULL,
  weight        REAL NOT NULL DEFAULT 1.0,
  evidence      TEXT,
  step_id       TEXT,                      -- the step whose payload lists its hash
  created_at    INTEGER NOT NULL,
  task_id       INTEGER,                   -- the task during which it was recorded; NULL: by version 5, or plain SQL
  links         INTEGER                    -- 1: from_ref was a note or task of the session, 2: to_ref, 3: both
) STRICT;
CREATE INDEX #edges_by_session ON ##edges(session_label, id);
CREATE INDEX #edges_by_task ON ##edges(task_id, step_id) WHERE task_id IS NOT NULL;

-- A commit: the permanent record of a task that ended. id is the SHA-256 of its content.
CREATE TABLE #commits (
  seq           INTEGER PRIMARY KEY,
  id            TEXT NOT NULL UNIQUE,
  parent_id     TEXT,
  session_label TEXT NOT NULL,
  task_id       INTEGER,
  message       TEXT NOT NULL,
  commit_type   TEXT NOT NULL,  -- Normal | Abandoned | StaleAutoCompact | InterruptedByNewTask
  type_data     TEXT,           -- JSON
  head_step_id  TEXT,
  created_at    INTEGER NOT NULL
) STRICT;
CREATE INDEX #commits_by_session ON ##commits(session_label, seq);

-- Every change on every axis, append-only, without gaps but those that deleted sessions leave.
CREATE TABLE #session_events (
  id            INTEGER PRIMARY KEY,
  session_label TEXT NOT NULL,
  task_id       INTEGER,
  axis          TEXT NOT NULL,  -- task | status | run | turn | choice | worker
  from_state    TEXT,
  to_state      TEXT,
  "trigger"     TEXT NOT NULL,
  data          TEXT,           -- JSON
  at            INTEGER NOT NULL
) STRICT;
CREATE INDEX #session_events_by_session ON ##session_events(session_label, id);
-- What a task was at a turn.
CREATE INDEX #session_events_task ON ##session_events(session_label, id) WHERE axis = 'task';
-- The last event of a kind, however many came since: how a task ended, since when a session is in error.
CREATE INDEX #session_events_last ON ##session_events(session_label, axis, to_state)
  WHERE to_state = 'None' OR to_state = 'error';
-- What workers have said to their parents, task by task.
CREATE INDEX #session_events_worker ON ##session_events(session_label, task_id, id)
  WHERE axis = 'worker';

-- What the process that serves a session reports of itself, and the lease it holds.
CREATE TABLE #session_runs (
  session_label TEXT PRIMARY KEY NOT NULL,
  owner         TEXT,
  token         INTEGER NOT NULL DEFAULT 0,  -- fencing: only ever grows
  run_state     TEXT NOT NULL DEFAULT 'idle',
  turn_id       INTEGER,
  data          TEXT,                        -- JSON, as reported (an exit code, say)
  acquired_at   INTEGER,
  heartbeat_at  INTEGER,
  expires_at    INTEGER,                     -- NULL: no lease
  lease         INTEGER,                     -- how long it holds from each call on, in ms
  failed_turn_id INTEGER                     -- a turn that failed with output, not yet taken up
) STRICT;
CREATE INDEX #session_runs_by_expiry ON ##session_runs(expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX #session_runs_ready ON ##session_runs(heartbeat_at) WHERE run_state = 'ready';
CREATE INDEX #session_runs_busy ON ##session_runs(owner) WHERE run_state <> 'idle';

-- The inputs of a session, in order.
CREATE TABLE #session_queue (
  id            INTEGER PRIMARY KEY,
  session_label TEXT NOT NULL,
  delivery_id   INTEGER,
  source        TEXT NOT NULL,
  channel       TEXT NOT NULL DEFAULT '',
  sender        TEXT NOT NULL DEFAULT '',
  mode          TEXT,
  message_id    TEXT,
  class         TEXT,            -- NULL: not from a user, or not yet classified
  status        TEXT NOT NULL,   -- pending | handed | processing | delivered | failed | cancelled
  attempts      INTEGER NOT NULL DEFAULT 0,
  turn_id       INTEGER,
  enqueued_at   INTEGER NOT NULL,
  delivered_at  INTEGER,         -- when it was done with: delivered, failed or cancelled
  error         TEXT,
  message       TEXT NOT NULL,
  rank          INTEGER NOT NULL DEFAULT 0,  -- below 0: before all others
  goes_to       TEXT,            -- its sender was unlinked: the key to which it goes if the turn fails, or it is tried again
  came_from     TEXT,            -- the merged session that it was for
  held          INTEGER NOT NULL DEFAULT 0,  -- 1: it was open while its session took no inputs
  awaits_turn   INTEGER NOT NULL DEFAULT 1,  -- handed: 1: only a turn takes it up, 0: its host keeps none
  shown_turn_id INTEGER,         -- the last turn in whose messages it stands
  exempt        INTEGER NOT NULL DEFAULT 0,  -- a full queue takes and keeps it: 1: a worker's, or held by a choice; 2: an agent's that waits again
  due_at        INTEGER,         -- pending: it is handed to nobody before; NULL: at once
  due_after     INTEGER,         -- how long that was from its last attempt on, in ms
  opened_at     INTEGER,         -- the choice that it answers, by when that was asked; NULL: it names none
  asked_at      INTEGER,         -- the question that it answers, likewise
  task_id       INTEGER,         -- the task for which a turn had it last; 0: one that was saved, or given up for another
  said_in       TEXT,            -- it has moved here: the session that has its delivery
  CHECK ((delivered_at IS NULL) = (one_of(status, QUEUE_OPEN)))
) STRICT;
-- Open inputs; those of them that somebody has, and those that a live run could take; those in a turn, of
-- whichever session. (A list with IN would be built as a table at every write.)
CREATE INDEX #session_queue_open ON ##session_queue(session_label, id) WHERE delivered_at IS NULL;
CREATE INDEX #session_queue_taken ON ##session_queue(session_label, status)
  WHERE delivered_at IS NULL AND status <> 'pending';
CREATE INDEX #session_queue_steering ON ##session_queue(session_label)
  WHERE delivered_at IS NULL AND status = 'pending'
    AND (one_of(mode, QUEUE_STEERS));
-- Waiting inputs, in their order.
CREATE INDEX #session_queue_line ON ##session_queue(session_label, rank, delivery_id, id)
  WHERE delivered_at IS NULL AND status = 'pending';
CREATE INDEX #session_queue_held ON ##session_queue(session_label, id)
  WHERE held = 1 AND delivered_at IS NULL;
-- Inputs that were handed over and that a turn will take.
CREATE INDEX #session_queue_unclaimed ON ##session_queue(session_label, id)
  WHERE status = 'handed' AND awaits_turn = 1;
CREATE INDEX #session_queue_due ON ##session_queue(session_label, due_at)
  WHERE due_at IS NOT NULL AND status = 'pending';
-- The same by the time of their last attempt.
CREATE INDEX #session_queue_tried ON ##session_queue(due_at - due_after)
  WHERE due_at IS NOT NULL AND status = 'pending';
CREATE INDEX #session_queue_failed ON ##session_queue(session_label, id) WHERE status = 'failed';
CREATE INDEX #session_queue_cancelled ON ##session_queue(session_label, channel, sender)
  WHERE status = 'cancelled';
-- Inputs that failed in undone turns.
CREATE INDEX #session_queue_failed_in ON ##session_queue(session_label, turn_id)
  WHERE status = 'failed';
-- Failed inputs of a task, and of a sender: they end with the task, or are called off.
CREATE INDEX #session_queue_failed_for ON ##session_queue(session_label, task_id)
  WHERE status = 'failed';
CREATE INDEX #session_queue_failed_of ON ##session_queue(session_label, channel, sender)
  WHERE status = 'failed';
-- Inputs that a transition has called off with its task: whoever commits the task is told of them.
CREATE INDEX #session_queue_called_off ON ##session_queue(session_label, task_id)
  WHERE status = 'cancelled' AND error = 'its task has ended';
-- Messages of workers that a turn has taken: session_rewind brings them back.
CREATE INDEX #session_queue_heard ON ##session_queue(session_label, turn_id)
  WHERE status = 'delivered' AND channel = 'worker';
CREATE INDEX #session_queue_processing ON ##session_queue(session_label)
  WHERE status = 'processing';
CREATE INDEX #session_queue_done ON ##session_queue(session_label, id)
  WHERE delivered_at IS NOT NULL;
-- Inputs with a delivery in another session.
CREATE INDEX #session_queue_said ON ##session_queue(said_in) WHERE said_in IS NOT NULL;

-- Every inbound message and what was decided about it.
CREATE TABLE #deliveries (
  id            INTEGER PRIMARY KEY,
  session_label TEXT NOT NULL,
  message_id    TEXT,            -- the platform's id; unique per session, channel and sender
  channel       TEXT NOT NULL DEFAULT '',
  sender        TEXT NOT NULL DEFAULT '',
  source        TEXT NOT NULL,
  class         TEXT,
  confidence    REAL,
  action        TEXT NOT NULL,
  decision      TEXT NOT NULL,   -- JSON, as it was returned
  at            INTEGER NOT NULL,
  message       TEXT NOT NULL,
  told_place    INTEGER,         -- a worker was told it by its parent, whose head was there: see below
  came_as       TEXT,            -- with a message_id: the name by which it came, where that is not the session's
  came_by       TEXT,            -- the same: the label, where came_as is the key that its sender has without the link
  corrected     TEXT             -- the class that was meant, as somebody has said later
) STRICT;
CREATE UNIQUE INDEX #deliveries_by_message_id
  ON ##deliveries(session_label, message_id, channel, sender) WHERE message_id IS NOT NULL;
CREATE INDEX #deliveries_by_name ON ##deliveries(came_as, message_id, channel, sender)
  WHERE came_as IS NOT NULL;
CREATE INDEX #deliveries_by_call ON ##deliveries(came_by, message_id, channel, sender)
  WHERE came_by IS NOT NULL;
CREATE INDEX #deliveries_by_session ON ##deliveries(session_label, id);
-- Corrected deliveries, from which the classifier learns.
CREATE INDEX #deliveries_corrected ON ##deliveries(id) WHERE corrected IS NOT NULL;
-- What undone turns have told a worker. The place is twice the parent's head (0: before its first turn), and one
-- more when something had been handed over for the next turn: that has told it.
CREATE INDEX #deliveries_told ON ##deliveries(session_label, id) WHERE told_place IS NOT NULL;

-- The rules of classification: weighted PCRE2 patterns. Users add rows of their own.
CREATE TABLE #message_rules (
  id      INTEGER PRIMARY KEY,
  class   TEXT NOT NULL,
  state   TEXT,                  -- one state or several with commas; NULL: any
  pattern TEXT NOT NULL,
  weight  REAL NOT NULL,
  lang    TEXT,
  enabled INTEGER NOT NULL DEFAULT 1,
  origin  TEXT NOT NULL DEFAULT 'user'   -- builtin | user
) STRICT;

-- Settings. session_label '' holds for every session, else it overrides for one.
CREATE TABLE #turnstile_config (
  session_label TEXT NOT NULL DEFAULT '',
  key           TEXT NOT NULL,
  value         ANY NOT NULL,
  PRIMARY KEY (session_label, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX #turnstile_config_by_key ON ##turnstile_config(key, session_label);

-- Results by idempotency key.
CREATE TABLE #turnstile_requests (
  request_id TEXT PRIMARY KEY NOT NULL,
  command    TEXT NOT NULL,
  args_hash  TEXT NOT NULL,
  result     ANY,
  at         INTEGER NOT NULL
) STRICT;
CREATE INDEX #turnstile_requests_by_age ON ##turnstile_requests(at);

-- Messages of sessions that were deleted: their ids, without a text. The platform may send one again.
CREATE TABLE #deleted_messages (
  id TEXT PRIMARY KEY NOT NULL,            -- SHA-256 of a name of the session, message_id, channel, sender
  at INTEGER NOT NULL                      -- when the session was deleted
) STRICT, WITHOUT ROWID;
CREATE INDEX #deleted_messages_by_age ON ##deleted_messages(at);
