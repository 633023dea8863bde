/* Conversations: the .txt files of tests/data/talks, each played through the real program,
 * mail by mail, on a site of its own.  A line is one of
 *
 *   alice> text          a mail with an empty Subject; "\n" breaks lines
 *   alice@ subject | text  a mail with that Subject
 *   alice! text          an answer to the last mail alice got (its Reply-To); if that
 *                        mail asks to confirm, only ok is an answer; $REPLY in it: that address;
 *                        $COPY: the text of that mail, without its signature
 *   alice!@ subject | text  the same, under another Subject
 *   alice!+ X: y | text  the same, with this field of the header, as below
 *   alice!^ words | text   the same, to the last mail that holds these words; $COPY: the text
 *                        of the last mail alice got
 *   alice? text          the same, but to the bare address, with In-Reply-To only
 *   alice+ X: y | text   a mail with this field of the header (or several, "\n"
 *                        between them); a From of its own replaces alice's
 *   mallory=alice! text  sent from mallory's address, to alice's Reply-To
 *   alice< text          the last mail to alice holds this (blanks folded)
 *   alice<! text         ... does not hold this
 *   alice<# 3            alice has got 3 mails since the talk began
 *   board 1: text        the game's file holds this
 *   nowhere text         no mail, document, page or database of the site holds this
 *   archive 1! text      the pages of the game in the archive are there and don't hold this
 *   archive 1: text      the game's HTML page in the archive holds this
 *   quarantine: 2        so many mails were put aside
 *   alice>> text         a mail that waits for the next run
 *   alice+> X: y | text  the same, with a field of the header
 *   wait 3d              so long, in hours (h) or days, with a run every eight hours
 *   outage 3d            so long without any run, and then one
 *   later 3h             so long without any run
 *   conf name = value    a setting of the site
 *   lots                 the lots of tournaments are the same whenever the talk is played
 *   fill NAME            the tournament gets all the players that it can have
 *   pbm user list        the operator runs the program on the site, and it must succeed
 *   fails user list      ... and must not; $SITE is its folder
 *   site FILE: text      that file of the site holds this
 *   site FILE! text      ... is not there, or doesn't hold this
 *   # …                  a remark
 *
 * With SHOW=1 in the environment, each line is printed with the mails that it brought.
 *
 * alice, bob (players) and carol (a moderator) have accounts with the password
 * NAME-pw; everybody's address is NAME@example.org. */
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "pbm/base/array.h"
#include "pbm/base/child_confine.h"
#include "pbm/base/clock.h"
#include "pbm/base/io.h"
#include "pbm/base/str.h"
#include "pbm/request/request.h"
#include "store/document/tournament.h"
#include "tests/util/util.h"
#include "tests/util/warm.h"

#define FOLDER "tests/data/talks"
#define TALKS_MAX 1000
/* Each so many-th talk is played with real starts of the program, and its documents are compared
 * with their schemas. */
#define STARTED 8
#define START 1796119200 /* 2026-12-01T10:00:00Z */

static char *files[TALKS_MAX];
static int file_count;
static char *started; /* a folder: the sites of those */

struct stage {
	char *site;
	struct arena arena;
	int step;
	const char *where;
	int line;
	int64_t now;
	size_t shown; /* mails */
	struct {
		struct timespec *v;
		size_t n, cap;
	} runs; /* when each of them began, by the machine's clock */
};

/* Folds blanks, so that line breaks of a filled paragraph don't matter. */
static char *fold(struct arena *a, const char *text)
{
	char *out = arena_alloc(a, strlen(text) + 2);
	size_t n = 0;

	for (; *text; text++)
		if (!isspace((unsigned char)*text))
			out[n++] = *text;
		else if (n && out[n - 1] != ' ')
			out[n++] = ' ';
	while (n && out[n - 1] == ' ')
		n--;
	out[n] = '\0';
	return out;
}

