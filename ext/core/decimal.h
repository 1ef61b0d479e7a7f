/*
** decimal.h - numbers with a fraction as text, and back; whole ones among them.
**
** SQLite's own ways between a REAL and a text differ in the last digits from version to version, and
** C's printf and strtod write and read the point of the process's locale. What is stored, hashed or
** compared as text goes through here.
*/
#ifndef TS_DECIMAL_H
#define TS_DECIMAL_H

#define TS_DECIMAL_SIZE 40 /* bytes that a number can take, the NUL among them */

#define TS_DECIMAL_EXACT 17 /* digits that say which number it is */
#define TS_DECIMAL_SHORT 15 /* digits that a decimal keeps on its way through a REAL */

/* The number with so many digits at most: "0.5", "5.0", "1.0e-07". Zeros at its end are left out, but for
** one behind the point. */
void ts_decimal(double r, int digits, char out[TS_DECIMAL_SIZE]);

/* The number with at most two digits behind the point, rounded: "0.85", "1.0". Of less than
** 1e15. */
void ts_decimal_hundredths(double r, char out[TS_DECIMAL_SIZE]);

/* The REAL nearest to the decimal of n bytes, "1", "0.25" or "2.5e-3". Returns 0 when it is no such text,
** or one of more than 400 digits. */
int ts_decimal_read(const char *z, int n, double *r);

/* Is it a whole number within 2^53 - 1? Then *i receives it. Some drivers send every number as REAL. */
int ts_whole_number(double r, long long *i);

#endif
