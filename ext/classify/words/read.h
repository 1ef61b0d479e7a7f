/*
** read.h - the phrases of sql/answers/, as rows for compile.c.
**
** A file is read line by line. What goes wrong ends the program with the file, the line and the reason.
**
**   # text           a comment
**   [heading]        of the lines below it; the first file lists all headings
**   meaning pattern  a phrase: a WordsMeaning in small letters, and a pattern (patterns.h)
**   name = pattern   for the file's own phrases and names, which write {name}
**   …                a line that begins with blanks goes on with the one before it
*/
#ifndef TS_READ_H
#define TS_READ_H

#include "answer_words.h"

typedef struct Phrase {
  WordsMeaning meaning;
  int heading;         /* its place among those of the first file */
  const char *pattern; /* single blanks between the steps, and no {name} in it */
  const char *file;
  int line;
} Phrase;

/* Of n files, the first of which lists the headings: the phrases, heading by heading, under each as the files come.
** Stores how many. */
const Phrase *ts_phrases_read(char *const *files, int n, int *nFound);

/* Ends the program with a message about a line of a file. */
_Noreturn void ts_phrases_fail(const char *file, int line, const char *format, ...);

#endif
