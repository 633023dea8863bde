/* The acts of pbm user that make, show and change accounts. */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "mail/address.h"
#include "pbm/base/clock.h"
#include "pbm/commands/account/account_change.h"
#include "pbm/commands/account/account_export.h"
#include "pbm/commands/words/command.h"
#include "pbm/people/account_name.h"
#include "pbm/people/computer.h"
#include "pbm/people/password.h"
#include "pbm/people/roles.h"
#include "pbm/program/prog_user.h"
#include "pbm/request/request_player.h"
#include "store/store_counts.h"
#include "store/store_documents.h"
#include "store/store_questions.h"

#define ADDRESSES_MAX 5
#define EXPORT_MAX (1u << 30)

/* ---- add ---- */

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
static int read_new_user(const struct prog_call *c, struct new_user *u)
{
	unsigned roles = 0;
	int code = 0;

	*u = (struct new_user){ .role = "player", .userid = c->argv[0] };
	for (size_t i = 1; code == 0 && i < c->argc; i++) {
		if (strcmp(c->argv[i], "--role") == 0)
			u->role = i + 1 < c->argc ? c->argv[++i] : "";
		else if (strcmp(c->argv[i], "--password-stdin") == 0)
			u->password = true;
		else
			code = read_address(c->argv[i], u);
	}
	if (code == 0 && !roles_read(u->role, &roles))
		code = prog_usage(
			"user",
			"the role must be player, director, moderator, operator or computer, not \"%s\"",
			u->role);
	if (code == 0 && u->n == 0)
		code = prog_usage("user", "the mail address is missing");
	return code;
}

int prog_user_check_new(const struct prog_call *c)
{
	struct new_user u;

	return read_new_user(c, &u);
}

