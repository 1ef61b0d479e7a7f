/*
** decision.h - making a decision: what the files that work on a Delivery share.
*/
#ifndef TS_DECISION_H
#define TS_DECISION_H

#include "deliver.h"

/* Is it a user's message that can mean something for the task? "/compact" can't: it is a command. */
int ts_input_concerns_task(const Inbound *in);
Cell ts_deliver_cell(Delivery *d, const Inbound *in, int continuing);
/* Does this name lead to the session that spawned the worker? */
int ts_worker_has_parent(Cmd *c, const Session *s, Text name);
/* A worker has no user, and its parent speaks as one: what the parent says means something for the
** task. The worker's own workers use another channel. The task that the worker was spawned for is
** not news. */
int ts_deliver_is_from_parent(Delivery *d, const Inbound *in);
/* It answers the open question; otherwise it adds to the task or is the next task. */
void ts_deliver_classify_from_parent(Delivery *d, Inbound *in, MessageClass given);
/* Is it for the task that the parent knows about? The parent gives a class to say that it is for
** another task. */
int ts_class_means_same_task(MessageClass cls);
/* The saved task continues in a new task with the parent's message. */
void ts_deliver_resume_saved(Delivery *d, Inbound *in, const Task *saved);
/* Classifies against the state of a task: the open or the saved one. A message that is older than
** the task's question or report is read as if the task were still running. given: the caller's
** class (CLASS_UNKNOWN: not given). It stands, but the message is still checked for being only a
** yes. */
void ts_deliver_classify(Delivery *d, Inbound *in, const Task *task, MessageClass given);
/* The same for a message that waited itself: what its sender had said before it. */
void ts_deliver_cancel_before(Delivery *d, const Inbound *in);
/* Cancels an input that answers a closed question or choice, so that it is not taken for an answer to another one. The
** decision lists it. cls: its class if it is tried again; CLASS_UNKNOWN: the one that it has. */
void ts_deliver_cancel_answer(Delivery *d, Inbound *in, MessageClass cls);
/* The same if what it answers is closed. Returns whether it was. */
int ts_deliver_cancel_if_over(Delivery *d, Inbound *in);
/* Is it an answer to the open choice that had to wait? It does not count as anybody's words: a turn
** settles the choice by it. */
int ts_deliver_answers_choice(const Delivery *d, const Inbound *in);
void ts_deliver_init(Delivery *d, Cmd *c);
/* An input that was cancelled with its task is not handed to anybody. */
void ts_deliver_drop_called_off(Delivery *d);

/* Adds it to the queue as pending, in its mode; an input that neither steers nor interrupts waits
** in line. Returns 0 when there was no room. */
int ts_deliver_add_pending(Delivery *d, Inbound *in, LiveStep step);
/* Does a live run write a summary of the conversation? */
int ts_run_compacts(Cmd *c, const Session *s);
/* Rows, the session, the record. Returns the decision. */
Text ts_deliver_finish(Delivery *d);
/* The stored decision about a message_id that was seen before; {NULL,0}: it was not. *conflict: with another
** text. */
Text ts_deliver_stored_decision(Delivery *d, int *conflict);
/* The same for a message whose session was deleted, under any of its names: its decision no longer
** exists. */
int ts_deliver_was_deleted(Delivery *d);
void ts_deliver_read_inbound(Delivery *d);
/* A message with an id is recognized by the name that it came under, and by its sender's keys
** before and after a link, wherever these lead when it comes again. */
void ts_deliver_keep_names(Delivery *d, Text name);
/* Takes the id of the delivery's row. The row itself is written when all is decided: rows about messages to other
** sessions that are written before it (a parent learns that its worker's task has ended) get higher ids. */
void ts_deliver_number(Delivery *d);

void ts_deliver_revive(Delivery *d);
Text ts_deliver_decision_json(Delivery *d);
/* Reads the option keeps_turns. A caller with the option owner keeps turns, whatever the setting says; 0 beside it
** fails the command. */
void ts_deliver_read_keeps_turns(Delivery *d, const Arg *arg);

/* Puts what d->putAway says in front of the decision's message. */
void ts_deliver_show_put_away(Delivery *d);
void ts_deliver_hand_input(Delivery *d, Inbound *in);
/* Cancels whatever a live run is doing. */
void ts_deliver_stop_run(Delivery *d, Text reason);
/* Is it to be read as an answer to the open choice? */
int ts_deliver_meets_choice(const Delivery *d, const Inbound *in);
/* Is the class of this message only a guess, and does classify_below say `below` (BELOW_…) about guesses? Not of an
** input that had to wait: its guess is taken. */
int ts_deliver_is_doubted(Delivery *d, const Inbound *in, int below);
/* Rejects an input: the session does not get it, and records that it came, for whoever looks after the session. */
void ts_deliver_refuse(Delivery *d, const Inbound *in, Text message, const char *why);
/* Makes room for an input in the queue, where the oldest may have to give way. Returns 0 when there is none, and
** the decision says so. */
int ts_deliver_admit(Delivery *d, const Inbound *in);
/* Is a message finished when it has been applied, so that what waits can be looked at? */
int ts_cell_leaves_room(const Cell *cell);
/* Decides whether the class is still a guess, now that it is known what the message meets. If the settings say that a
** person is asked about guesses, the class becomes one that opens a choice, or waits in the open one. A session that
** has become stale asks about its task, or saves it, as usual. */
void ts_deliver_doubt(Delivery *d, Gate gate, MessageClass guess);

#define MAX_AGAIN 100 /* of what is handed over again, so many are told at once */
/* What this sender has waiting is cancelled, and listed in the decision. */
void ts_deliver_cancel_waiting(Delivery *d);
/* The waiting inputs. Answers to closed questions and choices are cancelled; answers to the open
** choice go on waiting. */
InputLink *ts_deliver_still_waiting(Delivery *d);
/* No newer message asks for work: the newest of a user's inputs decides. If that only says "ok" it
** is finished, and the next one decides. If it ends the task the others go on waiting, and 1 is
** returned. */
int ts_deliver_apply_waiting(Delivery *d, InputLink *older);
/* A choice is open, and a message comes that is not a user's. The inputs that waited before it go
** along, unless a user's input is among them: then it returns 0. */
int ts_deliver_hand_unless_users(Delivery *d, InputLink *older);
/*
** A message together with what waited before it (the session was in error or archived, or a choice
** was released). The newer message decides, and the older ones are handed over before it. When it
** ends the task or opens a choice, they go on waiting; when it only says "ok", they are what there
** is to do.
*/
void ts_deliver_apply_with_waiting(Delivery *d);
/* The message only says "ok", and inputs that were handed over have not been taken by a turn: they are handed over once
** more. */
void ts_deliver_hand_forgotten(Delivery *d);
/* Rows for everything that is handed over with this decision. */
void ts_deliver_hand_over(Delivery *d);

#endif
