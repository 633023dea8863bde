/* A person's words, cut out of the mail program's text. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "mail/mail.h"
#include "mail/reply/reply.h"
#include "tests/util/corpus.h"
#include "tests/util/suite.h"

static struct arena arena;

static void release(void)
{
	arena_release(&arena);
}

#define Q "> old text\n> more\n"
#define F4 "Ba: a@example.org\nBa: b@example.org\nBa: c@example.org\nBa: d@example.org\n"
static const struct {
	const char *name, *text, *want;
} cases[] = {
	{ "plain", "Nf3\n", "Nf3" },
	{ "empty", "", "" },
	{ "blank", "\n \n\t\n", "" },
	{ "top posting", "Nf3\n\nOn Tue, 1 Dec 2026 at 17:00, pbm <pbm@example.org> wrote:\n" Q,
	  "Nf3" },
	{ "bottom posting", "On Tue, 1 Dec 2026, pbm wrote:\n" Q "\nNf3\n", "Nf3" },
	{ "bottom posting below our marker",
	  "On Tue, 1 Dec 2026, pbm wrote:\n> Your move.\n> --\n> Reply above this line.\n\nNf3\n",
	  "Nf3" },
	{ "between the quotes", "> 17: your move\n17: Nf3\n> 18: your move\n18: e4\n",
	  "17: Nf3\n18: e4" },
	{ "attribution without a date", "alice wrote:\n" Q "Nf3\n", "Nf3" },
	{ "attribution of three lines",
	  "Nf3\nOn Nov 21, 2026,\nat 10:18,\nalice <alice@example.org> wrote:\n\n" Q, "Nf3" },
	{ "the move above a bare attribution stays", "17. Nf3\nalice@example.org wrote:\n" Q,
	  "17. Nf3" },
	{ "no quote marks", "Nf3\n\nOn Tue, 1 Dec 2026, pbm wrote:\nold text\n", "Nf3" },
	{ "a colon is no attribution", "Nf3\nAs you wrote on move 12:\nwell played",
	  "Nf3\nAs you wrote on move 12:\nwell played" },
	{ "marker", "Nf3\n--- Reply above this line. Board 17 ---\nold text", "Nf3" },
	{ "quoted marker", "Nf3\n> Reply above this line.\nold text", "Nf3" },
	{ "bars", "Nf3\n| Your move.\n|\n| Reply above this line.\n\nold text", "Nf3" },
	{ "bars above the text", "| Your move.\n| Reply above this line.\n\nNf3", "Nf3" },
	{ "initials", "Nf3\npbm> From: pbm\npbm> To: a\npbm> Date: x\npbm>\nHi\npbm> e5",
	  "Nf3\nHi" },
	{ "signs stay", "# e4\n:) Hi\n| a | b |\n| 1 | 2 |", "# e4\n:) Hi\n| a | b |\n| 1 | 2 |" },
	{ "a sign that begins a word is no mark",
	  ": From: pbm\n: To: a\n: Date: x\n#17 :) e4\n:) Hi", "#17 :) e4\n:) Hi" },
	{ "signature", "Nf3\n-- \nalice\nhttp://example.org", "Nf3" },
	{ "signature without the space", "Nf3\n--\nalice", "Nf3" },
	{ "telephone", "Nf3\n\nSent from my iPhone\n", "Nf3" },
	{ "telephone above a copy without marks", "Nf3\n\nSent from my iPhone\n\nYour move.\n",
	  "Nf3" },
	{ "telephone above the quote", "Nf3\n\nSent from my iPhone\n\n" Q, "Nf3" },
	{ "point of view is no telephone", "Nf3\n\nFrom my point of view it is lost.",
	  "Nf3\n\nFrom my point of view it is lost." },
	{ "outlook", "Nf3\n\n-----Original Message-----\nFrom: pbm\nold text", "Nf3" },
	{ "outlook header",
	  "Nf3\n\n________________________________\nFrom: pbm <pbm@example.org>\nSent: Tuesday\nTo: alice\nSubject: x\n\nold text",
	  "Nf3" },
	{ "german header", "Sf3\n\nVon: pbm\nGesendet: Dienstag\nAn: alice\nBetreff: x\n\nalt",
	  "Sf3" },
	{ "a header of no known language has twelve lines at most",
	  "Nf3\n\n" F4 F4 F4 "Bo: 1. 12. 2026 17:00\n", "Nf3\n\nBa: a@example.org" },
	{ "one colon line is text", "To: be or not to be\nNf3", "To: be or not to be\nNf3" },
	{ "outlook, nothing above", "-----Original Message-----\nFrom: pbm\nresign\n", "" },
	{ "header, nothing above", "From: pbm\nSent: x\nTo: alice\nSubject: x\n\nresign\n", "" },
	{ "forwarded mail of ours",
	  "---------- Forwarded message ----------\nFrom: pbm\nTo: x\n\nresign\nReply above this line\n",
	  "" },
	{ "pgp",
	  "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nNf3\n-----BEGIN PGP SIGNATURE-----\nabc\n",
	  "Nf3" },
	{ "dashes inside stay", "Nf3\n-----\ngood luck", "Nf3\n-----\ngood luck" },
	{ "french", "Cf3\nLe lun. 15 nov. 2026 à 19:42, pbm <pbm@example.org>\na écrit :\n\n> x\n",
	  "Cf3" },
	{ "no-break space before the colon",
	  "Cf3\nLe 15 nov. 2026 à 19:42, pbm <pbm@example.org> a écrit\u00a0:\n\n> x\n", "Cf3" },
};

#define COPY "e5\n\nIt is your move, bob.  You play Black.\n"
static const struct {
	const char *name, *text, *want;
} left_out[] = {
	{ "nothing", "e5\n\nWell played.\n", "" },
	{ "between",
	  COPY
	  "\nalice writes:\n| Hello\nI  think\nso, too.\n\n    e6\n-- \nReply above this line.\n",
	  "alice writes:\nI think so, too.\n" },
	{ "below", COPY "\n-- \nReply above this line.\n\nThank you!\n", "Thank you!\n" },
	{ "a name", COPY "\n-- \nReply above this line.\n\nBob Example\n", "Bob Example\n" },
	{ "a signature", COPY "\n-- \nReply above this line.\n\n-- \nBob plays chess.\n", "" },
	{ "below marks", "e5\n> It is your move.\n> Reply above this line.\n\nThank you!\n",
	  "Thank you!\n" },
	{ "another's mail", "e5\n-----Original Message-----\nFrom: carol\n\nThank you!\n", "" },
};

START_TEST(text_left_out)
{
	ck_assert_str_eq(reply_read(&arena, left_out[_i].text, NULL).left_out, left_out[_i].want);
	ck_assert(reply_read(&arena, left_out[_i].text, NULL).above_copy ==
	          (strncmp(left_out[_i].text, COPY, strlen(COPY)) == 0));
}
END_TEST

START_TEST(own_text)
{
	ck_assert_msg(strcmp(reply_read(&arena, cases[_i].text, NULL).text, cases[_i].want) == 0,
	              "%s: \"%s\"", cases[_i].name, reply_read(&arena, cases[_i].text, NULL).text);
}
END_TEST

static void cut_trailing_space(char *s)
{
	size_t n = strlen(s);

	while (n && strchr(" \t\r\n", s[n - 1]))
		s[--n] = '\0';
}

/* As parse_mail() would have handed it over. */
static char *read_lf(const char *path)
{
	size_t len, k = 0;
	char *text = corpus_read(path, &len);

	for (size_t i = 0; text && i <= len; i++) {
		if (text[i] != '\r')
			text[k++] = text[i];
	}
	return text;
}

