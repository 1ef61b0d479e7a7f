/*
** test_decide.c - the delivery decision, cell by cell, as the design's fourth chapter gives it.
**
** Nothing here is computed by rules: every expected outcome is written out, in short codes so that
** a whole table can be read at once.
**
**   ts_gate    A list of situations that don't overlap. Every combination of facts has to fall
**              under exactly one of them; that is checked, too.
**   ts_choice  One table per kind of choice.
**   ts_cell    A 7 × 5 table for each of the sixteen settings of the four flags.
**   ts_live    A 7 × 5 table for each mode, and for a new task that switches; one line for messages
**              of other sources.
*/
#include "decide.h"
#include "tap.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

static const char *const classNames[] = {"Response", "Modification",  "Confirmation", "Abandon",
                                         "NewTask",  "Clarification", "Unclear"};
static const MessageClass classes[] = {CLASS_RESPONSE, CLASS_MODIFICATION, CLASS_CONFIRMATION,
                                       CLASS_ABANDON,  CLASS_NEW_TASK,     CLASS_CLARIFICATION,
                                       CLASS_UNCLEAR};
static const char *const kindNames[] = {"none", "stale", "new task", "unclear", "saved"};

/* ---- The gate -------------------------------------------------------------------------------- */

static const char *const gateNames[] = {"reject", "block",     "queue",     "compact", "continue",
                                        "save",   "was saved", "ask stale", "choice",  "classify"};
static const char *const statusNames[] = {"active", "suspended", "archived", "error"};
static const char *const taskNames[] = {"no", "a", "a saved"};
static const char *const sourceNames[] = {"user", "agent", "timer", "webhook", "system"};

#define ASK_MS 86400000
#define AUTO_MS 604800000

/* How long it was idle: around both thresholds, which are compared strictly. */
static const struct {
  const char *name;
  int64_t idleMs;
  char band;
} idles[] = {
    {"clock ran back", -5, 'f'},       {"0", 0, 'f'},
    {"1 ms below ask", 86399999, 'f'}, {"at ask", 86400000, 'f'},
    {"1 ms above ask", 86400001, 'a'}, {"1 ms below auto", 604799999, 'a'},
    {"at auto", 604800000, 'a'},       {"1 ms above auto", 604800001, 's'},
    {"a year", 31536000000, 's'},
};

/* A situation. Each string lists the values it covers:
**   status  A active, S suspended, R archived, E error
**   policy  o archived sessions are reopened, r messages to them are rejected
**   text    c it is /compact, m it is any other message
**   source  u user, a agent, t timer, w webhook, s system
**   run     l a run is live, - none is
**   task    t a task is open, - none is
**   idle    f fresh, a past the first threshold, s past the second
**   choice  - none, 1 stale, 2 new task, 3 unclear, 4 saved
**   worker  w the session is a subagent's, - it is not; NULL: both */
typedef struct Situation {
  const char *status, *policy, *text, *source, *run, *task, *idle, *choice;
  Gate gate;
  const char *worker;
} Situation;

#define ANY_POLICY "or"
#define ANY_TEXT "cm"
#define ANY_SOURCE "uatws"
#define ANY_RUN "l-"
#define ANY_TASK "t-s"
#define ANY_IDLE "fas"
#define ANY_CHOICE "-1234"

