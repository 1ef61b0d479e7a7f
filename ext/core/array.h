/*
** array.h - arrays that grow.
*/
#ifndef TS_ARRAY_H
#define TS_ARRAY_H

#include "core.h"

/* An array of n elements of a size, in the command's memory, with room for one more: itself, or a larger copy
** whose further elements are zeroed. NULL once the command has failed. Begins with NULL and no room. */
void *ts_array_more(Cmd *c, void *array, sqlite3_int64 n, sqlite3_int64 *room, size_t size);

/* The same for an array that its owner frees with sqlite3_free; array is the address of the pointer to it, which
** keeps its value when memory runs out. Nothing is zeroed. SQLITE_OK or SQLITE_NOMEM. */
int ts_array_grow(void *array, int *room, int n, size_t size);

#endif
