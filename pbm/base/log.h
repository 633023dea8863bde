/* The log, on stderr, one line for each fact: "2026-12-01T17:00:00Z level text".
 * Only the program (pbm/) logs; games, mail and store return errors instead.
 * Control characters are written as \xNN, so that a mail cannot forge a line. */
#ifndef PBM_BASE_LOG_H
#define PBM_BASE_LOG_H

enum log_level { LOG_LEVEL_INFO, LOG_LEVEL_WARN, LOG_LEVEL_ERROR };

/* Drops lines below level from now on; at first LOG_LEVEL_INFO. */
void log_threshold(enum log_level level);
void log_line(enum log_level level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#define log_info(...) log_line(LOG_LEVEL_INFO, __VA_ARGS__)
#define log_warn(...) log_line(LOG_LEVEL_WARN, __VA_ARGS__)
#define log_error(...) log_line(LOG_LEVEL_ERROR, __VA_ARGS__)

#endif
