/*
** duration.h - durations as words, and times that are in another unit.
*/
#ifndef TS_DURATION_H
#define TS_DURATION_H

#include <stdint.h>

/* "9 days 3 hours": the two largest units of a duration in ms, never empty ("0 seconds").
** Writes at most n bytes including the NUL. */
void ts_duration_words(int64_t ms, char *out, int n);

/* A duration as given by a person: "90s", "24h", "7 days", "1h 30m", "500ms"; a bare number is
** milliseconds. Returns 1 and the value in ms, or 0 when the text is no duration or is out of the
** range 0 … 2^53-1. */
int ts_duration_parse(const char *text, int n, int64_t *ms);

/* Is a duration a number alone? */
int ts_duration_is_bare(const char *text, int n);

/* "seconds" or "microseconds" when a number that should be Unix milliseconds is a time of the years
** 2011 to 2103 in that unit; *ms is what it would be then. NULL: it may be milliseconds. (As milliseconds
** these seconds lie in January and February of 1970.) */
const char *ts_time_unit(int64_t at, int64_t *ms);

#endif
