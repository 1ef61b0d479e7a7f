/*
** folded.c - the end of a text in lower case. See folded.h.
*/
#include "folded.h"

#include "prose.h"

#include "utf8.h"

#include <string.h>

#define TAIL TS_REPORT_TAIL

void ts_folded_read(Folded *f, const char *text, int n) {
  memset(f, 0, sizeof(*f)); /* whoever looks behind the end finds nothing */
  if (!text || n < 0) n = 0;
  if (n > TAIL) {
    text += n - TAIL;
    n = TAIL;
  }
  for (int i = 0; i < n; i++) {
    unsigned char ch = (unsigned char)text[i];
    f->text[f->n++] = (char)(ch >= 'A' && ch <= 'Z'                       ? ch | 0x20
                             : ch < ' ' && ch != '\n' && ch != PROSE_LINK ? ' '
                                                                          : ch);
  }
  f->text[f->n] = 0;
}

static int isGreek(unsigned c) {
  return ts_between(c, 0x370, 0x3FF) || ts_between(c, 0x1F00, 0x1FFF);
}

/* before: the character in front of it. A semicolon asks in Greek. */
int ts_is_question_mark(unsigned c, unsigned before) {
  return c == '?' || c == 0xFF1F || c == 0x61F || c == 0x37E || c == 0x55E || c == 0x1367 ||
         c == 0x2E2E || c == 0x203D || ts_between(c, 0x2047, 0x2049) || c == 0xFE56 ||
         c == 0xFE16 || c == 0x2753 || c == 0x2754 || (c == ';' && isGreek(before));
}

int ts_folded_is_letter(unsigned c) {
  return ts_between(c, 'a', 'z') || ts_between(c, 'A', 'Z') || ts_between(c, '0', '9') ||
         (c >= 0xC0 && !ts_between(c, 0xE0000, 0xE0FFF) && !ts_between(c, 0x2000, 0x2BFF) &&
          !ts_between(c, 0x3000, 0x303F) && !ts_between(c, 0xFE00, 0xFE0F) &&
          !ts_between(c, 0xFF00, 0xFF20) && c != 0xFFFD && c != 0x37E && c != 0x61F &&
          !ts_between(c, 0x1F000, 0x1FAFF));
}
