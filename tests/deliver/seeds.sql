-- seeds.sql - what people say first when they speak of a task, in every state in which it can be said: what it is
-- taken for, what is done, and where the task and the choice are afterwards. Written out: a change of rules that moves
-- one of them shows here.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);

-- gives: action, class, the task's state, the kind of the choice that is open then.
CREATE TEMP TABLE seed(place, gives, message);

INSERT INTO seed SELECT 'None', 'acknowledge Confirmation None', value FROM json_each('[
  "done", "Done.", "looks good", "Looks good!", "Ship it", "Perfect", "Perfect, thanks!", "yes", "close the task",
  "all done", "we''re done", "finished", "approved", "LGTM", "that''s it", "it''s done", "task done", "mark it as done"]');
INSERT INTO seed SELECT 'None', 'answer Unclear None', value FROM json_each('[
  "no", "not quite", "not quite, also..."]');
INSERT INTO seed SELECT 'None', 'start NewTask Running', value FROM json_each('[
  "Yes, with jitter", "Option B", "Option C, and make max retries configurable", "Use exponential", "Make it 5 not 3",
  "Make it 5 retries not 3", "actually, make it 5 retries instead of 3", "change X to Y", "Also add logging",
  "also add X", "Looks good but also add logging for retry attempts", "try a different approach",
  "stop, use cron instead", "Now add connection pooling", "Now add pooling", "Now let''s add connection pooling",
  "now do something unrelated", "Different topic...", "let''s start a new task: invoices", "new task",
  "continue where we left off", "let''s begin a new task: invoices", "start a new task: invoices", "new task: invoices",
  "next task: invoices", "let''s do something else: invoices", "let''s move on to invoices", "switch to invoices",
  "Now let''s add an invoice export", "now let''s build a login page", "Now implement user authentication",
  "Next, add connection pooling", "Now we need connection pooling", "now add a test case", "now add error handling",
  "now add logging", "next, fix the footer", "next: fix the footer", "next step", "next task: the footer"]');
INSERT INTO seed SELECT 'None', 'acknowledge Abandon None', value FROM json_each('[
  "Never mind", "Stop", "Cancel", "stop, don''t do anything", "abandon the task", "cancel this task please",
  "discard it", "cancel the task", "cancel that task", "abandon this task please", "please cancel the current task",
  "drop the task", "discard the task", "discard everything", "discard that", "throw it away", "scrap it", "drop it",
  "forget it", "forget about it", "abort", "abort the task", "stop working on this", "stop the task",
  "stop this task please", "stop right there", "stop it, don''t do anything else", "don''t do anything", "do nothing",
  "leave it", "let''s stop here", "let''s drop this", "we can stop", "I don''t want this anymore", "I changed my mind",
  "quit", "end the task", "kill it", "kill the task", "throw that away", "do nothing more", "trash it"]');
INSERT INTO seed SELECT 'None', 'answer Clarification None', value FROM json_each('[
  "Show me the code", "What does that mean?", "can I continue?"]');

INSERT INTO seed SELECT 'Aborted', 'acknowledge Confirmation None', value FROM json_each('[
  "done", "Done.", "looks good", "Looks good!", "Ship it", "Perfect", "Perfect, thanks!", "yes", "close the task",
  "all done", "we''re done", "finished", "approved", "LGTM", "that''s it", "it''s done", "task done", "mark it as done"]');
INSERT INTO seed SELECT 'Aborted', 'answer Unclear None', value FROM json_each('[
  "no", "not quite", "not quite, also..."]');
INSERT INTO seed SELECT 'Aborted', 'start NewTask Running', value FROM json_each('[
  "Yes, with jitter", "Option B", "Option C, and make max retries configurable", "Use exponential", "Make it 5 not 3",
  "Make it 5 retries not 3", "actually, make it 5 retries instead of 3", "change X to Y", "Also add logging",
  "also add X", "Looks good but also add logging for retry attempts", "try a different approach",
  "stop, use cron instead", "Now add connection pooling", "Now add pooling", "Now let''s add connection pooling",
  "now do something unrelated", "Different topic...", "let''s start a new task: invoices", "new task",
  "continue where we left off", "let''s begin a new task: invoices", "start a new task: invoices", "new task: invoices",
  "next task: invoices", "let''s do something else: invoices", "let''s move on to invoices", "switch to invoices",
  "Now let''s add an invoice export", "now let''s build a login page", "Now implement user authentication",
  "Next, add connection pooling", "Now we need connection pooling", "now add a test case", "now add error handling",
  "now add logging", "next, fix the footer", "next: fix the footer", "next step", "next task: the footer"]');
INSERT INTO seed SELECT 'Aborted', 'acknowledge Abandon None', value FROM json_each('[
  "Never mind", "Stop", "Cancel", "stop, don''t do anything", "abandon the task", "cancel this task please",
  "discard it", "cancel the task", "cancel that task", "abandon this task please", "please cancel the current task",
  "drop the task", "discard the task", "discard everything", "discard that", "throw it away", "scrap it", "drop it",
  "forget it", "forget about it", "abort", "abort the task", "stop working on this", "stop the task",
  "stop this task please", "stop right there", "stop it, don''t do anything else", "don''t do anything", "do nothing",
  "leave it", "let''s stop here", "let''s drop this", "we can stop", "I don''t want this anymore", "I changed my mind",
  "quit", "end the task", "kill it", "kill the task", "throw that away", "do nothing more", "trash it"]');
INSERT INTO seed SELECT 'Aborted', 'answer Clarification None', value FROM json_each('[
  "Show me the code", "What does that mean?", "can I continue?"]');

INSERT INTO seed SELECT 'Running', 'acknowledge Confirmation Running', value FROM json_each('[
  "done", "Done.", "looks good", "Looks good!", "Ship it", "Perfect", "Perfect, thanks!", "yes", "close the task",
  "all done", "we''re done", "finished", "approved", "LGTM", "that''s it", "it''s done", "task done", "mark it as done"]');
