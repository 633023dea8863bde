/* The log, on stderr, one line for each fact, as key=value:
 *
 *   time=2026-12-01T17:00:00Z level=warn msg="a mail could not be fetched: timeout"
 *
 * A value with blanks stands in quotation marks; in it \" and \\ stand for these characters, and
 * control characters are written as \xNN, so that a mail cannot forge a line.
 * Only the program (pbm/) logs; games, mail and store return errors instead.  No line may have
 * a secret: a password, a token, a key, the id of a question. */
#pragma once

#include <stdbool.h>

enum log_level { LOG_LEVEL_DEBUG, LOG_LEVEL_INFO, LOG_LEVEL_WARN, LOG_LEVEL_ERROR };

/* Drops lines below level from now on, whatever log_standard() says later. */
void log_threshold(enum log_level level);
/* The same until log_threshold() is called; at first LOG_LEVEL_INFO. */
void log_standard(enum log_level level);
/* Reads "debug", "info", "warn" or "error".  false: it is none of them. */
bool log_read_level(const char *word, enum log_level *out);

void log_line(enum log_level level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The same with more keys after the text: "taken=3 sent=4". */
void log_keys(enum log_level level, const char *keys, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#define log_debug(...) log_line(LOG_LEVEL_DEBUG, __VA_ARGS__)
#define log_info(...) log_line(LOG_LEVEL_INFO, __VA_ARGS__)
#define log_warn(...) log_line(LOG_LEVEL_WARN, __VA_ARGS__)
#define log_error(...) log_line(LOG_LEVEL_ERROR, __VA_ARGS__)