static const Situation situations[] = {
    /* 3. In error: whatever it is, from whomever. */
    {"E", ANY_POLICY, ANY_TEXT, ANY_SOURCE, ANY_RUN, ANY_TASK, ANY_IDLE, ANY_CHOICE, GATE_BLOCK,
     NULL},
    /* 3. Archived: only a user reopens it, if anyone. */
    {"R", ANY_POLICY, ANY_TEXT, "atws", ANY_RUN, ANY_TASK, ANY_IDLE, ANY_CHOICE, GATE_QUEUE, NULL},
    {"R", "r", ANY_TEXT, "u", ANY_RUN, ANY_TASK, ANY_IDLE, ANY_CHOICE, GATE_REJECT, NULL},
    /* 4. /compact. */
    {"AS", ANY_POLICY, "c", ANY_SOURCE, "-", ANY_TASK, ANY_IDLE, ANY_CHOICE, GATE_COMPACT, NULL},
    {"AS", ANY_POLICY, "c", ANY_SOURCE, "l", ANY_TASK, ANY_IDLE, ANY_CHOICE, GATE_QUEUE, NULL},
    {"R", "o", "c", "u", "-", ANY_TASK, ANY_IDLE, ANY_CHOICE, GATE_COMPACT, NULL},
    {"R", "o", "c", "u", "l", ANY_TASK, ANY_IDLE, ANY_CHOICE, GATE_QUEUE, NULL},
    /* 5. Other sources: no choices, no staleness, no classification. */
    {"AS", ANY_POLICY, "m", "atws", "-", ANY_TASK, ANY_IDLE, ANY_CHOICE, GATE_CONTINUE, NULL},
    {"AS", ANY_POLICY, "m", "atws", "l", ANY_TASK, ANY_IDLE, ANY_CHOICE, GATE_QUEUE, NULL},
    /* 6. Idle too long, with an open task and no live run. */
    {"AS", ANY_POLICY, "m", "u", "-", "t", "s", ANY_CHOICE, GATE_AUTO_SAVE, NULL},
    {"R", "o", "m", "u", "-", "t", "s", ANY_CHOICE, GATE_AUTO_SAVE, NULL},
    {"AS", ANY_POLICY, "m", "u", "-", "t", "a", "-", GATE_ASK_STALE, "-"},
    {"R", "o", "m", "u", "-", "t", "a", "-", GATE_ASK_STALE, "-"},
    /* Workers are never prompted. */
    {"AS", ANY_POLICY, "m", "u", "-", "t", "a", "-", GATE_CLASSIFY, "w"},
    {"R", "o", "m", "u", "-", "t", "a", "-", GATE_CLASSIFY, "w"},
    /* 7. A choice is open, also during a run, which goes on meanwhile. */
    {"AS", ANY_POLICY, "m", "u", "-", "t", "fa", "1234", GATE_CHOICE, NULL},
    {"R", "o", "m", "u", "-", "t", "fa", "1234", GATE_CHOICE, NULL},
    {"AS", ANY_POLICY, "m", "u", "-", "-s", ANY_IDLE, "1234", GATE_CHOICE, NULL},
    {"R", "o", "m", "u", "-", "-s", ANY_IDLE, "1234", GATE_CHOICE, NULL},
    {"AS", ANY_POLICY, "m", "u", "l", ANY_TASK, ANY_IDLE, "1234", GATE_CHOICE, NULL},
    {"R", "o", "m", "u", "l", ANY_TASK, ANY_IDLE, "1234", GATE_CHOICE, NULL},
    /* 6. once more: a sweep was there first, and nobody has come since. */
    {"AS", ANY_POLICY, "m", "u", "-", "s", "s", "-", GATE_WAS_SAVED, "-"},
    {"R", "o", "m", "u", "-", "s", "s", "-", GATE_WAS_SAVED, "-"},
    {"AS", ANY_POLICY, "m", "u", "-", "s", "s", "-", GATE_CLASSIFY, "w"},
    {"R", "o", "m", "u", "-", "s", "s", "-", GATE_CLASSIFY, "w"},
    {"AS", ANY_POLICY, "m", "u", "-", "s", "fa", "-", GATE_CLASSIFY, NULL},
    {"R", "o", "m", "u", "-", "s", "fa", "-", GATE_CLASSIFY, NULL},
    /* 8. Everything else is classified; 9. a live run only matters after that. */
    {"AS", ANY_POLICY, "m", "u", "-", "t", "f", "-", GATE_CLASSIFY, NULL},
    {"R", "o", "m", "u", "-", "t", "f", "-", GATE_CLASSIFY, NULL},
    {"AS", ANY_POLICY, "m", "u", "-", "-", ANY_IDLE, "-", GATE_CLASSIFY, NULL},
    {"R", "o", "m", "u", "-", "-", ANY_IDLE, "-", GATE_CLASSIFY, NULL},
    {"AS", ANY_POLICY, "m", "u", "l", ANY_TASK, ANY_IDLE, "-", GATE_CLASSIFY, NULL},
    {"R", "o", "m", "u", "l", ANY_TASK, ANY_IDLE, "-", GATE_CLASSIFY, NULL},
};

static int covers(const char *values, char value) {
  return strchr(values, value) != NULL;
}

static void checkGate(int status, int policy, int text, int source, int run, int task, int idle,
                      int choice, int worker) {
  char name[256];
  snprintf(name, sizeof(name), "gate: %s, %s, %s from %s, %s run, %s task, idle %s, choice %s%s",
           statusNames[status], policy ? "reject" : "reopen", text ? "/compact" : "message",
           sourceNames[source], run ? "live" : "no", taskNames[task], idles[idle].name,
           kindNames[choice], worker ? ", a worker" : "");
  GateFacts facts = {.status = (SessionStatus)status,
                     .rejectArchived = policy,
                     .isCompact = text,
                     .source = (Source)source,
                     .liveRun = run,
                     .isWorker = worker,
                     .hasTask = task == 1,
                     .idleMs = idles[idle].idleMs,
                     .askMs = ASK_MS,
                     .autoMs = AUTO_MS,
                     .choice = (ChoiceKind)choice,
                     .wasSaved = task == 2};
  int found = 0, gate = -1;
  for (int i = 0; i < COUNT(situations); i++) {
    const Situation *s = &situations[i];
    if (covers(s->status, "ASRE"[status]) && covers(s->policy, "or"[policy]) &&
        covers(s->text, "mc"[text]) && covers(s->source, "uatws"[source]) &&
        covers(s->run, "-l"[run]) && covers(s->task, "-ts"[task]) &&
        covers(s->idle, idles[idle].band) && covers(s->choice, "-1234"[choice]) &&
        (!s->worker || covers(s->worker, "-w"[worker]))) {
      found++;
      gate = s->gate;
    }
  }
  CHECK_INT(tap_name("%s: situations", name), found, 1);
  if (found == 1) CHECK_STR(name, gateNames[ts_gate(&facts)], gateNames[gate]);
}

static void testGate(void) {
  for (int status = 0; status < STATUS_COUNT; status++) {
    for (int source = 0; source < SOURCE_COUNT; source++) {
      for (int flags = 0; flags < 16; flags++) {
        for (int idle = 0; idle < COUNT(idles); idle++) {
          for (int choice = 0; choice < CHOICE_KIND_COUNT; choice++) {
            for (int task = 0; task < COUNT(taskNames); task++) {
              checkGate(status, flags & 1, flags >> 1 & 1, source, flags >> 2 & 1, task, idle,
                        choice, flags >> 3);
            }
          }
        }
      }
    }
  }
}

