/*
** session_diagram.c - session_diagram(): a session as a picture.
**
**   SELECT session_diagram('main');                        -- Mermaid
**   SELECT session_diagram('main', 'dot');                 -- Graphviz
**   SELECT session_diagram('main', 'text', '{"turns":5}')  -- plain lines, the newest five turns
**
** The code first collects the picture as plain values. The path, oldest first, is a list of nodes:
** turns, compactions, tasks without a turn. Beside a node stand the failed, aborted and running
** turns below it, and the sessions that begin there. Then the code draws the picture: each format
** is a table of a few functions. Texts come from people and models. They are cut to one line when
** collected, and escaped for the format when drawn.
**
** The cost grows with what is shown: at most TURNS_MAX turns of the path and as many tasks, and for
** each turn at most BESIDE_MAX failed turns and BESIDE_MAX sessions.
*/
#include "session_diagram.h"

#include "args.h"
#include "task.h"
#include "text.h"
#include "turn.h"
#include "utf8.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

#define TURNS_DEFAULT 30
#define TURNS_MAX 200
#define BESIDE_MAX 5      /* of each kind beside one turn; then "more" */
#define BRANCHES_MAX 64   /* how many of the newest turns below a turn are read */
#define LINE_MAX_CHARS 60 /* of one text */

typedef enum NodeKind {
  NODE_EARLIER, /* stands for what came before */
  NODE_TURN,
  NODE_COMPACTION,
  NODE_TASK, /* a task without a turn on the path */
  NODE_OFF,  /* a turn off the path: failed, aborted or running */
  NODE_RUNNING,
  NODE_SESSION, /* another session that begins here */
  NODE_MORE,
  NODE_HEAD, /* the session itself */
  NODE_KINDS
} NodeKind;

typedef struct Node Node;
struct Node {
  Node *next;
  Node *beside; /* what stands beside it, in order */
  NodeKind kind;
  const char *name; /* in mermaid and dot */
  Text word;        /* what it is, before the first line; NULL: not shown */
  Text first;       /* the first line */
  Text second;      /* the second line or NULL */
  sqlite3_int64 turn;
  sqlite3_int64 task; /* the turn's task; 0: not known */
  sqlite3_int64 startedAt;
  int leaves; /* the session, a fork, leaves the older one behind this turn */
};

typedef struct TaskNote TaskNote;
struct TaskNote {
  TaskNote *next;
  sqlite3_int64 id, startedAt;
  Text text, state;
  int isDrawn;
};

typedef struct Picture {
  Cmd *c;
  Session s;
  Node head;
  Node *path, **pathTail;
  TaskNote *tasks; /* by id, ascending */
  int nNames;
  sqlite3_int64 forkedAt;
} Picture;

/* ---- Collecting ------------------------------------------------------------------------------ */

/* Characters that would end the line, and bytes that are not characters. */
static int isControl(unsigned c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029 ||
         (c & 0xFFFE) == 0xFFFE;
}