static char *unescape(struct arena *a, const char *text)
{
	char *out = arena_alloc(a, strlen(text) + 1);
	size_t n = 0;

	for (; *text; text++) {
		if (text[0] == '\\' && text[1] == 'n') {
			out[n++] = '\n';
			text++;
		} else {
			out[n++] = *text;
		}
	}
	return out;
}

static const char *address(struct stage *s, const char *name)
{
	return arena_printf(&s->arena, "%s@example.org", name);
}

static const struct sent_mail *last(struct stage *s, const char *name)
{
	const struct sent_mail *m = util_last(&s->arena, s->site, address(s, name));

	ck_assert_msg(m != NULL, "%s:%d: no mail to %s", s->where, s->line, name);
	return m;
}

static void tick(struct stage *s)
{
	char now[CLOCK_ISO_SIZE];
	struct timespec began;

	clock_gettime(CLOCK_REALTIME, &began);
	*ARRAY_ADD(&s->arena, &s->runs) = began;
	util_tick_at(s->site, clock_write_iso(s->now, now));
}

/* "3d", "5h" */
static long read_hours(const struct stage *s, const char *length)
{
	char *unit;
	long hours = strtol(length, &unit, 10) * (*unit == 'd' ? 24 : 1);

	ck_assert_msg(hours > 0 && strchr("dh", *unit), "%s:%d: how long?", s->where, s->line);
	return hours;
}

/* A run after each step of so many hours. */
static void pass_time(struct stage *s, const char *length, int step)
{
	long hours = read_hours(s, length);

	while (hours > 0) {
		long now = step && step < hours ? step : hours;

		s->now += now * 3600;
		hours -= now;
		tick(s);
	}
}

static void set_conf(struct stage *s, const char *line)
{
	char *old = util_read(s->site, "pbm.conf");
	const char *text = arena_printf(&s->arena, "%s\n%s\n", old, line);

	ck_assert_int_eq(io_replace(AT_FDCWD, arena_printf(&s->arena, "%s/pbm.conf", s->site), text,
	                            strlen(text), 0644, IO_LAZY, NULL),
	                 0);
	free(old);
}

/* Lots come from the site's secret, which is another one for each site. */
static void fix_lots(struct stage *s)
{
	static const char key[] =
		"1 1111111111111111111111111111111111111111111111111111111111111111\n";

	ck_assert_int_eq(io_replace(AT_FDCWD, arena_printf(&s->arena, "%s/secret", s->site), key,
	                            sizeof key - 1, 0600, IO_LAZY, NULL),
	                 0);
}

static const char *program(void)
{
	const char *pbm = getenv("PBM");

	return pbm ? pbm : "build/pbm";
}

/* "pbm user list": blanks divide words. */
static void run_program(struct stage *s, const char *line, bool fails)
{
	const char *argv[40] = { program(), "-C", s->site, "--now" };
	char now[CLOCK_ISO_SIZE], *rest = arena_strdup(&s->arena, line), *word;
	size_t n = 4;
	int status;

	/* A store in a server has no index of its own. */
	if (strcmp(line, "reindex") == 0 && getenv("PBM_TEST_STORE"))
		return;
	argv[n++] = clock_write_iso(s->now, now);
	while (n < 39 && (word = strsep(&rest, " ")))
		argv[n++] = strncmp(word, "$SITE", 5) == 0
		                    ? arena_printf(&s->arena, "%s%s", s->site, word + 5)
		                    : word;
	argv[n] = NULL;
	char *out = util_pbm(argv, "", &status);
	ck_assert_msg((status != 0) == fails, "%s:%d: pbm %s gave %d: %s", s->where, s->line, line,
	              status, out);
	free(out);
}

