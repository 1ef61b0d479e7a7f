/*
** door.h - the functions through which commands are reached.
*/
#ifndef TS_DOOR_H
#define TS_DOOR_H

#include "core.h"

/* Registers one sugar function per command. */
int ts_door_register(Conn *conn);

/* The functions beside it, each in the file of its word. */
int ts_dispatch_register(Conn *conn);
int ts_result_register(Conn *conn);
int ts_use_register(Conn *conn);
int ts_clock_register(Conn *conn);
int ts_version_register(Conn *conn);

/* Runs a part of a command and takes back everything that it has written, wherever the command was
** called. What it has put into memory stays. */
void ts_trial(Cmd *c, void (*run)(Cmd *c, void *arg), void *arg);
/* The same, unless *stands is set when it has run: then it stays. */
void ts_attempt(Cmd *c, void (*run)(Cmd *c, void *arg), void *arg, const int *stands);

#endif
