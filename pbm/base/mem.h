/* Memory that never comes back NULL.  When the machine has none left the
 * process says so and leaves with EX_TEMPFAIL (75): every run may be cut at
 * any instant and repeated, so leaving is the one reaction that is always
 * right, and no caller carries a path that nobody can test. */
#ifndef PBM_BASE_MEM_H
#define PBM_BASE_MEM_H

#include <stddef.h>

/* For readers and for the analyser: never NULL. */
#define MEM_NONNULL __attribute__((returns_nonnull))

MEM_NONNULL void *mem_alloc(size_t size); /* zeroed */
MEM_NONNULL void *mem_resize(void *p, size_t size);
MEM_NONNULL char *mem_strdup(const char *s);
MEM_NONNULL char *mem_strndup(const char *s, size_t n);

/* Ends the process as above. */
_Noreturn void mem_exhausted(void);

/* Around a library that asks malloc() itself and may hide that it got nothing,
 * making half of what it should: watch, call, watched.  When memory ran out in
 * between, watched() is the end of the process as above. */
void mem_watch(void);
void mem_watched(void);

/* An arena: everything allocated from it lives until it is released.  One
 * arena an incoming mail.  Zero-initialised is a valid empty arena. */
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
void arena_release(struct arena *a);

#endif