/* A tournament takes so many entries that no talk could send them. */
static void fill_tournament(struct stage *s, const char *name)
{
	char file[100], player[20];

	snprintf(file, sizeof file, "tournaments/%s.json", name);
	char *text = util_read(s->site, file);
	json_t *doc = json_loads(text, 0, NULL), *entries = json_object_get(doc, "entries");
	free(text);
	while (json_array_size(entries) < TOURNAMENT_PLAYERS_MAX) {
		json_t *entry = json_deep_copy(json_array_get(entries, 0));

		snprintf(player, sizeof player, "player%zu", json_array_size(entries));
		json_object_set_new(entry, "userid", json_string(player));
		ck_assert_int_eq(json_array_append_new(entries, entry), 0);
	}
	text = json_dumps(doc, 0);
	util_write(s->site, file, text);
	free(text);
	json_decref(doc);
	run_program(s, "fsck --accept", false);
}

/* "acts/2026-12.jsonl: text" or "…! text" */
static void expect_file(struct stage *s, const char *rest)
{
	size_t n = strcspn(rest, ":!");
	char *text = util_read(s->site, arena_strndup(&s->arena, rest, n));
	bool holds = text && strstr(text, rest + n + 2);

	ck_assert_msg(holds == (rest[n] == ':'), "%s:%d: %s:\n%s", s->where, s->line, rest,
	              text ? text : "is not there");
	free(text);
}

/* Lines that no player speaks. */
static bool play_stage(struct stage *s, const char *line)
{
	if (strncmp(line, "wait ", 5) == 0)
		pass_time(s, line + 5, 8);
	else if (strncmp(line, "outage ", 7) == 0)
		pass_time(s, line + 7, 0);
	else if (strncmp(line, "later ", 6) == 0)
		s->now += read_hours(s, line + 6) * 3600;
	else if (strncmp(line, "conf ", 5) == 0)
		set_conf(s, line + 5);
	else if (strcmp(line, "lots") == 0)
		fix_lots(s);
	else if (strncmp(line, "fill ", 5) == 0)
		fill_tournament(s, line + 5);
	else if (strncmp(line, "pbm ", 4) == 0 || strncmp(line, "fails ", 6) == 0)
		run_program(s, strchr(line, ' ') + 1, *line == 'f');
	else if (strncmp(line, "site ", 5) == 0)
		expect_file(s, line + 5);
	else
		return *line == '#' || *line == '\0';
	return true;
}

/* The mail came when the clock of the talk says so. */
static void stamp(struct stage *s, const char *name)
{
	const struct timespec at[] = { { .tv_sec = s->now }, { .tv_sec = s->now } };

	ck_assert_int_eq(utimensat(AT_FDCWD,
	                           arena_printf(&s->arena, "%s/inbox/new/%s", s->site, name), at,
	                           0),
	                 0);
}

static void put(struct stage *s, const char *from, const char *to, const char *subject,
                const char *body, const char *answers)
{
	char name[40];

	snprintf(name, sizeof name, "%d.step", 1000 + s->step++);
	util_mail(s->site, name, address(s, from), to, subject, unescape(&s->arena, body), answers);
	stamp(s, name);
}

static void send(struct stage *s, const char *from, const char *to, const char *subject,
                 const char *body, const char *answers)
{
	put(s, from, to, subject, body, answers);
	tick(s);
}

/* The text with something else in place of the word, if that is in it. */
static const char *fill_in(struct stage *s, const char *text, const char *word, const char *with)
{
	const char *at = strstr(text, word);

	return at ? arena_printf(&s->arena, "%.*s%s%s", (int)(at - text), text, with,
	                         at + strlen(word))
	          : text;
}

static const char *without_signature(struct stage *s, const char *text)
{
	const char *end = strstr(text, "\n-- \n");

	return end ? arena_strndup(&s->arena, text, (size_t)(end - text)) : text;
}

/* subject: NULL for the answered mail's. */
static void answer(struct stage *s, const char *from, const char *owner, const char *subject,
                   const char *body, bool bare)
{
	const struct sent_mail *m = last(s, owner);

	body = fill_in(s, body, "$REPLY", util_reply_to(&s->arena, m));
	body = fill_in(s, body, "$COPY", without_signature(s, m->mail.text));
	send(s, from, bare ? "pbm@pbm.example.org" : util_reply_to(&s->arena, m),
	     subject ? subject : arena_printf(&s->arena, "Re: %s", m->mail.subject), body,
	     m->mail.message_id);
}

