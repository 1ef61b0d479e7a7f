/*
** cues.c - looking for words of a list in a text. See cues.h.
*/
#include "cues.h"

#include <string.h>

void ts_cue_fold(char *out, const char *text, int n) {
  for (int i = 0; i < n; i++)
    out[i] = (char)(text[i] | (text[i] >= 'A' && text[i] <= 'Z') << 5 | (text[i] == 0) << 5);
  out[n] = 0;
}

int ts_cue_stands_in(const char *text, Cue cue) {
  for (int i = 0; i < ts_cues[cue].n; i++) {
    if (strstr(text, ts_cues[cue].word[i])) return 1;
  }
  return 0;
}
