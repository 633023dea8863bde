/* Sub-commands that work on a site. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <unistd.h>

#include "mail/address.h"
#include "pbm/archive/archive.h"
#include "pbm/archive/live.h"
#include "pbm/base/clock.h"
#include "pbm/base/io.h"
#include "pbm/commands/command.h"
#include "pbm/people/account.h"
#include "pbm/people/password.h"
#include "pbm/program/prog.h"
#include "pbm/record/match.h"
#include "pbm/request/request.h"
#include "store/store_documents.h"
#include "store/store_fsck.h"
#include "store/store_reindex.h"

#define STORE_WAIT 4 /* seconds for another run to finish */
#define ADDRESSES_MAX 5

/* A web server is another user, who can't enter a folder that is its owner's alone. */
static void print_where_archive_is(const char *dir)
{
	struct stat st;

	if (stat(dir, &st) == 0 && !(st.st_mode & S_IXOTH))
		printf("Only you can enter %s, and so read %s/archive.  For a web server make a folder elsewhere,\n"
		       "such as /srv/www/games, and name it in %s/pbm.conf: archive-dir = /srv/www/games\n",
		       dir, dir, dir);
}

/* Where an ordinary user can't make the folder. */
static int refuse_folder(const char *dir, const struct err *e)
{
	int code = prog_fail(e);

	fprintf(stderr,
	        "pbm: if you may not make %s, let root make it for you:\n"
	        "     sudo install -d -m 700 -o \"$(id -un)\" -g \"$(id -gn)\" %s\n",
	        dir, dir);
	return code;
}

/* A site without a web page yet is a site all the same. */
static void begin_archive(const char *dir)
{
	struct site s;
	struct err e = { 0 };

	if (site_open(dir, &s, &e) < 0) {
		prog_fail(&e);
		return;
	}
	if (site_open_store(&s, STORE_WRITE, &e) < 0 || archive_begin(&s, &e) < 0)
		prog_fail(&e);
	site_close(&s);
}

struct new_site {
	const char *dir, *host, *archive;
};

/* 0, or EX_USAGE with the reason printed. */
static int read_init_words(int argc, char **argv, struct new_site *n)
{
	for (int i = 1; i < argc; i++) {
		const char *value = i + 1 < argc ? argv[i + 1] : NULL;
		bool host = strcmp(argv[i], "--host") == 0;
		bool archive = strcmp(argv[i], "--archive-dir") == 0;

		if (host && !value)
			return prog_usage("init", "--host needs a name behind it");
		if (archive && (!value || *value != '/'))
			return prog_usage(
				"init", "--archive-dir needs a path behind it that begins with /");
		if (!host && !archive && (argv[i][0] == '-' || n->dir))
			return prog_refuse_word(argv, argv[i]);
		if (host || archive)
			i++;
		*(host ? &n->host : archive ? &n->archive : &n->dir) = argv[i];
	}
	return n->dir ? 0 : prog_usage("init", "the folder is missing");
}

int prog_init(const struct prog_options *o, int argc, char **argv)
{
	struct new_site n = { .host = "localhost" };
	int code = read_init_words(argc, argv, &n);
	const char *dir = n.dir, *host = n.host, *archive = n.archive;
	struct err e = { 0 };

	(void)o;
	if (code)
		return code;
	if (site_create_apart(dir, host, archive, &e) < 0)
		return e.code == ERR_SYSTEM && access(dir, W_OK) < 0 ? refuse_folder(dir, &e)
		                                                     : prog_fail(&e);
	begin_archive(dir);
	printf("%s is a site now.  Put mails to pbm@%s into %s/inbox; the answers appear in %s/sent.\n"
	       "Next:  pbm -C %s user add alice alice@example.org\n"
	       "       pbm -C %s talk alice\n"
	       "       pbm -C %s doctor     (looks whether all is well)\n",
	       dir, host, dir, dir, dir, dir, dir);
	if (!archive)
		print_where_archive_is(dir);
	return 0;
}

int prog_archive(const struct prog_options *o, int argc, char **argv)
{
	struct site s;
	struct err e = { 0 };
	struct archive_report r = { 0 };

	/* There is nothing else that it could do; the option says it. */
	if (argc > 1 && strcmp(argv[1], "--rebuild") == 0) {
		argc--;
		argv++;
	}
	if (argc != 1)
		return prog_refuse_word(argv, argv[1]);
	int code = prog_open(o, STORE_WRITE, STORE_WAIT, &s);
	if (code)
		return code;
	int rc = archive_rebuild(&s, &r, &e);
	if (rc == 0)
		rc = live_rebuild(&s, &r, &e);
	site_close(&s);
	if (rc < 0)
		return prog_fail(&e);
	printf("%zu games in the archive\n", r.games);
	if (r.failed)
		fprintf(stderr, "pbm: %zu pages could not be written; the first: %s\n", r.failed,
		        r.first);
	return r.failed ? EX_IOERR : 0;
}

static void report_finding(const char *what, bool repaired, void *arg)
{
	(void)arg;
	printf("%s%s\n", what, repaired ? "  (repaired)" : "");
}

int prog_fsck(const struct prog_options *o, int argc, char **argv)
{
	struct err e = { 0 };
	static const char *const modes[] = {
		[FSCK_REPAIR] = "--repair", [FSCK_ACCEPT] = "--accept"
	};
	enum fsck_mode mode = FSCK_LOOK;
	struct site s;

	for (int i = FSCK_REPAIR; argc == 2 && i <= FSCK_ACCEPT; i++)
		if (strcmp(argv[1], modes[i]) == 0)
			mode = (enum fsck_mode)i;
	if (argc > 1 && mode == FSCK_LOOK)
		return prog_refuse_word(argv, argv[argc > 2 ? 2 : 1]);
	int open = mode == FSCK_LOOK ? site_open_to_look(o->dir, &s, &e)
	                             : site_open(o->dir, &s, &e);
	if (open < 0)
		return prog_fail(&e);
	site_close(&s);
	int rc = store_fsck(o->dir, mode, match_verify, report_finding, NULL, &e);
	if (rc < 0)
		return prog_fail(&e);
	printf(rc ? "%d findings\n" : "clean\n", rc);
	return rc ? EX_DATAERR : 0;
}

