/*
** answer_words.h - what phrases in an answer to a choice can mean. The phrases stand in sql/answers/, where WORDS_CONTINUE is
** written "continue".
*/
#ifndef TS_ANSWER_WORDS_H
#define TS_ANSWER_WORDS_H

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
  WORDS_OTHER,     /* the option that the other words do not mean: "not A, the other one" */
  WORDS_NOT,       /* denies the answer that follows */
  WORDS_NOT_AFTER, /* denies the answer before it */
  WORDS_NOT_OFF,   /* the same, only where it is set off: "B not, A" */
  WORDS_MAYBE,     /* words beside it decide nothing: "perhaps the first" */
  WORDS_UNIT,      /* what a number can count: "2 minutes", "one moment" */
  WORDS_UNDECIDED, /* about the choice, and none of its ways */
  WORDS_NEITHER,   /* refuses all ways: what follows is something else */
  WORDS_NEITHER_AND,
  WORDS_DROP, /* gives the task up */
  WORDS_DROP_AND,
  WORDS_DROP_TASK, /* the same, by name: where a request would replace the task, it takes the request */
  WORDS_OFF_TASK,  /* takes the request only there, and elsewhere says nothing */
  WORDS_DROP_HELD, /* takes the request back that would replace the task, and lets the task be */
  WORDS_NOT_TASK, /* the same two in a bare denial, "not the cookbook": words before it may be what is wanted */
  WORDS_NOT_HELD,
  WORDS_DROP_ALL,  /* gives both up */
  WORDS_HELD_NOW,  /* the request comes first, or the task has to wait: both by name */
  WORDS_TASK_NOW,  /* the task comes first, or the request has to wait */
  WORDS_LEAD,      /* may stand before an answer */
  WORDS_LEAD_NO,   /* the same, when it is set off: "no, start fresh" */
  WORDS_ASK,       /* begins a request in question form: "can we …?" */
  WORDS_TAIL,      /* may stand behind an answer */
  WORDS_POLITE,    /* may stand anywhere */
  WORDS_JOIN,      /* between two answers */
  WORDS_BUT,       /* begins what is said beside an answer */
  WORDS_WITH,      /* the same, after "start fresh" */
  WORDS_BACK,      /* says that somebody is back, and nothing more */
  WORDS_GREET,     /* a name may also stand behind it: "hi Ann," */
  WORDS_THANKS,    /* behind it somebody may be named: "thanks Ann" */
  WORDS_BEFORE,    /* "before we go on": begins a question or an order, and wants neither way yet */
  WORDS_ASKS,      /* begins a question: "what would …" */
  WORDS_TELL,      /* wants to be told something: "tell me", "explain" */
  WORDS_TELL_END,  /* the same in languages with the verb at the end */
  WORDS_ORDER,     /* begins an order to make or to find something: "write", "find me" */
  WORDS_ORDER_END, /* the same in languages with the verb at the end */
  WORDS_WISH,      /* the same as a wish: "I want a" */
  WORDS_SAME,      /* speaks of what was spoken of before: "it", "that one", "too" */
  WORDS_CONSENT,   /* a message that begins so says something about a question */
  WORDS_MEANINGS
} WordsMeaning;

#endif