/* Every X.email.txt must give X.trimmed.txt. */
static void check_pair(void *arg, const char *path)
{
	char wanted_path[1024];
	int *bad = arg;

	snprintf(wanted_path, sizeof wanted_path, "%.*s.trimmed.txt",
	         (int)(strlen(path) - strlen(".email.txt")), path);
	char *text = read_lf(path), *wanted = read_lf(wanted_path);
	if (!text || !wanted) {
		printf("%s: no pair\n", path);
		++*bad;
		return;
	}
	cut_trailing_space(wanted);
	const char *got = reply_read(&arena, text, NULL).text;
	if (strcmp(got, wanted) != 0) {
		printf("%s: got\n%s\n-- wanted\n%s\n", path, got, wanted);
		++*bad;
	}
	free(text);
	free(wanted);
}

START_TEST(pairs)
{
	int bad = 0;

	corpus_walk("discourse+email_reply_trimmer", ".email.txt", check_pair, &bad);
	ck_assert_int_eq(bad, 0);
}
END_TEST

/* Bodies whose first line is somebody else's, with what the person wrote first. */
static const struct {
	const char *name, *first;
} starts_late[] = {
	{ "tricky_18_inline_reply", "I think option A is great." },
};

static void check_first_line(void *arg, const char *path)
{
	int *bad = arg;
	char *text = read_lf(path);
	const char *want = text + strspn(text, "\n");

	size_t n = strcspn(want, "\n");
	for (size_t i = 0; i < sizeof starts_late / sizeof *starts_late; i++) {
		if (strstr(path, starts_late[i].name)) {
			want = starts_late[i].first;
			n = strlen(want);
		}
	}
	const char *got = reply_read(&arena, text, NULL).text;
	if (strncmp(got, want, n) != 0 || n == 0) {
		printf("%s: begins \"%.60s\"\n", path, got);
		++*bad;
	}
	free(text);
}

START_TEST(first_line_survives)
{
	static const char *const folders[] = {
		"github+email_reply_parser",
		"crisp-oss+email-reply-parser",
		"zapier+email-reply-parser",
		"lawrencepit+email_reply_parser",
	};
	int bad = 0;

	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		corpus_walk(folders[i], ".txt", check_first_line, &bad);
	corpus_walk("mailgun+talon", "_body", check_first_line, &bad);
	corpus_walk("mailgun+talon", "_reply_text", check_first_line, &bad);
	ck_assert_int_eq(bad, 0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("reply");
	TCase *t = tcase_create("reply");

	tcase_add_checked_fixture(t, NULL, release);
	tcase_add_loop_test(t, text_left_out, 0, (int)(sizeof left_out / sizeof *left_out));
	tcase_add_loop_test(t, own_text, 0, (int)(sizeof cases / sizeof *cases));
	tcase_add_test(t, pairs);
	tcase_add_test(t, first_line_survives);
	suite_add_tcase(s, t);
	return suite_run(s);
}
