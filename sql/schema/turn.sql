-- turn.sql - the tables of the turn tree.
--
-- A turn's id says where it lies: branch << 24 | depth. A branch is a run of turns stored one after
-- the other; a path is a few ranges of ids. Messages and tool calls lie in the same order:
-- place = turn << 12 | sequence, so that the messages of a range of turns are a range too. Read
-- them by place; turn_id and sequence are only other ways to see it:
--
--   SELECT * FROM messages WHERE place BETWEEN :turn << 12 AND :turn << 12 | 4095;
--
-- Turns carry no session, because forks share them. Made by installing, and by the upgrade from
-- schema version 2.

-- A branch: where it leaves its parent, and a shortcut to an ancestor further up, by which any
-- ancestor is found in O(log n) steps. Rows never change, but that deleting turns at its end closes
-- a branch: nothing is added there any more, so that no id is given out twice.
CREATE TABLE #branches (
  id             INTEGER PRIMARY KEY,
  parent_turn_id INTEGER,           -- the turn it grows from, NULL for a root
  first_depth    INTEGER NOT NULL,  -- of its first turn; a root turn has depth 0
  level          INTEGER NOT NULL,  -- how many branches lie above it
  jump_id        INTEGER,           -- a branch further up, NULL for a root
  jump_depth     INTEGER,           -- the depth of that branch's first turn
  closed         INTEGER NOT NULL DEFAULT 0  -- 1: turns at its end were deleted
) STRICT;
CREATE INDEX #branches_by_parent ON ##branches(parent_turn_id) WHERE parent_turn_id IS NOT NULL;

-- A turn: one exchange. status is running until it ends; phase is set exactly as long.
CREATE TABLE #turns (
  id                  INTEGER PRIMARY KEY,  -- branch << 24 | depth
  parent_turn_id      INTEGER,
  turn_type           TEXT NOT NULL DEFAULT 'normal',  -- normal | compaction
  status              TEXT NOT NULL,   -- running | completed | failed | aborted
  phase               TEXT,            -- processing | streaming | compacting | completing
  on_path             INTEGER NOT NULL DEFAULT 0,  -- 1: completed, or aborted with its output kept
  source              TEXT NOT NULL,   -- user | agent | timer | webhook | system
  model               TEXT,
  provider            TEXT,
  persona_id          TEXT,
  input_tokens        INTEGER,         -- usage, as the provider reported it
  output_tokens       INTEGER,
  cached_input_tokens INTEGER,
  cache_write_tokens  INTEGER,
  reasoning_tokens    INTEGER,
  total_tokens        INTEGER,
  context_turn_id     INTEGER,         -- the compaction that this turn's context begins with
  answers_turn_id     INTEGER,         -- the oldest turn above whose tool call is answered here
  resumes_turn_id     INTEGER,         -- a failed turn whose output its context shows before it
  inputs              INTEGER NOT NULL DEFAULT 0,  -- messages that a running turn began with
  thread_tokens       INTEGER NOT NULL DEFAULT 0,  -- size of all content from the root to here
  external_id         TEXT,            -- the id that it has elsewhere
  started_at          INTEGER NOT NULL,
  completed_at        INTEGER,         -- when it ended, however it ended
  error               TEXT
) STRICT;
CREATE UNIQUE INDEX #turns_by_external_id ON ##turns(external_id) WHERE external_id IS NOT NULL;
CREATE INDEX #turns_resuming ON ##turns(id) WHERE resumes_turn_id IS NOT NULL;
CREATE INDEX #turns_by_resumed ON ##turns(resumes_turn_id) WHERE resumes_turn_id IS NOT NULL;
CREATE INDEX #turns_answering ON ##turns(id) WHERE answers_turn_id IS NOT NULL;

