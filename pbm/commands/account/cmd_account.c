/* Commands about accounts: signup, addresses, passwords. */
#include "pbm/commands/account/account_tables.h"

#include <string.h>
#include <strings.h>

#include "mail/address.h"
#include "pbm/commands/account/account_change.h"
#include "pbm/commands/account/signup_words.h"
#include "pbm/commands/proof/ask_address.h"
#include "pbm/commands/proof/hold.h"
#include "pbm/commands/proof/suspension.h"
#include "pbm/commands/tournament/tournament_find.h"
#include "pbm/commands/words/body_lines.h"
#include "pbm/commands/words/command.h"
#include "pbm/commands/words/first_line.h"
#include "pbm/people/account_name.h"
#include "pbm/people/opted_out.h"
#include "pbm/people/password.h"
#include "pbm/request/request_player.h"
#include "store/store_documents.h"

#define ADDRESSES_MAX 5

static bool password_is_shaped(struct request *q, const char *password)
{
	size_t n = strlen(password);

	if (n >= PASSWORD_MIN && n <= PASSWORD_MAX)
		return true;
	return !request_refused(q, 0, "A password has %d to %d characters.", PASSWORD_MIN,
	                        PASSWORD_MAX);
}

/* Says why no question was sent to any of the addresses. */
static void refuse_questions(struct request *q, const char *const *addrs, size_t n)
{
	size_t own = 0, local = 0;

	for (size_t i = 0; i < n; i++) {
		own += site_owns(q->site, addrs[i]);
		local += ask_address_is_local(q, addrs[i]);
	}
	if (local == n)
		request_refuse(
			q, 0,
			"%s is an address of one machine alone, which other machines can't reach.",
			addrs[0]);
	else if (own == n)
		request_refuse(q, 0, "%s is an address of this server, not of a player.", addrs[0]);
	else
		request_refuse(q, 0,
		               "I have sent too many such questions already.  Try again tomorrow.");
}

/* Questions to all addresses of a signup, or to the new ones of an account. */
static int ask_addresses(struct request *q, const char *userid, bool signup, const char *hash,
                         const char *replaces, const char *const *addrs, size_t n, struct err *e)
{
	bool told_here = false;
	size_t asked = 0;

	for (size_t i = 0; i < n; i++) {
		int rc = ask_address(q, userid, addrs, n, i, signup, hash, replaces, e);

		if (rc < 0)
			return rc;
		asked += (size_t)rc;
		told_here |= rc && strcasecmp(addrs[i], q->mail.from) == 0;
	}
	if (asked == 0)
		refuse_questions(q, addrs, n);
	else if (signup && !told_here) /* the question itself is the answer otherwise */
		request_say(
			q,
			"I have sent a question to %s%s.  The account exists as soon as somebody answers it from there.",
			addrs[0], n > 1 ? " and the others" : "");
	return 0;
}

/* Mail addresses among the words; the first word that is none goes to *other. */
static size_t collect_addresses(const struct call *c, size_t from, const char **addrs,
                                const char **other)
{
	size_t n = 0;

	for (size_t i = from; i < c->argc; i++) {
		/* Others read them: no address is to look like a link. */
		if (address_valid(c->argv[i]) && !strpbrk(c->argv[i], "/?#") && n < ADDRESSES_MAX)
			addrs[n++] = c->argv[i];
		else if (!*other)
			*other = c->argv[i];
	}
	return n;
}

static int run_signup(struct request *q, struct call *c, struct err *e)
{
	const char *addrs[ADDRESSES_MAX], *password = NULL, *hash = NULL;
	struct err why = { 0 };

	if (!signup_words_name(q, c))
		return 0;
	size_t n = collect_addresses(c, 1, addrs, &password);
	if (q->who.known) {
		struct note *note = request_refuse(
			q, 0, "%s belongs to %s already.  A second player needs another one.",
			q->mail.from, q->who.player.userid);
		note->body = tournament_find_wish(q, arena_printf(q->arena, "join %s", c->rest));
		return 0;
	}
	int rc = account_name_is_free(q, c->argv[0], command_is_word, e);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	if (!signup_words_fit(q, c, n, password))
		return 0;
	if (q->signup.questions++)
		return request_refused(q, 0, "One mail can make only one account.");
	rc = account_name_is_team(q->site->store, c->argv[0], &why, e);
	if (rc == 1)
		request_refuse(q, 0, "%s", why.text);
	if (rc == 0 && password)
		rc = password_new(q, password, false, &hash, e);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	if (n == 0)
		addrs[n++] = q->mail.from;
	return ask_addresses(q, c->argv[0], true, hash, NULL, addrs, n, e);
}