/* Thresholds other than the defaults, and both at the same place. */
static void testThresholds(void) {
  static const struct {
    int64_t idleMs, askMs, autoMs;
    Gate gate;
  } cases[] = {
      {0, 0, 0, GATE_CLASSIFY},
      {1, 0, 0, GATE_AUTO_SAVE},
      {-1, 0, 0, GATE_CLASSIFY},
      {1, 0, 1, GATE_ASK_STALE},
      {10, 10, 20, GATE_CLASSIFY},
      {11, 10, 20, GATE_ASK_STALE},
      {20, 10, 20, GATE_ASK_STALE},
      {21, 10, 20, GATE_AUTO_SAVE},
      {11, 10, 10, GATE_AUTO_SAVE},
      {INT64_MAX, 9007199254740991, 9007199254740991, GATE_AUTO_SAVE},
      {INT64_MIN, 0, 0, GATE_CLASSIFY},
  };
  for (int i = 0; i < COUNT(cases); i++) {
    GateFacts facts = {.status = STATUS_ACTIVE,
                       .source = SOURCE_USER,
                       .hasTask = 1,
                       .idleMs = cases[i].idleMs,
                       .askMs = cases[i].askMs,
                       .autoMs = cases[i].autoMs};
    CHECK_STR(tap_name("idle %lld, thresholds %lld and %lld", (long long)cases[i].idleMs,
                       (long long)cases[i].askMs, (long long)cases[i].autoMs),
              gateNames[ts_gate(&facts)], gateNames[cases[i].gate]);
  }
}

/* ---- An open choice -------------------------------------------------------------------------- */

/* Three letters: the held message, the task, the newer message.
**   held     S stays held, A through the table, T starts a task, N kept as a note,
**            H handed over with the newer one, D taken back
**   task     k kept, w switched, x abandoned, p picked up again
**   message  a it was the answer, t through the table, s starts a task, r replied to,
**            q asked again, d it took something back */
static const char *stepCode(ChoiceStep step) {
  static char code[4];
  code[0] = "SATNHD"[step.held];
  code[1] = "kwxp"[step.task];
  code[2] = "atsrqhbd"[step.message];
  return code;
}

/* Literal numbers would be silently re-lettered by a change of the enums. */
_Static_assert(HELD_STAYS == 0 && HELD_APPLY == 1 && HELD_START == 2 && HELD_NOTE == 3 &&
                   HELD_HAND == 4 && HELD_DROP == 5,
               "the order of stepCode");
_Static_assert(TASK_KEEP == 0 && TASK_SWITCH == 1 && TASK_ABANDON == 2 && TASK_PICK_UP == 3,
               "the order of stepCode");
_Static_assert(MESSAGE_WAS_ANSWER == 0 && MESSAGE_APPLY == 1 && MESSAGE_START == 2 &&
                   MESSAGE_REPLY == 3 && MESSAGE_ASK_AGAIN == 4 && MESSAGE_HOLD == 5 &&
                   MESSAGE_HAND == 6 && MESSAGE_ABANDON == 7,
               "the order of stepCode");

static const struct {
  ChoiceKind kind;
  const char *onContinue, *onFresh;
  const char *plain[7];       /* no answer, by class */
  const char *affirmation[7]; /* nothing but a yes, by what it was classified as */
} choices[] = {
    {CHOICE_STALE,
     "Aka",
     "Twa",
     /* Resp.  Modif. Conf.  Aband. NewT.  Clar.  Uncl. */
     {"Akt", "Akt", "Akt", "Dxd", "Hws", "Skr", "Skq"},
     {"Skq", "Skq", "Skq", "Skq", "Skq", "Skq", "Skq"}},
    {CHOICE_NEW_TASK,
     "Nka",
     "Twa",
     {"Skt", "Skt", "Skt", "Dkd", "Hws", "Skr", "Skq"},
     {"Skq", "Skq", "Skq", "Skq", "Skq", "Skq", "Skq"}},
    {CHOICE_UNCLEAR,
     "Aka",
     "Twa",
     {"Akt", "Akt", "Akt", "Dxd", "Hws", "Skr", "Skq"},
     {"Skq", "Skq", "Skq", "Skq", "Skq", "Skq", "Skq"}},
    /* The task is saved already: nothing is open that could be switched or abandoned. */
    {CHOICE_SAVED,
     "Apa",
     "Tka",
     {"Apt", "Apt", "Apt", "Dkd", "Hks", "Skr", "Skq"},
     {"Skq", "Skq", "Skq", "Skq", "Skq", "Skq", "Skq"}},
};

/* What becomes of a choice that holds a message. */
static const char *codeOf(ChoiceKind kind, ChoiceAnswer answer, MessageClass cls, int yes,
                          int hasWords, int belongs) {
  ChoiceFacts facts = {.kind = kind,
                       .answer = answer,
                       .hasWords = hasWords,
                       .holds = 1,
                       .cls = cls,
                       .isAffirmation = yes,
                       .belongs = belongs};
  return stepCode(ts_choice(&facts));
}