INSERT INTO seed SELECT 'Running', 'continue Modification Running', value FROM json_each('[
  "no", "Yes, with jitter", "Option B", "Option C, and make max retries configurable", "Use exponential",
  "Make it 5 not 3", "Make it 5 retries not 3", "actually, make it 5 retries instead of 3", "change X to Y",
  "Also add logging", "also add X", "not quite", "not quite, also...",
  "Looks good but also add logging for retry attempts", "try a different approach", "stop, use cron instead",
  "Now add connection pooling", "Now add pooling", "Now let''s add connection pooling", "continue where we left off",
  "switch to invoices", "Now let''s add an invoice export", "now let''s build a login page",
  "Now implement user authentication", "Next, add connection pooling", "Now we need connection pooling",
  "now add a test case", "now add error handling", "now add logging", "next, fix the footer", "next: fix the footer",
  "next step"]');
INSERT INTO seed SELECT 'Running', 'abandon Abandon None', value FROM json_each('[
  "Never mind", "Stop", "Cancel", "stop, don''t do anything", "abandon the task", "cancel this task please",
  "discard it", "cancel the task", "cancel that task", "abandon this task please", "please cancel the current task",
  "drop the task", "discard the task", "discard everything", "discard that", "throw it away", "scrap it", "drop it",
  "forget it", "forget about it", "abort", "abort the task", "stop working on this", "stop the task",
  "stop this task please", "stop right there", "stop it, don''t do anything else", "don''t do anything", "do nothing",
  "leave it", "let''s stop here", "let''s drop this", "we can stop", "I don''t want this anymore", "I changed my mind",
  "quit", "end the task", "kill it", "kill the task", "throw that away", "do nothing more", "trash it"]');
INSERT INTO seed SELECT 'Running', 'prompt NewTask Running NewTaskChoice', value FROM json_each('[
  "now do something unrelated", "Different topic...", "let''s start a new task: invoices", "new task",
  "let''s begin a new task: invoices", "start a new task: invoices", "new task: invoices", "next task: invoices",
  "let''s do something else: invoices", "let''s move on to invoices", "next task: the footer"]');
INSERT INTO seed SELECT 'Running', 'answer Clarification Running', value FROM json_each('[
  "Show me the code", "What does that mean?", "can I continue?"]');

INSERT INTO seed SELECT 'live', 'acknowledge Confirmation Running', value FROM json_each('[
  "done", "Done.", "looks good", "Looks good!", "Ship it", "Perfect", "Perfect, thanks!", "yes", "close the task",
  "all done", "we''re done", "finished", "approved", "LGTM", "that''s it", "it''s done", "task done", "mark it as done"]');
INSERT INTO seed SELECT 'live', 'interrupt Modification Interrupted', value FROM json_each('[
  "no", "Yes, with jitter", "Option B", "Option C, and make max retries configurable", "Use exponential",
  "Make it 5 not 3", "Make it 5 retries not 3", "actually, make it 5 retries instead of 3", "change X to Y",
  "Also add logging", "also add X", "not quite", "not quite, also...",
  "Looks good but also add logging for retry attempts", "try a different approach", "stop, use cron instead",
  "Now add connection pooling", "Now add pooling", "Now let''s add connection pooling", "continue where we left off",
  "switch to invoices", "Now let''s add an invoice export", "now let''s build a login page",
  "Now implement user authentication", "Next, add connection pooling", "Now we need connection pooling",
  "now add a test case", "now add error handling", "now add logging", "next, fix the footer", "next: fix the footer",
  "next step"]');
INSERT INTO seed SELECT 'live', 'abandon Abandon None', value FROM json_each('[
  "Never mind", "Stop", "Cancel", "stop, don''t do anything", "abandon the task", "cancel this task please",
  "discard it", "cancel the task", "cancel that task", "abandon this task please", "please cancel the current task",
  "drop the task", "discard the task", "discard everything", "discard that", "throw it away", "scrap it", "drop it",
  "forget it", "forget about it", "abort", "abort the task", "stop working on this", "stop the task",
  "stop this task please", "stop right there", "stop it, don''t do anything else", "don''t do anything", "do nothing",
  "leave it", "let''s stop here", "let''s drop this", "we can stop", "I don''t want this anymore", "I changed my mind",
  "quit", "end the task", "kill it", "kill the task", "throw that away", "do nothing more", "trash it"]');
INSERT INTO seed SELECT 'live', 'prompt NewTask Running NewTaskChoice', value FROM json_each('[
  "now do something unrelated", "Different topic...", "let''s start a new task: invoices", "new task",
  "let''s begin a new task: invoices", "start a new task: invoices", "new task: invoices", "next task: invoices",
  "let''s do something else: invoices", "let''s move on to invoices", "next task: the footer"]');
INSERT INTO seed SELECT 'live', 'queue Clarification Running', value FROM json_each('[
  "Show me the code", "What does that mean?", "can I continue?"]');

INSERT INTO seed SELECT 'AwaitingUser', 'continue Response Running', value FROM json_each('[
  "done", "Done.", "looks good", "Looks good!", "Ship it", "Perfect", "Perfect, thanks!", "yes", "no",
  "Yes, with jitter", "Option B", "Option C, and make max retries configurable", "Use exponential", "Make it 5 not 3",
  "Make it 5 retries not 3", "actually, make it 5 retries instead of 3", "change X to Y", "not quite",
  "not quite, also...", "Looks good but also add logging for retry attempts", "try a different approach",
  "stop, use cron instead", "Now add connection pooling", "Now add pooling", "Now let''s add connection pooling",
  "don''t do anything", "do nothing", "leave it", "close the task", "all done", "we''re done", "finished", "approved",
  "LGTM", "that''s it", "it''s done", "task done", "mark it as done", "switch to invoices",
  "Now let''s add an invoice export", "now let''s build a login page", "Now implement user authentication",
  "Next, add connection pooling", "Now we need connection pooling", "do nothing more", "now add a test case",
  "now add error handling", "now add logging", "next, fix the footer", "next: fix the footer", "next step"]');