/* 1: refused, because one of the addresses wants no mails. */
static int refuse_silent(struct request *q, const char *const *addrs, size_t n, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < n; i++) {
		rc = opted_out_has(q, addrs[i], e);
		if (rc == 1)
			request_refuse(
				q, 0,
				"%s has asked for no mails from here, so I can't ask there whether it is yours.  Nothing was added.  If it is, write to the operator.",
				addrs[i]);
	}
	return rc;
}

/* Tells the player which addresses are asked; how to keep them out, if another address made us ask. */
static void tell_asked(struct request *q, const struct player_doc *to, const char *const *addrs,
                       size_t n)
{
	bool own = player_has_address(to, q->mail.from);
	struct note *note = request_tell(
		q, to->userid, NOTE_ACCOUNT, own ? NULL : "a new address for your account",
		"I have asked %s%s to confirm that the address belongs to %s.", addrs[0],
		n > 1 ? " and others" : "", to->userid);
	if (!own)
		note->body = arena_printf(
			q->arena,
			"If you did not ask for that, somebody knows your password.  Write: remove %s  Then read: help password",
			addrs[0]);
}

/* Lists the addresses in the account, not confirmed yet, and asks each. */
static int add_addresses(struct request *q, const struct player_doc *to, const char *const *addrs,
                         size_t n, const char *replaces, struct err *e)
{
	struct player_doc p = *to;
	size_t fresh = 0;

	int rc = refuse_silent(q, addrs, n, e);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	for (size_t i = 0; i < n; i++)
		fresh += !player_find_address(to, addrs[i]);
	if (to->address_count + fresh > ADDRESSES_MAX + (replaces ? 1 : 0))
		return !request_refused(q, 0, "An account has at most %d addresses.",
		                        ADDRESSES_MAX);
	p.addresses = arena_alloc(q->arena, (ADDRESSES_MAX + 1) * sizeof *p.addresses);
	if (p.address_count)
		memcpy(p.addresses, to->addresses, p.address_count * sizeof *p.addresses);
	for (size_t i = 0; i < n; i++)
		if (!player_find_address(&p, addrs[i]))
			p.addresses[p.address_count++] = (struct player_address){
				.address = addrs[i]
			};
	rc = q->signup.questions++ ? 0 : store_player_put(q->site->store, &p, e);
	if (rc < 0)
		return rc;
	size_t said = q->note_count;
	rc = ask_addresses(q, p.userid, false, NULL, replaces, addrs, n, e);
	if (rc < 0 || q->note_count > said) /* a refusal */
		return rc;
	tell_asked(q, to, addrs, n);
	return 0;
}

/* The addresses of "add [address] address…"; *other as collect_addresses(). */
static size_t added_addresses(const struct call *c, const char *addrs[ADDRESSES_MAX],
                              const char **other)
{
	bool word = c->argc > 1 && strcasecmp(c->argv[0], "address") == 0;

	return collect_addresses(c, word, addrs, other);
}

/* "add me on facebook": no address. */
static int read_add(struct request *q, struct call *c, struct err *)
{
	const char *addrs[ADDRESSES_MAX] = { NULL }, *other = NULL;
	size_t n = added_addresses(c, addrs, &other);

	if (other && address_valid(other))
		return request_refused(q, 0,
		                       "%.80s is too many.  An account has at most %d addresses.",
		                       other, ADDRESSES_MAX);
	if (other || n == 0)
		return request_refused(
			q, 0,
			c->argc == 1
				? "\"%.80s\" is not a mail address.  To add a player to your team, write: team <tournament> add <name>"
				: "\"%.80s\" is not a mail address.",
			other ? other : "");
	return 0;
}

static int run_add(struct request *q, struct call *c, struct err *e)
{
	const char *addrs[ADDRESSES_MAX] = { NULL }, *other = NULL;
	size_t n = added_addresses(c, addrs, &other);

	return add_addresses(q, c->actor, addrs, n, NULL, e);
}