/* Marks that turn the direction of what follows them, outside the text they belong to as well. */
static int turnsDirection(unsigned c) {
  return c == 0x61C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

/* The first line of a text, cut, with only characters that stay in their place. NULL: it has no
** visible character. */
static Text line(Cmd *c, Text t) {
  Text cut = t.z ? ts_describe(c, t, LINE_MAX_CHARS) : none;
  sqlite3_str *out;
  if (!cut.n) return none;
  out = sqlite3_str_new(c->db);
  for (int i = 0; i < cut.n;) {
    unsigned character;
    int len = ts_utf8_next(cut.z + i, cut.n - i, &character);
    if (isControl(character)) {
      sqlite3_str_appendchar(out, 1, ' ');
    } else if (!turnsDirection(character)) {
      sqlite3_str_append(out, cut.z + i, len);
    }
    i += len;
  }
  cut = ts_finish(c, out);
  return cut.z && !ts_text_blank(cut.z, cut.n) ? cut : none;
}

/* A node at *tail, which moves on. NULL once the command has failed. */
static Node *addNode(Picture *p, Node ***tail, NodeKind kind, const char *name) {
  Node *node = ts_alloc(p->c, sizeof(*node));
  if (!node) return NULL;
  node->kind = kind;
  node->name = name ? name : ts_printf(p->c, "n%d", ++p->nNames);
  **tail = node;
  *tail = &node->next;
  return node;
}

/* A row of the path stands where the path says, below the turn that it says. */
static void checkTurn(Cmd *c, Query *q, const Segment *path, sqlite3_int64 expected) {
  sqlite3_int64 id = ts_col_int(q, COL_DIAGRAM_TURNS_ID),
                parent = ts_col_int(q, COL_DIAGRAM_TURNS_PARENT_TURN_ID);
  if (id != expected) {
    ts_fail_damaged(c, expected, "it is missing");
  } else if (path && parent != ts_segment_parent(path, id)) {
    ts_fail_damaged(c, id, "its parent is %lld, not %lld", parent, ts_segment_parent(path, id));
  }
}

/* The turns of a range of one branch, at *tail; path: NULL for a turn off the path. */
static void addTurns(Picture *p, Node ***tail, sqlite3_int64 first, sqlite3_int64 last,
                     const Segment *path) {
  Cmd *c = p->c;
  sqlite3_int64 expected = first;
  Query q = ts_query(c, SQL_DIAGRAM_TURNS, "iit", first, last, &p->s.label);
  while (ts_row(c, &q)) {
    sqlite3_int64 id = ts_col_int(&q, COL_DIAGRAM_TURNS_ID);
    int isCompaction = ts_text_is(ts_col_view(&q, COL_DIAGRAM_TURNS_TURN_TYPE), "compaction");
    Text status = line(c, ts_col_text(c, &q, COL_DIAGRAM_TURNS_STATUS)),
         words = line(c, ts_col_text(c, &q, COL_DIAGRAM_TURNS_SAID));
    Text answer = line(c, ts_col_text(c, &q, COL_DIAGRAM_TURNS_ANSWER)),
         summary = line(c, ts_col_text(c, &q, COL_DIAGRAM_TURNS_SUMMARY));
    Node *node;
    checkTurn(c, &q, path, expected++);
    node = addNode(p, tail, isCompaction ? NODE_COMPACTION : NODE_TURN, ts_printf(c, "t%lld", id));
    if (!node) break;
    node->turn = id;
    node->startedAt = ts_col_int(&q, COL_DIAGRAM_TURNS_STARTED_AT);
    node->task = ts_col_int(&q, COL_DIAGRAM_TURNS_TASK_ID);
    node->first = words;
    node->second = answer;
    if (isCompaction) {
      node->word = TS_TEXT("compaction");
      node->first = summary;
      node->second = none;
    }
    if (path && ts_text_is(status, "aborted")) node->word = status;
    if (path) continue;
    node->kind = ts_text_is(status, "running") ? NODE_RUNNING : NODE_OFF;
    node->word = status;
    if (!ts_col_null(&q, COL_DIAGRAM_TURNS_ERROR))
      node->second = line(c, ts_col_text(c, &q, COL_DIAGRAM_TURNS_ERROR));
  }
  ts_end(c, &q);
  if (c->rc == SQLITE_OK && expected <= last) ts_fail_damaged(c, expected, "it is missing");
}

/* The sessions that begin at a turn. */
static void addLeaving(Picture *p, Node *node, Node ***tail) {
  Cmd *c = p->c;
  int n = 0;
  Query q = ts_query(c, SQL_DIAGRAM_LEAVING, "iti", node->turn, &p->s.label,
                     (sqlite3_int64)BESIDE_MAX + 1);
  while (ts_row(c, &q)) {
    Node *other = addNode(p, tail, n < BESIDE_MAX ? NODE_SESSION : NODE_MORE, NULL);
    if (!other) break;
    if (n++ == BESIDE_MAX) {
      other->first = TS_TEXT("more sessions");
      break;
    }
    other->word = line(c, ts_col_text(c, &q, COL_DIAGRAM_LEAVING_ORIGIN));
    other->first = line(c, ts_col_text(c, &q, COL_DIAGRAM_LEAVING_LABEL));
  }
  ts_end(c, &q);
}

/* A turn off the path, with the sessions that begin there. */
static void addOff(Picture *p, Node ***tail, sqlite3_int64 turn) {
  Node **added = *tail, **inner;
  addTurns(p, tail, turn, turn, NULL);
  if (!*added) return;
  inner = &(*added)->beside;
  addLeaving(p, *added, &inner);
}

/* What stands beside a turn of the path. */
static void addBeside(Picture *p, Node *node) {
  Cmd *c = p->c;
  Node **tail = &node->beside;
  sqlite3_int64 ids[BESIDE_MAX + 1];
  int n = 0;
  Query q = ts_query(c, SQL_DIAGRAM_BESIDE, "iii", node->turn, (sqlite3_int64)BRANCHES_MAX,
                     (sqlite3_int64)BESIDE_MAX + 1);
  while (n <= BESIDE_MAX && ts_row(c, &q))
    ids[n++] = ts_col_int(&q, COL_DIAGRAM_BESIDE_ID);
  ts_end(c, &q);
  if (n > BESIDE_MAX) {
    Node *more = addNode(p, &tail, NODE_MORE, NULL);
    if (more) more->first = TS_TEXT("earlier attempts");
    n = BESIDE_MAX;
  }
  while (n-- > 0)
    addOff(p, &tail, ids[n]);
  addLeaving(p, node, &tail);
}

/* Is the turn already in the picture? If not, it lies at the root or below a turn that is not
** shown. */
static int isShown(const Picture *p, sqlite3_int64 turn) {
  for (const Node *node = p->path; node; node = node->next) {
    if (node->turn == turn) return 1;
    for (const Node *beside = node->beside; beside; beside = beside->next) {
      if (beside->turn == turn) return 1;
    }
  }
  return 0;
}

static TaskNote *readTask(Cmd *c, Query *q) {
  TaskNote *task = ts_alloc(c, sizeof(*task));
  if (!task) return NULL;
  task->id = ts_col_int(q, COL_DIAGRAM_TASK_ID);
  task->startedAt = ts_col_int(q, COL_DIAGRAM_TASK_STARTED_AT);
  task->text = line(c, ts_col_text(c, q, COL_DIAGRAM_TASK_DESCRIPTION));
  task->state = line(c, ts_col_text(c, q, COL_DIAGRAM_TASK_STATE));
  return task;
}

/* A task by its id, read from the file unless it is among the newest. NULL: it does not exist. */
static TaskNote *findTask(Picture *p, sqlite3_int64 id) {
  TaskNote **at = &p->tasks, *task = NULL;
  Query q;
  while (*at && (*at)->id < id)
    at = &(*at)->next;
  if (*at && (*at)->id == id) return *at;
  q = ts_query(p->c, SQL_DIAGRAM_TASK, "i", id);
  if (ts_row(p->c, &q) && (task = readTask(p->c, &q)) != NULL) {
    task->next = *at;
    *at = task;
  }
  ts_end(p->c, &q);
  return task;
}

/* Returns 1 when older tasks exist that were not read. */
static int readTasks(Picture *p, sqlite3_int64 max) {
  Cmd *c = p->c;
  sqlite3_int64 n = 0;
  int more = 0;
  Query q = ts_query(c, SQL_DIAGRAM_TASKS, "ti", &p->s.label, max + 1);
  while (!more && ts_row(c, &q)) {
    TaskNote *task;
    if (n++ == max) {
      more = 1;
      continue;
    }
    task = readTask(c, &q);
    if (!task) break;
    task->next = p->tasks;
    p->tasks = task;
  }
  ts_end(c, &q);
  return more;
}

/* Tasks without a turn of their own go before a turn when they are older than its task, or than the
** turn when it has no task. NULL: all remaining tasks. Without draw they are skipped: their turns
** may lie above the first one shown. */
static void addTasksUpTo(Picture *p, const Node *turn, int draw) {
  for (TaskNote *task = p->tasks; task && p->c->rc == SQLITE_OK; task = task->next) {
    Node *node;
    if (turn && (turn->task ? task->id >= turn->task : task->startedAt >= turn->startedAt + !draw))
      return;
    if (task->isDrawn) continue;
    task->isDrawn = 1;
    if (!draw) continue;
    node = addNode(p, &p->pathTail, NODE_TASK, ts_printf(p->c, "k%lld", task->id));
    if (!node) return;
    node->first = task->text;
    node->second = task->state;
  }
}

static void addEarlier(Picture *p, Text words) {
  Node *node = addNode(p, &p->pathTail, NODE_EARLIER, NULL);
  if (node) node->first = words;
}

static void collectPath(Picture *p, sqlite3_int64 max) {
  Cmd *c = p->c;
  sqlite3_int64 depth = TS_DEPTH(p->s.head), from = depth + 1 > max ? depth + 1 - max : 0;
  int moreTasks = readTasks(p, max), isFirst = 1;
  Node *turns = NULL, **tail = &turns;
  Path path = {NULL, 0};
  if (p->s.head) ts_path(c, p->s.head, from, depth, &path);
  for (int i = path.n; i-- > 0;)
    addTurns(p, &tail, path.segments[i].first, path.segments[i].last, &path.segments[i]);
  for (Node *node = turns; node && c->rc == SQLITE_OK; node = node->next) {
    TaskNote *task = node->task ? findTask(p, node->task) : NULL;
    if (task) task->isDrawn = 1;
    if (!task) node->task = 0;
  }
  if (from > 0) {
    char *words = ts_printf(c, "%lld earlier turn%s", from, from == 1 ? "" : "s");
    addEarlier(p, (Text){words, words ? (int)strlen(words) : 0});
  } else if (moreTasks && !turns) {
    addEarlier(p, TS_TEXT("earlier tasks"));
  }
  while (turns && c->rc == SQLITE_OK) {
    Node *node = turns;
    turns = node->next;
    node->next = NULL;
    addTasksUpTo(p, node, !isFirst || (from == 0 && !moreTasks));
    isFirst = 0;
    *p->pathTail = node;
    p->pathTail = &node->next;
    node->leaves = node->turn == p->forkedAt && turns != NULL;
    addBeside(p, node);
  }
  addTasksUpTo(p, NULL, 1);
}

static void collectHead(Picture *p) {
  static const char *const paths[] = {"$.question", "$.summary", "$.user_message", "$.reason"};
  Cmd *c = p->c;
  const Session *s = &p->s;
  sqlite3_int64 turns[2] = {s->run.failedTurn, s->run.turnId};
  Node **tail = &p->head.beside;
  Text label = line(c, s->label), kind = ts_state_field(c, s->pendingChoice, "$.kind");
  Text merged = s->supersededBy.z ? line(c, s->supersededBy) : none;
  sqlite3_str *words = sqlite3_str_new(c->db);
  sqlite3_str_appendf(words, "%.*s · %s · %s", label.n, label.z ? label.z : "",
                      ts_status_machine.states[s->status], ts_task_machine.states[s->task.state]);
  kind = line(c, kind);
  if (kind.z) sqlite3_str_appendf(words, " · %.*s", kind.n, kind.z);
  if (merged.z) sqlite3_str_appendf(words, " · merged into %.*s", merged.n, merged.z);
  p->head.kind = NODE_HEAD;
  p->head.name = "head";
  p->head.first = ts_finish(c, words);
  p->head.second = line(c, s->statusReason);
  for (int i = 0; !p->head.second.z && i < (int)(sizeof(paths) / sizeof(paths[0])); i++)
    p->head.second = line(c, ts_task_field(c, s, paths[i]));
  /* At the root, no turn stands beside them. */
  for (int i = 0; i < 2; i++) {
    if (turns[i] && c->rc == SQLITE_OK && !isShown(p, turns[i])) addOff(p, &tail, turns[i]);
  }
}

/* ---- Texts in their formats ------------------------------------------------------------------ */

typedef void PutCharacter(sqlite3_str *out, unsigned character, const char *bytes, int n,
                          int startsList);

/* A text as a part of a label, each character as the format wants it. */
static void putText(sqlite3_str *out, Text t, PutCharacter *put) {
  int onlyDigits = 1; /* "1." and "- " at the beginning make a list in Markdown */
  for (int i = 0; i < t.n;) {
    unsigned c;
    int len = ts_utf8_next(t.z + i, t.n - i, &c);
    put(out, c, t.z + i, len, onlyDigits);
    if (c < '0' || c > '9') onlyDigits = 0;
    i += len;
  }
}

/* In quotes Mermaid reads #n; as a character. Characters without a meaning in Mermaid stay as they
** are. A colon has a meaning in a line with "style", braces and percent signs in a directive. */
static void putMermaid(sqlite3_str *out, unsigned c, const char *bytes, int n, int startsList) {
  int isPlain = c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                (c >= '0' && c <= '9') || (c && strchr(" ,!?'=/", (int)c)) ||
                (c && !startsList && strchr(".)(-+", (int)c));
  if (isPlain) {
    sqlite3_str_append(out, bytes, n);
  } else {
    sqlite3_str_appendf(out, "#%d;", (int)c);
  }
}

/* In quotes Graphviz knows \" and \\, and HTML's entities. */
static void putDot(sqlite3_str *out, unsigned c, const char *bytes, int n, int startsList) {
  (void)startsList;
  if (c == '"' || c == '\\') sqlite3_str_appendchar(out, 1, '\\');
  sqlite3_str_append(out, bytes, n);
  if (c == '&') sqlite3_str_appendall(out, "amp;");
}

static void putPlain(sqlite3_str *out, unsigned c, const char *bytes, int n, int startsList) {
  (void)c;
  (void)startsList;
  sqlite3_str_append(out, bytes, n);
}

/* A node's words: what it is, its first line, its second. */
static void putWords(sqlite3_str *out, const Node *node, const char *joint, PutCharacter *put) {
  if (node->kind == NODE_EARLIER || node->kind == NODE_MORE) sqlite3_str_appendall(out, "… ");
  if (node->word.z) putText(out, node->word, put);
  if (node->word.z && node->first.z) sqlite3_str_appendall(out, " · ");
  if (node->first.z) putText(out, node->first, put);
  if (node->second.z && (node->word.z || node->first.z)) sqlite3_str_appendall(out, joint);
  if (node->second.z) putText(out, node->second, put);
  if (!node->word.z && !node->first.z && !node->second.z) sqlite3_str_appendall(out, "(no text)");
}

static void putTask(sqlite3_str *out, const TaskNote *task, PutCharacter *put) {
  if (task->text.z) putText(out, task->text, put);
  sqlite3_str_appendall(out, " · ");
  putText(out, task->state, put);
}

/* ---- Drawing --------------------------------------------------------------------------------- */

/* Walks along the path and tells where the turns of a task begin and end. */
static int beginsTask(const Node *before, const Node *node) {
  return node->task && (!before || before->task != node->task);
}

static int endsTask(const Node *node) {
  return node->task && (!node->next || node->next->task != node->task);
}

typedef struct Drawing {
  const char *begin, *end;
  const char *indent, *indentInTask;
  int headFirst; /* the session stands at the beginning, not at the end */
  /* A node with what stands beside it. */
  void (*node)(sqlite3_str *out, const Node *node, const char *indent);
  void (*beginTask)(sqlite3_str *out, const TaskNote *task, int number);
  const char *endTask;
  /* A line from one node to another; NULL: order and indent show it. */
  void (*edge)(sqlite3_str *out, const Node *from, const Node *to, int how);
} Drawing;

/* Along the path; to what stands beside it; from the last node to the session. */
enum { EDGE_ALONG, EDGE_BESIDE, EDGE_HEAD };

static void nodeMermaid(sqlite3_str *out, const Node *node, const char *indent) {
  static const char *const shapes[NODE_KINDS][2] = {
      [NODE_EARLIER] = {"[\"", "\"]"},      [NODE_TURN] = {"[\"", "\"]"},
      [NODE_COMPACTION] = {"[[\"", "\"]]"}, [NODE_TASK] = {"[/\"", "\"/]"},
      [NODE_OFF] = {"{{\"", "\"}}"},        [NODE_RUNNING] = {"(\"", "\")"},
      [NODE_SESSION] = {"([\"", "\"])"},    [NODE_MORE] = {"[\"", "\"]"},
      [NODE_HEAD] = {"([\"", "\"])"},
  };
  sqlite3_str_appendf(out, "%s%s%s", indent, node->name, shapes[node->kind][0]);
  putWords(out, node, "<br>", putMermaid);
  sqlite3_str_appendf(out, "%s\n", shapes[node->kind][1]);
}

static void taskMermaid(sqlite3_str *out, const TaskNote *task, int number) {
  sqlite3_str_appendf(out, "    subgraph g%d[\"", number);
  putTask(out, task, putMermaid);
  sqlite3_str_appendall(out, "\"]\n");
}

static void edgeMermaid(sqlite3_str *out, const Node *from, const Node *to, int how) {
  const char *arrow = how == EDGE_BESIDE ? "-.-" : how == EDGE_HEAD ? "===" : "-->";
  sqlite3_str_appendf(out, "    %s %s%s %s\n", from->name, arrow, from->leaves ? "|fork|" : "",
                      to->name);
}

static void nodeDot(sqlite3_str *out, const Node *node, const char *indent) {
  static const char *const shapes[NODE_KINDS] = {
      [NODE_EARLIER] = "shape=plaintext",        [NODE_TURN] = "shape=box, style=rounded",
      [NODE_COMPACTION] = "shape=note",          [NODE_TASK] = "shape=box",
      [NODE_OFF] = "shape=box, style=dashed",    [NODE_RUNNING] = "shape=box, style=bold",
      [NODE_SESSION] = "shape=ellipse",          [NODE_MORE] = "shape=plaintext",
      [NODE_HEAD] = "shape=ellipse, style=bold",
  };
  sqlite3_str_appendf(out, "%s%s [%s, label=\"", indent, node->name, shapes[node->kind]);
  putWords(out, node, "\\n", putDot);
  sqlite3_str_appendall(out, "\"];\n");
}

static void taskDot(sqlite3_str *out, const TaskNote *task, int number) {
  sqlite3_str_appendf(out, "    subgraph cluster_%d {\n        label=\"", number);
  putTask(out, task, putDot);
  sqlite3_str_appendall(out, "\";\n");
}

static void edgeDot(sqlite3_str *out, const Node *from, const Node *to, int how) {
  const char *look = how == EDGE_BESIDE ? " [style=dashed, dir=none]"
                     : how == EDGE_HEAD ? " [style=bold, dir=none]"
                     : from->leaves     ? " [label=\"fork\"]"
                                        : "";
  sqlite3_str_appendf(out, "    %s -> %s%s;\n", from->name, to->name, look);
}

static void lineText(sqlite3_str *out, const Node *node, const char *indent, const char *mark) {
  if (indent[0] || mark[0]) sqlite3_str_appendf(out, "%s%s", indent, mark);
  putWords(out, node,
           node->kind == NODE_HEAD   ? ": "
           : node->kind == NODE_TASK ? " · "
                                     : " → ",
           putPlain);
  if (node->turn) sqlite3_str_appendf(out, " (%lld)", node->turn);
  sqlite3_str_appendall(out, "\n");
}

static void nodeText(sqlite3_str *out, const Node *node, const char *indent) {
  static const char *const marks[NODE_KINDS] = {
      [NODE_EARLIER] = "", [NODE_TURN] = "● ", [NODE_COMPACTION] = "≡ ",
      [NODE_TASK] = "□ ",  [NODE_HEAD] = "",
  };
  char further[16];
  lineText(out, node, indent, marks[node->kind]);
  sqlite3_snprintf((int)sizeof(further), further, "%s    ", indent);
  for (const Node *other = node->beside; other; other = other->next) {
    lineText(out, other, further, "└ ");
    for (const Node *inner = other->beside; inner; inner = inner->next) {
      sqlite3_str_appendall(out, "    ");
      lineText(out, inner, further, "└ ");
    }
  }
  if (node->leaves) sqlite3_str_appendf(out, "%s── fork\n", indent);
}

static void taskText(sqlite3_str *out, const TaskNote *task, int number) {
  (void)number;
  sqlite3_str_appendall(out, "  □ ");
  putTask(out, task, putPlain);
  sqlite3_str_appendall(out, "\n");
}

static const char *const formatNames[] = {"mermaid", "dot", "text"};
enum { FORMAT_COUNT = sizeof(formatNames) / sizeof(formatNames[0]) };

static const Drawing drawings[FORMAT_COUNT] = {
    {"flowchart TD\n", "", "    ", "        ", 0, nodeMermaid, taskMermaid, "    end\n",
     edgeMermaid},
    {"digraph session {\n", "}\n", "    ", "        ", 0, nodeDot, taskDot, "    }\n", edgeDot},
    {"", "", "  ", "    ", 1, nodeText, taskText, "", NULL},
};

static void drawBeside(sqlite3_str *out, const Drawing *d, const Node *node) {
  for (const Node *other = node->beside; other; other = other->next) {
    d->node(out, other, "    ");
    d->edge(out, node, other, EDGE_BESIDE);
    for (const Node *inner = other->beside; inner; inner = inner->next) {
      d->node(out, inner, "    ");
      d->edge(out, other, inner, EDGE_BESIDE);
    }
  }
}

static void draw(Picture *p, sqlite3_str *out, const Drawing *d) {
  const Node *before = NULL;
  int nTasks = 0;
  if (d->begin[0]) sqlite3_str_appendall(out, d->begin);
  if (d->headFirst) d->node(out, &p->head, "");
  for (const Node *node = p->path; node && p->c->rc == SQLITE_OK; node = node->next) {
    if (beginsTask(before, node)) d->beginTask(out, findTask(p, node->task), ++nTasks);
    d->node(out, node, node->task ? d->indentInTask : d->indent);
    if (endsTask(node)) sqlite3_str_appendall(out, d->endTask);
    before = node;
  }
  if (!d->headFirst) d->node(out, &p->head, d->indent);
  for (const Node *node = p->path; d->edge && node; node = node->next) {
    d->edge(out, node, node->next ? node->next : &p->head, node->next ? EDGE_ALONG : EDGE_HEAD);
    drawBeside(out, d, node);
  }
  if (d->edge) drawBeside(out, d, &p->head);
  sqlite3_str_appendall(out, d->end);
}

/* ---- session_diagram(label [, format]) ------------------------------------------------------- */

enum { DIAGRAM_LABEL, DIAGRAM_FORMAT, DIAGRAM_TURNS };

static const ArgSpec diagramArgs[] = {
    {"label", ARG_LABEL, 1}, {"format", ARG_TEXT, 0}, {"turns", ARG_INT, 0}};

static void runDiagram(Cmd *c) {
  const Arg *turns = &c->arg[DIAGRAM_TURNS];
  sqlite3_int64 max = turns->given ? turns->i : TURNS_DEFAULT;
  Picture p;
  sqlite3_str *out;
  Query q;
  int format = 0;
  memset(&p, 0, sizeof(p));
  p.c = c;
  p.pathTail = &p.path;
  if (c->arg[DIAGRAM_FORMAT].given)
    format = ts_arg_word(c, "format", c->arg[DIAGRAM_FORMAT].text, formatNames, FORMAT_COUNT);
  if (max < 1 || max > TURNS_MAX)
    ts_fail(c, SQLITE_ERROR, "turns is %lld; it must be from 1 to %d", max, TURNS_MAX);
  ts_session_load_named(c, c->arg[DIAGRAM_LABEL].text, &p.s);
  if (c->rc != SQLITE_OK || !p.s.exists) return;
  q = ts_query(c, SQL_DIAGRAM_FORK, "t", &p.s.label);
  if (ts_row(c, &q)) p.forkedAt = ts_col_int(&q, COL_DIAGRAM_FORK_PARENT_TURN_ID);
  ts_end(c, &q);
  collectPath(&p, max);
  collectHead(&p);
  if (c->rc != SQLITE_OK) return;
  out = sqlite3_str_new(c->db);
  draw(&p, out, &drawings[format]);
  ts_return_text(c, ts_finish(c, out));
}

const CommandSpec ts_session_diagram = {"session_diagram", runDiagram, COMMAND_READ,
                                        TS_ARGS(2, diagramArgs), NULL};
