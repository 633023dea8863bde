#include "tests/util/util.h"

#include <check.h>
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <search.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mail/header.h"
#include "mail/parse.h"
#include "pbm/base/io.h"
#include "pbm/base/str.h"
#include "tests/util/folder.h"
#include "tests/util/on_postgres.h"
#include "tests/util/suite.h"
#include "tests/util/warm.h"

#define OUTPUT_MAX (64 * 1024 * 1024)
#define TEST_TIME "2026-12-01T10:00:00Z"
#define FED_AT 1796119200 /* the same */

#define POINTS 1000

/* Check writes each assertion that holds to a file, to name the last one before a crash.  Tests
 * with millions of them spent a fifth of their time so; they do without the name. */
void __real__mark_point(const char *file, int line);
void __wrap__mark_point(const char *file, int line);
void __wrap__mark_point(const char *file, int line)
{
	static unsigned n;

	if (n < POINTS)
		__real__mark_point(file, line);
	n += n < POINTS;
}

int util_main(TCase *t)
{
	Suite *s = suite_create("pbm");

	tcase_set_timeout(t, 120);
	suite_add_tcase(s, t);
	return suite_run(s);
}

char *util_folder(void)
{
	char *dir = mem_alloc(64);

	snprintf(dir, 64, "%s/pbm-test-XXXXXX", folder_parent());
	ck_assert_ptr_nonnull(mkdtemp(dir));
	return dir;
}

static int remove_one(const char *path, const struct stat *, int, struct FTW *)
{
	return remove(path);
}

void util_drop(char *dir)
{
	nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(dir);
}

