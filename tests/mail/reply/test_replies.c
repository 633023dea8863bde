/* The frames that mail programs of many makes and languages put around an
 * answer: each line, or block, of tests/data/replies goes through several
 * layouts of a mail.  Whole mails are in tests/data/replies/cases.txt. */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mail/gate.h"
#include "mail/html.h"
#include "mail/mail.h"
#include "mail/parse.h"
#include "mail/plain.h"
#include "mail/reply/reply.h"
#include "mail/subject.h"
#include "pbm/base/io.h"
#include "pbm/base/str.h"
#include "tests/util/suite.h"

#define FOLDER "tests/data/replies/"

static struct arena arena;
static int bad;

static void release(void)
{
	arena_release(&arena);
	bad = 0;
}

static char *read_data(const char *path)
{
	char *text = NULL;
	size_t len;

	ck_assert_msg(io_read_file(AT_FDCWD, path, 1 << 20, &text, &len, NULL) == 0, "%s", path);
	char *copy = arena_strndup(&arena, text, len);
	free(text);
	return copy;
}

/* layout with each "@" made what. */
static char *fill(const char *layout, const char *what)
{
	struct str s;

	str_init(&s, 1 << 20);
	for (; *layout; layout++) {
		if (*layout == '@')
			str_add(&s, what);
		else
			str_add_char(&s, *layout);
	}
	char *text = arena_strndup(&arena, s.data, s.len);
	str_release(&s);
	return text;
}

static char *replace(const char *text, const char *from, const char *to)
{
	char *found = strstr(text, from);

	return found ? arena_printf(&arena, "%.*s%s%s", (int)(found - text), text, to,
	                            replace(found + strlen(from), from, to))
	             : arena_strdup(&arena, text);
}

static void check(const char *name, const char *got, const char *want)
{
	if (strcmp(got, want) != 0) {
		printf("=== %s\n%s\n--- is wanted:\n%s\n\n", name, got, want);
		fflush(stdout);
		bad++;
	}
}

static void check_reply(const char *name, const char *mail, const char *want)
{
	int before = bad;

	check(name, reply_read(&arena, mail, NULL).text, want);
	if (bad > before)
		printf("--- from:\n%s\n", mail);
}

struct layout {
	const char *mail, *want;
};

static void through(const char *what, const struct layout *layouts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		check_reply(what, fill(layouts[i].mail, what), fill(layouts[i].want, what));
}

#define THROUGH(what, layouts) through(what, layouts, sizeof(layouts) / sizeof *(layouts))

/* Calls each with every line of a file that is no remark; "\n" in it is a line
 * break.  Returns how many there were. */
static int each_line(const char *path, void (*each)(char *line))
{
	int n = 0;
	char *text = read_data(path);

	for (char *line; (line = strsep(&text, "\n"));) {
		if (*line == '#' || !*line)
			continue;
		each(replace(line, "\\n", "\n"));
		n++;
	}
	return n;
}

static const struct layout around_attribution[] = {
	{ "Nf3\n\n@\n\n> Your move.\n> resign\n", "Nf3" },
	{ "Nf3\n@\n> Your move.\n> resign\n", "Nf3" },
	{ "Nf3\n\nWell played.\n@\n\n> Your move.\n\n> resign\n\n", "Nf3\n\nWell played." },
	{ "Nf3\n\n@\n\nYour move.\nresign\n", "Nf3" },
	{ "Nf3\n@\nYour move.\n", "Nf3" },
	{ "Nf3\n\n@", "Nf3" },
	{ "@\n> Your move.\n> resign\n\nNf3\n", "Nf3" },
	{ "@\n\n> Your move.\n> --\n> Reply above this line.\n\nNf3\n", "Nf3" },
	{ "@\n> 17: your move\n17: Nf3\n> 18: your move\n18: e4\n", "17: Nf3\n18: e4" },
	{ "-- \nAlice\n\n@\n> Your move.\n\nNf3\n", "Nf3" },
	{ "@\nresign\n", "" },
};

