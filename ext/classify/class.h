/*
** class.h - the seven classes of what a message means, by their numbers and names. Pure.
*/
#ifndef TS_CLASS_H
#define TS_CLASS_H

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

#endif