INSERT INTO seed SELECT 'AwaitingUser', 'continue Modification Running', value FROM json_each('[
  "Also add logging", "also add X"]');
INSERT INTO seed SELECT 'AwaitingUser', 'abandon Abandon None', value FROM json_each('[
  "Never mind", "Stop", "Cancel", "stop, don''t do anything", "abandon the task", "cancel this task please",
  "discard it", "cancel the task", "cancel that task", "abandon this task please", "please cancel the current task",
  "drop the task", "discard the task", "discard everything", "discard that", "throw it away", "scrap it", "drop it",
  "forget it", "forget about it", "abort", "abort the task", "stop working on this", "stop the task",
  "stop this task please", "stop right there", "stop it, don''t do anything else", "let''s stop here",
  "let''s drop this", "we can stop", "I don''t want this anymore", "I changed my mind", "quit", "end the task",
  "kill it", "kill the task", "throw that away", "trash it"]');
INSERT INTO seed SELECT 'AwaitingUser', 'prompt NewTask AwaitingUser NewTaskChoice', value FROM json_each('[
  "now do something unrelated", "Different topic...", "let''s start a new task: invoices", "new task",
  "let''s begin a new task: invoices", "start a new task: invoices", "new task: invoices", "next task: invoices",
  "let''s do something else: invoices", "let''s move on to invoices", "next task: the footer"]');
INSERT INTO seed SELECT 'AwaitingUser', 'answer Clarification AwaitingUser', value FROM json_each('[
  "Show me the code", "What does that mean?", "can I continue?"]');
INSERT INTO seed SELECT 'AwaitingUser', 'prompt Response AwaitingUser', value FROM json_each('[
  "continue where we left off"]');

INSERT INTO seed SELECT 'Interrupted', 'acknowledge Confirmation Interrupted', value FROM json_each('[
  "done", "Done.", "close the task", "all done", "finished", "it''s done", "task done", "mark it as done"]');
INSERT INTO seed SELECT 'Interrupted', 'continue Modification Running', value FROM json_each('[
  "looks good", "Looks good!", "Ship it", "Perfect", "Perfect, thanks!", "yes", "no", "Yes, with jitter", "Option B",
  "Option C, and make max retries configurable", "Use exponential", "Make it 5 not 3", "Make it 5 retries not 3",
  "actually, make it 5 retries instead of 3", "change X to Y", "Also add logging", "also add X", "not quite",
  "not quite, also...", "Looks good but also add logging for retry attempts", "try a different approach",
  "stop, use cron instead", "Now add connection pooling", "Now add pooling", "Now let''s add connection pooling",
  "continue where we left off", "we''re done", "approved", "LGTM", "that''s it", "let''s move on to invoices",
  "switch to invoices", "Now let''s add an invoice export", "now let''s build a login page",
  "Now implement user authentication", "Next, add connection pooling", "Now we need connection pooling",
  "now add a test case", "now add error handling", "now add logging", "next, fix the footer", "next: fix the footer",
  "next step"]');
INSERT INTO seed SELECT 'Interrupted', 'abandon Abandon None', value FROM json_each('[
  "Never mind", "Stop", "Cancel", "stop, don''t do anything", "abandon the task", "cancel this task please",
  "discard it", "cancel the task", "cancel that task", "abandon this task please", "please cancel the current task",
  "drop the task", "discard the task", "discard everything", "discard that", "throw it away", "scrap it", "drop it",
  "forget it", "forget about it", "abort", "abort the task", "stop working on this", "stop the task",
  "stop this task please", "stop right there", "stop it, don''t do anything else", "don''t do anything", "do nothing",
  "leave it", "let''s stop here", "let''s drop this", "we can stop", "I don''t want this anymore", "I changed my mind",
  "quit", "end the task", "kill it", "kill the task", "throw that away", "do nothing more", "trash it"]');
INSERT INTO seed SELECT 'Interrupted', 'prompt NewTask Interrupted NewTaskChoice', value FROM json_each('[
  "now do something unrelated", "Different topic...", "let''s start a new task: invoices", "new task",
  "let''s begin a new task: invoices", "start a new task: invoices", "new task: invoices", "next task: invoices",
  "let''s do something else: invoices", "next task: the footer"]');
INSERT INTO seed SELECT 'Interrupted', 'answer Clarification Interrupted', value FROM json_each('[
  "Show me the code", "What does that mean?", "can I continue?"]');

INSERT INTO seed SELECT 'report', 'complete Confirmation None', value FROM json_each('[
  "done", "Done.", "looks good", "Looks good!", "Ship it", "Perfect", "Perfect, thanks!", "yes", "close the task",
  "all done", "we''re done", "finished", "approved", "LGTM", "that''s it", "it''s done", "task done", "mark it as done"]');
INSERT INTO seed SELECT 'report', 'prompt Unclear PendingComplete UnclearChoice', value FROM json_each('[
  "no"]');
INSERT INTO seed SELECT 'report', 'continue Modification Running', value FROM json_each('[
  "Yes, with jitter", "Option B", "Option C, and make max retries configurable", "Use exponential", "Make it 5 not 3",
  "Make it 5 retries not 3", "actually, make it 5 retries instead of 3", "change X to Y", "Also add logging",
  "also add X", "not quite", "not quite, also...", "Looks good but also add logging for retry attempts",
  "try a different approach", "stop, use cron instead", "continue where we left off", "switch to invoices",
  "now add a test case", "now add error handling", "now add logging", "next, fix the footer", "next: fix the footer",
  "next step"]');