static bool is_among(const char *address, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (list[i] && strcasecmp(address, list[i]) == 0)
			return true;
	return false;
}

/* "remove me": no address. */
static int read_remove(struct request *q, struct call *c, struct err *)
{
	if (!strchr(c->rest, '@'))
		request_refuse(
			q, 0,
			"\"%.80s\" is no address.  The form is: remove address…  To get no more mails, write: stop",
			c->rest);
	return !strchr(c->rest, '@');
}

/* remove address… */
static int run_remove(struct request *q, struct call *c, struct err *e)
{
	const char *addrs[ADDRESSES_MAX] = { NULL }, *other = NULL;
	bool word = c->argc > 1 && strcasecmp(c->argv[0], "address") == 0;
	size_t n = collect_addresses(c, word, addrs, &other), kept = 0;
	struct player_doc p = *c->actor;

	for (size_t i = 0; !other && i < n; i++)
		if (!player_find_address(c->actor, addrs[i]))
			other = addrs[i];
	if (other)
		return request_refused(q, 0, "\"%.80s\" is no address of %s.", other, p.userid);
	p.addresses = arena_alloc(q->arena, ADDRESSES_MAX * sizeof *p.addresses);
	for (size_t i = 0; i < c->actor->address_count; i++) {
		if (!is_among(c->actor->addresses[i].address, addrs, n))
			p.addresses[kept++] = c->actor->addresses[i];
	}
	p.address_count = kept;
	if (!player_mail_address(&p))
		return request_refused(
			q, 0,
			"An account needs one confirmed address.  To use another one, first "
			"write: add <address>");
	const char *what = arena_printf(q->arena, "%s%s removed from the account %s.", addrs[0],
	                                n > 1 ? " and others were" : " was", p.userid);
	return account_change(q, c->actor, &p, what, e);
}

/* Holds the hash of a new password, of a player who has not proved who he is, or only for one
 * board, until one of his addresses has answered. */
static int hold_password(struct request *q, const char *password, struct err *e)
{
	if (!q->who.known)
		return !request_refused(
			q, 0,
			"I don't know the address %.200s.  Write from an address of your "
			"account, or: change password <userid> <old> <new>",
			q->mail.from);
	if (q->held.password_hash || q->held.count == REQUEST_LINES_MAX)
		return !request_refused(q, 0, "One mail can change one password.");
	if (!hold_asks(q, &q->who.player))
		return 0;
	int rc = password_new(q, password, false, &q->held.password_hash, e);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	if (q->held.count == 0)
		q->held.what = "change password";
	q->held.lines[q->held.count++].shown = "change password …";
	return 0;
}

/* change password userid old new.  0 and *p; 1: refused. */
static int find_account(struct request *q, const struct call *c, struct player_doc *p,
                        struct err *e)
{
	enum password_answer answer = PASSWORD_WRONG;
	int rc = err_found(store_player_get(q->site->store, q->arena, c->argv[1], p, e), ERR_BAD,
	                   e);

	if (rc == 1)
		rc = password_check(q, p, c->argv[2], &answer, e);
	if (rc < 0)
		return rc;
	if (answer == PASSWORD_RIGHT)
		return suspension_refuses_banned(q, p, 0);
	return request_refused(
		q, 0,
		answer == PASSWORD_WRONG
			? "Wrong userid or password.  Nothing was changed."
			: "Too many passwords in an hour.  Nothing was changed.  From an "
			  "address of your account you can write: change password <new>");
}

/* The address of the account that a new one replaces: the one named, or the sender's.  NULL:
 * refused. */
static const char *old_address(struct request *q, const struct player_doc *p, const char *named)
{
	const char *old = named ? named : q->mail.from;

	if (player_find_address(p, old))
		return old;
	if (named)
		request_refuse(q, 0, "\"%.80s\" is no address of %s.", named, p->userid);
	else
		request_refuse(
			q, 0,
			"Which address is to be replaced?  Write: change address <old> <new>");
	return NULL;
}

/* userid and password in front of the addresses */
static bool has_pair(const struct call *c)
{
	return c->argc >= 4 && !address_valid(c->argv[1]);
}

