/* An error is a small negative code for the program and a sentence for a person.
 * A function that can fail returns 0 (or a count) on success.  On failure it
 * returns a negative enum err_code and fills *e, which may be NULL.  The first
 * error stays: setting a second one on the same struct changes nothing. */
#pragma once

#include <stdbool.h>

enum err_code {
	ERR_NONE = 0,
	ERR_SYSTEM = -1, /* a system call failed; text ends with strerror */
	ERR_NOT_FOUND = -2,
	ERR_BAD = -3,         /* the input is wrong; text says what is right */
	ERR_CONFLICT = -4,    /* another process changed it first, or it exists already */
	ERR_TEMP = -5,        /* may succeed later */
	ERR_PERM = -6,        /* will never succeed */
	ERR_UNCERTAIN = -7,   /* it may have happened: check before repeating it */
	ERR_LIMIT = -8,       /* too large, too deep, too many */
	ERR_DAMAGED = -9,     /* stored data contradicts itself */
	ERR_BUSY = -10,       /* another process holds the lock */
	ERR_UNFILTERED = -11, /* the kernel refuses to protect us from what would be read */
	ERR_AGAIN = -12       /* nothing is wrong: the same work must begin again */
};

struct err {
	enum err_code code;
	char text[500];
};

/* Sets code and text, unless *e holds an error already.  Returns code. */
int err_set(struct err *e, enum err_code code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* As err_set(ERR_SYSTEM), with ": " and strerror(errno) appended. */
int err_sys(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

void err_clear(struct err *e);

/* For a question whose answer may be that there is nothing.  1: rc is 0; 0: rc is ERR_NOT_FOUND
 * or the other code, and *e is clear again; else rc. */
int err_found(int rc, enum err_code other, struct err *e);

/* Is the machine at fault (disk, memory, descriptors, a lock), and not the data?  Then
 * the same work may succeed later. */
bool err_is_of_machine(const struct err *e);

/* Takes over such an error: returns its code, and sets *e to it.  0 for any other, which
 * concerns one document, so that the caller can skip that. */
int err_of_machine(struct err *e, const struct err *why);
