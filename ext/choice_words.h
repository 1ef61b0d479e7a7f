/*
** choice_words.h - the vocabulary of answers to a choice: patterns of words, and what they mean.
*/
#ifndef TS_CHOICE_WORDS_H
#define TS_CHOICE_WORDS_H

typedef enum WordsMeaning {
  WORDS_CONTINUE,      /* go on; also where nobody has asked */
  WORDS_CONTINUE_HERE, /* the same, as an answer to a choice only: "the old one" */
  WORDS_CONTINUE_AND,  /* the same, and more follows: what "continue but" is in one word */
  WORDS_FRESH,
  WORDS_FRESH_HERE,
  WORDS_FRESH_AND,
  WORDS_NOT_CONTINUE, /* languages that deny at the end of a verb */
  WORDS_NOT_FRESH,
  WORDS_FIRST, /* places in the list of options */
  WORDS_SECOND,
  WORDS_THIRD,
  WORDS_ONE, /* numbers, where they begin something */
  WORDS_TWO,
  WORDS_THREE,
  WORDS_LAST,
  WORDS_FORMER,
  WORDS_LATTER,
  WORDS_OTHER,     /* the one that is not meant otherwise: "not A, the other one" */
  WORDS_NOT,       /* denies the answer that follows */
  WORDS_NOT_AFTER, /* denies the answer before it */
  WORDS_UNDECIDED, /* about the choice, and none of its ways */
  WORDS_NEITHER,   /* refuses all ways: what follows is something else */
  WORDS_NEITHER_AND,
  WORDS_DROP, /* gives the task up */
  WORDS_DROP_AND,
  WORDS_LEAD,    /* may stand before an answer */
  WORDS_LEAD_NO, /* the same, when it is set off: "no, start fresh" */
  WORDS_ASK,     /* begins a request in question form: "can we …?" */
  WORDS_TAIL,    /* may stand behind an answer */
  WORDS_POLITE,  /* may stand anywhere */
  WORDS_JOIN,    /* between two answers */
  WORDS_BUT,     /* begins what is said beside an answer */
  WORDS_WITH,    /* the same, after "start fresh" */
  WORDS_BACK,    /* somebody is there again; nothing more is said by it */
  WORDS_CONSENT, /* a message that begins so says something about a question */
  WORDS_MEANINGS,
  WORDS_END = WORDS_MEANINGS
} WordsMeaning;

typedef struct ChoiceWords {
  WordsMeaning meaning;
  const char *pattern; /* see patterns.h */
} ChoiceWords;

/* Ends with WORDS_END. */
extern const ChoiceWords ts_choice_words[];

#endif