static bool can_change_address(struct request *q, const struct call *c)
{
	size_t n = c->argc - (has_pair(c) ? 3 : 1);

	if (n < 1 || n > 2 || !address_valid(c->argv[c->argc - 1]))
		return !request_refused(
			q, 0, "The form is: change address <new>, or change address <old> <new>.");
	if (has_pair(c) || c->actor)
		return true;
	return !request_refused(q, 0,
	                        "I don't know the address %.200s.  Write from an address of your "
	                        "account, or: change address <userid> <password> <old> <new>",
	                        q->mail.from);
}

/* change address [userid password] [old] new.  The new address is asked; after its answer, the
 * old one is told, and can take the change back. */
static int run_change_address(struct request *q, struct call *c, struct err *e)
{
	bool pair = has_pair(c);
	size_t at = pair ? 3 : 1;
	const char *fresh = c->argv[c->argc - 1], *named = c->argc == at + 2 ? c->argv[at] : NULL;
	struct player_doc p;

	if (!can_change_address(q, c))
		return 0;
	if (!pair && !c->proved) {
		if (old_address(q, c->actor, named))
			hold_line(q, c,
			          arena_printf(q->arena, "change address %s%s%s",
			                       named ? named : "", named ? " " : "", fresh));
		return 0;
	}
	int rc = pair ? find_account(q, c, &p, e)
	              : store_player_get(q->site->store, q->arena, c->actor->userid, &p, e);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	const char *old = old_address(q, &p, named);
	if (!old)
		return 0;
	if (strcasecmp(old, fresh) == 0)
		return !request_refused(q, 0,
		                        "The two addresses are the same.  Nothing was changed.");
	return add_addresses(q, &p, &fresh, 1, old, e);
}

/* "change password please", "change password forgotten": a wish, whose last word is no password. */
static bool is_wish(const char *word)
{
	static const char *const words[] = { "account",   "again",       "change",   "forgot",
		                             "forgotten", "immediately", "missing",  "olvidada",
		                             "problem",   "problems",    "question", "recovery",
		                             "request",   "requested",   "tomorrow", "vergessen",
		                             NULL };

	return str_is_any(word, words) || first_line_is_please(word) || first_line_is_thanks(word);
}

/* change password [userid old] new; change address … */
static int run_change(struct request *q, struct call *c, struct err *e)
{
	struct player_doc p;
	const char *password = c->argv[c->argc - 1];

	if (strcasecmp(c->argv[0], "address") == 0)
		return run_change_address(q, c, e);
	if (strcasecmp(c->argv[0], "password") != 0 || (c->argc != 2 && c->argc != 4) ||
	    (c->argc == 2 && is_wish(password)))
		return request_refused(
			q, 0,
			"The form is: change password <new>, change password <userid> "
			"<old> <new>, or change address <new>.");
	if (!password_is_shaped(q, password))
		return 0;
	if (c->argc == 2 && !c->proved)
		return hold_password(q, password, e);
	int rc = c->argc == 2 ? store_player_get(q->site->store, q->arena, c->actor->userid, &p, e)
	                      : find_account(q, c, &p, e);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	const char *hash;
	rc = password_new(q, password, c->argc == 4, &hash, e);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	return account_change_password(q, &p, hash, e);
}

const struct command cmd_account_table[] = {
	COMMAND("signup", "signup userid [password] [address…]",
	        "makes an account; each address is asked to confirm", GROUP_START, CMD_NOT_HELD,
	        .run = run_signup),
	COMMAND("add", "add address…", "adds addresses to your account", GROUP_START,
	        CMD_PROOF | CMD_PAIR | CMD_ACCOUNT, .least = 1, .read = read_add, .run = run_add),
	COMMAND("remove", "remove address…", "takes addresses out of your account", GROUP_START,
	        CMD_PROOF | CMD_PAIR | CMD_ACCOUNT, .least = 1, .read = read_remove,
	        .run = run_remove),
	COMMAND("change", "change password [userid old] new  or  change address [old] new",
	        "sets a new password, or another address for one that you have", GROUP_START,
	        CMD_NOT_HELD | CMD_ACCOUNT, .least = 2, .run = run_change),
	{ .word = NULL }
};
