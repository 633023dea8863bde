/* Allocation that never returns NULL.  When the machine has no memory left, the
 * process says so and exits with EX_TEMPFAIL (75).  That is always right, because
 * every run may be killed at any instant and repeated; and no caller needs an
 * error path that nobody can test. */
#pragma once

#include <stdarg.h>
#include <stddef.h>

/* Tells readers and the static analyser that the result is never NULL. */
#define MEM_NONNULL __attribute__((returns_nonnull))

MEM_NONNULL void *mem_alloc(size_t size); /* zeroed */
MEM_NONNULL void *mem_resize(void *p, size_t size);
MEM_NONNULL char *mem_strdup(const char *s);
MEM_NONNULL char *mem_strndup(const char *s, size_t n);

/* AUTO(arena_release) struct arena a = { 0 }; is released when its block ends, also by return or
 * break.  For each function that takes a pointer to what it releases; json_auto_t is jansson's. */
#define AUTO(release) __attribute__((cleanup(release)))
void mem_free(void *pointer); /* AUTO(mem_free) char *text: free(text) */

/* Ends the process as above. */
_Noreturn void mem_exhausted(void);

/* Calls fn just before the process ends for lack of memory; NULL: nothing.  fn must not
 * allocate. */
void mem_at_exhaustion(void (*fn)(void));

/* For calls into a library that calls malloc() itself and may return half a
 * result when malloc() fails: call mem_watch(), then the library, then
 * mem_watched().  If memory ran out in between, mem_watched() ends the process
 * as above. */
void mem_watch(void);
void mem_watched(void);

/* An arena: all memory allocated from it lives until the arena is released.  Each
 * incoming mail has one arena.  A zero-initialised arena is valid and empty. */
struct arena_block;
struct arena {
	struct arena_block *head;
	size_t used; /* bytes handed out, for limits */
};

MEM_NONNULL void *arena_alloc(struct arena *a, size_t size); /* zeroed, aligned */
char *arena_strdup(struct arena *a, const char *s);          /* NULL gives NULL */
MEM_NONNULL char *arena_strndup(struct arena *a, const char *s, size_t n);
MEM_NONNULL char *arena_printf(struct arena *a, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
MEM_NONNULL char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
	__attribute__((format(printf, 2, 0)));
void arena_release(struct arena *a);