/* Words beside an answer, and what is no answer and does not speak of the task. */
static void testChoiceWords(void) {
  for (int i = 0; i < COUNT(choices); i++) {
    ChoiceKind kind = choices[i].kind;
    ChoiceFacts empty = {.kind = kind, .answer = ANSWER_START_FRESH, .hasWords = 1};
    char expected[4] = {choices[i].onContinue[0], choices[i].onContinue[1], 't', 0};
    CHECK_STR(tap_name("%s: continue, and words", kindNames[kind]),
              codeOf(kind, ANSWER_CONTINUE, CLASS_MODIFICATION, 0, 1, 0), expected);
    ChoiceFacts hazy = {.kind = kind, .cls = CLASS_UNCLEAR, .holds = 1, .hasSaid = 1};
    CHECK_STR(tap_name("%s: unclear words", kindNames[kind]), stepCode(ts_choice(&hazy)), "Skh");
    memcpy(expected, choices[i].onFresh, 2);
    expected[2] = 'b';
    CHECK_STR(tap_name("%s: start fresh, and words", kindNames[kind]),
              codeOf(kind, ANSWER_START_FRESH, CLASS_MODIFICATION, 0, 1, 0), expected);
    expected[2] = 's';
    CHECK_STR(tap_name("%s: start fresh, and words, with nothing held", kindNames[kind]),
              stepCode(ts_choice(&empty)), expected);
    ChoiceFacts all = {.kind = kind, .cls = CLASS_ABANDON, .holds = 1, .dropsAll = 1};
    CHECK_STR(tap_name("%s: all is given up", kindNames[kind]), stepCode(ts_choice(&all)),
              kind == CHOICE_SAVED ? "Dkd" : "Dxd");
    for (int c = 0; c < COUNT(classes); c++) {
      int isWork = classes[c] == CLASS_RESPONSE || classes[c] == CLASS_MODIFICATION;
      CHECK_STR(tap_name("%s: %s about something else", kindNames[kind], classNames[c]),
                codeOf(kind, ANSWER_NONE, classes[c], 0, 0, 0),
                isWork ? "Skh" : choices[i].plain[c]);
    }
  }
}

static void testChoice(void) {
  for (int i = 0; i < COUNT(choices); i++) {
    ChoiceKind kind = choices[i].kind;
    for (int c = 0; c < COUNT(classes); c++) {
      for (int yes = 0; yes <= 1; yes++) {
        const char *what =
            tap_name("%s choice, %s%s", kindNames[kind], classNames[c], yes ? " (a bare yes)" : "");
        char name[128];
        snprintf(name, sizeof(name), "%s", what);
        CHECK_STR(tap_name("%s: continue", name),
                  codeOf(kind, ANSWER_CONTINUE, classes[c], yes, 0, 1), choices[i].onContinue);
        CHECK_STR(tap_name("%s: start fresh", name),
                  codeOf(kind, ANSWER_START_FRESH, classes[c], yes, 0, 1), choices[i].onFresh);
        CHECK_STR(tap_name("%s: undecided", name),
                  codeOf(kind, ANSWER_UNDECIDED, classes[c], yes, 0, 1), "Skq");
        CHECK_STR(tap_name("%s: undecided, and more is said", name),
                  codeOf(kind, ANSWER_UNDECIDED, classes[c], yes, 1, 1), "Skh");
        CHECK_STR(tap_name("%s: no answer", name), codeOf(kind, ANSWER_NONE, classes[c], yes, 0, 1),
                  yes ? choices[i].affirmation[c] : choices[i].plain[c]);
      }
    }
  }
}

static void testSavedTask(void) {
  /* By class: does the message answer the task that was saved? And with a "continue"? */
  static const int answers[] = {1, 0, 1, 0, 0, 0, 0};
  for (int c = 0; c < COUNT(classes); c++) {
    CHECK_INT(tap_name("saved task, %s", classNames[c]),
              ts_answers_saved_task(classes[c], ANSWER_NONE), answers[c]);
    CHECK_INT(tap_name("saved task, %s, start fresh", classNames[c]),
              ts_answers_saved_task(classes[c], ANSWER_START_FRESH), answers[c]);
    CHECK_INT(tap_name("saved task, %s, continue", classNames[c]),
              ts_answers_saved_task(classes[c], ANSWER_CONTINUE), 1);
  }
}

/* ---- The class × state table ----------------------------------------------------------------- */

static const TaskState states[] = {TASK_NONE, TASK_RUNNING, TASK_AWAITING_USER, TASK_INTERRUPTED,
                                   TASK_PENDING_COMPLETE};
static const char *const stateNames[] = {"None", "Running", "AwaitingUser", "Interrupted",
                                         "PendingComplete"};

/* What a cell's second letter stands for. The state stays as it is where next is -1. */
static const struct {
  char letter;
  Action action;
  NoteKind note;
  int next;
  CommitType commit;
  ChoiceKind choice;
  int starts, hands;
} outcomes[] = {
    /* start a task */
    {'s', ACTION_START, NOTE_NONE, TASK_RUNNING, COMMIT_NONE, CHOICE_NONE, 1, 1},
    /* note it as an intervention, go on */
    {'i', ACTION_CONTINUE, NOTE_INTERVENTION, TASK_RUNNING, COMMIT_NONE, CHOICE_NONE, 0, 1},
    /* note it as the answer, go on */
    {'r', ACTION_CONTINUE, NOTE_ANSWER, TASK_RUNNING, COMMIT_NONE, CHOICE_NONE, 0, 1},
    /* note it as a request for more, go on */
    {'m', ACTION_CONTINUE, NOTE_REQUEST_MORE, TASK_RUNNING, COMMIT_NONE, CHOICE_NONE, 0, 1},
    /* acknowledge: nothing changes, nobody works on it */
    {'a', ACTION_ACKNOWLEDGE, NOTE_NONE, -1, COMMIT_NONE, CHOICE_NONE, 0, 0},
    /* answer it: nothing changes, the host replies */
    {'q', ACTION_ANSWER, NOTE_NONE, -1, COMMIT_NONE, CHOICE_NONE, 0, 1},
    /* complete the task */
    {'c', ACTION_COMPLETE, NOTE_CONFIRMATION, TASK_NONE, COMMIT_NORMAL, CHOICE_NONE, 0, 0},
    /* abandon the task */
    {'x', ACTION_ABANDON, NOTE_ABANDON, TASK_NONE, COMMIT_ABANDONED, CHOICE_NONE, 0, 0},
    /* ask: switch or not? */
    {'n', ACTION_PROMPT, NOTE_NONE, -1, COMMIT_NONE, CHOICE_NEW_TASK, 0, 0},
    /* switch without asking */
    {'w', ACTION_START, NOTE_NONE, TASK_RUNNING, COMMIT_INTERRUPTED_BY_NEW_TASK, CHOICE_NONE, 1, 1},
    /* ask: this task or something new? */
    {'u', ACTION_PROMPT, NOTE_NONE, -1, COMMIT_NONE, CHOICE_UNCLEAR, 0, 0},
};

