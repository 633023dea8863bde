/* The record of moderators' acts, as text: a line of JSON for each act, and in each line the
 * hash of the line before it.  A line that somebody changes, takes away or puts in breaks the
 * chain after it.  No I/O here. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pbm/base/err.h"
#include "pbm/base/str.h"

#define ACTS_HASH_SIZE 65 /* BLAKE2b, 32 bytes in hex, and the NUL */
#define ACTS_PATH_SIZE 24 /* "acts/2026-12.jsonl" */
#define ACTS_FILE_MAX (64u << 20)
#define ACTS_TEXT_MAX 5000 /* bytes of one text of an act */

/* One line of the record; texts that are NULL are left out. */
struct act {
	int64_t at;
	const char *by;      /* userid of the moderator, or "operator" */
	const char *what;    /* the command: "adjudicate" */
	int64_t board;       /* 0: about no board */
	const char *players; /* the userids of those concerned, with a blank between them */
	const char *detail;  /* "1-0", "5 days" */
	const char *reason;
};

/* The file of the month of at (UTC). */
void acts_path(int64_t at, char path[ACTS_PATH_SIZE]);
bool acts_is_path(const char *path);

/* The hash before the first line of all. */
void acts_first_hash(char hash[ACTS_HASH_SIZE]);

/* Adds a line to out.  hash: the hash of the line before; becomes the hash of this line.
 * ERR_BAD: no by, what or players; ERR_LIMIT: a text is too long. */
int acts_write(const struct act *act, char hash[ACTS_HASH_SIZE], struct str *out, struct err *e);

/* Reads the lines of one file.  hash: the hash of the line before them; becomes that of the last
 * one.  take may be NULL; a nonzero result of it ends the reading and is returned.  ERR_DAMAGED:
 * a line is no act, or the chain is broken; *e names the line. */
typedef int act_fn(const struct act *act, void *arg);
int acts_read(const char *bytes, size_t n, char hash[ACTS_HASH_SIZE], act_fn *take, void *arg,
              struct err *e);

/* The hash of the last line of such bytes; without lines the first hash. */
void acts_last_hash(const char *bytes, size_t n, char hash[ACTS_HASH_SIZE]);
