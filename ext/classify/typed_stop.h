/*
** typed_stop.h - is a message nothing but a word that stops, in quotes ("«stop»"), letter by letter ("s t o p"), with two
** letters swapped or some repeated ("stpo", "STOOOP"), with a mention behind it, or beside what it is said to ("Bot, stop")?
*/
#ifndef TS_TYPED_STOP_H
#define TS_TYPED_STOP_H

#include "shape.h"

int ts_stop_is_typed(const Shape *s);

#endif