CREATE TABLE #messages (
  place        INTEGER PRIMARY KEY,    -- turn << 12 | sequence
  turn_id      INTEGER GENERATED ALWAYS AS (place >> #SEQUENCE_BITS) VIRTUAL,
  sequence     INTEGER GENERATED ALWAYS AS (place & #SEQUENCE_MASK) VIRTUAL,
  role         TEXT NOT NULL,          -- user | assistant | system | tool
  source       TEXT,                   -- whose message it is, where that differs from the turn's
  tool_call_id TEXT,                   -- role tool: the call of an earlier turn that it answers
  created_at   INTEGER NOT NULL,
  metadata     TEXT,                   -- JSON
  content      TEXT NOT NULL
) STRICT;
CREATE INDEX #messages_by_tool_call ON ##messages(tool_call_id) WHERE tool_call_id IS NOT NULL;

CREATE TABLE #tool_calls (
  place                 INTEGER PRIMARY KEY,  -- turn << 12 | sequence
  turn_id               INTEGER GENERATED ALWAYS AS (place >> #SEQUENCE_BITS) VIRTUAL,
  sequence              INTEGER GENERATED ALWAYS AS (place & #SEQUENCE_MASK) VIRTUAL,
  id                    TEXT NOT NULL,   -- the provider's
  tool_name             TEXT NOT NULL,
  status                TEXT NOT NULL,   -- pending | completed | failed
  spawned_session_label TEXT,
  started_at            INTEGER NOT NULL,
  completed_at          INTEGER,
  error                 TEXT,
  params                TEXT NOT NULL,   -- JSON
  result                TEXT
) STRICT;
CREATE INDEX #tool_calls_pending ON ##tool_calls(id) WHERE status = 'pending';

-- A compaction: the summary that a context begins with, and what is kept beside it.
CREATE TABLE #compactions (
  turn_id                     INTEGER PRIMARY KEY,
  summarized_through_turn_id  INTEGER,  -- the last turn that only the summary tells of
  first_kept_turn_id          INTEGER,  -- the first turn kept beside the summary, NULL: none
  recovered_turn_id           INTEGER,  -- the running turn that it was made for
  turns_summarized            INTEGER NOT NULL,
  turns_kept                  INTEGER NOT NULL,
  compaction_type             TEXT NOT NULL,  -- full (nothing is kept) | partial
  "trigger"                   TEXT NOT NULL,  -- context_limit | manual | periodic | overflow_recovery
  focus                       TEXT,
  model                       TEXT,
  provider                    TEXT,
  tokens_before               INTEGER NOT NULL,
  tokens_after                INTEGER NOT NULL,
  summary_tokens              INTEGER NOT NULL,
  summarization_input_tokens  INTEGER,
  summarization_output_tokens INTEGER,
  duration_ms                 INTEGER,
  created_at                  INTEGER NOT NULL,
  metadata_json               TEXT,
  summary                     TEXT NOT NULL
) STRICT;
CREATE INDEX #compactions_by_recovery ON ##compactions(recovered_turn_id)
  WHERE recovered_turn_id IS NOT NULL;

-- Every move of a session's head, append-only.
CREATE TABLE #session_history (
  id            INTEGER PRIMARY KEY,
  session_label TEXT NOT NULL,
  thread_id     INTEGER NOT NULL,      -- the turn that became the head, 0: before the first
  task_id       INTEGER,               -- the task that was open then
  changed_at    INTEGER NOT NULL,
  reason        TEXT NOT NULL,         -- append | complete | abort | compact | fork | rewind
  event_id      INTEGER,               -- the last event that belongs to the turn before, NULL: not known
  tip_id        INTEGER                -- of a rewind: the end of the path that was left
) STRICT;
CREATE INDEX #session_history_by_session ON ##session_history(session_label, id);
CREATE INDEX #session_history_at ON ##session_history(session_label, thread_id);

-- What points to turns: session_delete keeps those that others can reach.
CREATE INDEX #session_history_by_turn ON ##session_history(thread_id);
CREATE INDEX #session_runs_by_turn ON ##session_runs(turn_id) WHERE turn_id IS NOT NULL;
CREATE INDEX #session_runs_by_failed_turn ON ##session_runs(failed_turn_id)
  WHERE failed_turn_id IS NOT NULL;
CREATE INDEX #session_runs_failed ON ##session_runs(session_label)
  WHERE failed_turn_id IS NOT NULL;
CREATE INDEX #session_queue_by_failed_turn ON ##session_queue(turn_id) WHERE status = 'failed';
CREATE INDEX #sessions_by_parent_turn ON ##sessions(parent_turn_id)
  WHERE parent_turn_id IS NOT NULL;