INSERT INTO seed SELECT 'report', 'abandon Abandon None', value FROM json_each('[
  "Never mind", "Stop", "Cancel", "stop, don''t do anything", "abandon the task", "cancel this task please",
  "discard it", "cancel the task", "cancel that task", "abandon this task please", "please cancel the current task",
  "drop the task", "discard the task", "discard everything", "discard that", "throw it away", "scrap it", "drop it",
  "forget it", "forget about it", "abort", "abort the task", "stop working on this", "stop the task",
  "stop this task please", "stop right there", "stop it, don''t do anything else", "don''t do anything", "do nothing",
  "leave it", "let''s stop here", "let''s drop this", "we can stop", "I don''t want this anymore", "I changed my mind",
  "quit", "end the task", "kill it", "kill the task", "throw that away", "do nothing more", "trash it"]');
INSERT INTO seed SELECT 'report', 'prompt NewTask PendingComplete NewTaskChoice', value FROM json_each('[
  "Now add connection pooling", "Now add pooling", "Now let''s add connection pooling", "now do something unrelated",
  "Different topic...", "let''s start a new task: invoices", "new task", "let''s begin a new task: invoices",
  "start a new task: invoices", "new task: invoices", "next task: invoices", "let''s do something else: invoices",
  "let''s move on to invoices", "Now let''s add an invoice export", "now let''s build a login page",
  "Now implement user authentication", "Next, add connection pooling", "Now we need connection pooling",
  "next task: the footer"]');
INSERT INTO seed SELECT 'report', 'answer Clarification PendingComplete', value FROM json_each('[
  "Show me the code", "What does that mean?", "can I continue?"]');

INSERT INTO seed SELECT 'looks good?', 'complete Confirmation None', value FROM json_each('[
  "done", "Done.", "looks good", "Looks good!", "Ship it", "Perfect", "Perfect, thanks!", "yes", "close the task",
  "all done", "we''re done", "finished", "approved", "LGTM", "that''s it", "it''s done", "task done", "mark it as done"]');
INSERT INTO seed SELECT 'looks good?', 'prompt Unclear PendingComplete UnclearChoice', value FROM json_each('[
  "no", "Never mind", "drop the task", "throw it away", "drop it", "forget it", "forget about it", "don''t do anything",
  "do nothing", "leave it", "let''s stop here", "let''s drop this", "we can stop", "I don''t want this anymore",
  "I changed my mind", "end the task", "kill it", "kill the task", "throw that away", "do nothing more", "trash it"]');
INSERT INTO seed SELECT 'looks good?', 'continue Modification Running', value FROM json_each('[
  "Yes, with jitter", "Option B", "Option C, and make max retries configurable", "Use exponential", "Make it 5 not 3",
  "Make it 5 retries not 3", "actually, make it 5 retries instead of 3", "change X to Y", "Also add logging",
  "also add X", "not quite", "not quite, also...", "Looks good but also add logging for retry attempts",
  "try a different approach", "stop, use cron instead", "continue where we left off", "switch to invoices",
  "now add a test case", "now add error handling", "now add logging", "next, fix the footer", "next: fix the footer",
  "next step"]');
INSERT INTO seed SELECT 'looks good?', 'abandon Abandon None', value FROM json_each('[
  "Stop", "Cancel", "stop, don''t do anything", "abandon the task", "cancel this task please", "discard it",
  "cancel the task", "cancel that task", "abandon this task please", "please cancel the current task",
  "discard the task", "discard everything", "discard that", "scrap it", "abort", "abort the task",
  "stop working on this", "stop the task", "stop this task please", "stop right there",
  "stop it, don''t do anything else", "quit"]');
INSERT INTO seed SELECT 'looks good?', 'prompt NewTask PendingComplete NewTaskChoice', value FROM json_each('[
  "Now add connection pooling", "Now add pooling", "Now let''s add connection pooling", "now do something unrelated",
  "Different topic...", "let''s start a new task: invoices", "new task", "let''s begin a new task: invoices",
  "start a new task: invoices", "new task: invoices", "next task: invoices", "let''s do something else: invoices",
  "let''s move on to invoices", "Now let''s add an invoice export", "now let''s build a login page",
  "Now implement user authentication", "Next, add connection pooling", "Now we need connection pooling",
  "next task: the footer"]');
INSERT INTO seed SELECT 'looks good?', 'answer Clarification PendingComplete', value FROM json_each('[
  "Show me the code", "What does that mean?", "can I continue?"]');

INSERT INTO seed SELECT 'offer', 'complete Confirmation None', value FROM json_each('[
  "done", "Done.", "close the task", "finished", "it''s done", "task done", "mark it as done"]');
INSERT INTO seed SELECT 'offer', 'continue Response Running', value FROM json_each('[
  "looks good", "Looks good!", "Ship it", "Perfect", "Perfect, thanks!", "yes", "no", "Never mind", "drop the task",
  "throw it away", "drop it", "forget it", "forget about it", "don''t do anything", "do nothing", "leave it",
  "let''s stop here", "let''s drop this", "we can stop", "I don''t want this anymore", "I changed my mind",
  "end the task", "kill it", "kill the task", "all done", "we''re done", "approved", "LGTM", "that''s it",
  "throw that away", "do nothing more", "trash it"]');
INSERT INTO seed SELECT 'offer', 'continue Modification Running', value FROM json_each('[
  "Yes, with jitter", "Option B", "Option C, and make max retries configurable", "Use exponential", "Make it 5 not 3",
  "Make it 5 retries not 3", "actually, make it 5 retries instead of 3", "change X to Y", "Also add logging",
  "also add X", "not quite", "not quite, also...", "Looks good but also add logging for retry attempts",
  "try a different approach", "stop, use cron instead", "continue where we left off", "switch to invoices",
  "now add a test case", "now add error handling", "now add logging", "next, fix the footer", "next: fix the footer",
  "next step"]');