#define KEY_CHARS 20 /* and more, which are lots: now and then they spell a move */

static bool holds_text(struct stage *s, const struct sent_mail *m, const char *text)
{
	char *all = fold(&s->arena,
	                 arena_printf(&s->arena, "%s %s", m->mail.subject, m->mail.text));

	for (char *p = all; *p;) {
		size_t n = strspn(p, "abcdefghijklmnopqrstuvwxyz234567");

		if (n >= KEY_CHARS)
			memset(p, '.', n);
		p += n ? n : 1;
	}
	return strstr(all, fold(&s->arena, text)) != NULL;
}

/* Answers the last mail to a name that holds the words. */
static void answer_older(struct stage *s, const char *from, const char *words, const char *body)
{
	size_t n;
	const struct sent_mail *list = util_sent(&s->arena, s->site, &n);

	while (n && (strcmp(list[n - 1].rcpt, address(s, from)) != 0 ||
	             !holds_text(s, &list[n - 1], words)))
		n--;
	ck_assert_msg(n > 0, "%s:%d: no mail to %s holds \"%s\"", s->where, s->line, from, words);
	if (strstr(body, "$COPY"))
		body = fill_in(s, body, "$COPY", without_signature(s, last(s, from)->mail.text));
	send(s, from, util_reply_to(&s->arena, &list[n - 1]), "Re: that", body, NULL);
}

/* One run may write several mails to a reader: each is the last. */
static bool last_holds(struct stage *s, const struct sent_mail *latest, const char *text)
{
	size_t n, run = s->runs.n;

	while (run > 0 && util_is_before(latest->written, s->runs.v[run - 1]))
		run--;
	const struct timespec since = run ? s->runs.v[run - 1] : (struct timespec){ 0 };
	const struct sent_mail *list = util_sent_since(&s->arena, s->site, since, &n);
	for (size_t i = 0; i < n; i++)
		if (strcmp(list[i].rcpt, latest->rcpt) == 0 && holds_text(s, &list[i], text))
			return true;
	return false;
}

static void expect(struct stage *s, const char *name, const char *text, bool holds)
{
	const struct sent_mail *m = last(s, name);

	ck_assert_msg(last_holds(s, m, text) == holds,
	              "%s:%d: the last mail to %s %s \"%s\":\nSubject: %s\n\n%.3000s", s->where,
	              s->line, name, holds ? "lacks" : "holds", text, m->mail.subject,
	              m->mail.text);
}

static void expect_count(struct stage *s, const char *name, size_t wanted)
{
	size_t n, count = 0;
	const struct sent_mail *list = util_sent(&s->arena, s->site, &n);

	for (size_t i = 0; i < n; i++)
		count += strcmp(list[i].rcpt, address(s, name)) == 0;
	ck_assert_msg(count == wanted, "%s:%d: %s got %zu mails, not %zu", s->where, s->line, name,
	              count, wanted);
}

static void expect_board(struct stage *s, const char *rest)
{
	int board = atoi(rest);
	char file[60];
	const char *text = strchr(rest, ':');

	ck_assert_ptr_nonnull(text);
	snprintf(file, sizeof file, "games/%03d/%d.json", board / 1000, board);
	char *json = util_read(s->site, file);
	ck_assert_msg(json && strstr(json, text + 2), "%s:%d: %s lacks %s:\n%s", s->where, s->line,
	              file, text + 2, json ? json : "");
	free(json);
}

static const char *wanted_nowhere;

