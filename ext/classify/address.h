/*
** address.h - to whom a message is said: "@helper stop", "<@U07AB> yes", "Alma: go on", "hey Alma, stop".
**
** In a room with several people the words begin with the one they are meant for. A message is understood
** without that, and one that is meant for somebody else is not taken for a word to this session. The names to
** which a session answers are a setting (names); without it whoever is addressed by a mention is meant.
**
** Pure, and nothing is allocated. A long message costs no more than a short one.
*/
#ifndef TS_ADDRESS_H
#define TS_ADDRESS_H

#define ADDRESS_MAX_NAMES 32      /* of one session */
#define ADDRESS_MAX_NAME_BYTES 64 /* of one name */
#define ADDRESS_FRONT_BYTES                                                                        \
  512 /* of a message: an address at its beginning stands within these … */
#define ADDRESS_MAX_PIECES 16 /* … and no more mentions and names than these are taken off */

typedef enum Addressee {
  ADDRESSED_NOBODY,
  ADDRESSED_HERE,     /* this session, or everybody */
  ADDRESSED_ELSEWHERE /* somebody else, by a mention */
} Addressee;

typedef struct Address {
  Addressee to;
  /* What is said beside the address: a piece of the message. It is all of the message if that is nothing
  ** but an address, or is for somebody else. */
  const char *said;
  int nSaid;
  int isCall; /* it is nothing but an address */
  /* "Bob: stop", "thanks @bob": a word that may be somebody else's name, and what is said beside it. nName 0:
  ** there is none. Looked for where names are known, and nobody is addressed. */
  const char *name;
  int nName;
  const char *beside;
  int nBeside;
} Address;

/* Reads a message (any bytes). names: as the setting has them, separated by commas; NULL: none are set. */
void ts_address_read(const char *message, int n, const char *names, int nNames, Address *out);

/* Is this piece of a message (of "/stop@my_bot") one of the names? Without names it is. */
int ts_address_is_name(const char *z, int n, const char *names, int nNames);

/* What is wrong with a list of names as a setting, as the end of a sentence that begins with it; NULL: nothing. */
const char *ts_names_problem(const char *names, int n);

/* The next name of a list from *at on, without blanks and "@" around it, its length into *n; NULL: there are no
** more. */
const char *ts_names_next(const char *names, int nNames, int *at, int *n);

/* Is this piece of a message that word, whatever its case, its accents and the signs in it that nobody sees? */
int ts_address_is_word(const char *z, int n, const char *word);

/* A sign that nobody sees: direction marks, zero-width characters, soft hyphens. A blank. A mark of punctuation that
** sets off what is said ("Alma, stop", "/stop."). */
int ts_is_unseen(unsigned c);
int ts_is_blank(unsigned c);
int ts_is_mark(unsigned c);

#endif
