/*
** classify.h - what was meant by a message: seven classes, decided from weighted evidence.
**
** Pure: a rule set is built from plain rows, and classifying reads plain values. The code that
** reads the rows from `message_rules` and the SQL functions are in classifier.c, classify_message.c and classify_function.c.
*/
#ifndef TS_CLASSIFY_H
#define TS_CLASSIFY_H

#include "class.h"
#include "states.h"

/* What is asked. Texts are UTF-8 with lengths in bytes and may be NULL with length 0; invalid
** bytes and NULs are allowed. */
typedef struct ClassifyInput {
  const char *message;
  int nMessage;
  TaskState state;
  const char *task; /* what the open task is about */
  int nTask;
  const char *question; /* the agent's open question */
  int nQuestion;
  int listsWords; /* evidence lists words one by one; else what they say is one piece per class */
} ClassifyInput;

/*
** One piece of evidence. Rules carry their id, words their text, everything else a name (see classify.c).
** cls is the class for which it counted, which depends on the state: a rule for Modification counts for
** Response while a question is open.
*/
typedef struct Evidence {
  const char *name; /* static text; NULL: a rule, or a word */
  long long ruleId;
  int ruleIndex; /* for ts_rules_get, -1 without a rule; TS_EVIDENCE_CORRECTION: ruleId is a delivery */
  int wordAt, nWord; /* in ClassifyResult.words; nWord 0: not a word */
  MessageClass cls;
  double weight;
} Evidence;

#define TS_EVIDENCE_CORRECTION (-2)

/* How many pieces are listed. Further ones count, but are not listed. */
#define TS_EVIDENCE_MAX 96

/* Of the words that speak for or against a class, so many are listed, of so many bytes each. */
#define TS_EVIDENCE_WORDS 4
#define TS_EVIDENCE_WORD_BYTES 40

typedef struct ClassifyResult {
  MessageClass cls;
  double confidence;         /* 0 … 1: the share of cls */
  double score[CLASS_COUNT]; /* summed evidence, higher is likelier */
  double share[CLASS_COUNT]; /* scores as shares that add up to 1 */
  int isWhole;       /* all of it are units that close or approve, and no word is left over */
  int isCorrected;   /* somebody has said what this message means */
  int isAffirmation; /* the message is nothing but a "yes", "ok", "perfect, thanks" */
  Evidence evidence[TS_EVIDENCE_MAX]; /* in the order in which it was found */
  int nEvidence;                      /* listed */
  int nUnlisted;                      /* counted, but there was no room */
  int nLeftOut;                       /* rules that went beyond their limits, see err */
  int isDecided;                      /* the words are not asked: see ts_classify */
  char words[CLASS_COUNT * TS_EVIDENCE_WORDS * TS_EVIDENCE_WORD_BYTES]; /* for Evidence */
  int nWords;                                                           /* bytes of it */
} ClassifyResult;

struct RuleSet;      /* rules.h */
struct WordFeatures; /* learnt.h */

/*
** Classifies a message with a finished rule set. A rule that goes beyond its limits is left out: out
** counts these, and err names the first. SQLITE_OK, SQLITE_NOMEM or SQLITE_INTERRUPT.
*/
int ts_classify(struct RuleSet *rules, const ClassifyInput *in, ClassifyResult *out, char *err,
                int nErr);

/* What somebody has said a message like this one means, to be weighed with all else. */
void ts_classify_add(ClassifyResult *out, long long delivery, MessageClass cls, double weight);

/* The first half of it, for what learns the weights of words: what all but the words says, and the words
** taken apart. The shares are not made. */
int ts_classify_rules(struct RuleSet *rules, const ClassifyInput *in, ClassifyResult *out,
                      struct WordFeatures *words, char *err, int nErr);

/* Sets *yes when a message is nothing but an affirmation, *nLeftOut as in ClassifyResult. Cheaper than
** classifying it. */
int ts_is_affirmation(struct RuleSet *rules, const char *message, int n, int *yes, int *nLeftOut,
                      char *err, int nErr);

#endif