INSERT INTO seed SELECT 'offer', 'abandon Abandon None', value FROM json_each('[
  "Stop", "Cancel", "stop, don''t do anything", "abandon the task", "cancel this task please", "discard it",
  "cancel the task", "cancel that task", "abandon this task please", "please cancel the current task",
  "discard the task", "discard everything", "discard that", "scrap it", "abort", "abort the task",
  "stop working on this", "stop the task", "stop this task please", "stop right there",
  "stop it, don''t do anything else", "quit"]');
INSERT INTO seed SELECT 'offer', 'prompt NewTask PendingComplete NewTaskChoice', value FROM json_each('[
  "Now add connection pooling", "Now add pooling", "Now let''s add connection pooling", "now do something unrelated",
  "Different topic...", "let''s start a new task: invoices", "new task", "let''s begin a new task: invoices",
  "start a new task: invoices", "new task: invoices", "next task: invoices", "let''s do something else: invoices",
  "let''s move on to invoices", "Now let''s add an invoice export", "now let''s build a login page",
  "Now implement user authentication", "Next, add connection pooling", "Now we need connection pooling",
  "next task: the footer"]');
INSERT INTO seed SELECT 'offer', 'answer Clarification PendingComplete', value FROM json_each('[
  "Show me the code", "What does that mean?", "can I continue?"]');

INSERT INTO seed SELECT 'NewTaskChoice', 'acknowledge Confirmation Running NewTaskChoice', value FROM json_each('[
  "done", "Done.", "close the task", "all done", "finished", "it''s done", "task done", "mark it as done"]');
INSERT INTO seed SELECT 'NewTaskChoice', 'prompt Confirmation Running NewTaskChoice', value FROM json_each('[
  "looks good", "Looks good!", "Ship it", "Perfect", "Perfect, thanks!", "yes", "we''re done", "approved", "LGTM",
  "that''s it"]');
INSERT INTO seed SELECT 'NewTaskChoice', 'prompt Modification Running NewTaskChoice', value FROM json_each('[
  "no", "Yes, with jitter", "Use exponential", "Make it 5 not 3", "change X to Y", "Also add logging", "also add X",
  "not quite", "not quite, also...", "Looks good but also add logging for retry attempts", "try a different approach",
  "stop, use cron instead", "Now add connection pooling", "Now add pooling", "Now let''s add connection pooling",
  "Now let''s add an invoice export", "Now implement user authentication",
  "Next, add connection pooling", "Now we need connection pooling", "now add a test case", "now add error handling",
  "now add logging", "next, fix the footer", "next: fix the footer", "next step"]');
INSERT INTO seed SELECT 'NewTaskChoice', 'continue Response Running', value FROM json_each('[
  "Option B", "can I continue?", "continue where we left off"]');
INSERT INTO seed SELECT 'NewTaskChoice', 'continue Modification Running NewTaskChoice', value FROM json_each('[
  "Option C, and make max retries configurable", "Make it 5 retries not 3", "actually, make it 5 retries instead of 3"]');
INSERT INTO seed SELECT 'NewTaskChoice', 'acknowledge Abandon Running', value FROM json_each('[
  "Never mind", "Stop", "Cancel", "stop, don''t do anything", "abandon the task", "cancel this task please",
  "discard it", "cancel the task", "cancel that task", "abandon this task please", "drop the task", "discard the task",
  "discard that", "throw it away", "scrap it", "drop it", "forget it", "forget about it", "abort",
  "abort the task", "stop working on this", "stop the task", "stop this task please", "stop right there",
  "stop it, don''t do anything else", "don''t do anything", "leave it", "let''s stop here", "let''s drop this",
  "we can stop", "I don''t want this anymore", "I changed my mind", "quit", "end the task", "kill it", "kill the task",
  "throw that away", "do nothing more", "trash it"]');
INSERT INTO seed SELECT 'NewTaskChoice', 'abandon Abandon None', value FROM json_each('["discard everything"]');
INSERT INTO seed SELECT 'NewTaskChoice', 'start NewTask Running', value FROM json_each('[
  "now do something unrelated", "next task: invoices", "now let''s build a login page", "next task: the footer"]');
INSERT INTO seed SELECT 'NewTaskChoice', 'start Response Running', value FROM json_each('[
  "Different topic...", "new task", "switch to invoices", "let''s move on to invoices"]');
INSERT INTO seed SELECT 'NewTaskChoice', 'start Modification Running', value FROM json_each('[
  "let''s start a new task: invoices", "let''s begin a new task: invoices", "start a new task: invoices",
  "new task: invoices"]');
INSERT INTO seed SELECT 'NewTaskChoice', 'answer Clarification Running NewTaskChoice', value FROM json_each('[
  "Show me the code", "What does that mean?"]');
INSERT INTO seed SELECT 'NewTaskChoice', 'prompt Abandon Running NewTaskChoice', value FROM json_each('[
  "please cancel the current task", "do nothing"]');
INSERT INTO seed SELECT 'NewTaskChoice', 'prompt NewTask Running NewTaskChoice', value FROM json_each('[
  "let''s do something else: invoices"]');

INSERT INTO seed SELECT 'StaleSessionChoice', 'continue Confirmation Running', value FROM json_each('[
  "done", "Done.", "close the task", "all done", "finished", "it''s done", "task done", "mark it as done"]');
INSERT INTO seed SELECT 'StaleSessionChoice', 'prompt Confirmation Running StaleSessionChoice', value FROM json_each('[
  "looks good", "Looks good!", "Ship it", "Perfect", "Perfect, thanks!", "yes", "we''re done", "approved", "LGTM",
  "that''s it"]');
