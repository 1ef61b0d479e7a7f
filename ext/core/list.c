/*
** list.c - sorting a singly linked list, by merging. Pure.
*/
#include "list.h"

#include <stddef.h>
#include <string.h>

/* Elements are of many types: what they have in common is read and written as bytes. */
static void *nextOf(const void *element) {
  void *next;
  memcpy(&next, element, sizeof(next));
  return next;
}

static void setNext(void *element, void *next) {
  memcpy(element, &next, sizeof(next));
}

/* Cuts a list of two or more in the middle, and returns its second half. */
static void *splitHalf(void *list) {
  void *slow = list, *half;
  for (void *fast = nextOf(list); fast && nextOf(fast); fast = nextOf(nextOf(fast)))
    slow = nextOf(slow);
  half = nextOf(slow);
  setNext(slow, NULL);
  return half;
}

/* Two sorted lists as one. */
static void *merge(void *a, void *b, int (*inOrder)(const void *a, const void *b)) {
  void *first = NULL, *last = NULL;
  while (a && b) {
    void **from = inOrder(a, b) ? &a : &b, *element = *from;
    *from = nextOf(element);
    if (last) {
      setNext(last, element);
    } else {
      first = element;
    }
    last = element;
  }
  if (!last) return a ? a : b;
  setNext(last, a ? a : b);
  return first;
}

void *ts_list_sort(void *list, int (*inOrder)(const void *a, const void *b)) {
  void *half;
  if (!list || !nextOf(list)) return list;
  half = splitHalf(list);
  list = ts_list_sort(list, inOrder);
  return merge(list, ts_list_sort(half, inOrder), inOrder);
}
