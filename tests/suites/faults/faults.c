/*
** faults.c - every command with everything that can fail failing in turn.
**
**   faults [KIND…] [case=TEXT] [points=N] [every=N] [old=FILE] [sqlite=VERSION] [thorough] [verbose]
**   faults version
**   faults statements
**
** KIND is oom, io, interrupt, auth or load; without one, all. A series is one case (cases.h) in
** one form (sugar or door), alone or inside BEGIN, under one kind of fault (inject.h) in one mode.
** It runs the command with chance 1 failing, then chance 2, and so on, until a run meets no fault.
** What must hold each time:
**
**   - an error is reported exactly when the command did not happen: the file is as before, or, when
**     the statement succeeded in spite of the fault, as after, with the same result (the exceptions
**     are interruptedLate, clearedUpLate, and an I/O error on the last call of a commit);
**   - the error is the fault's own code, with a message;
**   - inside BEGIN the same holds for the open transaction, whichever way it ends; when SQLite has
**     rolled it back whole, it is gone whole;
**   - the connection works on, the file passes integrity_check and holds the invariants below,
**     sqlite3_close succeeds, and no memory is left.
**
** `points` bounds the runs per series: the chances are then taken at even distances. `thorough`
** takes every chance of every series; only of those with a cold connection, in which a command
** has ten thousand, 500.
**
** A run of all cases also finds that each statement of sql/statements/ is prepared by one of them:
** none is left out of the faults. `statements` looks for that alone, without any fault.
*/
#include "bench.h"
#include "inject.h"
#include "turnstile.h"

#include "tap.h"

#include <stdlib.h>

#define TS_STATEMENT_NAMES
#include "statement_texts.h"

static int thorough, verbose;
/* Runs per series, unless told otherwise. */
static const long usualPoints[FAULT_KINDS] = {50, 30, 20, 20};
static long maxPoints;
/* Every how many series one is run, and how many there were. */
static long every = 1, met;
static const char *onlyCase;
static long runs, series;

/* A series as it is named in a failure. */
typedef struct Series {
  Bench b;
  FaultKind kind;
  FaultMode mode;
  int cold; /* each run has a connection of its own */
  int failures;
} Series;

static void failed(Series *s, long n, const char *format, ...) {
  va_list ap;
  tapFailed++;
  s->failures++;
  printf("%s %s%s, %s, %s%s%s, n=%ld: ", fault_kinds[s->kind], fault_modes[s->mode],
         s->cold ? " cold" : "", s->b.c->name,
         !s->b.c->command          ? "statement"
         : s->b.form == FORM_SUGAR ? "sugar"
                                   : "door",
         s->b.begin ? " in BEGIN" : "", s->b.wal ? " (WAL)" : "", n);
  va_start(ap, format);
  vprintf(format, ap);
  va_end(ap);
  printf("\n");
  fflush(stdout);
}

static const char *which(const Series *s, sqlite3_int64 d) {
  return d == s->b.before ? "before" : d == s->b.after ? "after" : "between";
}

/* The digest of the file. A connection whose I/O failed may hold its locks until it is closed. */
static sqlite3_int64 fileDigest(Series *s, long n) {
  int rc;
  sqlite3_int64 d = digest(s->b.seen, &rc);
  if ((rc & 0xff) == SQLITE_BUSY) {
    if (bench_disconnect(&s->b) != SQLITE_OK) failed(s, n, "sqlite3_close failed");
    bench_connect(&s->b);
    d = digest(s->b.seen, &rc);
  }
  if (rc != SQLITE_OK) failed(s, n, "the file can't be read: %s", sqlite3_errmsg(s->b.seen));
  return d;
}