static int look_into(const char *path, const struct stat *st, int type, struct FTW *)
{
	if (type != FTW_F || st->st_size == 0)
		return 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	void *bytes = mmap(NULL, (size_t)st->st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	bool found = bytes != MAP_FAILED &&
	             memmem(bytes, (size_t)st->st_size, wanted_nowhere, strlen(wanted_nowhere));

	if (bytes != MAP_FAILED)
		munmap(bytes, (size_t)st->st_size);
	close(fd);
	ck_assert_msg(!found, "%s holds %s", path, wanted_nowhere);
	return 0;
}

/* The mails that came in are not the site's. */
static void expect_nowhere(struct stage *s, const char *text)
{
	static const char *const places[] = { "games",   "players", "tournaments",
		                              "archive", "pbm.db",  "pbm.db-wal" };
	size_t n;
	const struct sent_mail *list = util_sent(&s->arena, s->site, &n);

	for (size_t i = 0; i < n; i++)
		ck_assert_msg(!holds_text(s, &list[i], text), "%s:%d: a mail to %s holds %s:\n%s",
		              s->where, s->line, list[i].rcpt, text, list[i].mail.text);
	wanted_nowhere = text;
	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		nftw(arena_printf(&s->arena, "%s/%s", s->site, places[i]), look_into, 8, FTW_PHYS);
}

/* "1! text": no page of the game holds it; "1: text": its HTML does. */
static void expect_archive(struct stage *s, const char *rest)
{
	static const char *const kinds[] = { "html", "json", "pgn" };
	int board = atoi(rest);
	const char *text = strpbrk(rest, "!:");

	ck_assert_ptr_nonnull(text);
	for (size_t i = 0; i < (*text == ':' ? 1 : sizeof kinds / sizeof kinds[0]); i++) {
		char file[80];

		snprintf(file, sizeof file, "archive/games/%03d/%d.%s", board / 1000, board,
		         kinds[i]);
		char *page = util_read(s->site, file);
		bool holds = page && strstr(page, text + 2);
		ck_assert_msg(page && holds == (*text == ':'), "%s:%d: %s %s %s:\n%s", s->where,
		              s->line, file, holds ? "holds" : "lacks", text + 2, page ? page : "");
		free(page);
	}
}

/* "pbm inbox" lists those of a store on a server, in a line each below the heading. */
static int count_quarantined(struct stage *s)
{
	const char *dir = arena_printf(&s->arena, "%s/quarantine", s->site);
	const char *const listed[] = { program(), "-C", s->site, "inbox", "--json", NULL };
	const char *const kept[] = { "find", dir, "-name", "*.why", NULL };
	int status;
	char *text = getenv("PBM_TEST_STORE") ? util_pbm(listed, NULL, &status)
	                                      : util_run(kept, NULL, &status);
	int n = 0;

	ck_assert_int_eq(status == 0 || !getenv("PBM_TEST_STORE"), 1);
	for (const char *c = text; *c; c++)
		n += *c == '\n';
	free(text);
	return n;
}

static void expect_quarantine(struct stage *s, const char *rest)
{
	int n = count_quarantined(s);

	ck_assert_msg(n == atoi(rest), "%s:%d: %d mails in quarantine", s->where, s->line, n);
}

static void send_raw(struct stage *s, const char *from, const char *to, const char *header,
                     const char *body, bool waits)
{
	char name[40];
	const char *fields = unescape(&s->arena, header);
	bool own = strncmp(fields, "From:", 5) == 0 || strstr(fields, "\nFrom:");

	snprintf(name, sizeof name, "%d.step", 1000 + s->step++);
	util_feed(s->site, name,
	          arena_printf(&s->arena,
	                       "%s\n%s%s%sTo: %s\n"
	                       "Message-ID: <%s@client.example>\n\n%s\n",
	                       fields, own ? "" : "From: ", own ? "" : address(s, from),
	                       own ? "" : "\n", to, name, unescape(&s->arena, body)));
	stamp(s, name);
	if (!waits)
		tick(s);
}

static void play_line(struct stage *s, char *line)
{
	size_t n = strspn(line, "abcdefghijklmnopqrstuvwxyz0123456789_-");
	char *name = arena_strndup(&s->arena, line, n), *owner = name, *rest = line + n;

	if (play_stage(s, line))
		return;
	if (strncmp(line, "board ", 6) == 0) {
		expect_board(s, line + 6);
		return;
	}
	if (strncmp(line, "archive ", 8) == 0) {
		expect_archive(s, line + 8);
		return;
	}
	if (strncmp(line, "nowhere ", 8) == 0) {
		expect_nowhere(s, line + 8);
		return;
	}
	if (strncmp(line, "quarantine: ", 12) == 0) {
		expect_quarantine(s, line + 12);
		return;
	}
	if (*rest == '=') {
		n = strspn(rest + 1, "abcdefghijklmnopqrstuvwxyz0123456789_-");
		owner = arena_strndup(&s->arena, rest + 1, n);
		rest += 1 + n;
	}
	char verb = *rest++;
	char kind = *rest == '^' || *rest == '!' || *rest == '+' || *rest == '#' || *rest == '@' ||
	                            *rest == '>'
	                    ? *rest++
	                    : ' ';
	rest += *rest == ' ';
	char *bar = strstr(rest, " | ");
	char *subject = bar ? arena_strndup(&s->arena, rest, (size_t)(bar - rest)) : rest;
	switch (verb) {
	case '>': (kind == '>' ? put : send)(s, name, "pbm@pbm.example.org", "", rest, NULL); break;
	case '@': send(s, name, "pbm@pbm.example.org", subject, bar ? bar + 3 : "", NULL); break;
	case '+':
		ck_assert_ptr_nonnull(bar);
		send_raw(s, name, "pbm@pbm.example.org", subject, bar + 3, kind == '>');
		break;
	case '!':
		if (kind == '+' && bar) {
			send_raw(s, name, util_reply_to(&s->arena, last(s, owner)), subject,
			         bar + 3, false);
			break;
		}
		if (kind == '^' && bar) {
			answer_older(s, name, subject, bar + 3);
			break;
		}
		__attribute__((fallthrough));
	case '?':
		answer(s, name, owner, kind == '@' ? subject : NULL,
		       kind == '@' && bar ? bar + 3 : rest, verb == '?');
		break;
	case '<':
		if (kind == '#')
			expect_count(s, name, strtoul(rest, NULL, 10));
		else
			expect(s, name, rest, kind == ' ');
		break;
	default: ck_abort_msg("%s:%d: what is \"%s\"?", s->where, s->line, line);
	}
}

#define COLUMNS 72 /* of a line that the server fills */

/* Characters. */
static size_t columns(const char *line, size_t n)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += ((unsigned char)line[i] & 0xC0) != 0x80;
	return count;
}

