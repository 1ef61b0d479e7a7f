/*
** cases.c - the table behind cases.h.
**
** Most rows are written out. The cells of the class × state table are made by a loop: five states,
** seven classes, given as the option `class` so that no rule has to be guessed at.
*/
#include "cases.h"

#include <stdio.h>

#define START "SELECT session_start('s','write the report');"
#define WORK START "SELECT session_observe('s','FileWrite','{\"path\":\"report.md\"}','# Report');"
#define ASKING                                                                                     \
  WORK "SELECT session_transition('s','AwaitingUser','{\"question\":\"Which format?\"}');"
#define INTERRUPTED                                                                                \
  WORK "SELECT session_transition('s','Interrupted','{\"user_message\":\"wait\"}');"
#define PENDING                                                                                    \
  WORK "SELECT session_transition('s','PendingComplete','{\"summary\":\"All done\"}');"
#define ABORTED WORK "SELECT session_transition('s','Aborted','{\"reason\":\"wrong idea\"}');"
#define COMPLETE PENDING "SELECT session_transition('s','Complete');"

/* Open choices of the four kinds. */
#define STALE_CHOICE                                                                               \
  WORK "SELECT session_deliver('s','make it shorter','{\"class\":\"Modification\",\"now\":"        \
       "1700180000000}');"
#define NEW_CHOICE WORK "SELECT session_deliver('s','build a shop','{\"class\":\"NewTask\"}');"
#define UNCLEAR_CHOICE WORK "SELECT session_deliver('s','hmm','{\"class\":\"Unclear\"}');"
#define SAVED_CHOICE                                                                               \
  ASKING "SELECT session_deliver('s','yes','{\"class\":\"Response\",\"now\":1700900000000}');"

#define IN_ERROR WORK "UPDATE sessions SET status = 'error', status_reason = 'crashed';"
#define BLOCKED_ITEMS                                                                              \
  IN_ERROR "SELECT session_deliver('s','make it shorter');"                                        \
           "SELECT session_deliver('s','tick','{\"source\":\"timer\"}');"                          \
           "SELECT session_deliver('s','please stop, forget it','{\"sender\":\"bo\"}');"           \
           "UPDATE sessions SET status = 'active';"
#define LIVE_RUN                                                                                   \
  WORK "SELECT session_run('s','host','starting');SELECT session_run('s','host','running');"       \
       "UPDATE session_runs SET expires_at = 1700090000000, token = 1;"
#define LOST_RUN                                                                                   \
  "INSERT INTO turnstile_meta VALUES ('unguarded',1);"                                             \
  "DELETE FROM session_runs; DELETE FROM turnstile_meta WHERE key='unguarded';"
#define PROCESSING                                                                                 \
  LIVE_RUN "SELECT session_deliver('s','ping','{\"source\":\"agent\",\"sender\":\"w1\"}');"        \
           "UPDATE session_queue SET status = 'processing';"

/* One session for each kind of a sweep's work, 50 days before it. */
#define SWEEP_WORK                                                                                 \
  COMPLETE                                                                                         \
  "SELECT session_start('stale','old work');SELECT session_note('stale','something');"             \
  "SELECT session_start('empty','never begun');"                                                   \
  "SELECT session_start('choice','half done');SELECT session_note('choice','something');"          \
  "SELECT session_deliver('choice','build a shop','{\"class\":\"NewTask\"}');"                     \
  "SELECT session_deliver('idle','thanks','{\"class\":\"Confirmation\"}');"                        \
  "SELECT session_deliver('lease','ping','{\"source\":\"agent\"}');"                               \
  "SELECT session_run('lease','host','starting');SELECT session_run('lease','host','running');"    \
  "UPDATE session_runs SET expires_at = 1700000600000;"                                            \
  "UPDATE session_queue SET status = 'processing' WHERE session_label = 'lease';"                  \
  "SELECT session_deliver('tended','ping','{\"source\":\"agent\"}');"                              \
  "SELECT session_run('tended','host','starting');"                                                \
  "SELECT session_deliver('asked','ping','{\"source\":\"agent\",\"request_id\":\"old\"}');"

/* The turn tree: two turns of which the first has left a tool call open; a fork of the first; and a
** live turn, number 16777218 with token 1, after the second. */
#define SAID                                                                                       \
  "[{\"role\":\"user\",\"content\":\"and?\"},{\"role\":\"assistant\",\"content\":\"Done.\"}]"
#define ANSWERED                                                                                   \
  "[{\"role\":\"tool\",\"tool_call_id\":\"k1\",\"content\":\"a.c\",\"is_error\":1},"               \
  "{\"role\":\"assistant\",\"content\":\"I see.\",\"metadata\":{\"n\":1}}]"
#define THREAD                                                                                     \
  "SELECT turn_append('s','[{\"role\":\"user\",\"content\":\"go\"},{\"role\":\"assistant\","       \
  "\"content\":\"I look.\",\"tool_calls\":[{\"id\":\"k1\",\"name\":\"ls\",\"params\":{\"a\":1}},"  \
  "{\"id\":\"k2\",\"name\":\"cat\",\"result\":\"text\"}]}]');"                                     \
  "SELECT turn_append('s','" SAID "','{\"external_id\":\"x2\",\"resume_cursor\":\"c\"}');"
#define FORKED                                                                                     \
  THREAD "SELECT session_fork(16777216,'f');SELECT turn_append('f','" SAID "');"                   \
         "SELECT session_fork(33554433,'g');SELECT turn_append('f','" SAID "');"                   \
         "SELECT turn_append('g','" SAID "');"
#define UNDOING                                                                                    \
  THREAD "SELECT session_deliver('s','add retries');SELECT turn_append('s','" SAID "');"           \
         "SELECT session_transition('s','AwaitingUser','{\"question\":\"How many?\"}');"           \
         "SELECT session_spawn('s','dig','{\"label\":\"w\"}');"                                    \
         "SELECT session_deliver('s','three','{\"class\":\"Response\"}');"
#define LIVE_TURN                                                                                  \
  THREAD "SELECT turn_begin('s','host','{\"messages\":[{\"role\":\"user\",\"content\":\"more\"}]," \
         "\"lease\":\"10m\"}');"
#define TURN_AT_WORK                                                                               \
  LIVE_TURN "SELECT turn_message(16777218,1,'{\"role\":\"assistant\",\"content\":\"I look.\"}');"  \
            "SELECT turn_tool_call(16777218,1,'k3','ls');"
/* A live turn with an input of the queue, and an open task. */
#define TURN_OF_INPUT                                                                              \
  "SELECT session_deliver('s','write the report');SELECT turn_begin('s','host');"
#define COMPACTED                                                                                  \
  FORKED "SELECT turn_compact('s','They talked.','{\"keep_turns\":1}');"                           \
         "SELECT turn_append('s','[{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"k4\","        \
         "\"name\":\"ls\"}]}]');SELECT turn_append('s','" SAID "');"

/* The queue: a live turn, 16777216 with token 1, whose task is interrupted, with an input that
** steers and one that interrupts; three inputs that are taken together; one that has failed. */
#define OWNED                                                                                      \
  "SELECT session_deliver('s','write the report','{\"class\":\"NewTask\",\"owner\":\"host\"}');"
#define STEERED                                                                                    \
  OWNED "SELECT turn_message(16777216,1,'{\"role\":\"assistant\",\"content\":\"I look.\"}');"      \
        "SELECT session_deliver('s','log it','{\"class\":\"Modification\",\"mode\":\"steer\"}');"  \
        "SELECT session_deliver('s','no, five','{\"class\":\"Modification\"}');"
#define WAITING                                                                                    \
  "SELECT queue_push('s','one','{\"mode\":\"collect\"}');"                                         \
  "SELECT queue_push('s','two','{\"mode\":\"collect\",\"source\":\"agent\"}');"                    \
  "SELECT queue_push('s','three','{\"mode\":\"collect\"}');"
#define DROPPING                                                                                   \
  "SELECT turnstile_config('queue_cap',1);SELECT turnstile_config('queue_full','drop-oldest');"
#define FAILED_INPUT                                                                               \
  OWNED "SELECT turn_tool_call(16777216,1,'k1','ls');SELECT turn_fail(16777216,1,'boom');"

/* A worker at work with a worker of its own that waits; both belong to a task of s. */
#define WORKERS                                                                                    \
  WORK "SELECT session_spawn('s','find the callers','{\"label\":\"w\"}');"                         \
       "SELECT turn_begin('w','host');"                                                            \
       "SELECT turn_message(16777216,1,'{\"role\":\"assistant\",\"content\":\"I look.\"}');"       \
       "SELECT session_spawn('w','look into tests','{\"label\":\"v\"}');"

/* Somebody known by mail, with a session that has a turn; and a stranger with an open task, an open
** choice and inputs that wait, whom a link makes the same person. */
#define STRANGERS                                                                                  \
  "SELECT identity_link('mail','ann','rosa');"                                                     \
  "SELECT turn_append('dm:rosa','" SAID "');SELECT session_start('dm:wa:1','book a flight');"      \
  "SELECT session_observe('dm:wa:1','Plan','\"look for flights\"');"                               \
  "SELECT queue_push('dm:wa:1','for two','{\"channel\":\"wa\",\"sender\":\"1\"}');"                \
  "SELECT session_deliver('dm:wa:1','hmm','{\"class\":\"Unclear\",\"channel\":\"wa\",\"sender\":"  \
  "\"1\"}');SELECT session_alias('nick','dm:wa:1');"
#define MERGED                                                                                     \
  STRANGERS "SELECT identity_link('wa','1','rosa');"                                               \
            "SELECT queue_push('nick','and two','{\"channel\":\"wa\",\"sender\":\"1\"}');"

/* Work, an input, a setting, an alias, a merged session, and workers of workers beside the turns. */
#define TO_DELETE                                                                                  \
  WORK "SELECT session_observe('s','FileRead','a.c','text');SELECT session_flush('s');"            \
       "SELECT queue_push('s','more','{\"source\":\"timer\"}');"                                   \
       "SELECT turnstile_config('ask_threshold','1h','{\"session\":\"s\"}');"                      \
       "INSERT INTO session_aliases VALUES('also s','s','manual',1);"                              \
       "SELECT turn_append('merged','" SAID "');"                                                  \
       "UPDATE sessions SET superseded_by = 's' WHERE label = 'merged';"                           \
       "SELECT session_spawn('s','count','{\"label\":\"w1\"}');"                                   \
       "SELECT session_spawn('w1','count more','{\"label\":\"w2\"}');"

/* A worker's question that a turn of its parent's has taken. */
#define HEARD_QUESTION                                                                             \
  OWNED "SELECT session_spawn('s','dig','{\"label\":\"w\"}');SELECT "                              \
        "turn_complete(16777216,1,'{\"content\":\"so\"}');SELECT turn_begin('w','host');SELECT "   \
        "turn_complete(33554432,1,'{\"content\":\"Where?\",\"outcome\":\"question\"}');SELECT "    \
        "turn_begin('s','host');SELECT turn_complete(16777217,2,'{\"content\":\"so\"}');"