static void show_progress(int64_t done, int64_t total, void *arg)
{
	(void)arg;
	if (done % 1000 == 0 || done == total)
		fprintf(stderr, "\r%lld of %lld documents", (long long)done, (long long)total);
}

int prog_reindex(const struct prog_options *o, int argc, char **argv)
{
	struct err e = { 0 };
	struct site s;

	if (argc != 1)
		return prog_refuse_word(argv, argv[1]);
	if (site_open(o->dir, &s, &e) < 0)
		return prog_fail(&e);
	site_close(&s);
	bool shown = isatty(STDERR_FILENO);
	int rc = store_reindex(o->dir, shown ? show_progress : NULL, NULL, &e);
	if (shown)
		fputc('\n', stderr);
	if (rc > 0)
		printf("%d documents are left out, the first: %s\n", rc, e.text);
	return rc < 0 ? prog_fail(&e) : rc > 0 ? EX_DATAERR : 0;
}

struct new_user {
	const char *userid, *role;
	bool password;
	size_t n;
	const char *addrs[ADDRESSES_MAX];
};

static int read_address(const char *word, struct new_user *u)
{
	if (word[0] == '-')
		return prog_usage("user", "there is no option %s", word);
	if (!address_valid(word))
		return prog_usage("user", "\"%s\" is not a mail address", word);
	if (u->n == ADDRESSES_MAX)
		return prog_usage("user", "an account has at most %d addresses", ADDRESSES_MAX);
	u->addrs[u->n++] = word;
	return 0;
}

/* 0, or EX_USAGE with the reason printed. */
static int read_user_words(int argc, char **argv, struct new_user *u)
{
	int code = 0;

	*u = (struct new_user){ .role = "player" };
	if (argc < 2 || strcmp(argv[1], "add") != 0)
		return prog_usage("user", "the word \"add\" is missing");
	if (argc < 3)
		return prog_usage("user", "the userid is missing");
	u->userid = argv[2];
	for (int i = 3; code == 0 && i < argc; i++) {
		if (strcmp(argv[i], "--role") == 0)
			u->role = i + 1 < argc ? argv[++i] : "";
		else if (strcmp(argv[i], "--password-stdin") == 0)
			u->password = true;
		else
			code = read_address(argv[i], u);
	}
	if (code == 0 && strcmp(u->role, "player") != 0 && strcmp(u->role, "moderator") != 0 &&
	    strcmp(u->role, "computer") != 0)
		code = prog_usage("user",
		                  "the role must be player, moderator or computer, not \"%s\"",
		                  u->role);
	if (code == 0 && u->n == 0)
		code = prog_usage("user", "the mail address is missing");
	return code;
}

static int read_password(struct arena *a, const char **hash, struct err *e)
{
	char line[256];

	if (!fgets(line, sizeof line, stdin) || line[0] == '\n')
		return err_set(e, ERR_BAD, "no password on standard input");
	if (!strchr(line, '\n') && strlen(line) + 1 == sizeof line)
		return err_set(e, ERR_LIMIT, "a password has at most %zu bytes", sizeof line - 2);
	line[strcspn(line, "\r\n")] = '\0';
	*hash = password_hash(a, line);
	explicit_bzero(line, sizeof line);
	return *hash ? 0 : err_set(e, ERR_SYSTEM, "no memory to hash a password");
}

static int add_user(struct site *s, struct arena *a, const struct new_user *u, struct err *e)
{
	struct player_address list[ADDRESSES_MAX];
	struct player_doc p = { .userid = u->userid,
		                .role = u->role,
		                .created = clock_now(),
		                .address_count = u->n,
		                .addresses = list },
			  other;
	struct err why = { 0 };
	int rc = account_check_name(s->store, a, u->userid, p.created, command_is_word, &why, e);

	if (rc != 0)
		return rc < 0 ? rc : err_set(e, why.code, "%s", why.text);
	for (size_t i = 0; i < u->n; i++) {
		list[i] = (struct player_address){ .address = u->addrs[i], .confirmed = p.created };
		if (store_player_by_address(s->store, a, u->addrs[i], &other, NULL) == 0 &&
		    player_has_address(&other, u->addrs[i]))
			return err_set(e, ERR_CONFLICT, "%s belongs to %s already", u->addrs[i],
			               other.userid);
	}
	rc = u->password ? read_password(a, &p.password, e) : 0;
	if (rc < 0)
		return rc;
	rc = store_begin(s->store, e);
	if (rc == 0)
		rc = store_player_put(s->store, &p, e);
	return store_end(s->store, rc, e);
}

int prog_user(const struct prog_options *o, int argc, char **argv)
{
	struct new_user u;
	struct site s;
	struct arena a = { 0 };
	struct err e = { 0 };

	int code = read_user_words(argc, argv, &u);
	if (code == 0)
		code = prog_open(o, STORE_WRITE, STORE_WAIT, &s);
	if (code)
		return code;
	int rc = add_user(&s, &a, &u, &e);
	site_close(&s);
	arena_release(&a);
	if (rc < 0)
		return prog_fail(&e);
	printf("%s can play, from %s\n", u.userid, u.addrs[0]);
	return 0;
}