/* One row per class, one column per state. A cell is the class in force (R M C A N Q U, Q for a
** Clarification) and the outcome. */
typedef struct Grid {
  int switchTasks, isAffirmation, offered, continuing;
  const char *rows[7];
} Grid;

static const Grid grids[] = {
    /* The plain table.
                 None Running AwaitingUser Interrupted PendingComplete */
    {0,
     0,
     0,
     0,
     {"Rs Ri Rr Ri Rm", /* Response */
      "Ms Mi Mr Mi Mm", /* Modification */
      "Ca Ca Rr Ca Cc", /* Confirmation */
      "Aa Ax Ax Ax Ax", /* Abandon */
      "Ns Nn Nn Nn Nn", /* NewTask */
      "Qq Qq Qq Qq Qq", /* Clarification */
      "Uq Uu Uu Uu Uu"}},
    /* A new task switches. */
    {1,
     0,
     0,
     0,
     {"Rs Ri Rr Ri Rm", "Ms Mi Mr Mi Mm", "Ca Ca Rr Ca Cc", "Aa Ax Ax Ax Ax", "Ns Nw Nw Nw Nw",
      "Qq Qq Qq Qq Qq", "Uq Uu Uu Uu Uu"}},
    /* A bare yes: the approval of finished work, whatever it was classified as. */
    {0,
     1,
     0,
     0,
     {"Rs Ri Rr Ri Cc", "Ms Mi Mr Mi Cc", "Ca Ca Rr Ca Cc", "Aa Ax Ax Ax Cc", "Ns Nn Nn Nn Cc",
      "Qq Qq Qq Qq Cc", "Uq Uu Uu Uu Cc"}},
    {1,
     1,
     0,
     0,
     {"Rs Ri Rr Ri Cc", "Ms Mi Mr Mi Cc", "Ca Ca Rr Ca Cc", "Aa Ax Ax Ax Cc", "Ns Nw Nw Nw Cc",
      "Qq Qq Qq Qq Cc", "Uq Uu Uu Uu Cc"}},
    /* Asked "should I continue?" on return: only a bare yes is read differently. */
    {0,
     0,
     1,
     0,
     {"Rs Ri Rr Ri Rm", "Ms Mi Mr Mi Mm", "Ca Ca Rr Ca Cc", "Aa Ax Ax Ax Ax", "Ns Nn Nn Nn Nn",
      "Qq Qq Qq Qq Qq", "Uq Uu Uu Uu Uu"}},
    {1,
     0,
     1,
     0,
     {"Rs Ri Rr Ri Rm", "Ms Mi Mr Mi Mm", "Ca Ca Rr Ca Cc", "Aa Ax Ax Ax Ax", "Ns Nw Nw Nw Nw",
      "Qq Qq Qq Qq Qq", "Uq Uu Uu Uu Uu"}},
    {0,
     1,
     1,
     0,
     {"Rs Ri Rr Ri Cc", "Ms Ri Rr Ri Cc", "Ca Ri Rr Ri Cc", "Aa Ri Rr Ri Cc", "Ns Ri Rr Ri Cc",
      "Qq Ri Rr Ri Cc", "Uq Ri Rr Ri Cc"}},
    {1,
     1,
     1,
     0,
     {"Rs Ri Rr Ri Cc", "Ms Ri Rr Ri Cc", "Ca Ri Rr Ri Cc", "Aa Ri Rr Ri Cc", "Ns Ri Rr Ri Cc",
      "Qq Ri Rr Ri Cc", "Uq Ri Rr Ri Cc"}},
    /* A choice has settled that the message belongs to the task: what would open another choice
    ** is a Modification. Without a task there is nothing to belong to. */
    {0,
     0,
     0,
     1,
     {"Rs Ri Rr Ri Rm", "Ms Mi Mr Mi Mm", "Ca Ca Rr Ca Cc", "Aa Ax Ax Ax Ax", "Ns Mi Mr Mi Mm",
      "Qq Qq Qq Qq Qq", "Uq Mi Mr Mi Mm"}},
    {1,
     0,
     0,
     1,
     {"Rs Ri Rr Ri Rm", "Ms Mi Mr Mi Mm", "Ca Ca Rr Ca Cc", "Aa Ax Ax Ax Ax", "Ns Mi Mr Mi Mm",
      "Qq Qq Qq Qq Qq", "Uq Mi Mr Mi Mm"}},
    {0,
     1,
     0,
     1,
     {"Rs Ri Rr Ri Cc", "Ms Mi Mr Mi Cc", "Ca Ca Rr Ca Cc", "Aa Ax Ax Ax Cc", "Ns Mi Mr Mi Cc",
      "Qq Qq Qq Qq Cc", "Uq Mi Mr Mi Cc"}},
    {1,
     1,
     0,
     1,
     {"Rs Ri Rr Ri Cc", "Ms Mi Mr Mi Cc", "Ca Ca Rr Ca Cc", "Aa Ax Ax Ax Cc", "Ns Mi Mr Mi Cc",
      "Qq Qq Qq Qq Cc", "Uq Mi Mr Mi Cc"}},
    {0,
     0,
     1,
     1,
     {"Rs Ri Rr Ri Rm", "Ms Mi Mr Mi Mm", "Ca Ca Rr Ca Cc", "Aa Ax Ax Ax Ax", "Ns Mi Mr Mi Mm",
      "Qq Qq Qq Qq Qq", "Uq Mi Mr Mi Mm"}},
    {1,
     0,
     1,
     1,
     {"Rs Ri Rr Ri Rm", "Ms Mi Mr Mi Mm", "Ca Ca Rr Ca Cc", "Aa Ax Ax Ax Ax", "Ns Mi Mr Mi Mm",
      "Qq Qq Qq Qq Qq", "Uq Mi Mr Mi Mm"}},
    {0,
     1,
     1,
     1,
     {"Rs Ri Rr Ri Cc", "Ms Ri Rr Ri Cc", "Ca Ri Rr Ri Cc", "Aa Ri Rr Ri Cc", "Ns Ri Rr Ri Cc",
      "Qq Ri Rr Ri Cc", "Uq Ri Rr Ri Cc"}},
    {1,
     1,
     1,
     1,
     {"Rs Ri Rr Ri Cc", "Ms Ri Rr Ri Cc", "Ca Ri Rr Ri Cc", "Aa Ri Rr Ri Cc", "Ns Ri Rr Ri Cc",
      "Qq Ri Rr Ri Cc", "Uq Ri Rr Ri Cc"}},
};