/* A worker that was given a second task by a turn, and has reported of both. */
#define SECOND_REPORT                                                                              \
  WORK "SELECT session_spawn('s','dig','{\"label\":\"w\"}');SELECT "                               \
       "session_report('w','completed','12');SELECT "                                              \
       "turn_append('s','[{\"role\":\"user\",\"content\":\"12\"}]');SELECT "                       \
       "session_deliver('s','go on','{\"class\":\"Modification\"}');SELECT "                       \
       "session_deliver('w','and tests','{\"source\":\"agent\",\"sender\":\"s\"}');SELECT "        \
       "turn_append('s','[{\"role\":\"user\",\"content\":\"go on\"}]');SELECT "                    \
       "session_report('w','completed','5 more');"
/* Two senders of an entity, each with a session of his own; one's input waits in the other's. */
#define TWO_SENDERS                                                                                \
  "SELECT turn_append('dm:e:1','[{\"role\":\"user\",\"content\":\"long\"}]');SELECT "              \
  "session_deliver(NULL,'of "                                                                      \
  "f','{\"class\":\"NewTask\",\"envelope\":{\"channel\":\"f\",\"sender_id\":\"1\"}}');SELECT "     \
  "identity_link('e','1','lee'), identity_link('f','1','lee');"

/* A session of which everything was deleted: what was newest of each kind is gone. */
#define GONE                                                                                       \
  WORK "SELECT session_observe('s','FileRead','a.c','text');SELECT session_flush('s');"            \
       "SELECT session_relate('s','file:a','Mentions','file:b');"                                  \
       "SELECT session_deliver('s','shorter');SELECT session_compact('s');"                        \
       "SELECT turn_append('s','" SAID "');SELECT session_delete('s','{\"force\":1}');"
#define THREAD_X                                                                                   \
  "SELECT "                                                                                        \
  "turn_append('t','[{\"role\":\"user\",\"content\":\"go\"},{\"role\":\"assistant\",\"content\":"  \
  "\"I "                                                                                           \
  "look.\",\"tool_calls\":[{\"id\":\"k1\",\"name\":\"ls\",\"params\":{\"a\":1}},{\"id\":\"k2\","   \
  "\"name\":\"cat\",\"result\":\"text\"}]},{\"role\":\"tool\",\"tool_call_id\":\"k1\","            \
  "\"content\":\"a\"},{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"k3\",\"name\":\"ls\","     \
  "\"error\":\"no\"}]}]','{\"external_id\":\"x\"}');"
/* A worker whose turn has ended with words and no report. */
#define LEFT                                                                                       \
  WORK "SELECT session_spawn('s','find the callers','{\"label\":\"v\"}');SELECT "                  \
       "turn_begin('v','host');SELECT turn_complete(16777216,1,'{\"content\":\"There are "         \
       "none.\"}');"

#define EXPORTED "CREATE TABLE kept AS SELECT session_export('s') AS j;"
#define IMPORT(options)                                                                            \
  "INSERT INTO turnstile(command,args) SELECT 'session_import',json_array(j" options ") FROM kept"

#define DOUBTS(below)                                                                              \
  "SELECT turnstile_config('classify_floor',1);SELECT turnstile_config('classify_below','" below   \
  "');"
#define DOUBTED                                                                                    \
  WORK "SELECT session_deliver('s','and a chart');" DOUBTS(                                        \
      "ask") "SELECT session_deliver('s','hm the other one rather');"

#define DELIVER "session_deliver"