/* A file in memory with the text, to be read from its start. */
static int file_of(const char *text)
{
	size_t len = text ? strlen(text) : 0;
	int fd = memfd_create("input", MFD_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text ? text : "", len), (ssize_t)len);
	ck_assert_int_eq(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

static pid_t spawn(const char *const argv[], int in, int out)
{
	posix_spawn_file_actions_t files;
	pid_t child;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
	int failed = posix_spawnp(&child, argv[0], &files, NULL, (char *const *)(uintptr_t)argv,
	                          environ);
	ck_assert_msg(failed == 0, "%s: %s", argv[0], strerror(failed));
	posix_spawn_file_actions_destroy(&files);
	return child;
}

/* may_fork: the program is pbm, and need not be loaded for this run. */
static char *run(const char *const argv[], const char *input, bool may_fork, int *status)
{
	int in = file_of(input), out[2], st;
	struct str s;
	pid_t child = 0;

	signal(SIGPIPE, SIG_IGN);
	ck_assert_int_eq(pipe2(out, O_CLOEXEC), 0);
	if (!may_fork || !warm_start(argv, (int[]){ in, out[1], STDERR_FILENO }))
		child = spawn(argv, in, out[1]);
	close(in);
	close(out[1]);
	str_init(&s, OUTPUT_MAX);
	ck_assert_int_eq(io_read_all(out[0], OUTPUT_MAX - 1, &s, NULL), 0);
	close(out[0]);
	if (child)
		waitpid(child, &st, 0);
	else
		st = warm_wait();
	*status = WIFEXITED(st) ? WEXITSTATUS(st) : -WTERMSIG(st);
	return str_detach(&s);
}

char *util_run(const char *const argv[], const char *input, int *status)
{
	return run(argv, input, false, status);
}

char *util_pbm(const char *const argv[], const char *input, int *status)
{
	return run(argv, input, true, status);
}

static const char *pbm(void)
{
	const char *p = getenv("PBM");

	return p ? p : "build/pbm";
}

static void run_pbm(const char *const argv[], const char *input)
{
	int status;
	char *out = util_pbm(argv, input, &status);

	ck_assert_msg(status == 0, "%s %s … gave %d: %s", argv[0], argv[1], status, out);
	free(out);
}

static void add_user(const char *dir, const char *userid, const char *role)
{
	char address[80], password[80];

	snprintf(address, sizeof address, "%s@example.org", userid);
	snprintf(password, sizeof password, "%s-pw\n", userid);
	run_pbm((const char *[]){ pbm(), "-C", dir, "--now", TEST_TIME, "user", "add", userid,
	                          address, "--role", role, "--password-stdin", NULL },
	        password);
}

static void make_site(const char *site)
{
	const char *url = on_postgres(site);

	run_pbm((const char *[]){ pbm(), "init", site, "--host", "pbm.example.org",
	                          url ? "--store" : NULL, url, NULL },
	        NULL);
	add_user(site, "alice", "player");
	add_user(site, "bob", "player");
	add_user(site, "carol", "moderator");
}

static void copy(const char *from, const char *to)
{
	int status;

	free(util_run((const char *[]){ "cp", "-a", from, to, NULL }, NULL, &status));
	ck_assert_msg(status == 0, "cp -a %s %s gave %d", from, to, status);
}

/* Leaves a copy of the new site at $SITE for the tests to come; the first one wins. */
static void keep_site(const char *site)
{
	char own[256];

	snprintf(own, sizeof own, "%s.%d", getenv("SITE"), (int)getpid());
	copy(site, own);
	if (rename(own, getenv("SITE")) < 0)
		util_drop(mem_strdup(own));
}

char *util_site(void)
{
	char *site = util_folder(), all[256];
	const char *kept = getenv("SITE");

	if (on_postgres(site)) {
		make_site(site); /* a copy would share its store */
	} else if (kept && access(kept, F_OK) == 0) {
		snprintf(all, sizeof all, "%s/.", kept);
		copy(all, site);
	} else {
		make_site(site);
		if (kept)
			keep_site(site);
	}
	return site;
}

void util_feed(const char *site, const char *name, const char *bytes)
{
	char path[256];

	/* The clock of a turn stops at this time: it must not be that of the test's machine. */
	const struct timespec came[] = { { .tv_sec = FED_AT }, { .tv_sec = FED_AT } };

	snprintf(path, sizeof path, "%s/inbox/new/%s", site, name);
	ck_assert_int_eq(io_replace(AT_FDCWD, path, bytes, strlen(bytes), 0600, IO_LAZY, NULL), 0);
	ck_assert_int_eq(utimensat(AT_FDCWD, path, came, 0), 0);
}

void util_mail(const char *site, const char *name, const char *from, const char *to,
               const char *subject, const char *body, const char *reply_to_id)
{
	struct str s;

	str_init(&s, 1 << 20);
	str_addf(&s,
	         "From: %s\nTo: %s\nSubject: %s\nMessage-ID: <%s@client.example>\n"
	         "Date: Tue, 1 Dec 2026 09:59:00 +0000\n",
	         from, to, subject, name);
	if (reply_to_id)
		str_addf(&s, "In-Reply-To: <%s>\n", reply_to_id);
	str_addf(&s, "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n%s\n", body);
	util_feed(site, name, s.data);
	str_release(&s);
}

void util_tick_at(const char *site, const char *time)
{
	run_pbm((const char *[]){ pbm(), "-C", site, "--now", time, "-q", "tick", NULL }, NULL);
}

void util_tick(const char *site)
{
	util_tick_at(site, TEST_TIME);
}

/* A document of a site on PostgreSQL, or NULL. */
static char *read_document(const char *site, const char *path)
{
	char sql[300];
	int status;

	snprintf(sql, sizeof sql,
	         "SELECT convert_from(string_agg(bytes, ''::bytea ORDER BY at), 'UTF8')"
	         " FROM documents WHERE path = '%s' HAVING count(*) > 0",
	         path);
	char *text = util_run((const char *[]){ "psql", "-Atc", sql, on_postgres(site), NULL },
	                      NULL, &status);
	ck_assert_int_eq(status, 0);
	if (*text)
		return text;
	free(text);
	return NULL;
}

char *util_read(const char *dir, const char *name)
{
	char path[512], *text;
	size_t len;

	snprintf(path, sizeof path, "%s/%s", dir, name);
	if (io_read_file(AT_FDCWD, path, OUTPUT_MAX, &text, &len, NULL) == 0)
		return text;
	return getenv("PBM_TEST_STORE") ? read_document(dir, name) : NULL;
}

void util_write(const char *site, const char *name, const char *text)
{
	char path[512];
	int status;

	if (!getenv("PBM_TEST_STORE")) {
		snprintf(path, sizeof path, "%s/%s", site, name);
		ck_assert_int_eq(
			io_replace(AT_FDCWD, path, text, strlen(text), 0600, IO_LAZY, NULL), 0);
		return;
	}
	struct str sql;
	str_init(&sql, OUTPUT_MAX);
	str_addf(&sql, "UPDATE documents SET bytes = convert_to($$%s$$, 'UTF8') WHERE path = '%s'",
	         text, name);
	free(util_run((const char *[]){ "psql", "-q", on_postgres(site), NULL }, sql.data,
	              &status));
	ck_assert_int_eq(status, 0);
	str_release(&sql);
}

/* Mails are named after their keys, so their order is the files' order of
 * coming into being: the time, then the inode. */
struct stamped {
	char *path;
	struct timespec written; /* the file system counts in steps of some milliseconds */
	ino_t ino;
};

bool util_is_before(struct timespec a, struct timespec b)
{
	return a.tv_sec < b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec < b.tv_nsec);
}