static void checkCell(const Grid *grid, int c, int s) {
  const char *expected = grid->rows[c] + 3 * s;
  CellFacts facts = {.state = states[s],
                     .cls = classes[c],
                     .isAffirmation = grid->isAffirmation,
                     .offered = grid->offered,
                     .switchTasks = grid->switchTasks,
                     .continuing = grid->continuing};

  Cell cell = ts_cell(&facts);
  char name[160];
  snprintf(name, sizeof(name), "%s in %s%s%s%s%s", classNames[c], stateNames[s],
           grid->switchTasks ? ", switch" : "", grid->isAffirmation ? ", a bare yes" : "",
           grid->offered ? ", offered" : "", grid->continuing ? ", continuing" : "");
  const char *inForce = strchr("RMCANQU", expected[0]);
  int found = 0;
  for (int i = 0; i < COUNT(outcomes); i++) {
    if (outcomes[i].letter != expected[1]) continue;
    int next = outcomes[i].next < 0 ? (int)states[s] : outcomes[i].next;
    found++;
    CHECK_STR(tap_name("%s: action", name), ts_action_names[cell.action],
              ts_action_names[outcomes[i].action]);
    CHECK_INT(tap_name("%s: note", name), cell.note, outcomes[i].note);
    CHECK_INT(tap_name("%s: next state", name), cell.next, next);
    CHECK_STR(tap_name("%s: commit", name), ts_commit_types[cell.commit],
              ts_commit_types[outcomes[i].commit]);
    CHECK_STR(tap_name("%s: choice", name), kindNames[cell.choice], kindNames[outcomes[i].choice]);
    CHECK_INT(tap_name("%s: starts", name), cell.starts, outcomes[i].starts);
    CHECK_INT(tap_name("%s: hands", name), cell.hands, outcomes[i].hands);
  }
  CHECK_INT(tap_name("%s: expectation", name), found, 1);
  CHECK_STR(tap_name("%s: class", name),
            cell.cls >= 0 && cell.cls < CLASS_COUNT ? classNames[cell.cls] : NULL,
            inForce ? classNames[inForce - "RMCANQU"] : NULL);
}

static void testCells(void) {
  int seen[16] = {0};
  for (int g = 0; g < COUNT(grids); g++) {
    seen[grids[g].switchTasks | grids[g].isAffirmation << 1 | grids[g].offered << 2 |
         grids[g].continuing << 3]++;
    for (int c = 0; c < COUNT(classes); c++) {
      for (int s = 0; s < COUNT(states); s++)
        checkCell(&grids[g], c, s);
    }
  }
  for (int i = 0; i < 16; i++)
    CHECK_INT(tap_name("setting %d has a table", i), seen[i], 1);
}

/* A wish to go on over an open question: whatever it was classified as, the question is shown again. What
** ends the task, and a question of the user's, mean what they say. */
static void testSkippedQuestion(void) {
  for (int c = 0; c < COUNT(classes); c++) {
    CellFacts facts = {.state = TASK_AWAITING_USER, .cls = classes[c], .skipsQuestion = 1};
    int means = classes[c] == CLASS_ABANDON || classes[c] == CLASS_CLARIFICATION;
    Cell cell = ts_cell(&facts);
    CHECK_INT(tap_name("skipped question, %s: asked again", classNames[c]), cell.asksAgain, !means);
    if (means) continue;
    CHECK_STR(tap_name("skipped question, %s: action", classNames[c]), ts_action_names[cell.action],
              "prompt");
    CHECK_INT(tap_name("skipped question, %s: nothing else happens", classNames[c]),
              cell.note == NOTE_NONE && cell.next == TASK_AWAITING_USER && !cell.hands &&
                  !cell.starts && cell.commit == COMMIT_NONE && cell.choice == CHOICE_NONE,
              1);
    CHECK_INT(tap_name("skipped question, %s: a run goes on", classNames[c]),
              ts_live(MODE_INTERRUPT, &cell), LIVE_APPLY);
  }
}