INSERT INTO seed SELECT 'StaleSessionChoice', 'prompt Modification Running StaleSessionChoice', value FROM json_each('[
  "no", "Yes, with jitter", "Use exponential", "Make it 5 not 3", "change X to Y", "Also add logging", "also add X",
  "not quite", "not quite, also...", "Looks good but also add logging for retry attempts", "try a different approach",
  "stop, use cron instead", "Now add connection pooling", "Now add pooling", "Now let''s add connection pooling",
  "switch to invoices", "Now let''s add an invoice export", "Now implement user authentication",
  "Next, add connection pooling", "Now we need connection pooling", "now add a test case", "now add error handling",
  "now add logging", "next, fix the footer", "next: fix the footer", "next step"]');
INSERT INTO seed SELECT 'StaleSessionChoice', 'start Response Running', value FROM json_each('[
  "Option B", "Different topic...", "new task"]');
INSERT INTO seed SELECT 'StaleSessionChoice', 'continue Modification Running', value FROM json_each('[
  "Option C, and make max retries configurable", "Make it 5 retries not 3", "actually, make it 5 retries instead of 3"]');
INSERT INTO seed SELECT 'StaleSessionChoice', 'abandon Abandon None', value FROM json_each('[
  "Never mind", "Stop", "Cancel", "stop, don''t do anything", "abandon the task", "cancel this task please",
  "discard it", "cancel the task", "cancel that task", "abandon this task please", "drop the task", "discard the task",
  "discard everything", "discard that", "throw it away", "scrap it", "drop it", "forget it", "forget about it", "abort",
  "abort the task", "stop working on this", "stop the task", "stop this task please", "stop right there",
  "stop it, don''t do anything else", "don''t do anything", "leave it", "let''s stop here", "let''s drop this",
  "we can stop", "I don''t want this anymore", "I changed my mind", "quit", "end the task", "kill it", "kill the task",
  "throw that away", "do nothing more", "trash it"]');
INSERT INTO seed SELECT 'StaleSessionChoice', 'start NewTask Running', value FROM json_each('[
  "now do something unrelated", "next task: invoices", "let''s move on to invoices", "now let''s build a login page",
  "next task: the footer"]');
INSERT INTO seed SELECT 'StaleSessionChoice', 'start Modification Running', value FROM json_each('[
  "let''s start a new task: invoices", "let''s begin a new task: invoices", "start a new task: invoices",
  "new task: invoices"]');
INSERT INTO seed SELECT 'StaleSessionChoice', 'answer Clarification Running StaleSessionChoice', value FROM json_each('[
  "Show me the code", "What does that mean?"]');
INSERT INTO seed SELECT 'StaleSessionChoice', 'continue Response Running', value FROM json_each('[
  "can I continue?", "continue where we left off"]');
INSERT INTO seed SELECT 'StaleSessionChoice', 'prompt Abandon Running StaleSessionChoice', value FROM json_each('[
  "please cancel the current task", "do nothing"]');
INSERT INTO seed SELECT 'StaleSessionChoice', 'prompt NewTask Running StaleSessionChoice', value FROM json_each('[
  "let''s do something else: invoices"]');

INSERT INTO seed SELECT 'stale report', 'complete Confirmation None', value FROM json_each('[
  "done", "Done.", "close the task", "finished", "it''s done", "task done", "mark it as done"]');
INSERT INTO seed SELECT 'stale report', 'prompt Confirmation PendingComplete StaleSessionChoice', value FROM json_each('[
  "looks good", "Looks good!", "Ship it", "Perfect", "Perfect, thanks!", "yes", "all done", "we''re done", "approved",
  "LGTM", "that''s it"]');
INSERT INTO seed SELECT 'stale report', 'prompt Modification PendingComplete StaleSessionChoice', value FROM json_each('[
  "no", "Yes, with jitter", "Use exponential", "Make it 5 not 3", "change X to Y", "Also add logging", "also add X",
  "not quite", "not quite, also...", "Looks good but also add logging for retry attempts", "try a different approach",
  "stop, use cron instead", "switch to invoices", "now add a test case", "now add error handling", "now add logging",
  "next, fix the footer", "next: fix the footer", "next step"]');
INSERT INTO seed SELECT 'stale report', 'start Response Running', value FROM json_each('[
  "Option B", "Different topic...", "new task"]');
INSERT INTO seed SELECT 'stale report', 'continue Modification Running', value FROM json_each('[
  "Option C, and make max retries configurable", "Make it 5 retries not 3", "actually, make it 5 retries instead of 3"]');
INSERT INTO seed SELECT 'stale report', 'abandon Abandon None', value FROM json_each('[
  "Never mind", "Stop", "Cancel", "stop, don''t do anything", "abandon the task", "cancel this task please",
  "discard it", "cancel the task", "cancel that task", "abandon this task please", "drop the task", "discard the task",
  "discard everything", "discard that", "throw it away", "scrap it", "drop it", "forget it", "forget about it", "abort",
  "abort the task", "stop working on this", "stop the task", "stop this task please", "stop right there",
  "stop it, don''t do anything else", "don''t do anything", "leave it", "let''s stop here", "let''s drop this",
  "we can stop", "I don''t want this anymore", "I changed my mind", "quit", "end the task", "kill it", "kill the task",
  "throw that away", "do nothing more", "trash it"]');
INSERT INTO seed SELECT 'stale report', 'start NewTask Running', value FROM json_each('[
  "Now add connection pooling", "Now add pooling", "Now let''s add connection pooling", "now do something unrelated",
  "next task: invoices", "let''s move on to invoices", "Now let''s add an invoice export",
  "now let''s build a login page", "Now implement user authentication", "Next, add connection pooling",
  "Now we need connection pooling", "next task: the footer"]');
INSERT INTO seed SELECT 'stale report', 'start Modification Running', value FROM json_each('[
  "let''s start a new task: invoices", "let''s begin a new task: invoices", "start a new task: invoices",
  "new task: invoices"]');
INSERT INTO seed SELECT 'stale report', 'answer Clarification PendingComplete StaleSessionChoice', value FROM json_each('[
  "Show me the code", "What does that mean?"]');
