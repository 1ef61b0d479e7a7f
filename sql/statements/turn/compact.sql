-- compact.sql - turn_compact: what is summarised, and the summary.

-- :queue_goes_on (session_label, turn_id, the next one): the run goes on with them in another turn
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_taken SET turn_id = ?3, shown_turn_id = ?3
WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'processing'
  AND status <> 'pending' AND turn_id = ?2;

-- :turn_context (id, context_turn_id)
UPDATE OR FAIL #turns SET context_turn_id = ?2 WHERE id = ?1;

-- :turns_count (first id, last id) → count: how many normal turns a range holds
SELECT count(*) FROM #turns WHERE id BETWEEN ?1 AND ?2 AND turn_type = 'normal';

-- :compaction_result (turn_id) → first_kept_turn_id, summarized_through_turn_id, turns_summarized,
-- turns_kept, tokens_before, tokens_after
SELECT first_kept_turn_id, summarized_through_turn_id, turns_summarized, turns_kept, tokens_before,
       tokens_after
FROM #compactions WHERE turn_id = ?1;

-- :compaction_is (turn_id, trigger, focus, model, provider, created_at or NULL, duration_ms, metadata,
-- summary, input tokens, output tokens) → found: when that is what is kept of it; a model that is not
-- given may have come from a setting
SELECT 1 FROM #compactions
WHERE turn_id = ?1 AND "trigger" = ?2 AND focus IS ?3 AND model IS coalesce(?4, model) AND provider IS ?5
  AND created_at = coalesce(?6, created_at) AND duration_ms IS ?7 AND metadata_json IS ?8
  AND summary = ?9 AND summarization_input_tokens IS ?10 AND summarization_output_tokens IS ?11;

-- :compaction_recovered (turn_id) → found: when a context overflow of this running turn was recovered from
SELECT 1 FROM #compactions INDEXED BY ##compactions_by_recovery WHERE recovered_turn_id = ?1 AND "trigger" = 'overflow_recovery';

-- :compaction_recovered_before (turn_id, parent_turn_id, context_turn_id) → found: when an overflow was
-- recovered from for an earlier turn of the same place that began with an input of this one, and this
-- one's context begins with that summary, or with a later one that was made beside an attempt, too
SELECT 1 FROM #branches AS b INDEXED BY ##branches_by_parent
CROSS JOIN #compactions AS c NOT INDEXED ON c.turn_id = (b.id << #DEPTH_BITS | b.first_depth)
CROSS JOIN #turns AS e ON e.id = c.recovered_turn_id
CROSS JOIN #messages AS tried NOT INDEXED ON tried.place BETWEEN e.id << #SEQUENCE_BITS AND (e.id << #SEQUENCE_BITS) + e.inputs - 1
CROSS JOIN #messages AS m NOT INDEXED ON m.place BETWEEN first_place(?1) AND last_place(?1)
WHERE b.parent_turn_id = ?2 AND c."trigger" = 'overflow_recovery' AND e.on_path = 0
  AND tried.content = m.content AND tried.role = m.role
  AND (c.turn_id = ?3
       OR (c.turn_id < ?3 AND EXISTS (SELECT 1 FROM #compactions AS later NOT INDEXED
             CROSS JOIN #turns AS k ON k.id = later.turn_id
             WHERE later.turn_id = ?3 AND later.recovered_turn_id IS NOT NULL AND k.parent_turn_id = ?2)))
LIMIT 1;

-- :compaction_went_on (turn_id, parent_turn_id) → found: when the turn right above is a recovery that has
-- ended the turn above it, which had an input of this one
SELECT 1 FROM #compactions AS c
CROSS JOIN #turns AS k ON k.id = c.turn_id
CROSS JOIN #messages AS tried NOT INDEXED ON tried.place BETWEEN first_place(k.parent_turn_id) AND last_place(k.parent_turn_id)
CROSS JOIN #messages AS m NOT INDEXED ON m.place BETWEEN first_place(?1) AND last_place(?1)
WHERE c.turn_id = ?2 AND c."trigger" = 'overflow_recovery' AND tried.role IN (#LIST_ROLE_INPUT)
  AND tried.content = m.content AND tried.role = m.role
LIMIT 1;

-- :metadata_retries (metadata, turn_id) → metadata: an object of the host's own with the turn that is
-- repeated
SELECT iif(json_type(?1) = 'object', json_set(?1, '$.retries_turn_id', ?2), ?1);

-- :messages_asked (first place, last place) → role, source, metadata, content: what was said to the agent
SELECT role, source, metadata, content FROM #messages
WHERE place BETWEEN ?1 AND ?2 AND role IN (#LIST_ROLE_INPUT) ORDER BY place;

-- :compaction_add (turn_id, summarized_through_turn_id, first_kept_turn_id, recovered_turn_id,
-- turns_summarized, turns_kept, compaction_type, trigger, focus, model, provider, tokens_before,
-- tokens_after, summary_tokens, summarization_input_tokens, summarization_output_tokens, duration_ms,
-- created_at, metadata, summary)
INSERT OR FAIL INTO #compactions(turn_id, summarized_through_turn_id, first_kept_turn_id,
  recovered_turn_id, turns_summarized, turns_kept, compaction_type, "trigger", focus, model,
  provider, tokens_before, tokens_after, summary_tokens, summarization_input_tokens,
  summarization_output_tokens, duration_ms, created_at, metadata_json, summary)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20);

-- :run_turn (session_label, turn_id): the same run goes on in another turn
UPDATE OR FAIL #session_runs SET turn_id = ?2 WHERE session_label = ?1;