static size_t chars_before(const char *s, const char *end)
{
	size_t n = 0;

	for (; s < end; s++)
		n += ((unsigned char)*s & 0xc0) != 0x80;
	return n;
}

static void check_attribution(char *line)
{
	THROUGH(line, around_attribution);
	check_reply("quoted", fill("Nf3\n\n> @\n> resign\n", replace(line, "\n", "\n> ")), "Nf3");
	/* Mailers fold it where the line gets long. */
	if (strchr(line, '\n'))
		return;
	for (char *p = strchr(line, ' '); p; p = strchr(p + 1, ' ')) {
		*p = '\n';
		if (chars_before(line, p) >= 28 && p[1] != '>' && p[1] != '-')
			check_reply("folded", fill("Nf3\n\n@\n\n> Your move.\n> resign\n", line),
			            "Nf3");
		*p = ' ';
	}
}

START_TEST(attributions)
{
	ck_assert_int_ge(each_line(FOLDER "attributions.txt", check_attribution), 100);
	ck_assert_int_eq(bad, 0);
}
END_TEST

static const struct layout around_separator[] = {
	{ "Nf3\n\n@\nFrom: pbm\nTo: alice\nSubject: x\n\nresign\n", "Nf3" },
	{ "Nf3\n\n@\n\nFrom: pbm\n\nresign\n", "Nf3" },
	{ "Nf3\n@\nresign\n", "Nf3" },
	{ "@\nresign\n", "" },
	{ "> @\n> resign\n\nNf3\n", "Nf3" },
};

static void check_separator(char *line)
{
	THROUGH(line, around_separator);
}

START_TEST(separators)
{
	ck_assert_int_ge(each_line(FOLDER "separators.txt", check_separator), 50);
	ck_assert_int_eq(bad, 0);
}
END_TEST

static const struct layout around_signature[] = {
	{ "Nf3\n\n@\n", "Nf3" },
	{ "Nf3\n@", "Nf3" },
	{ "Nf3\n\n@\n\nOn Tue, 1 Dec 2026 at 17:00, pbm wrote:\n> resign\n", "Nf3" },
	{ "Nf3\n\n\n@\n> resign\n", "Nf3" },
	{ "Nf3\n\n<@>\n", "Nf3" },
	{ "@\n", "" },
};

static void check_signature(char *line)
{
	THROUGH(line, around_signature);
}

START_TEST(signatures)
{
	ck_assert_int_ge(each_line(FOLDER "signatures.txt", check_signature), 80);
	ck_assert_int_eq(bad, 0);
}
END_TEST

static const struct layout around_prose[] = {
	{ "Nf3\n\n@\n\ngood luck\n", "Nf3\n\n@\n\ngood luck" },
	{ "Nf3\n@\ngood luck\n", "Nf3\n@\ngood luck" },
	{ "@\ngood luck\n", "@\ngood luck" },
};

static void check_prose(char *line)
{
	THROUGH(line, around_prose);
}

START_TEST(prose)
{
	ck_assert_int_ge(each_line(FOLDER "prose.txt", check_prose), 50);
	ck_assert_int_eq(bad, 0);
}
END_TEST

static const struct layout around_header[] = {
	{ "Nf3\n\n@\n\nYour move.\nresign\n", "Nf3" },
	{ "Nf3\n@\n\nYour move.\nresign\n", "Nf3" },
	{ "Nf3\n\n________________________________\n@\n\nresign\n", "Nf3" },
	{ "Nf3\n\n-----Original Message-----\n@\n\nresign\n", "Nf3" },
	{ "Nf3\n\n------------------------\n@\n\nresign\n", "Nf3" },
	{ "Nf3\n\n  Original Message  \n@\n\nresign\n", "Nf3" },
	{ "Nf3\n\n------ woorden ------\n@\n\nresign\n", "Nf3" },
	{ "Nf3\n\nSent from my iPhone\n\n@\n\nresign\n", "Nf3" },
	{ "@\n\nresign\n", "" },
};

