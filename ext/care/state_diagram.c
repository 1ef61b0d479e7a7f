/*
** state_diagram.c - state_diagram(): the four state machines as pictures, drawn from the tables of
** states.c that also drive the commands and the guards.
**
**   SELECT state_diagram();                   -- Mermaid, all four machines
**   SELECT state_diagram('dot', 'task');      -- Graphviz, one machine
**   SELECT state_diagram('text', 'run');      -- plain lines
*/
#include "state_diagram.h"
#include "functions.h"
#include "states.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

typedef enum DiagramFormat { DIAGRAM_MERMAID, DIAGRAM_DOT, DIAGRAM_TEXT } DiagramFormat;

static const char *const formatNames[] = {"mermaid", "dot", "text"};

/*
** Mermaid and Graphviz have one name space per picture, and two machines have a state called error.
** So in a picture of all four each machine is a group, and its states are named like task_Running.
*/
static void drawMermaid(sqlite3_str *out, const Machine *m, int grouped) {
  const char *indent = grouped ? "        " : "    ";
  const char *group = grouped ? m->axis : "", *joint = grouped ? "_" : "";
  if (grouped) {
    sqlite3_str_appendf(out, "    state %s {\n", m->axis);
    for (int i = 0; i < m->nStates; i++) {
      sqlite3_str_appendf(out, "%sstate \"%s\" as %s_%s\n", indent, m->states[i], m->axis,
                          m->states[i]);
    }
  }
  sqlite3_str_appendf(out, "%s[*] --> %s%s%s\n", indent, group, joint, m->states[0]);
  for (int i = 0; i < m->nTransitions; i++) {
    const Transition *t = &m->transitions[i];
    sqlite3_str_appendf(out, "%s%s%s%s --> %s%s%s: %s\n", indent, group, joint, m->states[t->from],
                        group, joint, m->states[t->to], t->trigger);
  }
  if (grouped) sqlite3_str_appendall(out, "    }\n");
}

static void drawDot(sqlite3_str *out, const Machine *m, int grouped) {
  const char *indent = grouped ? "    " : "  ";
  const char *group = grouped ? m->axis : "", *joint = grouped ? "_" : "";
  if (grouped) sqlite3_str_appendf(out, "  subgraph cluster_%s {\n    label=%s;\n", group, group);
  for (int i = 0; i < m->nStates; i++) {
    sqlite3_str_appendf(out, "%s%s%s%s [label=\"%s\"];\n", indent, group, joint, m->states[i],
                        m->states[i]);
  }
  for (int i = 0; i < m->nTransitions; i++) {
    const Transition *t = &m->transitions[i];
    sqlite3_str_appendf(out, "%s%s%s%s -> %s%s%s [label=\"%s\"];\n", indent, group, joint,
                        m->states[t->from], group, joint, m->states[t->to], t->trigger);
  }
  if (grouped) sqlite3_str_appendall(out, "  }\n");
}

/* One line per state: "Running → AwaitingUser (question), …". */
static void drawText(sqlite3_str *out, const Machine *m, int grouped) {
  (void)grouped;
  sqlite3_str_appendf(out, "%s\n", m->axis);
  for (int from = 0; from < m->nStates; from++) {
    const char *separator = " -> ";
    sqlite3_str_appendf(out, "  %s", m->states[from]);
    for (int i = 0; i < m->nTransitions; i++) {
      const Transition *t = &m->transitions[i];
      if (t->from != from) continue;
      sqlite3_str_appendf(out, "%s%s (%s)", separator, m->states[t->to], t->trigger);
      separator = ", ";
    }
    sqlite3_str_appendall(out, "\n");
  }
}

/* The picture of one machine, or of all four (only == NULL). */
static void drawMachines(sqlite3_str *out, const Machine *only, DiagramFormat format) {
  static const struct {
    void (*draw)(sqlite3_str *, const Machine *, int grouped);
    Text head, foot;
  } formats[] = {
      [DIAGRAM_MERMAID] = {drawMermaid, TS_TEXT("stateDiagram-v2\n"), {NULL, 0}},
      [DIAGRAM_DOT] = {drawDot, TS_TEXT("digraph states {\n  node [shape=box, style=rounded];\n"),
                       TS_TEXT("}\n")},
      [DIAGRAM_TEXT] = {drawText, {NULL, 0}, {NULL, 0}},
  };
  ts_append(out, formats[format].head);
  for (int i = 0; i < TS_MACHINE_COUNT; i++) {
    if (!only || only == ts_machines[i]) formats[format].draw(out, ts_machines[i], !only);
  }
  ts_append(out, formats[format].foot);
}

/* The number of a word in a list, or -1. NULL stands for the first. */
static int findWord(sqlite3_value *v, const char *const *words, int n) {
  const char *z = (const char *)sqlite3_value_text(v);
  if (!z) return 0;
  for (int i = 0; i < n; i++) {
    if (strcmp(z, words[i]) == 0) return i;
  }
  return -1;
}

/* state_diagram([format [, axis]]) → text */
static void stateDiagram(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  const char *axes[TS_MACHINE_COUNT];
  int format = argc > 0 ? findWord(argv[0], formatNames, 3) : 0;
  int axis = -1;
  sqlite3_str *out;
  for (int i = 0; i < TS_MACHINE_COUNT; i++)
    axes[i] = ts_machines[i]->axis;
  if (argc > 2) {
    sqlite3_result_error(ctx, "state_diagram: it takes format and axis", -1);
    return;
  }
  if (format < 0) {
    sqlite3_result_error(ctx, "state_diagram: format must be one of: mermaid, dot, text", -1);
    return;
  }
  if (argc > 1 && sqlite3_value_type(argv[1]) != SQLITE_NULL) {
    axis = findWord(argv[1], axes, TS_MACHINE_COUNT);
    if (axis < 0) {
      sqlite3_result_error(ctx, "state_diagram: axis must be one of: task, status, run, turn", -1);
      return;
    }
  }
  out = sqlite3_str_new(sqlite3_context_db_handle(ctx));
  drawMachines(out, axis < 0 ? NULL : ts_machines[axis], (DiagramFormat)format);
  if (sqlite3_str_errcode(out) != SQLITE_OK) {
    sqlite3_free(sqlite3_str_finish(out));
    sqlite3_result_error_nomem(ctx);
    return;
  }
  sqlite3_result_text(ctx, sqlite3_str_finish(out), -1, sqlite3_free);
}

int ts_diagram_register(Conn *conn) {
  static const FunctionSpec functions[] = {
      {"state_diagram", -1, SQLITE_INNOCUOUS | SQLITE_DETERMINISTIC, stateDiagram},
  };
  return ts_functions_register(conn, functions, 1);
}