static int compare_stamped(const void *a, const void *b)
{
	const struct stamped *x = a, *y = b;

	if (util_is_before(x->written, y->written))
		return -1;
	if (util_is_before(y->written, x->written))
		return 1;
	return x->ino < y->ino ? -1 : x->ino > y->ino;
}

/* The files of the folder, oldest first. */
static struct stamped *list_sent(struct arena *a, const char *site, size_t *n)
{
	char dir[256];
	struct dirent **names;

	snprintf(dir, sizeof dir, "%s/sent/new", site);
	int count = scandir(dir, &names, NULL, NULL);
	ck_assert_int_ge(count, 0);
	struct stamped *list = arena_alloc(a, (size_t)(count + 1) * sizeof *list);
	*n = 0;
	for (int i = 0; i < count; i++) {
		char *path = arena_printf(a, "%s/%s", dir, names[i]->d_name);
		struct stat st;

		if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
			list[(*n)++] = (struct stamped){ path, st.st_mtim, st.st_ino };
		free(names[i]);
	}
	free(names);
	qsort(list, *n, sizeof *list, compare_stamped);
	return list;
}

static const char *delivered_to(struct arena *a, const char *raw)
{
	const char *p = strstr(raw, "Delivered-To:");

	if (!p)
		return "";
	p += strlen("Delivered-To:");
	p += strspn(p, " ");
	return arena_strndup(a, p, strcspn(p, "\r\n"));
}

/* Mails that were read before: tests ask for the same ones after each step. */
struct known_mail {
	char *path;
	ino_t ino;
	bool parsed;
	struct sent_mail sent;
};
static void *known; /* a tree as of tsearch(), by path and inode */
static struct arena known_arena;

static int compare_known(const void *a, const void *b)
{
	const struct known_mail *x = a, *y = b;
	int order = strcmp(x->path, y->path);

	return order ? order : (x->ino > y->ino) - (x->ino < y->ino);
}

static void read_sent(struct known_mail *k, struct timespec written)
{
	char *raw;
	size_t len;

	ck_assert_int_eq(io_read_file(AT_FDCWD, k->path, OUTPUT_MAX, &raw, &len, NULL), 0);
	k->path = arena_strdup(&known_arena, k->path);
	k->parsed = false;
	k->sent = (struct sent_mail){ .file = strrchr(k->path, '/') + 1, .written = written };
	k->sent.raw = arena_strndup(&known_arena, raw, len);
	k->sent.rcpt = delivered_to(&known_arena, k->sent.raw);
	free(raw);
}

/* All but the parsed mail. */
static struct known_mail *open_sent(const struct stamped *file)
{
	struct known_mail wanted = { .path = file->path, .ino = file->ino };
	void *found = tfind(&wanted, &known, compare_known);
	struct known_mail *k = found ? *(struct known_mail **)found
	                             : arena_alloc(&known_arena, sizeof *k);

	if (!found)
		*k = wanted;
	if (!found || util_is_before(k->sent.written, file->written))
		read_sent(k, file->written);
	if (!found)
		tsearch(k, &known, compare_known);
	return k;
}

static const struct sent_mail *parse_sent(struct known_mail *k)
{
	if (!k->parsed)
		ck_assert_int_eq(parse_mail(&known_arena, k->sent.raw, strlen(k->sent.raw),
		                            &k->sent.mail, NULL),
		                 0);
	k->parsed = true;
	return &k->sent;
}

struct sent_mail *util_sent_since(struct arena *a, const char *site, struct timespec since,
                                  size_t *n)
{
	size_t all, from = 0;
	struct stamped *files = list_sent(a, site, &all);

	while (from < all && util_is_before(files[from].written, since))
		from++;
	*n = all - from;
	struct sent_mail *out = arena_alloc(a, (*n + 1) * sizeof *out);
	for (size_t i = 0; i < *n; i++)
		out[i] = *parse_sent(open_sent(&files[from + i]));
	return out;
}

struct sent_mail *util_sent(struct arena *a, const char *site, size_t *n)
{
	return util_sent_since(a, site, (struct timespec){ 0 }, n);
}

const struct sent_mail *util_last(struct arena *a, const char *site, const char *rcpt)
{
	size_t n;
	struct stamped *files = list_sent(a, site, &n);

	while (n--) {
		struct known_mail *k = open_sent(&files[n]);

		if (strcmp(k->sent.rcpt, rcpt) == 0)
			return parse_sent(k);
	}
	return NULL;
}

const char *util_reply_to(struct arena *a, const struct sent_mail *m)
{
	const char *value = header_field(&m->mail, "Reply-To");

	ck_assert_ptr_nonnull(value);
	value += strspn(value, " <");
	return arena_strndup(a, value, strcspn(value, "> \r\n"));
}