INSERT INTO seed SELECT 'stale report', 'continue Response Running', value FROM json_each('[
  "can I continue?", "continue where we left off"]');
INSERT INTO seed SELECT 'stale report', 'prompt Abandon PendingComplete StaleSessionChoice', value FROM json_each('[
  "please cancel the current task", "do nothing"]');
INSERT INTO seed SELECT 'stale report', 'prompt NewTask PendingComplete StaleSessionChoice', value FROM json_each('[
  "let''s do something else: invoices"]');

INSERT INTO seed SELECT 'UnclearChoice', 'continue Confirmation Running', value FROM json_each('[
  "done", "Done.", "close the task", "all done", "finished", "it''s done", "task done", "mark it as done"]');
INSERT INTO seed SELECT 'UnclearChoice', 'prompt Confirmation Running UnclearChoice', value FROM json_each('[
  "looks good", "Looks good!", "Ship it", "Perfect", "Perfect, thanks!", "yes", "we''re done", "approved", "LGTM",
  "that''s it"]');
INSERT INTO seed SELECT 'UnclearChoice', 'prompt Modification Running UnclearChoice', value FROM json_each('[
  "no", "Yes, with jitter", "Use exponential", "Make it 5 not 3", "change X to Y", "Also add logging", "also add X",
  "not quite", "not quite, also...", "Looks good but also add logging for retry attempts", "try a different approach",
  "stop, use cron instead", "Now add connection pooling", "Now add pooling", "Now let''s add connection pooling",
  "switch to invoices", "Now let''s add an invoice export", "Now implement user authentication",
  "Next, add connection pooling", "Now we need connection pooling", "now add a test case", "now add error handling",
  "now add logging", "next, fix the footer", "next: fix the footer", "next step"]');
INSERT INTO seed SELECT 'UnclearChoice', 'start Response Running', value FROM json_each('[
  "Option B", "Different topic...", "new task"]');
INSERT INTO seed SELECT 'UnclearChoice', 'continue Modification Running', value FROM json_each('[
  "Option C, and make max retries configurable", "Make it 5 retries not 3", "actually, make it 5 retries instead of 3"]');
INSERT INTO seed SELECT 'UnclearChoice', 'abandon Abandon None', value FROM json_each('[
  "Never mind", "Stop", "Cancel", "stop, don''t do anything", "abandon the task", "cancel this task please",
  "discard it", "cancel the task", "cancel that task", "abandon this task please", "drop the task", "discard the task",
  "discard everything", "discard that", "throw it away", "scrap it", "drop it", "forget it", "forget about it", "abort",
  "abort the task", "stop working on this", "stop the task", "stop this task please", "stop right there",
  "stop it, don''t do anything else", "don''t do anything", "leave it", "let''s stop here", "let''s drop this",
  "we can stop", "I don''t want this anymore", "I changed my mind", "quit", "end the task", "kill it", "kill the task",
  "throw that away", "do nothing more", "trash it"]');
INSERT INTO seed SELECT 'UnclearChoice', 'start NewTask Running', value FROM json_each('[
  "now do something unrelated", "next task: invoices", "let''s move on to invoices", "now let''s build a login page",
  "next task: the footer"]');
INSERT INTO seed SELECT 'UnclearChoice', 'start Modification Running', value FROM json_each('[
  "let''s start a new task: invoices", "let''s begin a new task: invoices", "start a new task: invoices",
  "new task: invoices"]');
INSERT INTO seed SELECT 'UnclearChoice', 'answer Clarification Running UnclearChoice', value FROM json_each('[
  "Show me the code", "What does that mean?"]');
INSERT INTO seed SELECT 'UnclearChoice', 'continue Response Running', value FROM json_each('[
  "can I continue?", "continue where we left off"]');
INSERT INTO seed SELECT 'UnclearChoice', 'prompt Abandon Running UnclearChoice', value FROM json_each('[
  "please cancel the current task", "do nothing"]');
INSERT INTO seed SELECT 'UnclearChoice', 'prompt NewTask Running UnclearChoice', value FROM json_each('[
  "let''s do something else: invoices"]');

INSERT INTO seed SELECT 'SavedTaskChoice', 'prompt Response None SavedTaskChoice', value FROM json_each('[
  "done", "Done.", "looks good", "Looks good!", "Ship it", "Perfect", "Perfect, thanks!", "yes", "no",
  "Yes, with jitter", "Make it 5 not 3", "change X to Y", "not quite", "not quite, also...",
  "Looks good but also add logging for retry attempts", "try a different approach", "stop, use cron instead",
  "Now add connection pooling", "Now add pooling", "Now let''s add connection pooling", "don''t do anything",
  "do nothing", "leave it", "close the task", "all done", "we''re done", "finished", "approved", "LGTM", "that''s it",
  "it''s done", "task done", "mark it as done", "switch to invoices", "Now let''s add an invoice export",
  "Now implement user authentication", "Next, add connection pooling", "Now we need connection pooling",
  "do nothing more", "now add a test case", "now add error handling", "now add logging", "next, fix the footer",
  "next: fix the footer", "next step"]');
INSERT INTO seed SELECT 'SavedTaskChoice', 'start Response Running', value FROM json_each('[
  "Option B", "Different topic...", "new task"]');
INSERT INTO seed SELECT 'SavedTaskChoice', 'continue Response Running', value FROM json_each('[
  "Option C, and make max retries configurable", "Use exponential", "Make it 5 retries not 3",
  "actually, make it 5 retries instead of 3", "can I continue?", "continue where we left off"]');
INSERT INTO seed SELECT 'SavedTaskChoice', 'prompt Modification None SavedTaskChoice', value FROM json_each('[
  "Also add logging", "also add X"]');