/* What a message says to a report stands, though it is a yes. It means nothing in another state. */
static void testAnsweredReport(void) {
  for (int c = 0; c < COUNT(classes); c++) {
    for (int s = 0; s < COUNT(states); s++) {
      CellFacts facts = {.state = states[s], .cls = classes[c], .isAffirmation = 1, .toReport = 1};
      CellFacts plain = {.state = states[s], .cls = classes[c], .isAffirmation = 1};
      CellFacts words = {.state = states[s], .cls = classes[c]};
      Cell cell = ts_cell(&facts);
      int asked = states[s] == TASK_PENDING_COMPLETE;
      CHECK_STR(tap_name("answered report, %s in %s", classNames[c], stateNames[s]),
                ts_action_names[cell.action],
                ts_action_names[asked ? ts_cell(&words).action : ts_cell(&plain).action]);
      facts.continuing = 1;
      if (asked && classes[c] == CLASS_UNCLEAR)
        CHECK_INT("what goes on is not asked about", ts_cell(&facts).cls, CLASS_MODIFICATION);
    }
  }
}

/* Among several people a Confirmation is handed over; everything else is as it is with one. */
static void testGroup(void) {
  static const char *const confirmation[] = {"answer", "continue", "continue", "continue",
                                             "complete"};
  for (int c = 0; c < COUNT(classes); c++) {
    for (int s = 0; s < COUNT(states); s++) {
      CellFacts group = {.state = states[s], .cls = classes[c], .isGroup = 1};
      CellFacts one = {.state = states[s], .cls = classes[c]};
      Cell cell = ts_cell(&group);
      CHECK_STR(tap_name("group, %s in %s", classNames[c], stateNames[s]),
                ts_action_names[cell.action],
                classes[c] == CLASS_CONFIRMATION ? confirmation[s]
                                                 : ts_action_names[ts_cell(&one).action]);
      if (classes[c] == CLASS_CONFIRMATION && states[s] != TASK_PENDING_COMPLETE) {
        CHECK_INT("it is an input", cell.hands && !cell.starts, 1);
      }
    }
  }
}

/* ---- A live run ------------------------------------------------------------------------------ */

/* What a message of a user does to a live run, by class and state of the task:
**   .  the run is not touched: an acknowledgement, or a choice that is opened meanwhile
**   x  it is fenced
**   q  the message waits
**   s  the run may take it while it goes on
**   i  the run is told, and the message is first in line */
static const char liveLetters[] = ".xqsi";

_Static_assert(LIVE_APPLY == 0 && LIVE_FENCE == 1 && LIVE_QUEUE == 2 && LIVE_STEER == 3 &&
                   LIVE_INTERRUPT == 4,
               "the order of liveLetters");
_Static_assert(MODE_QUEUE == 0 && MODE_FOLLOWUP == 1 && MODE_COLLECT == 2 && MODE_STEER == 3 &&
                   MODE_STEER_BACKLOG == 4 && MODE_INTERRUPT == 5 && QUEUE_MODE_COUNT == 6,
               "the order of liveTables");

static const char *const modeNames[] = {"queue", "followup",      "collect",
                                        "steer", "steer-backlog", "interrupt"};

/* One row per class, one column per state: None, Running, AwaitingUser, Interrupted,
** PendingComplete. */
typedef struct LiveTable {
  const char *rows[7];
} LiveTable;

#define WAITS                                                                                      \
  {                                                                                                \
    {                                                                                              \
      "qqqqq",     /* Response */                                                                  \
          "qqqqq", /* Modification */                                                              \
          "..q.x", /* Confirmation */                                                              \
          "xxxxx", /* Abandon */                                                                   \
          "q....", /* NewTask */                                                                   \
          "qqqqq", /* Clarification */                                                             \
          "q...."  /* Unclear */                                                                   \
    }                                                                                              \
  }
#define STEERS                                                                                     \
  {                                                                                                \
    { "sssss", "sssss", "..s.x", "xxxxx", "q....", "sssss", "q...." }                              \
  }

static const LiveTable liveTables[QUEUE_MODE_COUNT] = {
    WAITS,                                                             /* queue */
    WAITS,                                                             /* followup */
    WAITS,                                                             /* collect */
    STEERS,                                                            /* steer */
    STEERS,                                                            /* steer-backlog */
    {{"iiiii", "iiiii", "..i.x", "xxxxx", "q....", "qqqqq", "q...."}}, /* interrupt */
};

static char liveLetter(LiveStep step) {
  return (int)step >= 0 && step < (int)sizeof(liveLetters) - 1 ? liveLetters[step] : '?';
}

static void checkLive(QueueMode mode, const CellFacts *facts, char expected, const char *name) {
  char got[2] = {0, 0}, want[2] = {expected, 0};
  Cell cell = ts_cell(facts);
  got[0] = liveLetter(ts_live(mode, &cell));
  CHECK_STR(name, got, want);
}

