/*
** classify.h - what was meant by a message: seven classes, decided from weighted evidence.
**
** Pure: a rule set is built from plain rows, and classifying reads plain values. The code that
** reads the rows from `message_rules` and the SQL functions are in classifier.c.
*/
#ifndef TS_CLASSIFY_H
#define TS_CLASSIFY_H

#include "states.h"

typedef enum MessageClass {
  CLASS_RESPONSE,
  CLASS_MODIFICATION,
  CLASS_CONFIRMATION,
  CLASS_ABANDON,
  CLASS_NEW_TASK,
  CLASS_CLARIFICATION,
  CLASS_UNCLEAR,
  CLASS_COUNT,
  CLASS_UNKNOWN = -1 /* not classified */
} MessageClass;

/* "Response", "Modification", … */
extern const char *const ts_class_names[CLASS_COUNT];

/* The class called name (n bytes, case-insensitive), or CLASS_UNKNOWN. */
MessageClass ts_class_find(const char *name, int n);

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
} ClassifyInput;

/*
** One piece of evidence. Rules carry their id, everything else a name (see classify.c). cls is the
** class for which it counted, which depends on the state: a rule for Modification counts for
** Response while a question is open.
*/
typedef struct Evidence {
  const char *name; /* static text; NULL: a rule */
  long long ruleId;
  int ruleIndex; /* for ts_rules_get, -1 without a rule */
  MessageClass cls;
  double weight;
} Evidence;

/* How many pieces are listed. Further ones count, but are not listed. */
#define TS_EVIDENCE_MAX 64

typedef struct ClassifyResult {
  MessageClass cls;
  double confidence;         /* 0 … 1: the share of cls */
  double score[CLASS_COUNT]; /* summed evidence, higher is likelier */
  double share[CLASS_COUNT]; /* scores as shares that add up to 1 */
  int isAffirmation;         /* the message is nothing but a "yes", "ok", "perfect, thanks" */
  Evidence evidence[TS_EVIDENCE_MAX]; /* in the order in which it was found */
  int nEvidence;                      /* listed */
  int nUnlisted;                      /* counted, but there was no room */
  int nLeftOut;                       /* rules that went beyond their limits, see err */
} ClassifyResult;

struct RuleSet; /* rules.h */

/*
** Classifies a message with a finished rule set. A rule that goes beyond its limits is left out: out
** counts these, and err names the first. SQLITE_OK, SQLITE_NOMEM or SQLITE_INTERRUPT.
*/
int ts_classify(struct RuleSet *rules, const ClassifyInput *in, ClassifyResult *out, char *err,
                int nErr);

/* Sets *yes when a message is nothing but an affirmation, *nLeftOut as in ClassifyResult. Cheaper than
** classifying it. */
int ts_is_affirmation(struct RuleSet *rules, const char *message, int n, int *yes, int *nLeftOut,
                      char *err, int nErr);

#endif
