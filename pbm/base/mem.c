#include "pbm/base/mem.h"

#include <errno.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#define BLOCK_MIN 8192

struct arena_block {
	struct arena_block *next;
	size_t used, cap;
	max_align_t data[];
};

static void (*at_exhaustion)(void);

void mem_at_exhaustion(void (*fn)(void))
{
	at_exhaustion = fn;
}

_Noreturn void mem_exhausted(void)
{
	static const char text[] =
		"pbm: out of memory; nothing is lost, the next run repeats this one\n";

	if (at_exhaustion)
		at_exhaustion();
	if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
		_exit(EX_TEMPFAIL);
	_exit(EX_TEMPFAIL);
}

void *mem_alloc(size_t size)
{
	void *p = calloc(1, size ? size : 1);

	if (!p)
		mem_exhausted();
	return p;
}

void *mem_resize(void *p, size_t size)
{
	void *q = realloc(p, size ? size : 1);

	if (!q)
		mem_exhausted();
	return q;
}

void mem_free(void *pointer)
{
	void *p;

	memcpy(&p, pointer, sizeof p);
	free(p);
}

/* malloc() sets errno to ENOMEM, and hardly any later call resets it. */
void mem_watch(void)
{
	errno = 0;
}

void mem_watched(void)
{
	if (errno == ENOMEM)
		mem_exhausted();
}

char *mem_strndup(const char *s, size_t n)
{
	char *p = mem_alloc(n + 1);

	memcpy(p, s, n);
	return p;
}

char *mem_strdup(const char *s)
{
	return mem_strndup(s, strlen(s));
}

/* Not zeroed. */
static void *arena_take(struct arena *a, size_t size)
{
	size_t need = (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
	struct arena_block *b = a->head;

	if (!b || b->cap - b->used < need) {
		size_t cap = need > BLOCK_MIN ? need : BLOCK_MIN;

		b = mem_resize(NULL, sizeof *b + cap); /* not zeroed */
		b->used = 0;
		b->cap = cap;
		b->next = a->head;
		a->head = b;
	}
	void *p = (char *)b->data + b->used;
	b->used += need;
	a->used += need;
	return p;
}

void *arena_alloc(struct arena *a, size_t size)
{
	return memset(arena_take(a, size), 0, size);
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
	char *p = arena_take(a, n + 1);

	memcpy(p, s, n);
	p[n] = '\0';
	return p;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return s ? arena_strndup(a, s, strlen(s)) : NULL;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	char *p = arena_vprintf(a, fmt, ap);
	va_end(ap);
	return p;
}

char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
{
	va_list again;

	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, ap);
	char *p = arena_take(a, n < 0 ? 1 : (size_t)n + 1);
	*p = '\0';
	if (n > 0)
		vsnprintf(p, (size_t)n + 1, fmt, again);
	va_end(again);
	return p;
}

void arena_release(struct arena *a)
{
	while (a->head) {
		struct arena_block *b = a->head;

		a->head = b->next;
		free(b);
	}
	a->used = 0;
}
