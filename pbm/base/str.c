#include "pbm/base/str.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pbm/base/mem.h"

struct str str_in(struct arena *a, size_t max)
{
	const size_t cap = 64;

	return (struct str){
		.data = arena_alloc(a, cap), .cap = cap, .max = max < cap ? cap : max, .arena = a
	};
}

struct str str_heap(size_t max)
{
	const size_t cap = 16;

	return (struct str){ .data = mem_alloc(cap), .cap = cap, .max = max < cap ? cap : max };
}

void str_init(struct str *s, size_t max)
{
	*s = str_heap(max);
}

void str_release(struct str *s)
{
	if (!s->fixed && !s->arena)
		free(s->data);
	*s = (struct str){ 0 };
}

void str_cut(struct str *s, size_t n)
{
	s->len = n;
	s->truncated = false;
	if (s->data)
		s->data[n] = '\0';
}

void str_clear(struct str *s)
{
	str_cut(s, 0);
}

char *str_detach(struct str *s)
{
	char *p = s->data;

	*s = (struct str){ 0 };
	return p;
}

size_t str_room(const struct str *s)
{
	return s->max - s->len - 1;
}

/* Makes room for n more bytes; returns how many fit. */
static size_t reserve(struct str *s, size_t n)
{
	if (n > str_room(s)) {
		n = str_room(s);
		s->truncated = true;
	}
	if (s->len + n + 1 > s->cap) {
		size_t cap = s->cap * 2;

		if (cap < s->len + n + 1)
			cap = s->len + n + 1;
		if (cap > s->max)
			cap = s->max;
		if (s->arena)
			s->data = memcpy(arena_alloc(s->arena, cap), s->data, s->len + 1);
		else
			s->data = mem_resize(s->data, cap);
		s->cap = cap;
	}
	return n;
}

void str_add_n(struct str *s, const char *bytes, size_t n)
{
	n = reserve(s, n);
	if (n)
		memcpy(s->data + s->len, bytes, n);
	s->len += n;
	s->data[s->len] = '\0';
}

void str_add(struct str *s, const char *text)
{
	str_add_n(s, text, strlen(text));
}

void str_add_char(struct str *s, char c)
{
	str_add_n(s, &c, 1);
}

void str_addf(struct str *s, const char *fmt, ...)
{
	char small[256];
	va_list ap, again;

	va_start(ap, fmt);
	va_copy(again, ap);
	int n = vsnprintf(small, sizeof small, fmt, ap);
	va_end(ap);
	if (n >= 0 && (size_t)n < sizeof small) {
		str_add_n(s, small, (size_t)n);
	} else if (n > 0) {
		AUTO(mem_free) char *big = mem_alloc((size_t)n + 1);

		vsnprintf(big, (size_t)n + 1, fmt, again);
		str_add_n(s, big, (size_t)n);
	}
	va_end(again);
}

const char *str_print(char *buf, size_t size, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, size, fmt, ap);
	va_end(ap);
	return buf;
}

size_t str_prefix(const char *text, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncasecmp(text, prefix, n) == 0 ? n : 0;
}

size_t str_prefix_any(const char *text, const char *const *list)
{
	size_t n = 0;

	while (*list && n == 0)
		n = str_prefix(text, *list++);
	return n;
}

size_t str_trim(const char *text, size_t n, const char *ends)
{
	while (n && text[n - 1] && strchr(ends, text[n - 1]))
		n--;
	return n;
}

size_t str_ends_any(const char *text, size_t n, const char *const *list)
{
	for (; *list; list++) {
		size_t k = strlen(*list);

		if (k <= n && strncasecmp(text + n - k, *list, k) == 0)
			return k;
	}
	return 0;
}

bool str_is_any(const char *text, const char *const *list)
{
	return str_is_any_n(text, strlen(text), list);
}

bool str_is_any_n(const char *text, size_t n, const char *const *list)
{
	while (*list && (strncasecmp(text, *list, n) != 0 || (*list)[n]))
		list++;
	return *list;
}

bool str_holds_any(const char *text, const char *const *list)
{
	while (*list && !strcasestr(text, *list))
		list++;
	return *list;
}

bool str_is_letter(char c)
{
	return isalpha((unsigned char)c) || (unsigned char)c >= 0x80;
}

bool str_is_alnum(char c)
{
	return str_is_letter(c) || isdigit((unsigned char)c);
}

size_t str_count_words(const char *text)
{
	size_t n = 0;

	for (; *(text += strspn(text, " \t\n")); text += strcspn(text, " \t\n"))
		n++;
	return n;
}

uint64_t str_hash(const char *text)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * 0x100000001b3u;
	return h;
}

bool str_ends_sentence(const char *text)
{
	size_t n = strlen(text);

	return n && strchr(".!?", text[n - 1]);
}
