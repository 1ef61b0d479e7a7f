-- usage.sql - session_usage.

-- :session_usage (label) → turns, input_tokens, output_tokens, cached_input_tokens, cache_write_tokens,
-- reasoning_tokens, total_tokens
SELECT turns, input_tokens, output_tokens, cached_input_tokens, cache_write_tokens,
       reasoning_tokens, total_tokens
FROM #sessions WHERE label = ?1;