INSERT INTO seed SELECT 'SavedTaskChoice', 'acknowledge Abandon None', value FROM json_each('[
  "Never mind", "Stop", "Cancel", "stop, don''t do anything", "abandon the task", "cancel this task please",
  "discard it", "cancel the task", "cancel that task", "abandon this task please", "drop the task", "discard the task",
  "discard everything", "discard that", "throw it away", "scrap it", "drop it", "forget it", "forget about it", "abort",
  "abort the task", "stop working on this", "stop the task", "stop this task please", "stop right there",
  "stop it, don''t do anything else", "let''s stop here", "let''s drop this", "we can stop",
  "I don''t want this anymore", "I changed my mind", "quit", "end the task", "kill it", "kill the task",
  "throw that away", "trash it"]');
INSERT INTO seed SELECT 'SavedTaskChoice', 'start NewTask Running', value FROM json_each('[
  "now do something unrelated", "next task: invoices", "let''s move on to invoices", "now let''s build a login page",
  "next task: the footer"]');
INSERT INTO seed SELECT 'SavedTaskChoice', 'start Modification Running', value FROM json_each('[
  "let''s start a new task: invoices", "let''s begin a new task: invoices", "start a new task: invoices",
  "new task: invoices"]');
INSERT INTO seed SELECT 'SavedTaskChoice', 'answer Clarification None SavedTaskChoice', value FROM json_each('[
  "Show me the code", "What does that mean?"]');
INSERT INTO seed SELECT 'SavedTaskChoice', 'prompt Abandon None SavedTaskChoice', value FROM json_each('[
  "please cancel the current task"]');
INSERT INTO seed SELECT 'SavedTaskChoice', 'prompt NewTask None SavedTaskChoice', value FROM json_each('[
  "let''s do something else: invoices"]');

---- The sessions

CREATE TEMP TABLE place(name, task, question, now);
INSERT INTO place VALUES ('None', NULL, NULL, 0), ('Aborted', 'Aborted', '{"reason":"x"}', 0), ('Running', 'Running', NULL, 0), ('live', NULL, NULL, 0),
  ('AwaitingUser', 'AwaitingUser', '{"question":"Should I use exponential backoff, or a fixed pause?"}', 0),
  ('Interrupted', 'Interrupted', '{"user_message":"make it five"}', 0),
  ('report', 'PendingComplete', '{"summary":"Retries are in. All tests pass."}', 0),
  ('looks good?', 'PendingComplete', '{"summary":"Retries are in. Does this look good?"}', 0),
  ('offer', 'PendingComplete', '{"summary":"Retries are in. Shall I also update the docs?"}', 0),
  ('NewTaskChoice', 'Running', NULL, 0), ('StaleSessionChoice', 'Running', NULL, 172800000),
  ('stale report', 'PendingComplete', '{"summary":"Retries are in. All tests pass."}', 172800000), ('UnclearChoice', 'Running', NULL, 0),
  ('SavedTaskChoice', 'AwaitingUser', '{"question":"Should I use exponential backoff, or a fixed pause?"}', 864000000);
CREATE TEMP VIEW sayings AS SELECT place || ': ' || message AS label, seed.*, task, question, 1767225600000 + now AS now FROM seed JOIN place ON name = place;
SELECT 'every phrase in every place', (SELECT count(DISTINCT place || message) = count(*) AND count(*) = count(DISTINCT message) * (SELECT count(*) FROM place) FROM seed), 1;
INSERT INTO turnstile(command, args) SELECT 'session_deliver', json_array(label, 'add retries to the upload client', json('{"owner":"w"}')) FROM sayings WHERE place = 'live';
INSERT INTO turnstile(command, args) SELECT 'session_start', json_array(label, 'add retries to the upload client') FROM sayings WHERE task IS NOT NULL;
INSERT INTO turnstile(command, args) SELECT 'session_note', json_array(label, 'read') FROM sayings WHERE task IS NOT NULL;
INSERT INTO turnstile(command, args) SELECT 'session_transition', json_array(label, task, json(question)) FROM sayings WHERE question IS NOT NULL;
INSERT INTO turnstile(command, args) SELECT 'session_deliver', json_array(label, 'build an invoice export', json('{"class":"NewTask"}')) FROM sayings WHERE place = 'NewTaskChoice';
INSERT INTO turnstile(command, args) SELECT 'session_deliver', json_array(label, 'hmm, tuesday', json('{"class":"Unclear"}')) FROM sayings WHERE place = 'UnclearChoice';
INSERT INTO turnstile(command, args) SELECT 'session_deliver', json_array(label, 'log the tries as well', json_object('now', now)) FROM sayings WHERE place IN ('StaleSessionChoice', 'stale report');
INSERT INTO turnstile(command, args) SELECT 'session_deliver', json_array(label, 'yes, exponential', json_object('now', now)) FROM sayings WHERE place = 'SavedTaskChoice';

---- What is said

CREATE TEMP TABLE told(label PRIMARY KEY, decision);
INSERT INTO told SELECT label, session_deliver(label, message, json_object('now', now + 1000)) FROM sayings;
SELECT label, rtrim(concat_decision || ifnull(session_state(label) ->> '$.pending_choice.kind', '')), gives
  FROM (SELECT label, gives, (decision ->> '$.action') || ' ' || (decision ->> '$.class') || ' ' || (decision ->> '$.state') || ' ' AS concat_decision FROM told JOIN sayings USING (label));
SELECT 'a stop leaves no task, and no run', (SELECT count(*) FROM told JOIN sayings USING (label) WHERE gives LIKE 'abandon %' AND session_state(label) ->> '$.live' = 1), 0;
SELECT 'what is approved is committed', (SELECT count(*) FROM told WHERE decision ->> '$.action' = 'complete' AND decision ->> '$.commit_id' IS NULL), 0;
SELECT 'the file is sound', (SELECT group_concat(DISTINCT rule) FROM turnstile_check), NULL;