static void testLive(void) {
  for (int m = 0; m < QUEUE_MODE_COUNT; m++) {
    for (int c = 0; c < COUNT(classes); c++) {
      for (int s = 0; s < COUNT(states); s++) {
        char plain = liveTables[m].rows[c][s];
        for (int switches = 0; switches <= 1; switches++) {
          for (int yes = 0; yes <= 1; yes++) {
            /* A new task that switches fences the run, and so does a bare yes to finished work. */
            char expected = plain;
            CellFacts facts = {.state = states[s],
                               .cls = classes[c],
                               .isAffirmation = yes,
                               .switchTasks = switches};
            if (yes && states[s] == TASK_PENDING_COMPLETE) {
              expected = 'x';
            } else if (switches && classes[c] == CLASS_NEW_TASK && states[s] != TASK_NONE) {
              expected = 'x';
            }
            checkLive((QueueMode)m, &facts, expected,
                      tap_name("live run, %s: %s in %s%s%s", modeNames[m], classNames[c],
                               stateNames[s], switches ? ", switch" : "",
                               yes ? ", a bare yes" : ""));
          }
        }
      }
    }
  }
}

/* A choice has settled that the message belongs to the task: it is a change like others. */
static void testLiveContinuing(void) {
  static const char expected[] = "qqqssi";
  for (int m = 0; m < QUEUE_MODE_COUNT; m++) {
    for (int s = 1; s < COUNT(states); s++) {
      CellFacts newTask = {
          .state = states[s], .cls = CLASS_NEW_TASK, .switchTasks = 1, .continuing = 1};
      CellFacts unclear = {
          .state = states[s], .cls = CLASS_UNCLEAR, .switchTasks = 1, .continuing = 1};
      checkLive(
          (QueueMode)m, &newTask, expected[m],
          tap_name("live run, %s: a new task that goes on, in %s", modeNames[m], stateNames[s]));
      checkLive((QueueMode)m, &unclear, expected[m],
                tap_name("live run, %s: an unclear message that goes on, in %s", modeNames[m],
                         stateNames[s]));
    }
  }
}

static void testLiveOther(void) {
  static const char expected[] = "qqqssq";
  for (int m = 0; m < QUEUE_MODE_COUNT; m++) {
    char got[2] = {0, 0}, want[2] = {expected[m], 0};
    got[0] = liveLetter(ts_live_other((QueueMode)m));
    CHECK_STR(tap_name("live run, %s: a message of another source", modeNames[m]), got, want);
  }
}

/* ---- Names ----------------------------------------------------------------------------------- */

static void testNames(void) {
  static const char *const actions[] = {
      "start", "continue",  "complete", "abandon", "answer",   "acknowledge", "prompt",   "queue",
      "steer", "interrupt", "compact",  "blocked", "rejected", "classify",    "duplicate"};
  static const char *const commits[] = {"", "Normal", "Abandoned", "StaleAutoCompact",
                                        "InterruptedByNewTask"};
  CHECK_INT("actions", ACTION_COUNT, COUNT(actions));
  for (int i = 0; i < COUNT(actions); i++)
    CHECK_STR(tap_name("action %d", i), ts_action_names[i], actions[i]);
  CHECK_INT("commit types", COMMIT_TYPE_COUNT, COUNT(commits));
  for (int i = 0; i < COUNT(commits); i++)
    CHECK_STR(tap_name("commit type %d", i), ts_commit_types[i], commits[i]);
  CHECK_INT("sources", SOURCE_COUNT, COUNT(sourceNames));
  for (int i = 0; i < COUNT(sourceNames); i++)
    CHECK_STR(tap_name("source %d", i), ts_source_names[i], sourceNames[i]);
  CHECK_INT("modes", QUEUE_MODE_COUNT, COUNT(modeNames));
  for (int i = 0; i < COUNT(modeNames); i++)
    CHECK_STR(tap_name("mode %d", i), ts_queue_modes[i], modeNames[i]);
  CHECK_STR("after the modes", ts_queue_modes[QUEUE_MODE_COUNT], "inherit");
  CHECK_INT("choice kinds", CHOICE_KIND_COUNT, COUNT(kindNames));
  CHECK_STR("no choice", ts_choice_kinds[CHOICE_NONE], "");
  CHECK_STR("stale choice", ts_choice_kinds[CHOICE_STALE], "StaleSessionChoice");
  CHECK_STR("new task choice", ts_choice_kinds[CHOICE_NEW_TASK], "NewTaskChoice");
  CHECK_INT("classes", CLASS_COUNT, COUNT(classes));
  for (int i = 0; i < COUNT(classes); i++)
    CHECK_INT(tap_name("class %s", classNames[i]), classes[i], i);
}

/* While the person is asked, a guess ends nothing, and at an open choice it waits. In the order of classNames. */
static void testDoubted(void) {
  static const MessageClass overTask[] = {CLASS_RESPONSE, CLASS_MODIFICATION, CLASS_UNCLEAR,
                                          CLASS_UNCLEAR,  CLASS_UNCLEAR,      CLASS_CLARIFICATION,
                                          CLASS_UNCLEAR};
  for (int i = 0; i < COUNT(classes); i++) {
    CHECK_INT(tap_name("doubted %s over a task", classNames[i]), ts_class_doubted(classes[i], 0, 1),
              overTask[i]);
    CHECK_INT(tap_name("doubted %s without a task", classNames[i]),
              ts_class_doubted(classes[i], 0, 0), classes[i]);
    CHECK_INT(tap_name("doubted %s at a choice", classNames[i]), ts_class_doubted(classes[i], 1, 1),
              CLASS_MODIFICATION);
  }
}

int main(void) {
  testGate();
  testThresholds();
  testChoice();
  testChoiceWords();
  testSavedTask();
  testSkippedQuestion();
  testAnsweredReport();
  testGroup();
  testCells();
  testLive();
  testLiveContinuing();
  testLiveOther();
  testDoubted();
  testNames();
  return tap_done("decide");
}
