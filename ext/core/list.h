/*
** list.h - singly linked lists whose elements begin with the pointer to the next one.
*/
#ifndef TS_LIST_H
#define TS_LIST_H

/* Sorts a list and returns its first element. inOrder: may a stand before b? Elements of which either may stand
** first keep their order. Takes n log n steps, allocates nothing, and calls itself log n deep. */
void *ts_list_sort(void *list, int (*inOrder)(const void *a, const void *b));

#endif