/* Quotations, commands, rows of tables, and lines that are one word may be long. */
static bool may_be_long(const char *line, size_t n)
{
	size_t indent = strspn(line, " ");

	if (memmem(line, n, HELD_BOARD, strlen(HELD_BOARD)) || memmem(line, n, "(has left)", 10))
		return false;
	return strchr("|>", line[indent]) || (indent >= 4 && indent != 6) ||
	       memmem(line + indent, n - indent, "   ", 3) ||
	       !memchr(line + indent, ' ', n - indent);
}

/* The server's own sentences fit into 72 columns. */
static void check_columns(struct stage *s)
{
	size_t n;
	const struct sent_mail *list = util_sent(&s->arena, s->site, &n);

	for (size_t i = 0; i < n; i++) {
		/* Our reader takes its HTML part, because the text speaks of HTML. */
		if (strstr(list[i].mail.text, "winmail.dat"))
			continue;
		for (const char *p = list[i].mail.text; *p;) {
			size_t len = strcspn(p, "\n");

			ck_assert_msg(columns(p, len) <= COLUMNS || may_be_long(p, len),
			              "%s: a line of \"%s\" is too long: %.*s", s->where,
			              list[i].mail.subject, (int)len, p);
			p += len + (p[len] == '\n');
		}
	}
}