static const Case written[] = {
    /* session_deliver */
    {"deliver: new session", NULL, DELIVER,
     "[\"s\",\"write the report\\nwith two charts\",{\"persona\":\"clerk\"}]", 0, 0},
    {"deliver: with ids", WORK, DELIVER,
     "[\"s\",\"make it shorter\",{\"message_id\":\"m1\",\"channel\":\"mail\",\"sender\":\"ann\"}]",
     0, 0},
    {"deliver: duplicate",
     WORK "SELECT session_deliver('s','make it shorter','{\"message_id\":\"m1\"}');", DELIVER,
     "[\"s\",\"make it longer\",{\"message_id\":\"m1\"}]", 1, 0},
    {"deliver: to somebody else", WORK "SELECT turnstile_config('names','Alma, bot');", DELIVER,
     "[\"s\",\"Bob: stop\"]", 0, 0},
    {"deliver: by its name", WORK "SELECT turnstile_config('names','Alma, bot');", DELIVER,
     "[\"s\",\"Alma: /stop now\"]", 0, 0},
    {"deliver: by request_id", WORK, DELIVER, "[\"s\",\"make it shorter\",{\"request_id\":\"r1\"}]",
     0, 0},
    {"deliver: repeated request_id",
     WORK "SELECT session_deliver('s','make it shorter','{\"request_id\":\"r1\"}');", DELIVER,
     "[\"s\",\"make it shorter\",{\"request_id\":\"r1\"}]", 1, 0},
    {"deliver: by the rules, a question", WORK, DELIVER, "[\"s\",\"what is left to do?\"]", 0, 0},
    {"deliver: by the rules, an approval", PENDING, DELIVER, "[\"s\",\"yes, perfect\"]", 0, 0},
    {"deliver: the next one, while one is handed", WORK "SELECT session_deliver('s','shorter');",
     DELIVER, "[\"s\",\"and with colours\"]", 0, 0},
    {"deliver: stale prompt", WORK, DELIVER, "[\"s\",\"make it shorter\"]", 48, 0},
    {"deliver: auto-save", WORK, DELIVER, "[\"s\",\"write a poem\",{\"class\":\"NewTask\"}]", 240,
     0},
    {"deliver: auto-save without work", START, DELIVER,
     "[\"s\",\"write a poem\",{\"class\":\"NewTask\"}]", 240, 0},
    {"deliver: auto-save, an answer comes", ASKING, DELIVER,
     "[\"s\",\"as a table\",{\"class\":\"Response\"}]", 240, 0},
    {"deliver: auto-save closes a choice", NEW_CHOICE, DELIVER,
     "[\"s\",\"what now?\",{\"class\":\"Clarification\"}]", 240, 0},
    {"deliver: stale choice, continue", STALE_CHOICE, DELIVER, "[\"s\",\"continue\"]", 51, 0},
    {"deliver: stale choice, start fresh", STALE_CHOICE, DELIVER, "[\"s\",\"start fresh\"]", 51, 0},
    {"deliver: stale choice, words beside the answer", STALE_CHOICE, DELIVER,
     "[\"s\",\"start fresh, with postgres\"]", 51, 0},
    {"deliver: stale choice, what is kept with it", STALE_CHOICE, DELIVER,
     "[\"s\",\"the shed wants green walls\"]", 51, 0},
    {"deliver: stale choice, abandon", STALE_CHOICE, DELIVER,
     "[\"s\",\"forget it\",{\"class\":\"Abandon\"}]", 51, 0},
    {"deliver: new task choice, A", NEW_CHOICE, DELIVER, "[\"s\",\"A\"]", 1, 0},
    {"deliver: new task choice, B", NEW_CHOICE, DELIVER, "[\"s\",\"B\"]", 1, 0},
    {"deliver: new task choice, a newer task", NEW_CHOICE, DELIVER,
     "[\"s\",\"write a poem instead\",{\"class\":\"NewTask\"}]", 1, 0},
    {"deliver: new task choice, abandon", NEW_CHOICE, DELIVER,
     "[\"s\",\"forget it\",{\"class\":\"Abandon\"}]", 1, 0},
    {"deliver: new task choice, a bare yes", NEW_CHOICE, DELIVER, "[\"s\",\"yes\"]", 1, 0},
    {"deliver: unclear choice, continue", UNCLEAR_CHOICE, DELIVER, "[\"s\",\"A\"]", 1, 0},
    {"deliver: saved task, pick up", SAVED_CHOICE, DELIVER, "[\"s\",\"continue\"]", 251, 0},
    {"deliver: saved task, start fresh", SAVED_CHOICE, DELIVER, "[\"s\",\"start fresh\"]", 251, 0},
    {"deliver: switch", WORK "SELECT turnstile_config('new_task_policy','switch');", DELIVER,
     "[\"s\",\"build a shop\",{\"class\":\"NewTask\"}]", 0, 0},
    {"deliver: blocked", IN_ERROR, DELIVER, "[\"s\",\"hello?\"]", 0, 0},
    {"deliver: blocked items are taken", BLOCKED_ITEMS, DELIVER, "[\"s\",\"are you back?\"]", 1, 0},
    {"deliver: abandon cancels what waits", BLOCKED_ITEMS, DELIVER,
     "[\"s\",\"forget it\",{\"class\":\"Abandon\",\"sender\":\"bo\"}]", 1, 0},
    {"deliver: suspended", WORK "UPDATE sessions SET status = 'suspended';", DELIVER,
     "[\"s\",\"make it shorter\"]", 1, 0},
    {"deliver: archived",
     "SELECT session_deliver('s','hello');"
     "UPDATE sessions SET status = 'archived', archived_at = 1700000000000;",
     DELIVER, "[\"s\",\"write a poem\"]", 1, 0},
    {"deliver: archived, by an agent",
     "SELECT session_deliver('s','hello');"
     "UPDATE sessions SET status = 'archived', archived_at = 1700000000000;",
     DELIVER, "[\"s\",\"ping\",{\"source\":\"agent\"}]", 1, 0},
    {"deliver: archived, refused",
     "SELECT session_deliver('s','hello');SELECT turnstile_config('on_archived','reject');"
     "UPDATE sessions SET status = 'archived', archived_at = 1700000000000;",
     DELIVER, "[\"s\",\"write a poem\"]", 1, 0},
    {"deliver: by a timer", WORK, DELIVER, "[\"s\",\"tick\",{\"source\":\"timer\"}]", 1, 0},
    {"deliver: to a live run", LIVE_RUN, DELIVER, "[\"s\",\"make it shorter\"]", 1, 0},
    {"deliver: /compact", WORK, DELIVER, "[\"s\",\"/compact the charts\"]", 0, 0},
    {"deliver: Complete was left behind", COMPLETE, DELIVER, "[\"s\",\"write a poem\"]", 0, 0},
    {"deliver: superseded",
     WORK "SELECT session_start('t','other');"
          "UPDATE sessions SET superseded_by = 't' WHERE label = 's';",
     DELIVER, "[\"s\",\"make it shorter\"]", 0, 0},
    {"deliver: with an owner", WORK, DELIVER,
     "[\"s\",\"make it shorter\",{\"class\":\"Modification\",\"owner\":\"host\",\"sender\":\"a\","
     "\"message_id\":\"m1\"}]",
     0, 0},
    {"deliver: with an owner, who takes over", OWNED, DELIVER,
     "[\"s\",\"and log it\",{\"class\":\"Modification\",\"owner\":\"other\"}]", 1, 0},
    {"deliver: interrupts", OWNED, DELIVER, "[\"s\",\"no, five\",{\"class\":\"Modification\"}]", 0,
     0},
    {"deliver: steers", STEERED, DELIVER,
     "[\"s\",\"what?\",{\"class\":\"Clarification\",\"mode\":\"steer\"}]", 0, 0},
    {"deliver: the oldest is dropped", OWNED DROPPING "SELECT queue_push('s','one');", DELIVER,
     "[\"s\",\"two\",{\"class\":\"Modification\",\"mode\":\"queue\"}]", 0, 0},
    {"deliver: a live run is aborted, the task switched",
     STEERED "SELECT turnstile_config('new_task_policy','switch');", DELIVER,
     "[\"s\",\"build a shop\",{\"class\":\"NewTask\",\"owner\":\"other\"}]", 0, 0},
    {"deliver: abandon stops the workers", WORKERS, DELIVER,
     "[\"s\",\"forget it\",{\"class\":\"Abandon\"}]", 0, 0},

    {"deliver: by an envelope, a new session", NULL, DELIVER,
     "[null,\"write a poem\",{\"envelope\":{\"channel\":\"wa\",\"sender_id\":\"1\"}}]", 0, 0},
    {"deliver: by an envelope, to the primary", MERGED, DELIVER,
     "[null,\"make it three\",{\"envelope\":{\"channel\":\"wa\",\"sender_id\":\"1\"},"
     "\"class\":\"Modification\"}]",
     0, 0},

    /* Who writes, and what becomes of a session */
    {"link: before the first message", NULL, "identity_link", "[\"wa\",\"1\",\"rosa\"]", 0, 0},
    {"link: a merge", STRANGERS, "identity_link", "[\"wa\",\"1\",\"rosa\"]", 1, 0},
    {"link: to somebody else", MERGED, "identity_link", "[\"wa\",\"1\",\"bo\",{\"force\":1}]", 1,
     0},
    {"unlink: one that was merged", MERGED, "identity_unlink", "[\"wa\",\"1\"]", 1, 0},
    {"unlink: one without a session", MERGED, "identity_unlink", "[\"mail\",\"ann\"]", 1, 0},
    {"alias", STRANGERS, "session_alias", "[\"nick\",\"dm:rosa\"]", 0, 0},
    {"route", MERGED, "session_route", "[{\"channel\":\"wa\",\"sender_id\":\"1\"}]", 0, CASE_READ},
    {"resolve", MERGED, "resolve_session", "[\"nick\"]", 0, CASE_READ},
    {"archive: with force", TURN_AT_WORK, "session_archive",
     "[\"s\",{\"force\":1,\"reason\":\"old\"}]", 0, 0},
    {"archive: with force, nothing recorded", TURN_OF_INPUT, "session_archive",
     "[\"s\",{\"force\":1}]", 0, 0},
    {"unarchive", START "SELECT session_archive('s');", "session_unarchive", "[\"s\"]", 1, 0},
    {"resume", BLOCKED_ITEMS "SELECT session_suspend('s');", "session_resume", "[\"s\"]", 1, 0},
    {"fail", START, "session_fail", "[\"s\",\"the provider is gone\"]", 1, 0},
    {"reopen", BLOCKED_ITEMS "SELECT session_fail('s','again');", "session_reopen", "[\"s\"]", 1,
     0},
    {"a policy is added", NULL, NULL,
     "INSERT INTO session_policies(name,key_template) VALUES('all','{delivery.channel}')", 0, 0},

    /* A floor, and second opinions */
    {"deliver: a doubted message, the person is asked", WORK DOUBTS("prompt"), DELIVER,
     "[\"s\",\"hm the other one rather\"]", 1, 0},
    {"deliver: a doubted message, the host is asked", WORK DOUBTS("ask"), DELIVER,
     "[\"s\",\"hm the other one rather\",{\"message_id\":\"m1\"}]", 1, 0},
    {"classify: what was doubted", DOUBTED, "delivery_classify", "[2,\"Modification\"]", 1, 0},
    {"classify: the guess", DOUBTED, "delivery_classify", "[2,null,{\"owner\":\"host\"}]", 1, 0},
    {"classify: giving up", DOUBTED, "delivery_classify", "[2,\"Abandon\"]", 1, 0},
    {"classify: what was taken meanwhile", DOUBTED "SELECT turn_begin('s','host');",
     "delivery_classify", "[2,\"Abandon\"]", 1, 0},
    {"classify: in error", DOUBTED "SELECT session_fail('s','x');", "delivery_classify",
     "[2,\"Abandon\"]", 1, 0},
    {"classify: called off before",
     DOUBTED "SELECT queue_cancel((SELECT max(id) FROM session_queue));", "delivery_classify",
     "[2,\"Modification\"]", 1, 0},
    {"classify: decided before", DOUBTED "SELECT delivery_classify(2,'Modification');",
     "delivery_classify", "[2,\"Abandon\"]", 1, 0},

    {"correct", DOUBTED, "delivery_correct", "[2,\"Abandon\"]", 1, 0},
    {"correct: no longer", DOUBTED "SELECT delivery_correct(2,'Abandon');", "delivery_correct",
     "[2,null]", 1, 0},
    {"deliver: with corrections",
     WORK "SELECT session_deliver('s','and a chart');"
          "SELECT delivery_correct(1,'NewTask');",
     DELIVER, "[\"s\",\"And a chart!\"]", 1, 0},

    /* session_choose */
    {"choose: A", NEW_CHOICE, "session_choose", "[\"s\",\"A\"]", 1, 0},
    {"choose: what is over", NEW_CHOICE, "session_choose", "[\"s\",\"A\",{\"opened_at\":5}]", 1, 0},
    {"choose: continue", STALE_CHOICE, "session_choose", "[\"s\",\"continue\"]", 51, 0},

    /* The task's life */
    {"start: new session", NULL, "session_start", "[\"s\",\"write the report\"]", 0, 0},
    {"start: old session", SAVED_CHOICE, "session_start", "[\"s\",\"something else\"]", 251, 0},
    {"transition: to Running from None", "SELECT session_deliver('s','hello');",
     "session_transition", "[\"s\",\"Running\",{\"task\":\"write the report\"}]", 0, 0},
    {"transition: to AwaitingUser", WORK "SELECT session_deliver('s','shorter');",
     "session_transition", "[\"s\",\"AwaitingUser\",{\"question\":\"Which format?\"}]", 0, 0},
    {"transition: asking again", ASKING, "session_transition",
     "[\"s\",\"AwaitingUser\",{\"question\":\"PDF or HTML?\"}]", 1, 0},
    {"transition: to Interrupted", WORK, "session_transition",
     "[\"s\",\"Interrupted\",{\"user_message\":\"wait\"}]", 0, 0},
    {"transition: interrupted again", INTERRUPTED, "session_transition",
     "[\"s\",\"Interrupted\",{\"user_message\":\"really\"}]", 0, 0},
    {"transition: to Running from Interrupted", INTERRUPTED, "session_transition",
     "[\"s\",\"Running\"]", 0, 0},
    {"transition: to PendingComplete", WORK, "session_transition",
     "[\"s\",\"PendingComplete\",{\"summary\":\"All done\"}]", 0, 0},
    {"transition: to Complete", PENDING, "session_transition", "[\"s\",\"Complete\"]", 0, 0},
    {"transition: to Aborted", WORK, "session_transition",
     "[\"s\",\"Aborted\",{\"reason\":\"wrong idea\"}]", 0, 0},
    {"note", WORK, "session_note", "[\"s\",\"the second chart is missing\"]", 1, 0},
    {"observe: with content", WORK, "session_observe",
     "[\"s\",\"FileWrite\",\"{\\\"path\\\":\\\"a.md\\\"}\",\"a whole page of text\"]", 1, 0},
    {"observe: plain text", WORK, "session_observe", "[\"s\",\"Plan\",\"first this, then that\"]",
     1, 0},
    {"relate", WORK, "session_relate",
     "[\"s\",\"file:a.md\",\"Mentions\",\"note:1\",{\"weight\":0.5,\"evidence\":\"line 3\"}]", 0,
     0},
    {"flush", WORK "SELECT session_deliver('s','shorter');", "session_flush", "[\"s\"]", 0, 0},
    {"flush: of a kind", WORK, "session_flush", "[\"s\",\"Plan\"]", 0, 0},
    {"compact: Running", WORK "SELECT session_deliver('s','shorter');", "session_compact",
     "[\"s\",\"the report\"]", 1, 0},
    {"compact: with an open choice", NEW_CHOICE, "session_compact", "[\"s\"]", 1, 0},
    {"compact: PendingComplete", PENDING, "session_compact", "[\"s\"]", 1, 0},
    {"compact: Aborted", ABORTED, "session_compact", "[\"s\"]", 1, 0},
    {"compact: again", WORK "SELECT session_compact('s','the report');", "session_compact",
     "[\"s\",\"the report\"]", 1, 0},

    /* Coming back */
    {"recover: Running", WORK "SELECT session_deliver('s','shorter');", "session_recover",
     "[\"s\"]", 1, 0},
    {"recover: AwaitingUser", ASKING, "session_recover", "[\"s\"]", 1, 0},
    {"recover: Interrupted", INTERRUPTED, "session_recover", "[\"s\"]", 1, 0},
    {"recover: PendingComplete", PENDING, "session_recover", "[\"s\"]", 1, 0},
    {"recover: None", "SELECT session_deliver('s','thanks','{\"class\":\"Confirmation\"}');",
     "session_recover", "[\"s\"]", 1, 0},
    {"recover: stale choice", WORK, "session_recover", "[\"s\"]", 48, 0},
    {"recover: auto-save", NEW_CHOICE, "session_recover", "[\"s\"]", 240, 0},
    {"recover: Complete was left behind", COMPLETE, "session_recover", "[\"s\"]", 1, 0},
    {"recover: with a live run", PROCESSING, "session_recover", "[\"s\"]", 1, 0},
    {"recover: only a look", NEW_CHOICE, "session_recover", "[\"s\",{\"dry_run\":1}]", 240,
     CASE_READ},
    {"progress", ASKING, "session_progress", "[\"s\"]", 1, CASE_READ},
    {"state", ASKING, "session_state", "[\"s\"]", 1, CASE_READ},

    /* Processes and time */
    {"run: new", WORK, "session_run", "[\"s\",\"host\",\"starting\"]", 0, 0},
    {"run: moves", LIVE_RUN, "session_run",
     "[\"s\",\"host\",\"error\",\"{\\\"exit_code\\\":137}\"]", 0, 0},
    {"startup: of an owner", PROCESSING, "turnstile_startup", "[\"host\",{\"all\":1}]", 1, 0},
    {"startup: expired", PROCESSING, "turnstile_startup", "[]", 100, 0},
    {"startup: all", SWEEP_WORK, "turnstile_startup", "[null,{\"all\":1}]", 1, 0},
    {"startup: an input that no run has", PROCESSING LOST_RUN, "turnstile_startup", "[]", 1, 0},
    {"recover: an input that no run has", PROCESSING LOST_RUN, "session_recover", "[\"s\"]", 1, 0},
    {"sweep: an input that no run has", PROCESSING LOST_RUN, "session_sweep", "[]", 1, 0},
    {"sweep: every kind of work", SWEEP_WORK, "session_sweep", "[]", 1200, 0},
    {"sweep: in small batches", SWEEP_WORK, "session_sweep", "[{\"limit\":1}]", 1200, 0},
    {"sweep: dry run", SWEEP_WORK, "session_sweep", "[{\"dry_run\":1}]", 1200, 0},

    /* Settings */
    {"config: read", WORK, "turnstile_config", "[\"ask_threshold\"]", 0, CASE_READ},
    {"config: set", WORK, "turnstile_config", "[\"ask_threshold\",\"12h\"]", 0, 0},
    {"config: set names", WORK, "turnstile_config", "[\"names\",\"@Alma, bot\"]", 0, 0},
    {"config: set a text", WORK, "turnstile_config", "[\"text.acknowledge\",\"Fine.\"]", 0, 0},
    {"config: for a session", WORK, "turnstile_config",
     "[\"ask_threshold\",\"1h\",{\"session\":\"s\"}]", 0, 0},
    {"config: reset", "SELECT turnstile_config('ask_threshold','12h');", "turnstile_config",
     "[\"ask_threshold\",null,{\"reset\":1}]", 0, 0},

    /* Turns, whole ones */
    {"turn_append: new session", NULL, "turn_append",
     "[\"s\",[{\"role\":\"user\",\"content\":\"go\"},{\"role\":\"assistant\",\"content\":\"I "
     "go.\"}],"
     "{\"persona\":\"clerk\",\"model\":\"m\",\"usage\":{\"input_tokens\":5}}]",
     0, 0},
    {"turn_append: the answer to an earlier call", THREAD, "turn_append", "[\"s\"," ANSWERED "]", 1,
     0},
    {"turn_append: what was handed is taken up", WORK "SELECT session_deliver('s','shorter');",
     "turn_append", "[\"s\"," SAID ",{\"request_id\":\"r1\"}]", 0, 0},
    {"turn_append: elsewhere, in a new branch", FORKED, "turn_append",
     "[\"s\"," SAID ",{\"parent\":33554433}]", 0, 0},
    {"turn_append: a known external_id", THREAD, "turn_append",
     "[\"s\"," SAID ",{\"external_id\":\"x2\"}]", 0, 0},
    {"turn_append: an expired lease", TURN_AT_WORK, "turn_append", "[\"s\"," SAID "]", 1, 0},
    {"turn_append: archived", THREAD "UPDATE sessions SET status = 'archived', archived_at = 1;",
     "turn_append", "[\"s\"," SAID "]", 1, 0},

    /* A live turn */
    {"turn_begin: messages", THREAD, "turn_begin",
     "[\"s\",\"host\",{\"messages\":" ANSWERED ",\"lease\":\"1h\",\"external_id\":\"x3\"}]", 0, 0},
    {"turn_begin: from the queue", "SELECT session_deliver('s','write the report');", "turn_begin",
     "[\"s\",\"host\"]", 0, 0},
    {"turn_begin: takes over", TURN_AT_WORK, "turn_begin",
     "[\"s\",\"other\",{\"messages\":" SAID "}]", 1, 0},
    {"turn_begin: takes over, the input comes back", TURN_OF_INPUT, "turn_begin",
     "[\"s\",\"other\"]", 1, 0},
    {"turn_begin: all that is collected", WAITING, "turn_begin", "[\"s\",\"host\"]", 0, 0},
    {"turn_begin: what interrupted comes first", STEERED, "turn_begin", "[\"s\",\"other\"]", 1, 0},
    {"turn_steering", STEERED, "turn_steering", "[16777216,1]", 0, 0},
    {"turn_message", LIVE_TURN, "turn_message",
     "[16777218,1,{\"role\":\"assistant\",\"content\":\"I look.\",\"tool_calls\":[{\"id\":\"k3\","
     "\"name\":\"ls\"}]}]",
     0, 0},
    {"turn_tool_call", LIVE_TURN, "turn_tool_call", "[16777218,1,\"k3\",\"ls\",{\"dir\":\".\"}]", 0,
     0},
    {"turn_tool_result: its own call", TURN_AT_WORK, "turn_tool_result",
     "[16777218,1,\"k3\",\"a.c\"]", 0, 0},
    {"turn_tool_result: an earlier call", TURN_AT_WORK, "turn_tool_result",
     "[16777218,1,\"k1\",\"no\",{\"error\":1}]", 0, 0},
    {"turn_phase", TURN_AT_WORK, "turn_phase", "[16777218,1,\"streaming\"]", 0, 0},
    {"turn_heartbeat", TURN_AT_WORK, "turn_heartbeat", "[16777218,1,{\"lease\":\"20m\"}]", 0, 0},
    {"turn_complete", TURN_AT_WORK, "turn_complete",
     "[16777218,1,{\"content\":\"a.c\",\"messages\":" ANSWERED ",\"resume_cursor\":\"c2\","
     "\"usage\":{\"input_tokens\":5,\"output_tokens\":7}}]",
     0, 0},
    {"turn_complete: with an input", TURN_OF_INPUT, "turn_complete",
     "[16777216,1,{\"content\":\"x\"}]", 0, 0},
    {"turn_complete: with an outcome", OWNED, "turn_complete",
     "[16777216,1,{\"content\":\"Done.\",\"outcome\":\"done\",\"summary\":\"A report\"}]", 0, 0},
    {"turn_fail: it has recorded something", TURN_AT_WORK, "turn_fail",
     "[16777218,1,\"boom\",{\"usage\":{\"input_tokens\":5}}]", 0, 0},
    {"turn_fail: the input goes back", TURN_OF_INPUT, "turn_fail", "[16777216,1,\"boom\"]", 0, 0},
    {"turn_fail: and waits for its time", TURN_OF_INPUT, "turn_fail",
     "[16777216,1,\"429\",{\"retry_after\":\"30s\"}]", 0, 0},
    {"deliver: behind what waits for its time",
     TURN_OF_INPUT "SELECT turn_fail(16777216,1,'429','{\"retry_after\":\"30s\"}');",
     "session_deliver", "[\"s\",\"and log each\",{\"class\":\"Modification\"}]", 0, 0},
    {"queue_retry: what waits for its time",
     TURN_OF_INPUT "SELECT turn_fail(16777216,1,'429','{\"retry_after\":\"30s\"}');", "queue_retry",
     "[1]", 0, 0},
    {"turn_abort: kept", TURN_AT_WORK, "turn_abort", "[16777218,1,\"enough\"]", 0, 0},
    {"turn_abort: requeued", TURN_AT_WORK, "turn_abort", "[16777218,1,\"enough\",{\"requeue\":1}]",
     0, 0},
    {"turn_abort: not kept", TURN_AT_WORK, "turn_abort",
     "[16777218,1,\"enough\",{\"keep\":0,\"resume_cursor\":\"t\"}]", 0, 0},
    {"startup: of a turn's owner", TURN_AT_WORK, "turnstile_startup", "[\"host\",{\"all\":1}]", 0,
     0},
    {"sweep: an expired turn", TURN_OF_INPUT, "session_sweep", "[]", 1, 0},

    /* The queue and workers */
    {"queue_push: new session", NULL, "queue_push",
     "[\"s\",\"nightly report\",{\"source\":\"timer\",\"message_id\":\"n1\",\"channel\":\"cron\","
     "\"mode\":\"collect\"}]",
     0, 0},
    {"queue_push: the oldest is dropped", WAITING DROPPING, "queue_push", "[\"s\",\"four\"]", 0, 0},
    {"queue_cancel", WAITING, "queue_cancel", "[2]", 0, 0},
    {"queue_cancel: one of two that interrupted",
     TURN_OF_INPUT "SELECT session_deliver('s','no, five','{\"class\":\"Modification\"}');"
                   "SELECT session_deliver('s','no, six','{\"class\":\"Modification\"}');",
     "queue_cancel", "[2]", 0, 0},
    {"queue_retry", FAILED_INPUT, "queue_retry", "[1]", 0, 0},
    {"queue_retry: of who was unlinked",
     "SELECT identity_link('wa','1','ann'), session_start('dm:ann','x');"
     "SELECT queue_push('dm:ann','one','{\"channel\":\"wa\",\"sender\":\"1\"}');"
     "SELECT queue_cancel(1), identity_unlink('wa','1');",
     "queue_retry", "[1]", 0, 0},
    {"queue_front", WAITING, "queue_front", "[3]", 0, 0},
    {"session_spawn: by a tool call", TURN_AT_WORK, "session_spawn",
     "[\"s\",\"find the callers\",{\"tool_call_id\":\"k3\",\"persona\":\"p\"}]", 0, 0},
    {"session_report: completed", WORKERS, "session_report",
     "[\"v\",\"completed\",\"there are none\"]", 1, 0},
    {"session_report: failed, and its worker stops", WORKERS, "session_report",
     "[\"w\",\"failed\",\"there are none\"]", 0, 0},
    {"session_report: again", WORKERS "SELECT session_report('v','completed','none');",
     "session_report", "[\"v\",\"completed\",\"none\"]", 1, 0},
    {"session_report: too late",
     WORKERS "SELECT session_transition('v','Aborted','{\"reason\":\"no\"}');", "session_report",
     "[\"v\",\"completed\",\"none\"]", 1, 0},
    {"session_report: of another task",
     WORKERS "SELECT session_compact('v');SELECT session_start('v','look again');",
     "session_report", "[\"v\",\"completed\",\"none\",{\"task_id\":3}]", 1, 0},
    {"session_spawn: with a timeout", WORK, "session_spawn",
     "[\"s\",\"find the callers\",{\"timeout\":\"5m\"}]", 0, 0},
    {"session_sweep: a worker's time is up",
     WORKERS "UPDATE sessions SET deadline = 1 WHERE label = 'w';", "session_sweep", "[]", 1, 0},
    {"startup: a worker's time is up",
     WORKERS "UPDATE sessions SET deadline = 1 WHERE label = 'w';", "turnstile_startup", "[]", 1,
     0},
    {"turn_begin: a worker's time is up",
     WORKERS "UPDATE sessions SET deadline = 1 WHERE label = 'w';", "turn_begin",
     "[\"s\",\"host\"]", 1, 0},
    {"turn_fail: a worker can't go on", WORKERS, "turn_fail", "[16777216,1,\"boom\"]", 0, 0},
    {"turn_complete: a worker asks", WORKERS, "turn_complete",
     "[16777216,1,{\"content\":\"Which?\",\"outcome\":\"question\"}]", 0, 0},
    {"session_fail: of a worker", WORKERS, "session_fail", "[\"v\",\"no credit\"]", 1, 0},
    {"session_deliver: a parent answers its worker",
     WORKERS "SELECT session_transition('v','AwaitingUser','{\"question\":\"Which?\"}');",
     "session_deliver", "[\"v\",\"the first\",{\"source\":\"agent\",\"sender\":\"w\"}]", 1, 0},
    {"session_deliver: a parent answers a worker that was saved",
     WORKERS "SELECT session_transition('v','AwaitingUser','{\"question\":\"Which?\"}');"
             "SELECT session_sweep('{\"now\":1800691200000}');",
     "session_deliver", "[\"v\",\"the first\",{\"source\":\"agent\",\"sender\":\"w\"}]", 1, 0},
    {"session_deliver: a worker's second task has its time",
     WORKERS "SELECT session_spawn('s','and the docs','{\"label\":\"x\",\"timeout\":\"5m\"}');"
             "SELECT session_report('x','completed','none');",
     "session_deliver", "[\"x\",\"the pages\",{\"source\":\"agent\",\"sender\":\"s\"}]", 1, 0},
    {"turn_begin: a worker's time is of a clock that was ahead",
     WORKERS "UPDATE sessions SET deadline = 9000000000000, timeout = 60000 WHERE label = 'w';",
     "turn_begin", "[\"s\",\"host\"]", 1, 0},
    {"session_transition: a press on what is asked no more",
     WORKERS
     "SELECT "
     "session_transition('v','AwaitingUser','{\"question\":\"?\",\"asked_at\":1700000000000}');"
     "SELECT turn_begin('v','host');"
     "SELECT session_deliver('v','five','{\"asked_at\":1700000000000,\"mode\":\"interrupt\"}');",
     "session_transition", "[\"v\",\"Running\"]", 1, 0},
    {"session_stop", TURN_AT_WORK, "session_stop", "[\"s\",16777218,\"enough\"]", 0, 0},
    {"run: its token ends the turn", TURN_AT_WORK, "session_run",
     "[\"s\",\"host\",\"idle\",null,{\"token\":1}]", 0, 0},

    /* The tree */
    {"turn_compact: by turns", FORKED, "turn_compact",
     "[\"f\",\"They talked.\",{\"keep_turns\":1,\"focus\":\"files\",\"metadata\":{\"n\":1},"
     "\"usage\":{\"input_tokens\":5}}]",
     0, 0},
    {"turn_compact: by tokens, a result moves the cut",
     THREAD "SELECT turn_append('s','" ANSWERED "');", "turn_compact",
     "[\"s\",\"They talked.\",{\"keep_tokens\":6}]", 0, 0},
    {"turn_compact: for the running turn", TURN_AT_WORK, "turn_compact",
     "[\"s\",\"They talked.\",{\"turn\":16777218,\"token\":1,\"trigger\":\"overflow_recovery\","
     "\"keep_turns\":1}]",
     0, 0},
    {"turn_compact: through the running turn", TURN_AT_WORK, "turn_compact",
     "[\"s\",\"They talked.\",{\"turn\":16777218,\"token\":1,\"trigger\":\"overflow_recovery\","
     "\"summarized_through_turn_id\":16777218}]",
     0, 0},
    {"turn_compact: how far it goes", THREAD, "turn_compact",
     "[\"s\",\"They talked.\",{\"summarized_through_turn_id\":16777216,\"model_limit\":8000}]", 0,
     0},
    {"turn_compact: from elsewhere", THREAD, "turn_compact",
     "[\"s\",\"They talked.\",{\"external_id\":\"c1\",\"started_at\":5,\"parent\":16777216}]", 0,
     0},
    {"turn_compact_begin", THREAD, "turn_compact_begin", "[\"s\",\"host\"]", 0, 0},
    {"turn_compact_begin: the user asked for it", THREAD "SELECT session_deliver('s','/compact');",
     "turn_compact_begin", "[\"s\",\"host\",{\"lease\":\"1h\"}]", 0, 0},
    {"turn_compact: what was begun", THREAD "SELECT turn_compact_begin('s','host');",
     "turn_compact", "[\"s\",\"They talked.\",{\"keep_turns\":0,\"turn\":16777218,\"token\":1}]", 0,
     0},
    {"turn_complete: of a compaction", THREAD "SELECT turn_compact_begin('s','host');",
     "turn_complete", "[16777218,1]", 0, 0},
    {"session_fork", FORKED, "session_fork", "[33554434]", 0, 0},
    {"session_fork: with a label", FORKED, "session_fork", "[16777217,\"h\",{\"persona\":\"p\"}]",
     0, 0},
    {"session_rewind", FORKED, "session_rewind", "[\"g\",16777216]", 0, 0},
    {"session_rewind: the task goes along, a worker is stopped", UNDOING, "session_rewind",
     "[\"s\",16777217]", 0, 0},
    {"session_rewind: before the first turn", UNDOING, "session_rewind", "[\"s\",null]", 0, 0},
    {"session_rewind: forward, a task is picked up", UNDOING "SELECT session_rewind('s',NULL);",
     "session_rewind", "[\"s\",16777218]", 0, 0},
    {"session_delete: turns that another one has too", FORKED, "session_delete", "[\"s\"]", 0, 0},
    {"session_delete: a fork in the middle", FORKED, "session_delete", "[\"f\"]", 0, 0},
    {"session_delete: everything that a session can have", COMPACTED TO_DELETE, "session_delete",
     "[\"s\",{\"force\":1}]", 0, 0},
    {"session_delete: a live turn with a compaction beside it",
     TURN_AT_WORK "SELECT turn_compact('s','They talked.','{\"turn\":16777218,\"token\":1}');",
     "session_delete", "[\"s\",{\"force\":1}]", 0, 0},
    {"session_delete: dry", COMPACTED TO_DELETE, "session_delete", "[\"s\",{\"dry_run\":1}]", 0, 0},
    {"session_export", COMPACTED TO_DELETE, "session_export", "[\"s\"]", 0, CASE_READ},
    {"session_export: with a live turn", TURN_AT_WORK, "session_export", "[\"s\"]", 0, CASE_READ},
    {"session_import: where it was deleted",
     COMPACTED TO_DELETE EXPORTED "SELECT session_delete('s','{\"force\":1}');", NULL, IMPORT(""),
     0, 0},
    {"session_import: under another label", FORKED WORK EXPORTED, NULL,
     IMPORT(",json_object('as','b')"), 0, 0},
    {"session_import: in the place of another",
     COMPACTED WORK EXPORTED "SELECT session_note('s','more');", NULL,
     IMPORT(",json_object('replace',1)"), 0, 0},
    {"session_import: what is there",
     COMPACTED WORK EXPORTED
     "SELECT session_delete('s');INSERT INTO turnstile(command,args) SELECT 'session_import',"
     "json_array(j) FROM kept;",
     NULL, IMPORT(",json_object('replace',1)"), 0, 0},
    {"turn_ancestor", FORKED, "turn_ancestor", "[50331650,0]", 0, CASE_READ},
    {"turn_common_ancestor", FORKED, "turn_common_ancestor", "[50331650,16777217]", 0, CASE_READ},
    {"turn_is_ancestor", FORKED, "turn_is_ancestor", "[33554433,50331650]", 0, CASE_READ},
    {"session_usage", COMPACTED, "session_usage", "[\"s\"]", 0, CASE_READ},
    {"session_diagram", TURN_AT_WORK, "session_diagram", "[\"s\"]", 0, CASE_READ},
    {"session_diagram: a compaction, as dot", COMPACTED, "session_diagram", "[\"s\",\"dot\"]", 0,
     CASE_READ},
    {"session_diagram: forks, as text", FORKED, "session_diagram", "[\"s\",\"text\",{\"turns\":2}]",
     0, CASE_READ},
    {"session_diagram: a task without turns", ASKING, "session_diagram", "[\"s\"]", 0, CASE_READ},
    {"session_needs_compaction", TURN_AT_WORK, "session_needs_compaction", "[\"s\",20,3]", 0,
     CASE_READ},

    /* What no other case comes to (faults statements) */
    {"begin: a press that waited, and settles nothing",
     NEW_CHOICE "SELECT session_fail('s','gone');SELECT session_deliver('s','zorglub',json_object("
                "'opened_at',pending_choice->'$.opened_at')) FROM sessions WHERE label = 's';"
                "SELECT session_reopen('s');",
     "turn_begin", "[\"s\",\"host\"]", 1, 0},
    {"deliver: a press that comes twice",
     WORK
     "SELECT "
     "session_transition('s','AwaitingUser','{\"question\":\"Which?\",\"asked_at\":1700000000000}')"
     ";SELECT session_deliver('s','PDF','{\"class\":\"Response\",\"asked_at\":1700000000000}');",
     "session_deliver", "[\"s\",\"PDF\",{\"asked_at\":1700000000000}]", 1, 0},
    {"deliver: more settings than are kept",
     WORK "INSERT INTO turnstile_config(key,session_label,value) WITH RECURSIVE n(i) AS (VALUES(1) "
          "UNION ALL SELECT i+1 FROM n WHERE i<300) SELECT 'text.x'||i,'','x' FROM n;",
     "session_deliver", "[\"s\",\"make it shorter\"]", 0, 0},
    {"deliver: a message of a session that was deleted",
     "SELECT session_deliver('s','write it','{\"message_id\":\"m1\"}'), session_delete('s');",
     "session_deliver", "[\"s\",\"write it\",{\"message_id\":\"m1\"}]", 1, 0},
    {"session_delete: what was sent to it",
     "SELECT session_deliver('s','write it','{\"message_id\":\"m1\"}');", "session_delete",
     "[\"s\",{\"force\":1}]", 1, 0},
    {"sweep: ids of deleted messages are over",
     "SELECT session_deliver('s','write it','{\"message_id\":\"m1\"}'), session_delete('s');SELECT "
     "session_start('t','x');",
     "session_sweep", "[]", 2000, 0},
    {"sweep: a clock was ahead",
     WORK
     "SELECT session_deliver('s','shorter','{\"request_id\":\"r\",\"now\":1800000000000}');SELECT "
     "session_start('t','x','{\"now\":1800000000000}');",
     "session_sweep", "[]", 1, 0},
    {"deliver: ids of what was deleted are not given out", GONE, "session_deliver",
     "[\"t\",\"write the report\",{\"message_id\":\"m1\"}]", 1, 0},
    {"observe: ids of what was deleted", GONE "SELECT session_start('t','x');", "session_observe",
     "[\"t\",\"FileWrite\",\"a.md\",\"text\"]", 1, 0},
    {"relate: ids of what was deleted", GONE "SELECT session_start('t','x');", "session_relate",
     "[\"t\",\"file:a.md\",\"Mentions\",\"file:b.md\"]", 1, 0},
    {"compact: ids of what was deleted",
     GONE "SELECT session_start('t','x');SELECT session_note('t','n');", "session_compact",
     "[\"t\",\"done\"]", 1, 0},
    {"turn_append: ids of what was deleted", GONE, "turn_append",
     "[\"t\",[{\"role\":\"user\",\"content\":\"go\"}]]", 1, 0},
    {"session_export: an input in work, and a commit",
     COMPLETE "SELECT session_compact('s');SELECT session_deliver('s','write a "
              "poem','{\"class\":\"NewTask\"}');SELECT turn_begin('s','host');",
     "session_export", "[\"s\"]", 0, CASE_READ},
    {"session_import: with a turn that had begun", TURN_AT_WORK EXPORTED, NULL,
     IMPORT(",json_object('as','b')"), 0, 0},
    {"session_import: relations",
     WORK "SELECT session_relate('s','file:a.md','Mentions','file:b.md');" EXPORTED, NULL,
     IMPORT(",json_object('as','b')"), 0, 0},
    {"link: again, with an envelope", MERGED, "identity_link",
     "[\"wa\",\"1\",\"rosa\",{\"envelope\":{\"thread_id\":\"7\"}}]", 1, 0},
    {"link: a session is adopted",
     "INSERT INTO session_policies(name,priority,key_template,persona_id) "
     "VALUES('wa',1,'wa:{delivery.sender_id}','clerk');SELECT session_start('wa:1','x');",
     "identity_link", "[\"wa\",\"1\",\"rosa\"]", 1, 0},
    {"deliver: by an envelope, after the policies have changed",
     MERGED
     "INSERT INTO session_policies(name,key_template) VALUES('all','all:{principal.entity_id}');",
     "session_deliver",
     "[null,\"three\",{\"class\":\"Modification\",\"envelope\":{\"channel\":\"wa\",\"sender_id\":"
     "\"1\"}}]",
     1, 0},
    {"deliver: by an envelope, a further key", MERGED, "session_deliver",
     "[null,\"three\",{\"class\":\"Modification\",\"envelope\":{\"channel\":\"wa\",\"sender_id\":"
     "\"1\",\"thread_id\":\"7\"}}]",
     1, 0},
    {"unlink: a turn has the sender's input",
     "SELECT identity_link('wa','1','ann'), identity_link('tg','2','ann');SELECT "
     "session_deliver(NULL,'go','{\"class\":\"NewTask\",\"envelope\":{\"channel\":\"wa\",\"sender_"
     "id\":\"1\"}}');SELECT session_deliver(NULL,'and "
     "log','{\"class\":\"Modification\",\"mode\":\"collect\",\"envelope\":{\"channel\":\"tg\","
     "\"sender_id\":\"2\"}}');SELECT turn_begin('dm:ann','host');",
     "identity_unlink", "[\"wa\",\"1\"]", 1, 0},
    {"unlink: a turn with the sender's input is at work",
     "SELECT identity_link('wa','1','ann');SELECT "
     "session_deliver(NULL,'go','{\"class\":\"NewTask\",\"envelope\":{\"channel\":\"wa\",\"sender_"
     "id\":\"1\"}}');SELECT turn_begin('dm:ann','host');SELECT "
     "turn_message(16777216,1,'{\"role\":\"assistant\",\"content\":\"I look.\"}');",
     "identity_unlink", "[\"wa\",\"1\"]", 1, 0},
    {"unlink: a failed input goes along",
     "SELECT identity_link('wa','1','ann');SELECT "
     "session_deliver(NULL,'go','{\"class\":\"NewTask\",\"envelope\":{\"channel\":\"wa\",\"sender_"
     "id\":\"1\"}}');SELECT turn_begin('dm:ann','host');SELECT "
     "turn_tool_call(16777216,1,'k','ls');SELECT turn_fail(16777216,1,'boom');",
     "identity_unlink", "[\"wa\",\"1\"]", 1, 0},
    {"deliver: the queue is full, and something is asked",
     ASKING "SELECT turnstile_config('queue_cap',1);SELECT "
            "turn_begin('s','host','{\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}');"
            "SELECT queue_push('s','one','{\"source\":\"timer\"}');",
     "session_deliver", "[\"s\",\"tick\",{\"source\":\"timer\"}]", 0, 0},
    {"config: a session's host keeps turns", WORK "SELECT session_deliver('s','shorter');",
     "turnstile_config", "[\"keeps_turns\",0,{\"session\":\"s\"}]", 0, 0},
    {"config: all hosts keep turns", WORK "SELECT session_deliver('s','shorter');",
     "turnstile_config", "[\"keeps_turns\",0]", 0, 0},
    {"flush: what was handed is taken up",
     WORK "SELECT session_deliver('s','shorter');SELECT turnstile_config('keeps_turns',0);",
     "session_flush", "[\"s\"]", 0, 0},
    {"turn_append: an input's own words", WORK "SELECT session_deliver('s','shorter');",
     "turn_append", "[\"s\",[{\"role\":\"user\",\"content\":\"shorter\"}]]", 0, 0},
    {"turn_steering: what waits can't steer",
     STEERED "SELECT queue_push('s','/compact','{\"source\":\"webhook\"}');UPDATE session_queue "
             "SET mode = 'steer' WHERE message = '/compact';",
     "turn_steering", "[16777216,1]", 0, 0},
    {"stale_sessions: of one", SWEEP_WORK, NULL,
     "SELECT group_concat(label||band||idle_ms) FROM stale_sessions WHERE label = 'stale' AND "
     "include_fresh = 1",
     300, CASE_READ},
    {"turn_begin: the run's row is gone", TURN_OF_INPUT LOST_RUN, "turn_begin", "[\"s\",\"host\"]",
     1, CASE_DAMAGED},
    {"deliver: long after a task was saved",
     WORK "SELECT session_sweep('{\"now\":1700864000000}');", "session_deliver",
     "[\"s\",\"and log\",{\"class\":\"Modification\"}]", 400, 0},
    {"turn_append: once more, with calls", THREAD_X, "turn_append",
     "[\"t\",[{\"role\":\"user\",\"content\":\"go\"},{\"role\":\"assistant\",\"content\":\"I "
     "look.\",\"tool_calls\":[{\"id\":\"k1\",\"name\":\"ls\",\"params\":{\"a\":1}},{\"id\":\"k2\","
     "\"name\":\"cat\",\"result\":\"text\"}]},{\"role\":\"tool\",\"tool_call_id\":\"k1\","
     "\"content\":\"a\"},{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"k3\",\"name\":\"ls\","
     "\"error\":\"no\"}]}],{\"external_id\":\"x\"}]",
     0, 0},
    {"turn_compact: once more",
     THREAD "SELECT turn_compact('s','They talked.','{\"keep_turns\":1,\"external_id\":\"c\"}');",
     "turn_compact", "[\"s\",\"They talked.\",{\"keep_turns\":1,\"external_id\":\"c\"}]", 0, 0},
    {"turn_tool_result: to the run that goes on",
     TURN_AT_WORK
     "SELECT turn_fail(16777218,1,'boom');SELECT "
     "turn_begin('s','host','{\"messages\":[{\"role\":\"user\",\"content\":\"on\"}]}');",
     "turn_tool_result", "[16777218,1,\"k3\",\"a.c\"]", 0, 0},
    {"turn_tool_result: too late, in words",
     WORK TURN_AT_WORK "SELECT turn_fail(16777218,1,'boom');SELECT "
                       "turn_append('s','[{\"role\":\"user\",\"content\":\"on\"}]');",
     "turn_tool_result", "[16777218,1,\"k3\",\"a.c\"]", 0, 0},
    {"turn_tool_result: once more",
     WORK TURN_AT_WORK "SELECT turn_fail(16777218,1,'boom');SELECT "
                       "turn_append('s','[{\"role\":\"user\",\"content\":\"on\"}]');SELECT "
                       "turn_tool_result(16777218,1,'k3','a.c');",
     "turn_tool_result", "[16777218,1,\"k3\",\"a.c\"]", 0, 0},
    {"queue_retry: a result that is told",
     WORK TURN_AT_WORK "SELECT turn_fail(16777218,1,'boom');SELECT "
                       "turn_append('s','[{\"role\":\"user\",\"content\":\"on\"}]');SELECT "
                       "turn_tool_result(16777218,1,'k3','a.c');SELECT "
                       "queue_cancel((SELECT max(id) FROM session_queue));",
     "queue_retry", "[1]", 0, 0},
    {"turn_tool_result: behind a summary",
     WORK TURN_AT_WORK
     "SELECT turn_fail(16777218,1,'boom');SELECT "
     "turn_compact('s','They talked.','{\"summarized_through_turn_id\":16777218}');",
     "turn_tool_result", "[16777218,1,\"k3\",\"a.c\"]", 0, 0},
    {"turn_append: a result that an input has told",
     WORK TURN_AT_WORK
     "SELECT turn_abort(16777218,1,'enough');SELECT "
     "turn_begin('s','host','{\"messages\":[{\"role\":\"user\",\"content\":\"on\"}]}');SELECT "
     "turn_tool_result(16777218,1,'k3','a.c');SELECT turn_complete(turn_id,token,'{}') FROM "
     "session_runs WHERE session_label='s';",
     "turn_append",
     "[\"s\",[{\"role\":\"tool\",\"tool_call_id\":\"k3\",\"content\":\"a.c\"},{\"role\":\"user\","
     "\"content\":\"go\"}]]",
     0, 0},
    {"session_context: results come late",
     THREAD
     "SELECT "
     "turn_append('s','[{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"k3\",\"name\":\"a\"},{"
     "\"id\":\"k4\",\"name\":\"b\"}]}]');SELECT "
     "turn_append('s','[{\"role\":\"tool\",\"tool_call_id\":\"k3\",\"content\":\"late\"}]');SELECT "
     "turn_append('s','[{\"role\":\"tool\",\"tool_call_id\":\"k4\",\"content\":\"later\"}]');",
     NULL, "SELECT group_concat(kind||role||content) FROM session_context('s')", 0, CASE_READ},
    {"turn_compact: an own call stands open",
     TURN_OF_INPUT "SELECT turn_message(16777216,1,'{\"role\":\"assistant\",\"content\":\"I "
                   "look.\",\"metadata\":{\"n\":1}}');",
     "turn_compact",
     "[\"s\",\"They "
     "talked.\",{\"turn\":16777216,\"token\":1,\"trigger\":\"overflow_recovery\",\"summarized_"
     "through_turn_id\":16777216}]",
     0, 0},
    {"turn_begin: its messages repeat an input",
     TURN_OF_INPUT "SELECT turn_tool_call(16777216,1,'k','ls');SELECT "
                   "turn_fail(16777216,1,'e');SELECT queue_retry(1);",
     "turn_begin",
     "[\"s\",\"host\",{\"messages\":[{\"role\":\"user\",\"content\":\"write the report\"}]}]", 0,
     0},
    {"session_diagram: an old task",
     WORK "SELECT turn_append('s','[{\"role\":\"user\",\"content\":\"a\"}]');SELECT "
          "session_compact('s');SELECT session_start('s','next');SELECT "
          "turn_append('s','[{\"role\":\"user\",\"content\":\"b\"}]');SELECT "
          "session_compact('s');SELECT session_start('s','last');",
     "session_diagram", "[\"s\",\"text\",{\"turns\":1}]", 0, CASE_READ},
    {"run: a worker is left with what it said", LEFT, "session_run", "[\"v\",\"host\",\"idle\"]", 1,
     0},
    {"startup: a worker is left", LEFT, "turnstile_startup", "[\"host\",{\"all\":1}]", 1, 0},
    {"sweep: a worker is left", LEFT, "session_sweep", "[]", 300, 0},
    {"session_rewind: a worker's question was heard", HEARD_QUESTION, "session_rewind",
     "[\"s\",16777216]", 1, 0},
    {"session_rewind: a worker was answered",
     HEARD_QUESTION
     "SELECT session_deliver('w','there','{\"source\":\"agent\",\"sender\":\"s\"}');",
     "session_rewind", "[\"s\",16777216]", 1, 0},
    {"session_rewind: a second report goes, the first waits", SECOND_REPORT, "session_rewind",
     "[\"s\",16777216]", 1, 0},
    {"session_rewind: forward, what was heard",
     HEARD_QUESTION "SELECT session_rewind('s',16777216);", "session_rewind", "[\"s\",16777217]", 1,
     0},
    {"session_rewind: back again over what was picked up",
     UNDOING "SELECT session_rewind('s',NULL);SELECT session_rewind('s',16777218);",
     "session_rewind", "[\"s\",null]", 1, 0},
    {"session_rewind: what failed beside the path",
     FAILED_INPUT "SELECT turn_append('s','[{\"role\":\"user\",\"content\":\"go\"}]',"
                  "'{\"parent\":null}');",
     "session_rewind", "[\"s\",null]", 1, 0},
    {"session_rewind: what waits was an answer",
     WORK "SELECT session_deliver('s','a','{\"class\":\"Modification\"}');SELECT "
          "turn_append('s','[{\"role\":\"user\",\"content\":\"a\"}]');SELECT "
          "session_transition('s','AwaitingUser','{\"question\":\"Which?\"}');SELECT "
          "session_deliver('s','b','{\"class\":\"Response\"}');",
     "session_rewind", "[\"s\",16777216]", 1, 0},
    {"turn_begin: a worker that an undo has stopped",
     WORK "SELECT turn_append('s','[{\"role\":\"user\",\"content\":\"go\"}]');SELECT "
          "session_spawn('s','dig','{\"label\":\"w\"}');SELECT session_deliver('s','go "
          "on','{\"class\":\"Modification\"}');SELECT "
          "turn_append('s','[{\"role\":\"user\",\"content\":\"go on\"}]');SELECT "
          "session_transition('w','AwaitingUser','{\"question\":\"Where?\"}');SELECT "
          "session_rewind('s',NULL);SELECT "
          "queue_push('w','there','{\"source\":\"agent\",\"sender\":\"s\"}');",
     "turn_begin", "[\"w\",\"host\"]", 1, 0},
    {"compact: what a choice held stands behind what interrupts",
     WORK
     "SELECT turn_begin('s','c','{\"messages\":[{\"role\":\"user\",\"content\":\"go\"}]}');SELECT "
     "session_deliver('s','tick','{\"source\":\"timer\"}');SELECT session_deliver('s','make it "
     "five','{\"class\":\"Modification\",\"mode\":\"queue\"}');SELECT queue_front(2);SELECT "
     "session_deliver('s','build a shop','{\"class\":\"NewTask\"}');SELECT "
     "session_deliver('s','tock','{\"source\":\"timer\"}');",
     "session_compact", "[\"s\",\"done\"]", 0, 0},
    {"session_delete: inputs of others go home", TWO_SENDERS, "session_delete",
     "[\"dm:e:1\",{\"force\":1}]", 1, 0},
    {"session_delete: inputs of others, in a turn",
     TWO_SENDERS
     "SELECT turn_begin('dm:e:1','w');SELECT turn_message((SELECT turn_id FROM session_runs WHERE "
     "turn_id IS NOT NULL),1,'{\"role\":\"assistant\",\"content\":\"hm\"}');",
     "session_delete", "[\"dm:e:1\",{\"force\":1}]", 0, 0},
    {"unlink: the primary leaves", MERGED "SELECT session_alias('rose','dm:rosa');",
     "identity_unlink", "[\"mail\",\"ann\"]", 1, 0},
    {"link: a further key",
     "SELECT identity_link('y3','u','yves'), identity_link('y4','u','yves');INSERT INTO "
     "session_policies(priority,name,\"match\",key_template,persona_id) VALUES "
     "(8,'y3','{\"principal\":{\"type\":\"known\"},\"delivery\":{\"channel\":\"y3\"}}','dm:{"
     "principal.entity_id}','clerk');",
     "identity_link", "[\"y5\",\"u\",\"yves\"]", 1, 0},
    {"deliver: a further key", "SELECT identity_link('w3','a','win');", "session_deliver",
     "[null,\"in thread "
     "7\",{\"class\":\"Modification\",\"envelope\":{\"channel\":\"w3\",\"sender_id\":\"a\","
     "\"thread_id\":7}}]",
     1, 0},
    {"turn_fail: long after the last use", TURN_OF_INPUT, "turn_fail",
     "[16777216,1,\"429\",{\"retry_after\":\"30s\"}]", 20, 0},
    {"session_import: a document of version 1", NULL, NULL, IMPORT(""), 0, CASE_DOCUMENT},
    {"turn_compact: a host's own message, which repeats",
     THREAD "SELECT session_deliver('s','paint it');SELECT "
            "turn_begin('s','host','{\"messages\":[{\"role\":\"user\",\"content\":\"paint "
            "it\",\"metadata\":{\"at\":\"09:30\"}}]}');SELECT "
            "turn_message(16777218,1,'{\"role\":\"assistant\",\"content\":\"I look.\"}');",
     "turn_compact",
     "[\"s\",\"They "
     "talked.\",{\"turn\":16777218,\"token\":1,\"trigger\":\"overflow_recovery\",\"summarized_"
     "through_turn_id\":16777218}]",
     0, 0},
    {"turn_compact: a result stands over the cut",
     THREAD
     "SELECT "
     "turn_append('s','[{\"role\":\"tool\",\"tool_call_id\":\"k1\",\"content\":\"late\"}]');",
     "turn_compact", "[\"s\",\"They talked.\",{\"keep_turns\":1}]", 0, 0},
    {"session_report: of a task that was saved",
     WORKERS "SELECT session_transition('v','AwaitingUser','{\"question\":\"Which?\"}');SELECT "
             "session_sweep('{\"now\":1800691200000}');",
     "session_report", "[\"v\",\"completed\",\"none\"]", 1, 0},
    {"startup: a worker is left, its task has ended",
     LEFT "SELECT session_compact('v','summed up');", "turnstile_startup", "[\"host\",{\"all\":1}]",
     1, 0},
    {"unlink: the primary's own session leaves",
     TWO_SENDERS "SELECT session_alias('home','dm:e:1');SELECT turn_begin('dm:e:1','w');",
     "identity_unlink", "[\"e\",\"1\"]", 0, 0},
    {"session_delete: deliveries of others go home",
     TWO_SENDERS
     "SELECT session_deliver(NULL,'of f, "
     "later','{\"class\":\"Modification\",\"envelope\":{\"channel\":\"f\",\"sender_id\":\"1\"}}');",
     "session_delete", "[\"dm:e:1\",{\"force\":1}]", 0, 0},
    {"session_export: a decision's input is elsewhere", MERGED, "session_export", "[\"dm:rosa\"]",
     0, CASE_READ},
    {"session_export: a decision names no input",
     WORK "SELECT session_deliver('s','shorter');INSERT INTO turnstile_meta "
          "VALUES('unguarded',1);UPDATE deliveries SET decision = "
          "json_set(decision,'$.queue_id',99);DELETE FROM turnstile_meta WHERE key='unguarded';",
     "session_export", "[\"s\"]", 0, CASE_READ},
    {"session_export: a session that was merged", MERGED, "session_export", "[\"dm:wa:1\"]", 0,
     CASE_READ},
    {"turn_begin: the words of an input that was shown",
     TURN_OF_INPUT
     "SELECT turn_tool_call(16777216,1,'k','ls');SELECT turn_fail(16777216,1,'e');SELECT "
     "queue_retry(1);SELECT session_deliver('s','and log it','{\"class\":\"Modification\"}');",
     "turn_begin",
     "[\"s\",\"host\",{\"messages\":[{\"role\":\"user\",\"content\":\"write the "
     "report\",\"metadata\":{\"queue_id\":1}},{\"role\":\"user\",\"content\":\"and log it\"}]}]",
     0, 0},

    /* Options that no case above gives (tests/suites/options.py) */
    {"turn_append: what it can be told", NULL, "turn_append",
     "[\"s\"," SAID ",{\"source\":\"agent\",\"model\":\"m\",\"provider\":\"p\",\"tokens\":9,"
     "\"resume_cursor\":\"c\",\"started_at\":1699999999000}]",
     0, 0},
    {"turn_begin: what it can be told", THREAD, "turn_begin",
     "[\"s\",\"host\",{\"messages\":" SAID ",\"source\":\"webhook\",\"model\":\"m\","
     "\"provider\":\"p\",\"persona\":\"clerk\"}]",
     0, 0},
    {"turn_compact: by the first that is kept", FORKED, "turn_compact",
     "[\"s\",\"They talked.\",{\"first_kept_turn_id\":16777217,\"model\":\"m\",\"provider\":\"p\","
     "\"duration_ms\":7}]",
     0, 0},
    {"turn_compact: nothing kept by default, as a pair stands over the cut",
     "SELECT turn_append('s','[{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"k1\",\"name\":"
     "\"ls\"}]}]');SELECT turn_append('s','" ANSWERED "');",
     "turn_compact", "[\"s\",\"They talked.\"]", 0, 0},
    {"turn_begin: a \"/compact\" that finds a summary alone",
     THREAD "SELECT turn_compact('s','They talked.','{\"keep_turns\":0}');"
            "SELECT queue_push('s','/compact');SELECT queue_push('s','go on');",
     "turn_begin", "[\"s\",\"host\"]", 0, 0},
    {"turn_abort: what was used", TURN_AT_WORK, "turn_abort",
     "[16777218,1,\"enough\",{\"usage\":{\"input_tokens\":5}}]", 0, 0},
    {"turn_fail: the thread is gone", TURN_AT_WORK, "turn_fail",
     "[16777218,1,\"gone\",{\"resume_cursor\":\"\"}]", 0, 0},
    {"turn_tool_call: of a session", LIVE_TURN, "turn_tool_call",
     "[16777218,1,\"k3\",\"ls\",{},{\"spawned_session_label\":\"w\"}]", 0, 0},
    {"deliver: an answer to the choice that was opened then", NEW_CHOICE, DELIVER,
     "[\"s\",\"A\",{\"opened_at\":1700000000000,\"keeps_turns\":0}]", 0, 0},
    {"choose: by a host without turns", NEW_CHOICE, "session_choose",
     "[\"s\",\"A\",{\"keeps_turns\":0}]", 0, 0},
    {"queue_push: of somebody", NULL, "queue_push",
     "[\"s\",\"one\",{\"channel\":\"mail\",\"sender\":\"ann\",\"message_id\":\"m1\"}]", 0, 0},
    {"recover: a look at one that was merged", MERGED, "session_recover",
     "[\"dm:wa:1\",{\"dry_run\":1,\"own\":1}]", 0, CASE_READ},
    {"session_state: of one that was merged", MERGED, "session_state", "[\"dm:wa:1\",{\"own\":1}]",
     0, CASE_READ},
    {"session_usage: of one that was merged", MERGED, "session_usage", "[\"dm:wa:1\",{\"own\":1}]",
     0, CASE_READ},
    {"session_progress: of one that was merged", MERGED, "session_progress",
     "[\"dm:wa:1\",{\"own\":1}]", 0, CASE_READ},
    {"session_run: nobody of the name lives", TURN_AT_WORK, "session_run",
     "[\"s\",\"host\",\"idle\",null,{\"dead\":1}]", 0, 0},
    {"session_spawn: by a turn, with a label", TURN_AT_WORK, "session_spawn",
     "[\"s\",\"dig\",{\"turn\":16777218,\"label\":\"w\"}]", 0, 0},
    {"session_start: with a persona", NULL, "session_start",
     "[\"s\",\"write\",{\"persona\":\"clerk\"}]", 0, 0},
    {"session_stop: nothing is kept", TURN_AT_WORK, "session_stop",
     "[\"s\",16777218,\"enough\",{\"keep\":0}]", 0, 0},
    {"session_suspend: with a reason", WORK, "session_suspend", "[\"s\",{\"reason\":\"later\"}]", 0,
     0},
    {"sweep: with times of its own", WORK, "session_sweep",
     "[{\"auto_compact_threshold\":\"1h\",\"archive_after\":\"2h\"}]", 3, 0},
    {"classify: by a host without turns", DOUBTED, "delivery_classify",
     "[2,\"NewTask\",{\"keeps_turns\":0}]", 0, 0},

    /* Whole statements */
    {"install: new file", NULL, NULL,
     "SELECT turnstile_install('{\"uuid\":\"11111111-2222-4333-8444-555555555555\"}')", 0,
     CASE_BARE},
    {"install: with a prefix", "CREATE TABLE tasks(x);", NULL,
     "SELECT turnstile_install('{\"uuid\":\"11111111-2222-4333-8444-555555555555\","
     "\"prefix\":\"agent_\"}')",
     0, CASE_BARE},
    {"install: done already", WORK, NULL, "SELECT turnstile_install()", 0, CASE_READ},
    {"install: upgrade", NULL, NULL,
     "SELECT turnstile_install('{\"schema\":\"main\",\"keep_foreign\":1}')", 0, CASE_OLD},
    {"renew", WORK, NULL,
     "SELECT turnstile_renew('{\"uuid\":\"a copy\",\"schema\":\"main\",\"prefix\":\"\"}')", 0, 0},
    {"schema as text", NULL, NULL, "SELECT turnstile_schema('{\"uuid\":\"x\"}')", 0, CASE_READ},
    {"classify: a long message", NULL, NULL,
     "SELECT group_concat(class||score) FROM classify(replace(printf('%.400c','x'),'x','perfect, "
     "but log the try. '),'PendingComplete')",
     0, CASE_READ},
    {"classify_message", NULL, NULL,
     "SELECT classify_message('perfect, but log the try','PendingComplete','retries')", 0,
     CASE_READ},
    {"classify", NULL, NULL,
     "SELECT group_concat(class||score||evidence) FROM classify('yes','AwaitingUser','t','A or "
     "B?')",
     0, CASE_READ},
    {"classification_prompt", NULL, NULL,
     "SELECT classification_prompt('yes','AwaitingUser','retries','A or B?')", 0, CASE_READ},
    {"policy_replay", DOUBTED "SELECT delivery_correct(2,'Abandon');", NULL,
     "SELECT group_concat(delivery||would_class||would_action) FROM "
     "policy_replay('{\"classify_floor\":0.9,\"rules\":[{\"class\":\"NewTask\",\"pattern\":"
     "\"chart\"}]}')",
     1, CASE_READ},
    {"policy_replay: of an answer",
     WORK "SELECT session_transition('s','AwaitingUser','{\"question\":\"Which?\"}');SELECT "
          "session_deliver('s','@host the blue one');SELECT session_note('s','more');",
     NULL, "SELECT group_concat(would_action) FROM policy_replay('{\"session\":\"s\"}')", 1,
     CASE_READ},
    {"policy_replay: of a session", DOUBTED, NULL,
     "SELECT group_concat(would_action) FROM "
     "policy_replay('{\"session\":\"s\",\"langs\":[\"de\"],\"corrections\":0,\"limit\":5,"
     "\"user_rules\":0,\"classify_below\":\"prompt\",\"new_task_policy\":\"switch\"}')",
     1, CASE_READ},
    {"stale_sessions", SWEEP_WORK, NULL,
     "SELECT group_concat(label||band||idle_ms) FROM stale_sessions WHERE include_fresh = 1", 300,
     CASE_READ},
    {"turnstile_check", COMPACTED BLOCKED_ITEMS, NULL,
     "SELECT group_concat(rule||ref||problem) FROM turnstile_check", 0, CASE_READ},
    {"turnstile_check: of a session", COMPACTED COMPLETE, NULL,
     "SELECT group_concat(rule||ref||problem) FROM turnstile_check('s')", 0, CASE_READ},
    {"turnstile_check: damaged",
     COMPACTED WORK
     "INSERT INTO turnstile_meta VALUES('unguarded', 1);"
     "UPDATE sessions SET turns = 9; UPDATE objects SET size = 9;"
     "UPDATE message_rules SET origin = 'x' WHERE id IN (SELECT id FROM message_rules LIMIT 2);"
     "DELETE FROM turnstile_meta WHERE key = 'unguarded';",
     NULL, "SELECT group_concat(rule||ref||problem) FROM turnstile_check", 0, CASE_READ},
    {"turn_path", FORKED, NULL,
     "SELECT group_concat(turn_id||status||thread_tokens) FROM turn_path('g')", 0, CASE_READ},
    {"turn_path: from its end", FORKED, NULL,
     "SELECT group_concat(turn_id) FROM (SELECT turn_id FROM turn_path(50331650) WHERE depth > 0 "
     "ORDER BY depth DESC LIMIT 2)",
     0, CASE_READ},
    {"turn_tree", FORKED, NULL,
     "SELECT group_concat(turn_id||level) FROM turn_tree(16777216) WHERE level <= 2", 0, CASE_READ},
    {"session_context", COMPACTED, NULL,
     "SELECT group_concat(kind||role||content||quote(status)||quote(tool_call_id)||tokens) FROM "
     "session_context('s')",
     0, CASE_READ},
    {"session_context: from its end", COMPACTED, NULL,
     "SELECT group_concat(kind||content||quote(tool_call_id)||position) FROM (SELECT * FROM "
     "session_context('s') ORDER BY position DESC)",
     0, CASE_READ},
    {"session_context: from its end, results come late",
     THREAD
     "SELECT "
     "turn_append('s','[{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"k3\",\"name\":\"a\"},{"
     "\"id\":\"k4\",\"name\":\"b\"}]}]');SELECT "
     "turn_append('s','[{\"role\":\"user\",\"content\":\"and?\"}]');SELECT "
     "turn_append('s','[{\"role\":\"tool\",\"tool_call_id\":\"k3\",\"content\":\"late\"}]');",
     NULL,
     "SELECT group_concat(role||content) FROM (SELECT * FROM session_context('s') ORDER BY "
     "position "
     "DESC LIMIT 3)",
     0, CASE_READ},
    {"session_context: an input that is tried again",
     TURN_OF_INPUT "SELECT turn_tool_call(16777216,1,'a.b','read file','\"x\"');"
                   "SELECT turn_fail(16777216,1,'e');SELECT queue_retry(1);"
                   "SELECT turn_begin('s','host');",
     NULL,
     "SELECT group_concat(kind||role||content||quote(tool_call_id)||quote(tool_name)) FROM "
     "session_context('s')",
     0, CASE_READ},
    {"session_context: of a live turn", TURN_AT_WORK, NULL,
     "SELECT group_concat(kind||role||content||quote(tool_name)) FROM session_context('s')", 0,
     CASE_READ},
    {"session_context: a budget, and a result without its call",
     THREAD "SELECT turn_compact('s','They talked.','{\"keep_turns\":1}');"
            "SELECT turn_append('s','" ANSWERED "');",
     NULL, "SELECT group_concat(kind||role||content) FROM session_context('s',12)", 0, CASE_READ},
    {"several commands in one statement", WORK, NULL,
     "INSERT INTO turnstile(command,args) VALUES('session_note','[\"s\",\"one\"]'),"
     "('session_deliver','[\"s\",\"two\"]'),('session_deliver','[\"t\",\"three\"]'),"
     "('session_compact','[\"s\"]')",
     0, 0},
    {"OR IGNORE", WORK, NULL,
     "INSERT OR IGNORE INTO turnstile(command,args) VALUES('session_deliver','[\"s\",\"two\"]')", 0,
     0},
    {"OR FAIL", WORK, NULL,
     "INSERT OR FAIL INTO turnstile(command,args) VALUES('session_deliver','[\"s\",\"two\"]')", 0,
     0},
    {"OR REPLACE", WORK, NULL,
     "INSERT OR REPLACE INTO turnstile(command,args) VALUES('session_compact','[\"s\"]')", 0, 0},
    {"the door in a trigger of the host",
     WORK "CREATE TABLE inbox(label, message);CREATE TRIGGER inbox_in AFTER INSERT ON inbox BEGIN "
          "INSERT INTO turnstile(command,args) VALUES('session_deliver',"
          "json_array(NEW.label,NEW.message));END;",
     NULL, "INSERT INTO inbox VALUES('s','make it shorter'),('new','write a poem')", 0, 0},
    {"a rule is added", NULL, NULL,
     "INSERT INTO message_rules(class,state,pattern,weight) VALUES('Abandon',NULL,'^nope$',3.0)", 0,
     0},
};