START_TEST(headers)
{
	int n = 0;
	char *text = read_data(FOLDER "headers.txt");

	while ((text = strstr(text, "@@ "))) {
		char *name = text + 3, *block = strchr(text, '\n') + 1,
		     *end = strstr(block, "\n\n");

		block[-1] = '\0';
		if (end)
			*end = '\0';
		int before = bad;
		THROUGH(block, around_header);
		if (bad > before)
			printf("^^ %s\n", name);
		n++;
		text = end ? end + 1 : block + strlen(block);
	}
	ck_assert_int_ge(n, 50);
	ck_assert_int_eq(bad, 0);
}
END_TEST

/* Calls each(mail, want) for the cases of a file: "@@ name", the mail, "@@=", what
 * is wanted, "@@".  Returns how many there were. */
static int each_case(const char *path, const char *(*read)(const char *name, const char *text))
{
	int n = 0;
	char *p = read_data(path);

	while ((p = strstr(p, "\n@@ "))) {
		char *name = p + 4, *text = strchr(name, '\n'), *want = strstr(text, "\n@@=\n");
		char *end = want ? strstr(want + 4, "\n@@\n") : NULL;

		ck_assert_msg(end != NULL, "%s: %.40s", path, name);
		*text = *want = *end = '\0';
		check(name, read(name, text + 1), want + 5 < end ? want + 5 : "");
		n++;
		p = end + 3;
	}
	return n;
}

static const char *as_it_is(const char *, const char *text)
{
	return reply_read(&arena, text, NULL).text;
}

START_TEST(texts)
{
	ck_assert_int_ge(each_case(FOLDER "text.txt", as_it_is), 80);
	ck_assert_int_eq(bad, 0);
}
END_TEST

START_TEST(clients)
{
	ck_assert_int_ge(each_case(FOLDER "clients.txt", as_it_is), 50);
	ck_assert_int_eq(bad, 0);
}
END_TEST

static const char *as_page(const char *, const char *text)
{
	return reply_read(&arena, html_text(&arena, text, strlen(text)), NULL).text;
}

START_TEST(pages)
{
	ck_assert_int_ge(each_case(FOLDER "html.txt", as_page), 40);
	ck_assert_int_eq(bad, 0);
}
END_TEST

/* The mail's base subject, an empty line, and the plain lines of the answer. */
static const char *as_mail(const char *name, const char *text)
{
	struct err e = { 0 };
	struct mail m;
	struct str out;

	ck_assert_msg(gate_check(text, strlen(text), &e) == 0 &&
	                      parse_mail(&arena, text, strlen(text), &m, &e) == 0,
	              "%s: %s", name, e.text);
	str_init(&out, 1 << 20);
	str_add(&out, subject_base(&arena, m.subject));
	str_add(&out, "\n");
	char *reply = arena_strdup(&arena, reply_read(&arena, m.text, NULL).text);
	for (char *line; (line = strsep(&reply, "\n"));) {
		str_add(&out, "\n");
		str_add(&out, plain_line(&arena, line));
	}
	while (out.len && out.data[out.len - 1] == '\n')
		out.len--;
	char *read = arena_strndup(&arena, out.data, out.len);
	str_release(&out);
	return read;
}

START_TEST(mails)
{
	ck_assert_int_ge(each_case(FOLDER "mail.txt", as_mail), 60);
	ck_assert_int_eq(bad, 0);
}
END_TEST

START_TEST(parts)
{
	ck_assert_int_ge(each_case(FOLDER "parts.txt", as_mail), 40);
	ck_assert_int_eq(bad, 0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("replies");
	TCase *t = tcase_create("replies");

	tcase_add_checked_fixture(t, NULL, release);
	tcase_add_test(t, attributions);
	tcase_add_test(t, separators);
	tcase_add_test(t, signatures);
	tcase_add_test(t, prose);
	tcase_add_test(t, headers);
	tcase_add_test(t, texts);
	tcase_add_test(t, clients);
	tcase_add_test(t, pages);
	tcase_add_test(t, mails);
	tcase_add_test(t, parts);
	suite_add_tcase(s, t);
	return suite_run(s);
}
