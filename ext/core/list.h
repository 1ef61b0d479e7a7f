/*
** list.h - singly linked lists whose elements begin with the pointer to the next one.
*/
#ifndef TS_LIST_H
#define TS_LIST_H

/* The list in order; elements of which either may stand first keep their places. inOrder: may a stand
** before b? Takes n log n steps, and no memory but log n calls deep. */
void *ts_list_sort(void *list, int (*inOrder)(const void *a, const void *b));

#endif
