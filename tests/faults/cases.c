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

    /* session_choose */
    {"choose: A", NEW_CHOICE, "session_choose", "[\"s\",\"A\"]", 1, 0},
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
    {"progress", ASKING, "session_progress", "[\"s\"]", 1, CASE_READ},
    {"state", ASKING, "session_state", "[\"s\"]", 1, CASE_READ},

    /* Processes and time */
    {"run: new", WORK, "session_run", "[\"s\",\"host\",\"starting\"]", 0, 0},
    {"run: moves", LIVE_RUN, "session_run",
     "[\"s\",\"host\",\"error\",\"{\\\"exit_code\\\":137}\"]", 0, 0},
    {"startup: of an owner", PROCESSING, "turnstile_startup", "[\"host\"]", 1, 0},
    {"startup: expired", PROCESSING, "turnstile_startup", "[]", 100, 0},
    {"startup: all", SWEEP_WORK, "turnstile_startup", "[null,{\"all\":1}]", 1, 0},
    {"sweep: every kind of work", SWEEP_WORK, "session_sweep", "[]", 1200, 0},
    {"sweep: in small batches", SWEEP_WORK, "session_sweep", "[{\"limit\":1}]", 1200, 0},
    {"sweep: dry run", SWEEP_WORK, "session_sweep", "[{\"dry_run\":1}]", 1200, 0},

    /* Settings */
    {"config: read", WORK, "turnstile_config", "[\"ask_threshold\"]", 0, CASE_READ},
    {"config: set", WORK, "turnstile_config", "[\"ask_threshold\",\"12h\"]", 0, 0},
    {"config: set a text", WORK, "turnstile_config", "[\"text.acknowledge\",\"Fine.\"]", 0, 0},
    {"config: for a session", WORK, "turnstile_config",
     "[\"ask_threshold\",\"1h\",{\"session\":\"s\"}]", 0, 0},
    {"config: reset", "SELECT turnstile_config('ask_threshold','12h');", "turnstile_config",
     "[\"ask_threshold\",null,{\"reset\":1}]", 0, 0},

    /* Whole statements */
    {"install: new file", NULL, NULL,
     "SELECT turnstile_install('{\"uuid\":\"11111111-2222-4333-8444-555555555555\"}')", 0,
     CASE_BARE},
    {"install: with a prefix", "CREATE TABLE tasks(x);", NULL,
     "SELECT turnstile_install('{\"uuid\":\"11111111-2222-4333-8444-555555555555\","
     "\"prefix\":\"agent_\"}')",
     0, CASE_BARE},
    {"install: done already", WORK, NULL, "SELECT turnstile_install()", 0, CASE_READ},
    {"install: upgrade", NULL, NULL, "SELECT turnstile_install()", 0, CASE_OLD},
    {"schema as text", NULL, NULL, "SELECT turnstile_schema('{\"uuid\":\"x\"}')", 0, CASE_READ},
    {"classify_message", NULL, NULL,
     "SELECT classify_message('perfect, but log the try','PendingComplete','retries')", 0,
     CASE_READ},
    {"classify", NULL, NULL,
     "SELECT group_concat(class||score||evidence) FROM classify('yes','AwaitingUser','t','A or "
     "B?')",
     0, CASE_READ},
    {"classification_prompt", NULL, NULL,
     "SELECT classification_prompt('yes','AwaitingUser','retries','A or B?')", 0, CASE_READ},
    {"stale_sessions", SWEEP_WORK, NULL,
     "SELECT group_concat(label||band||idle_ms) FROM stale_sessions WHERE include_fresh = 1", 300,
     CASE_READ},
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