#define N_WRITTEN ((int)(sizeof(written) / sizeof(written[0])))

static const struct {
  const char *name, *setup;
} states[] = {{"None", "SELECT session_deliver('s','thanks','{\"class\":\"Confirmation\"}');"},
              {"Running", WORK},
              {"AwaitingUser", ASKING},
              {"Interrupted", INTERRUPTED},
              {"PendingComplete", PENDING}};

static const char *const classes[] = {"Response", "Modification",  "Confirmation", "Abandon",
                                      "NewTask",  "Clarification", "Unclear"};

#define N_STATES 5
#define N_CLASSES 7

const Case *all_cases(int *n) {
  static Case cases[N_WRITTEN + N_STATES * N_CLASSES];
  static char names[N_STATES * N_CLASSES][64];
  static char args[N_STATES * N_CLASSES][96];
  int at = 0;
  for (int i = 0; i < N_WRITTEN; i++)
    cases[at++] = written[i];
  for (int s = 0; s < N_STATES; s++) {
    for (int k = 0; k < N_CLASSES; k++) {
      int i = s * N_CLASSES + k;
      snprintf(names[i], sizeof(names[i]), "cell: %s in %s", classes[k], states[s].name);
      snprintf(args[i], sizeof(args[i]), "[\"s\",\"make it shorter\",{\"class\":\"%s\"}]",
               classes[k]);
      cases[at++] = (Case){names[i], states[s].setup, DELIVER, args[i], 1, 0};
    }
  }
  *n = at;
  return cases;
}
