/*
** test_tree.c - ids, places, and the jumps between branches, without a database.
**
** The jumps are built here once more the way their inventor gives them: level by level, each from
** its parent's. They must be the same, and a climb by them must take O(log n) steps, to every level
** and to where two branches part.
*/
#include "tap.h"
#include "tree.h"

#include <stdlib.h>

#define LAST_BRANCH ((sqlite3_int64)134217727)

/* ---- Ids ------------------------------------------------------------------------------------- */

static void testIds(void) {
  static const sqlite3_int64 branches[] = {1, 2, 3, 255, 65536, 16777216, 134217727};
  static const sqlite3_int64 depths[] = {0, 1, 2, 4095, 4096, 65535, 16777214, 16777215};
  static const sqlite3_int64 sequences[] = {0, 1, 4094, 4095};
  int wrong = 0;
  sqlite3_int64 before = 0, beforePlace = -1;
  for (int b = 0; b < 7; b++) {
    for (int d = 0; d < 8; d++) {
      sqlite3_int64 turn = TS_TURN(branches[b], depths[d]);
      wrong += turn != branches[b] * 16777216 + depths[d] || turn <= before;
      wrong += TS_BRANCH(turn) != branches[b] || TS_DEPTH(turn) != depths[d];
      wrong += TS_FIRST_PLACE(turn) != turn * 4096 || TS_LAST_PLACE(turn) != turn * 4096 + 4095;
      wrong += TS_FIRST_PLACE(turn) <= beforePlace;
      for (int s = 0; s < 4; s++)
        wrong += TS_PLACE_TURN(TS_FIRST_PLACE(turn) + sequences[s]) != turn;
      before = turn;
      beforePlace = TS_LAST_PLACE(turn);
    }
  }
  CHECK_INT("ids and places say where they lie, and lie in order", wrong, 0);
  CHECK_INT("the first turn of a file", TS_TURN((sqlite3_int64)1, 0), 16777216);
  CHECK_INT("the last branch", TURNSTILE_MAX_BRANCH, LAST_BRANCH);
  CHECK_INT("the last depth fits its bits", TURNSTILE_MAX_DEPTH <= TS_DEPTH_MASK, 1);
  CHECK_INT("the last sequence fits its bits", TURNSTILE_MAX_SEQUENCE < 1 << 12, 1);
  CHECK("the last place of all is positive",
        TS_LAST_PLACE(TS_TURN(LAST_BRANCH, TS_DEPTH_MASK)) > 0);
  CHECK("it is SQLite's largest rowid",
        TS_LAST_PLACE(TS_TURN(LAST_BRANCH, TS_DEPTH_MASK)) == 0x7FFFFFFFFFFFFFFF);
  CHECK_INT("JavaScript reads every turn id", TS_TURN(LAST_BRANCH, TS_DEPTH_MASK) >> 53, 0);
}

static void testSegments(void) {
  Segment root = {TS_TURN(1, 0), TS_TURN(1, 9), TS_TURN(1, 0), 0};
  Segment part = {TS_TURN(1, 4), TS_TURN(1, 9), TS_TURN(1, 0), 0};
  Segment fork = {TS_TURN(2, 5), TS_TURN(2, 9), TS_TURN(2, 5), TS_TURN(1, 4)};
  CHECK_INT("above a root", ts_segment_parent(&root, TS_TURN(1, 0)), 0);
  CHECK_INT("above the second turn", ts_segment_parent(&root, TS_TURN(1, 1)), TS_TURN(1, 0));
  CHECK_INT("above a range's first turn", ts_segment_parent(&part, TS_TURN(1, 4)), TS_TURN(1, 3));
  CHECK_INT("above a fork's first turn", ts_segment_parent(&fork, TS_TURN(2, 5)), TS_TURN(1, 4));
  CHECK_INT("above a fork's second turn", ts_segment_parent(&fork, TS_TURN(2, 6)), TS_TURN(2, 5));
}

/* ---- Jumps ----------------------------------------------------------------------------------- */

#define LEVELS 100001

/* Myers: over the parent's jump and that one's jump when both are equally long, else the parent. */
static int *build(void) {
  int *jump = malloc(LEVELS * sizeof(*jump));
  if (!jump) exit(2);
  jump[0] = 0;
  for (int level = 1; level < LEVELS; level++) {
    int up = level - 1, over = jump[up];
    jump[level] = up - over == over - jump[over] ? jump[over] : up;
  }
  return jump;
}

static int bits(int n) {
  int k = 0;
  while (n >> k)
    k++;
  return k;
}

static void testJumps(const int *jump) {
  static const int byHand[] = {0,  0,  1,  0,  3,  4,  3,  0,  7,  8,  7,  10, 11, 10, 7,  0,
                               15, 16, 15, 18, 19, 18, 15, 22, 23, 22, 25, 26, 25, 22, 15, 0};
  int wrong = 0, first = -1;
  for (int level = 0; level < LEVELS; level++) {
    if (ts_jump_level(level) == jump[level]) continue;
    if (!wrong++) first = level;
  }
  CHECK_INT(tap_name("jumps are those of the construction (level %d is not)", first), wrong, 0);
  for (int level = 0; level < 32; level++)
    CHECK_INT(tap_name("the jump of level %d", level), ts_jump_level(level), byHand[level]);
  for (int k = 1; k < 27; k++) {
    int full = (1 << k) - 1;
    CHECK_INT(tap_name("level %d jumps to the root", full), ts_jump_level(full), 0);
    CHECK_INT(tap_name("level %d jumps to its parent", full + 1), ts_jump_level(full + 1), full);
  }
}

/* The steps from a level up to another one, jumping where that does not lead too far. */
static int climb(const int *jump, int level, int target) {
  int steps = 0;
  for (; level > target; steps++)
    level = jump[level] >= target ? jump[level] : level - 1;
  return level == target ? steps : -1;
}

static void testSteps(const int *jump) {
  static const int from[] = {1, 2, 3, 10, 127, 128, 1000, 1023, 4096, 65535, 65536, 99999, 100000};
  int arrived = 1, most = 0, allowed = 0;
  for (int i = 0; i < 13; i++) {
    int limit = 3 * bits(from[i]);
    for (int target = 0; target <= from[i]; target++) {
      int steps = climb(jump, from[i], target);
      if (steps < 0) arrived = 0;
      if (steps > limit) allowed++;
      if (steps > most) most = steps;
    }
  }
  CHECK("every level is reached", arrived);
  CHECK_INT(tap_name("in 3 log2 n steps (at most %d were needed)", most), allowed, 0);
  CHECK("a jump is taken at all", climb(jump, 100000, 0) < 40);
}

/* Two branches of one level that part below another: by steps of equal length for both. */
static void testParting(const int *jump) {
  int wrong = 0, far = 0;
  for (int level = 1; level < LEVELS; level += level < 2000 ? 1 : 997) {
    for (int common = 0; common < level; common += 1 + level / 50) {
      int at = level, steps = 0;
      /* The two have different jumps exactly while these lie below the common branch. */
      for (; at - 1 != common; steps++)
        at = jump[at] > common ? jump[at] : at - 1;
      wrong += at != common + 1;
      far += steps > 3 * bits(level);
    }
  }
  CHECK_INT("the branch where two part is found", wrong, 0);
  CHECK_INT("in 3 log2 n steps", far, 0);
}

int main(void) {
  int *jump = build();
  testIds();
  testSegments();
  testJumps(jump);
  testSteps(jump);
  testParting(jump);
  free(jump);
  return tap_done("tree");
}
