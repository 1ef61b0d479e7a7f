/*
** report.h - a report that ends in a question, and what a reply says to it.
**
** Pure. "Retries are in. Shall I also update the docs?" waits for approval of what was done and asks for
** leave to do more. "yes" answers the question: the work goes on, and nothing is closed.
*/
#ifndef TS_REPORT_H
#define TS_REPORT_H

#include "classify.h"

typedef enum ReportAsks {
  REPORT_SETTLED,      /* nothing: a yes approves it */
  REPORT_ASKS,         /* something: a yes is the answer */
  REPORT_ASKS_MORE,    /* whether there is anything else: thanks are the end, a plain yes is not */
  REPORT_ASKS_APPROVAL /* whether it is all right: a yes approves it */
} ReportAsks;

#define TS_REPORT_TAIL 600 /* what is asked stands at the end: so many bytes are looked at */

/* What a report asks at its end. Bytes may be anything. */
ReportAsks ts_report_asks(const char *report, int n);

/* What a reply says to a report, when that is something else than its words say by themselves; else
** CLASS_UNKNOWN. A yes answers what is asked. A bare no answers it, too; it ends the work only where the report
** asks whether there is anything else, and is unclear where nothing was offered. What turns down an offer
** ("leave it") is no end of the task. isAffirmation: the reply is nothing but a yes. */
MessageClass ts_report_reads(ReportAsks asks, const char *reply, int n, MessageClass cls,
                             int isAffirmation);

#endif