static int sameText(const char *a, const char *b) {
  return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Did the command report its error the way it should? */
static void checkError(Series *s, long n, int hit, const Outcome *out) {
  int ok = fault_code(s->kind, out->rc);
  if (s->kind == FAULT_AUTH && (out->rc & 0xff) == SQLITE_ERROR) {
    ok = strstr(out->message, "not authorized") || strstr(out->message, "prohibited") ||
         strstr(out->message, "vtable constructor failed");
    /* Before 3.40, ALTER TABLE loses the message when a function that it calls itself is forbidden. */
    if (sqlite3_libversion_number() < 3040000) ok = ok || strstr(out->message, "SQL logic error");
  }
  if (!hit) {
    failed(s, n, "failed although nothing was made to: %s", out->message);
  } else if (!ok) {
    failed(s, n, "ended in code %d: %s", out->rc, out->message);
  } else if (!out->message[0]) {
    failed(s, n, "no message");
  }
}

/* An interrupt may stop what comes after the command: the rest of the SELECT that called it, once
** its row is out; and a progress handler may speak up when the statement has just ended. */
static int interruptedLate(const Series *s, const Outcome *out) {
  if (s->kind != FAULT_INTERRUPT || out->rc == SQLITE_OK) return 0;
  return s->mode == FAULT_STUCK || out->hasRow;
}

/* Installing clears up after its commit. When memory is lacking then, it says so although all is in
** place: called again, it returns at once. */
static int clearedUpLate(const Series *s, const Outcome *out) {
  return s->kind == FAULT_OOM && out->rc != SQLITE_OK && !s->b.c->command &&
         strncmp(s->b.c->name, "install", 7) == 0;
}

/* What the file must hold now. Returns 1 when it is not as before. */
static int checkFile(Series *s, long n, const Outcome *out, int success, int inTransaction,
                     int committed) {
  Bench *b = &s->b;
  sqlite3_int64 d = fileDigest(s, n);
  sqlite3_int64 witness = number(b->seen, "SELECT count(*) FROM witness");
  int ok;
  if (inTransaction && !committed) success = 0;
  ok = d == (success ? b->after : b->before);
  /* The commit itself can fail on its last call, when it has already happened. */
  if (!success && d == b->after && !inTransaction && s->kind == FAULT_IO) ok = 1;
  if (!success && d == b->after && !inTransaction && interruptedLate(s, out)) ok = 1;
  if (!success && d == b->after && !inTransaction && clearedUpLate(s, out)) ok = 1;
  if (!ok) failed(s, n, "the file is %s (%s)", which(s, d), out->rc ? out->message : "success");
  if (inTransaction && witness != committed) {
    failed(s, n, "the host's own row: %lld, expected %d", witness, committed);
  }
  return d != b->before;
}

/* Inside BEGIN: the open transaction, then its end. Returns what checkFile does. */
static int endTransaction(Series *s, long n, const Outcome *out) {
  Bench *b = &s->b;
  int open = !sqlite3_get_autocommit(b->db), rc, committed = 0, success = out->rc == SQLITE_OK;
  if (!open && out->rc == SQLITE_OK) failed(s, n, "success, and the transaction is gone");
  if (open) {
    sqlite3_int64 d = digest(b->db, &rc);
    sqlite3_int64 expected = success ? b->after : b->before;
    if (d == b->after && (interruptedLate(s, out) || clearedUpLate(s, out)))
      expected = d, success = 1;
    if (rc != SQLITE_OK) {
      failed(s, n, "the transaction can't be read: %s", sqlite3_errmsg(b->db));
    } else if (d != expected) {
      failed(s, n, "the transaction is %s (%s)", which(s, d), out->rc ? out->message : "success");
    }
    committed = n % 2;
    rc = sqlite3_exec(b->db, committed ? "COMMIT" : "ROLLBACK", NULL, NULL, NULL);
    if (rc != SQLITE_OK) {
      failed(s, n, "%s: %s", committed ? "COMMIT" : "ROLLBACK", sqlite3_errmsg(b->db));
      sqlite3_exec(b->db, "ROLLBACK", NULL, NULL, NULL);
      committed = 0;
    }
  }
  return checkFile(s, n, out, success, 1, committed);
}

/* Each counts rows that must not exist. */
static const struct {
  const char *name, *sql;
} invariants[] = {
    {"a head stands on the path",
     "SELECT count(*) FROM sessions WHERE thread_id IS NOT NULL AND thread_id NOT IN (SELECT id "
     "FROM turns WHERE on_path = 1)"},
    {"history's last row is the head",
     "SELECT count(*) FROM sessions AS s WHERE thread_id IS NOT (SELECT nullif(thread_id, 0) FROM "
     "session_history WHERE session_label = s.label ORDER BY id DESC LIMIT 1)"},
    {"no running turn without a run, no run without its turn",
     "SELECT (SELECT count(*) FROM turns WHERE status = 'running' AND id NOT IN (SELECT turn_id "
     "FROM session_runs WHERE turn_id IS NOT NULL)) + (SELECT count(*) FROM session_runs WHERE "
     "turn_id IS NOT NULL AND turn_id NOT IN (SELECT id FROM turns WHERE status = 'running'))"},
    {"a turn hangs below one that stands on the path",
     "SELECT count(*) FROM turns AS t LEFT JOIN turns AS p ON p.id = t.parent_turn_id "
     "WHERE t.parent_turn_id IS NOT NULL AND p.on_path IS NOT 1"},
    {"a branch has its turns, a turn its branch",
     "SELECT (SELECT count(*) FROM branches WHERE id << 24 | first_depth NOT IN (SELECT id FROM "
     "turns)) + (SELECT count(*) FROM turns WHERE id >> 24 NOT IN (SELECT id FROM branches))"},
    {"a message has its turn",
     "SELECT count(*) FROM (SELECT place FROM messages UNION ALL SELECT place FROM tool_calls) "
     "WHERE place >> 12 NOT IN (SELECT id FROM turns)"},
    {"a compaction has its turn, and the other way round",
     "SELECT count(*) FROM turns WHERE (turn_type = 'compaction' AND on_path = 1) <> "
     "(id IN (SELECT turn_id FROM compactions))"},
    {"an input in work has a running turn",
     "SELECT count(*) FROM session_queue WHERE status = 'processing' AND turn_id IS NOT NULL AND "
     "turn_id NOT IN (SELECT id FROM turns WHERE status = 'running')"},
    {"the guards are closed", "SELECT count(*) FROM turnstile_meta WHERE key = 'unguarded'"},
};

/* Looks at the whole file. */
static void checkSound(Series *s, long n) {
  Outcome out;
  run_sql(s->b.seen, "PRAGMA integrity_check", &out);
  if (out.rc != SQLITE_OK || !out.value || strcmp(out.value, "ok") != 0) {
    failed(s, n, "integrity_check: %s", out.value ? out.value : out.message);
  }
  outcome_free(&out);
  if (s->b.c->flags & CASE_DAMAGED) return;
  /* A prefix, or a file that is not yet installed. */
  if (number(s->b.seen, "SELECT count(*) FROM sqlite_schema WHERE name IN ('sessions', 'turns')") <
      2) {
    return;
  }
  for (size_t i = 0; i < sizeof(invariants) / sizeof(invariants[0]); i++) {
    sqlite3_int64 wrong = number(s->b.seen, invariants[i].sql);
    if (wrong != 0) failed(s, n, "%s: %lld times not", invariants[i].name, wrong);
  }
}

/* One run with chance n failing. Returns 1 when a fault was met. */
static int runOnce(Series *s, long n, long *chances) {
  Bench *b = &s->b;
  Outcome out;
  int hit, rc, changed, failures = s->failures;
  runs++;
  if (b->begin) must(b->db, "BEGIN; INSERT INTO witness VALUES(1)");
  fault_owner(1);
  fault_arm(b->db, s->kind, s->mode, n);
  run_sql(b->db, b->sql, &out);
  *chances = fault_disarm(&hit);
  fault_owner(0);
  if (out.rc != SQLITE_OK) checkError(s, n, hit, &out);
  if (out.rc == SQLITE_OK && !sameText(out.value, b->value)) {
    failed(s, n, "success, but with another result: %.300s", out.value ? out.value : "NULL");
  }
  if (b->begin) {
    changed = endTransaction(s, n, &out);
  } else {
    if (!sqlite3_get_autocommit(b->db)) {
      failed(s, n, "a transaction is left open (%s)", out.rc ? out.message : "success");
      must(b->db, "ROLLBACK");
    }
    changed = checkFile(s, n, &out, out.rc == SQLITE_OK, 0, 0);
  }
  /* The connection works on. */
  if (number(b->db, "SELECT count(*) FROM witness") < 0) {
    failed(s, n, "the connection is of no more use: %s", sqlite3_errmsg(b->db));
  }
  if (out.rc != SQLITE_OK && b->c->command && number(b->db, "SELECT turnstile_result()") != -1) {
    failed(s, n, "a command that failed left a result");
  }
  if (runs % 16 == 0) checkSound(s, n);
  if (s->failures == failures) tapPassed++;
  outcome_free(&out);
  if (s->cold || changed) {
    rc = bench_close(b);
    if (rc != SQLITE_OK) failed(s, n, "sqlite3_close returned %d", rc);
    if (fault_owned() != 0) failed(s, n, "%ld blocks of memory are left", fault_owned());
    bench_restore(b);
    if (!s->cold) bench_warm(b);
  } else if (b->begin) {
    must(b->db, "DELETE FROM witness");
  }
  return hit;
}

/* Runs a whole series. */
static void runSeries(const Case *c, Form form, int wal, int begin, FaultKind kind, FaultMode mode,
                      int cold) {
  Series s;
  long chances = 0, stride, total, points = maxPoints ? maxPoints : usualPoints[kind];
  if (met++ % every != 0) return;
  memset(&s, 0, sizeof(s));
  s.kind = kind;
  s.mode = mode;
  s.cold = cold;
  if (!bench_open(&s.b, c, form, wal, begin)) {
    if (!(c->flags & (CASE_OLD | CASE_DOCUMENT))) tapFailed++;
    return;
  }
  series++;
  if (!cold) bench_warm(&s.b);
  runOnce(&s, 1L << 40, &total);
  if (thorough) points = cold ? 500 : total;
  stride = total <= points ? 1 : (total + points - 1) / points;
  if (verbose) {
    printf("%s %s%s, %s, form %d begin %d: %ld chances\n", fault_kinds[kind], fault_modes[mode],
           cold ? " cold" : "", c->name, form, begin, total);
    fflush(stdout);
  }
  for (long n = 1 + series % stride; s.failures < 3; n += stride) {
    if (!runOnce(&s, n, &chances)) break;
  }
  checkSound(&s, 0);
  if (bench_close(&s.b) != SQLITE_OK) failed(&s, 0, "sqlite3_close failed");
  if (fault_owned() != 0) failed(&s, 0, "%ld blocks of memory are left", fault_owned());
  bench_free(&s.b);
}

/* All series of one kind over one case. turn counts the cases, so that the reduced run covers both
** journal modes, cold connections and all modes over the cases together. */
static void runCase(const Case *c, FaultKind kind, int turn) {
  int forms = c->command ? 2 : 1;
  for (int form = 0; form < forms; form++) {
    for (int begin = 0; begin < 2; begin++) {
      int wal = (turn / 2 + form) & 1;
      if (!thorough && forms == 2 && (form + begin + turn) % 2 != 0) continue;
      switch (kind) {
      case FAULT_IO:
        for (int mode = FAULT_ONCE; mode <= FAULT_LOCKED; mode++) {
          if (!thorough && (mode + turn / 2 + begin) % 4 != 0) continue;
          runSeries(c, form, wal, begin, kind, mode, 0);
          if (thorough) {
            runSeries(c, form, !wal, begin, kind, mode, 0);
            runSeries(c, form, wal, begin, kind, mode, 1);
          }
        }
        break;
      default:
        for (int mode = FAULT_ONCE; mode <= FAULT_STUCK; mode++) {
          if (!thorough && (mode + turn / 2 + begin) % 2 != 0) continue;
          runSeries(c, form, wal, begin, kind, mode, 0);
          if (thorough || turn % 16 == 3) runSeries(c, form, wal, begin, kind, mode, 1);
        }
      }
    }
  }
}

/* What no case comes to: a refusal that names an example, and an INSERT whose id is always known. */
static const char *const unmet[] = {"delete_merged", "delivery_add"};

static int isUnmet(const char *name) {
  for (size_t i = 0; i < sizeof(unmet) / sizeof(unmet[0]); i++) {
    if (strcmp(name, unmet[i]) == 0) return 1;
  }
  return 0;
}

/* Is each statement prepared by a case? */
static void checkReached(void) {
  for (int i = 0; i < (int)(sizeof(statementNames) / sizeof(statementNames[0])); i++) {
    CHECK(tap_name("a case prepares the statement %s", statementNames[i]),
          bench_reached(i) != isUnmet(statementNames[i]));
  }
}

/* Runs each case once, with nothing failing. */
static void runWithoutFaults(const Case *cases, int n) {
  for (int i = 0; i < n; i++) {
    Bench b;
    if (bench_open(&b, &cases[i], FORM_SUGAR, 0, 0)) {
      bench_close(&b);
      bench_free(&b);
    } else {
      tapFailed++;
      printf("%s: not run; old=FILE names the stored file of version 1\n", cases[i].name);
    }
  }
  checkReached();
}

/* The entry point itself, with each allocation failing. */
static void runLoad(void) {
  int hit = 1;
  for (long n = 1; hit; n++) {
    sqlite3 *db = NULL;
    char *err = NULL;
    int rc;
    fault_owner(1);
    sqlite3_open(bench_installed(), &db);
    fault_arm(db, FAULT_OOM, FAULT_ONCE, n);
    rc = sqlite3_turnstile_init(db, &err, NULL);
    fault_disarm(&hit);
    sqlite3_free(err);
    CHECK(tap_name("load n=%ld: the code is %d", n, rc),
          rc == (hit ? SQLITE_NOMEM : SQLITE_OK) || (hit && rc == SQLITE_OK));
    if (rc != SQLITE_OK) {
      CHECK_INT(tap_name("load n=%ld: nothing is left", n),
                number(db, "SELECT (SELECT count(*) FROM pragma_function_list WHERE name LIKE "
                           "'turnstile%' OR name LIKE 'session%' OR name LIKE 'turn%' OR name LIKE "
                           "'class%') + (SELECT count(*) FROM pragma_module_list WHERE name LIKE "
                           "'turn%' OR name LIKE 'session%' OR name LIKE 'class%' OR name LIKE "
                           "'stale%')"),
                0);
    }
    /* Loading once more must work. */
    rc = sqlite3_turnstile_init(db, &err, NULL);
    CHECK_INT(tap_name("load n=%ld: again", n), rc, SQLITE_OK);
    must(db, "BEGIN");
    CHECK_INT(tap_name("load n=%ld: works", n),
              number(db, "SELECT turnstile_install() > 0 AND session_start('s','t') = 1"), 1);
    must(db, "ROLLBACK");
    CHECK_INT(tap_name("load n=%ld: close", n), sqlite3_close(db), SQLITE_OK);
    fault_owner(0);
    CHECK_INT(tap_name("load n=%ld: memory", n), fault_owned(), 0);
    runs++;
  }
}

int main(int argc, char **argv) {
  int chosen[FAULT_KINDS] = {0}, load = 0, any = 0, statements = 0, nCases;
  const char *old = NULL;
  const Case *cases = all_cases(&nCases);
  sqlite3_int64 base;
  if (argc == 2 && strcmp(argv[1], "version") == 0) {
    printf("%s\n", sqlite3_libversion());
    return 0;
  }
  for (int i = 1; i < argc; i++) {
    int known = 0;
    for (int k = 0; k < FAULT_KINDS; k++) {
      if (strcmp(argv[i], fault_kinds[k]) == 0) chosen[k] = any = known = 1;
    }
    if (strcmp(argv[i], "load") == 0) load = any = known = 1;
    if (strcmp(argv[i], "statements") == 0) statements = known = 1;
    if (strcmp(argv[i], "thorough") == 0) thorough = known = 1;
    if (strcmp(argv[i], "verbose") == 0) verbose = known = 1;
    if (strncmp(argv[i], "points=", 7) == 0) known = (maxPoints = atol(argv[i] + 7)) > 0;
    if (strncmp(argv[i], "every=", 6) == 0) known = (every = atol(argv[i] + 6)) > 0;
    if (strncmp(argv[i], "sqlite=", 7) == 0) known = strcmp(argv[i] + 7, sqlite3_libversion()) == 0;
    if (strncmp(argv[i], "case=", 5) == 0) onlyCase = argv[i] + 5, known = 1;
    if (strncmp(argv[i], "old=", 4) == 0) old = argv[i] + 4, known = 1;
    if (!known) {
      fprintf(stderr, "faults: what is '%s'? (this is SQLite %s)\n", argv[i], sqlite3_libversion());
      return 2;
    }
  }
  fault_setup();
  bench_begin(old);
  base = sqlite3_memory_used();
  if (statements) {
    runWithoutFaults(cases, nCases);
    bench_end();
    return tap_done("statements in faults");
  }
  if (load || !any) runLoad();
  for (int k = 0; k < FAULT_KINDS; k++) {
    long before = runs;
    if (any && !chosen[k]) continue;
    for (int i = 0; i < nCases; i++) {
      if (onlyCase && !strstr(cases[i].name, onlyCase)) continue;
      runCase(&cases[i], (FaultKind)k, i);
    }
    printf("%s: %ld runs\n", fault_kinds[k], runs - before);
    fflush(stdout);
  }
  if (!any && !onlyCase && every == 1 && old) checkReached();
  CHECK_INT("memory_used at the end", sqlite3_memory_used(), base);
  bench_end();
  return tap_done("faults");
}