int prog_user_check_password(const struct prog_call *c)
{
	return c->argc == 2 && strcmp(c->argv[1], "--password-stdin") == 0
	               ? 0
	               : prog_usage("user", "the password is read with --password-stdin");
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

static int is_free_address(struct prog_call *c, const char *address, struct err *e)
{
	struct player_doc other;

	if (store_player_by_address(c->store, c->q->arena, address, &other, NULL) < 0 ||
	    !player_has_address(&other, address))
		return 0;
	return err_set(e, ERR_CONFLICT, "%s belongs to %s already", address, other.userid);
}

int prog_user_add(struct prog_call *c, struct err *e)
{
	struct new_user u;
	struct player_address list[ADDRESSES_MAX];
	struct request *q = c->q;
	struct err why = { 0 };
	unsigned roles = 0;

	read_new_user(c, &u);
	roles_read(u.role, &roles);
	struct player_doc p = { .userid = u.userid,
		                .role = roles_write(q->arena, roles),
		                .created = q->now,
		                .address_count = u.n,
		                .addresses = list };
	int rc = account_name_check(q->site->store, q->arena, u.userid, q->now, command_is_word,
	                            &why, e);

	if (rc == 0)
		rc = account_name_is_team(q->site->store, u.userid, &why, e);
	if (rc == 1)
		return err_set(e, why.code, "%s", why.text);
	for (size_t i = 0; rc == 0 && i < u.n; i++) {
		list[i] = (struct player_address){ .address = u.addrs[i], .confirmed = q->now };
		rc = is_free_address(c, u.addrs[i], e);
	}
	if (rc == 0 && u.password)
		rc = read_password(q->arena, &p.password, e);
	if (rc == 0)
		rc = store_player_put(q->site->store, &p, e);
	if (rc == 0)
		rc = act_record(q, &(struct act_by){ "operator", NULL }, "add", u.userid, p.role,
		                e);
	if (rc == 0)
		printf("%s can play, from %s\n", u.userid, u.addrs[0]);
	return rc;
}

/* ---- list, show ---- */

static const char *state_of(const struct prog_call *c, const struct player_doc *p)
{
	if (p->renamed)
		return arena_printf(c->q->arena, "is called %s now", p->renamed);
	return p->deleted                 ? "has left"
	       : p->banned                ? "banned"
	       : p->suspended > c->q->now ? "suspended"
	       : p->signed_off            ? "signed off"
	       : computer_is(p)           ? "the server plays"
	       : !player_mail_address(p)  ? "not confirmed"
	       : !player_is_reachable(p)  ? "mail comes back"
	                                  : "";
}

struct listing {
	struct prog_call *c;
	bool json;
};

static int list_user(const char *userid, void *arg)
{
	struct listing *l = arg;
	struct request *q = l->c->q;
	AUTO(arena_release) struct arena a = { 0 };
	struct player_doc p;

	if (store_player_at(q->site->store, &a, userid, &p, NULL) < 0) {
		fprintf(stderr, "pbm: %s can't be read; pbm fsck says why\n", userid);
	} else if (l->json) {
		prog_print_json(json_pack("{s:s, s:s, s:s, s:s, s:I}", "userid", p.userid, "role",
		                          p.role, "created", CLOCK_ISO(p.created), "state",
		                          state_of(l->c, &p), "addresses",
		                          (json_int_t)p.address_count));
	} else {
		const char *state = state_of(l->c, &p);

		printf("%-20s  %s  %s%s%s\n", p.userid, CLOCK_ISO(p.created), p.role,
		       *state ? ", " : "", state);
	}
	return 0;
}

int prog_user_list(struct prog_call *c, struct err *e)
{
	struct listing l = { .c = c };

	l.json = c->argc == 1 && strcmp(c->argv[0], "--json") == 0;
	if (c->argc && !l.json)
		return err_set(e, ERR_BAD, "there is no option %.60s", c->argv[0]);
	return store_each_player(c->store, list_user, &l, e);
}

static void show_address(const struct player_address *a)
{
	printf("address     %s", a->address);
	if (!a->confirmed)
		printf("  not confirmed");
	else
		printf("  since %s", CLOCK_ISO(a->confirmed));
	if (a->resting)
		printf(", rests since %s%s", CLOCK_ISO(a->resting),
		       a->complaint ? ", called spam" : "");
	putchar('\n');
}

static void show_time(const char *what, int64_t at)
{
	if (at)
		printf("%-11s %s\n", what, CLOCK_ISO(at));
}

int prog_user_show(struct prog_call *c, struct err *e)
{
	const struct player_doc *p = &c->p;
	int64_t finished = 0;
	size_t running = 0;
	int rc = store_games(c->store, p->userid, NULL, GAMES_OPEN, 1000000, 0, store_count_row,
	                     &running, e);

	if (rc == 0)
		rc = store_count(c->store, arena_printf(c->q->arena, "player:%s", p->userid),
		                 &finished, e);
	if (rc < 0)
		return rc;
	printf("userid      %s\nrole        %s\n", p->userid, p->role);
	show_time("created", p->created);
	show_time("left", p->deleted);
	show_time("suspended", p->suspended);
	show_time("banned", p->banned);
	if (p->banned)
		printf("            by %s: %s\n", p->banned_by, p->banned_why);
	if (p->signed_off)
		puts("signed off  yes");
	printf("password    %s\ngames       %zu running, %lld finished\n",
	       p->password ? "set" : "none", running, (long long)finished);
	for (size_t i = 0; i < p->address_count; i++)
		show_address(&p->addresses[i]);
	for (size_t i = 0; i < p->setting_count; i++)
		printf("set         %s %s\n", p->settings[i].name, p->settings[i].value);
	return 0;
}

/* ---- password, address ---- */

/* Stores the account and tells the addresses that it had.  What was asked before is dropped: an
 * operator's change can't be taken back by mail. */
static int change_account(struct prog_call *c, const struct player_doc *before,
                          const struct player_doc *after, const char *act, const char *what,
                          struct err *e)
{
	store_player_put(c->store, after, e);
	int rc = account_change_drop_questions(c->q, before->userid, e);
	for (size_t i = 0; rc == 0 && i < before->address_count; i++) {
		c->q->done_count++;
		if (before->addresses[i].confirmed)
			rc = account_change_tell(c->q, after, before->addresses[i].address, what,
			                         e);
	}
	if (rc == 0)
		rc = act_record(c->q, &(struct act_by){ "operator", NULL }, act, before->userid,
		                NULL, e);
	if (rc == 0)
		printf("%s: %s\n", before->userid, what);
	return rc;
}

int prog_user_password(struct prog_call *c, struct err *e)
{
	struct player_doc now = c->p;
	int rc = read_password(c->q->arena, &now.password, e);

	return rc == 0 ? change_account(c, &c->p, &now, "password", "The password was changed.", e)
	               : rc;
}

static void take_address(struct player_doc *p, const char *address)
{
	size_t n = 0;

	for (size_t i = 0; i < p->address_count; i++)
		if (strcasecmp(p->addresses[i].address, address) != 0)
			p->addresses[n++] = p->addresses[i];
	p->address_count = n;
}

int prog_user_address(struct prog_call *c, struct err *e)
{
	const char *address = c->argv[2];
	bool add = strcmp(c->argv[1], "add") == 0;
	struct arena *a = c->q->arena;
	const struct player_doc *p = &c->p;
	struct player_doc now = *p;

	if (!add && strcmp(c->argv[1], "remove") != 0)
		return err_set(e, ERR_BAD, "say add or remove, not \"%.40s\"", c->argv[1]);
	if (add && !address_valid(address))
		return err_set(e, ERR_BAD, "\"%.100s\" is not a mail address", address);
	int rc = add ? is_free_address(c, address, e) : 0;
	if (rc < 0)
		return rc;
	if (!add && !player_find_address(p, address))
		return err_set(e, ERR_NOT_FOUND, "%.100s is no address of %s", address, p->userid);
	now.addresses = arena_alloc(a, (p->address_count + 1) * sizeof *now.addresses);
	if (p->address_count)
		memcpy(now.addresses, p->addresses, p->address_count * sizeof *now.addresses);
	take_address(&now, address);
	if (add)
		now.addresses[now.address_count++] = (struct player_address){
			.address = address, .confirmed = c->q->now
		};
	if (!player_mail_address(&now))
		return err_set(e, ERR_BAD, "an account needs one confirmed address");
	return change_account(
		c, p, &now, "address",
		arena_printf(a, add ? "The address %s was added." : "The address %s was removed.",
	                     address),
		e);
}

/* ---- export ---- */

/* Only the operator may read the file. */
static int write_file(const char *path, const struct str *data, struct err *e)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0)
		return errno == EEXIST ? err_set(e, ERR_CONFLICT, "%s exists already", path)
		                       : err_sys(e, "open %s", path);
	FILE *f = fdopen(fd, "w");
	bool done = f && fwrite(data->data, 1, data->len, f) == data->len && fflush(f) == 0 &&
	            fsync(fd) == 0;
	int rc = done ? 0 : err_sys(e, "write %s", path);
	if (f ? fclose(f) != 0 : close(fd) != 0)
		rc = rc < 0 ? rc : err_sys(e, "close %s", path);
	if (rc < 0)
		unlink(path);
	return rc;
}

int prog_user_export(struct prog_call *c, struct err *e)
{
	struct export_place at = { 0 };
	AUTO(str_release) struct str data = str_heap(EXPORT_MAX);

	int rc = account_export_write(c->q, &c->p, &at, &data, e);
	if (rc == 0 && !at.done)
		rc = err_set(e, ERR_LIMIT, "the data of %s is too long for one file", c->p.userid);
	if (rc == 0)
		rc = write_file(c->argv[1], &data, e);
	if (rc == 0)
		printf("%s has all that is kept about %s\n", c->argv[1], c->p.userid);
	return rc;
}