static void show(struct stage *s, const char *line)
{
	size_t n;
	const struct sent_mail *list = util_sent(&s->arena, s->site, &n);

	printf("======== %s\n", line);
	for (; s->shown < n; s->shown++)
		printf("---- to %s: %s\n%s\n", list[s->shown].rcpt, list[s->shown].mail.subject,
		       list[s->shown].mail.text);
	fflush(stdout);
}

START_TEST(a_talk)
{
	struct stage s = { .site = util_site(), .where = files[_i], .now = START };
	char *text = util_read(FOLDER, files[_i]), *rest = text, *line;
	int status;

	if (_i % STARTED == 0)
		warm_off();
	while ((line = strsep(&rest, "\n"))) {
		s.line++;
		play_line(&s, line);
		if (getenv("SHOW"))
			show(&s, line);
	}
	check_columns(&s);
	const char *const fsck[] = { program(), "-C", s.site, "fsck", NULL };
	char *out = util_pbm(fsck, NULL, &status);
	ck_assert_msg(status == 0, "%s: fsck: %s", files[_i], out);
	free(out);
	if (_i % STARTED == 0)
		ck_assert_int_eq(
			rename(s.site, arena_printf(&s.arena, "%s/%s", started, files[_i])), 0);
	free(text);
	arena_release(&s.arena);
	util_drop(s.site);
}
END_TEST

/* All at once: most of a comparison is the start of Python. */
START_TEST(documents_fit_their_schemas)
{
	const char *const sh[] = { "sh", "-c", "tests/util/schema.py \"$0\"/*", started, NULL };
	int status;
	char *out = util_run(sh, NULL, &status);

	ck_assert_msg(status == 0, "%s", out);
	free(out);
}
END_TEST

static void begin(void)
{
	started = util_folder();
}

static void end(void)
{
	util_drop(started);
}

static int is_talk(const struct dirent *d)
{
	size_t n = strlen(d->d_name);

	return n > 4 && strcmp(d->d_name + n - 4, ".txt") == 0;
}

/* Starting the sanitizers' program for each mail takes most of their stage's time, so there
 * only every twelfth talk is played; FULL=1 in the environment: all. */
#define EVERY (SANITIZED && !getenv("FULL") ? 12 : 1)

/* Names of talks as arguments: only these.  TALKS=1/3 in the environment: the first third, as
 * three processes play them all sooner. */
static bool is_wanted(const char *name, int number, int argc, char **argv)
{
	int part = 1, parts = 1;

	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], name) == 0)
			return true;
	if (getenv("TALKS") && sscanf(getenv("TALKS"), "%d/%d", &part, &parts) != 2)
		abort();
	return argc == 1 && number % EVERY == 0 && number / EVERY % parts == part - 1;
}

int main(int argc, char **argv)
{
	TCase *t = tcase_create("talks");
	struct dirent **names;
	int n = scandir(FOLDER, &names, is_talk, alphasort);

	setenv("CK_MAX_MSG_SIZE", "1000000", 0); /* a page may be part of the message */
	if (n > TALKS_MAX)
		return 1;
	for (int i = 0; i < n; i++) {
		if (is_wanted(names[i]->d_name, i, argc, argv))
			files[file_count++] = mem_strdup(names[i]->d_name);
		free(names[i]);
	}
	free(names);
	if (file_count < argc - 1 || file_count == 0) {
		puts("not all names are talks of " FOLDER);
		return 1;
	}
	tcase_add_unchecked_fixture(t, begin, end);
	tcase_add_loop_test(t, a_talk, 0, file_count);
	tcase_add_test(t, documents_fit_their_schemas);
	int rc = util_main(t);
	for (int i = 0; i < file_count; i++)
		free(files[i]);
	return rc;
}
