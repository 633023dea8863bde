/* The forgeries of test_forged.c: how somebody may try to be alice, bob or carol.
 * Each kind changes some of a mail that is otherwise a stranger's. */
#pragma once

#include <stdio.h>
#include <string.h>

#include "pbm/site/token.h"
#include "tests/util/util.h"

#define PBM "pbm@pbm.example.org"
#define STRANGERS 150  /* addresses the forger writes from */
#define GUESSES 70     /* passwords tried; each costs a hash */
#define REPLAYS 20     /* of alice's own mail, under new Message-IDs */
#define BELIEVED 10    /* mails of each player that our mail server believes in */
#define NOW 1796119200 /* 2026-12-01T10:00:00Z, the time of util_tick() */

/* The parts of a mail; a kind of forgery changes some of them. */
struct forge {
	struct arena *a;
	unsigned i;        /* number within its kind */
	const char *above; /* lines above our server's Received */
	const char *from, *to, *subject, *id, *more, *body;
};

static struct site site;
static const char *alices;     /* the token of alice's board mail, ply 2, her turn */
static const char *bobs, *old; /* bob's, and alice's of ply 0 */
static const char *question;   /* of an open question to alice */
static const char *first_id;   /* Message-ID of alice's own first move */

static const char *const people[] = { "alice", "bob", "carol" };
static const char *const harm[] = { "g3",
	                            "resign",
	                            "draw",
	                            "move 1 g3",
	                            "resign 1",
	                            "abort 1",
	                            "undo 1",
	                            "1: g3",
	                            "set automove on",
	                            "add eve@evil.example",
	                            "change password evil-evil",
	                            "suicide challenge alice eve",
	                            "accept 1",
	                            "suicide challenge alice bob",
	                            "chat 1 hello",
	                            "withdraw 1",
	                            "ok",
	                            "multiple",
	                            "17: e4",
	                            "help" };

static const char *stranger(struct forge *f)
{
	return arena_printf(f->a, "mallory%u@evil.example", f->i % STRANGERS);
}

static const char *as_person(struct forge *f)
{
	return arena_printf(f->a, "%s <%s@example.org>", people[f->i % 3], people[f->i % 3]);
}

static const char *token_address(struct forge *f, const char *token)
{
	return arena_printf(f->a, "pbm+%s@pbm.example.org", token);
}

static const char *sign(struct forge *f, struct token t)
{
	char text[200];
	struct str s = STR_FIXED(text);

	token_write(&site, &t, &s);
	return arena_strdup(f->a, text);
}

/* The token with one letter of its MAC changed. */
static const char *bent(struct forge *f, const char *token)
{
	char *t = arena_strdup(f->a, token), *mac = strrchr(t, '.') + 1;
	char *c = mac + f->i % strlen(mac),
	     now = "abcdefghijklmnopqrstuvwxyz234567"[f->i / 16 % 32];

	*c = *c == now ? '7' ^ (now == '7') : now;
	return t;
}

/* Field n (from 0) of the token replaced. */
static const char *with_field(struct forge *f, const char *token, int n, const char *value)
{
	const char *at = token;

	while (n--)
		at = strchr(at, '.') + 1;
	return arena_printf(f->a, "%.*s%s%s", (int)(at - token), token, value,
	                    at + strcspn(at, "."));
}

static void unproved(struct forge *f)
{
	f->from = as_person(f);
}
static void bent_mac(struct forge *f)
{
	f->from = as_person(f);
	f->to = token_address(f, bent(f, f->i % 2 ? alices : bobs));
}

static void cut_mac(struct forge *f)
{
	size_t n = strlen(alices);

	f->from = as_person(f);
	f->to = token_address(f, f->i % 17 == 0 ? arena_printf(f->a, "%sa", alices)
	                                        : arena_strndup(f->a, alices, n - f->i % 17));
}

static void foreign(struct forge *f)
{
	f->to = token_address(f, f->i % 2 ? alices : bobs);
}

static void foreign_upper(struct forge *f)
{
	char *t = arena_strdup(f->a, token_address(f, alices));

	for (char *p = t; *p; p++)
		*p = (char)(*p >= 'a' && *p <= 'z' ? *p - 32 : *p);
	f->to = t;
}

static void foreign_thread(struct forge *f)
{
	f->more = arena_printf(
		f->a,
		"In-Reply-To: <%s.x@pbm.example.org>\nReferences: <a@b>,<%s.y@pbm.example.org>\n",
		alices, old);
}

static void other_player(struct forge *f)
{
	f->from = "bob@example.org";
	f->to = token_address(f, alices);
}

static void expired(struct forge *f)
{
	struct token t = { .kind = TOKEN_GAME,
		           .board = 1,
		           .seat = SEAT_WHITE,
		           .ply = 2,
		           .expires = NOW / 86400 - 1 };

	f->from = "alice@example.org";
	f->to = token_address(f, sign(f, t));
}

static void other_seat(struct forge *f)
{
	f->from = "bob@example.org";
	f->to = token_address(f, with_field(f, alices, 1, "b"));
}
static void other_game(struct forge *f)
{
	f->from = as_person(f);
	f->to = token_address(f, with_field(f, alices, 0, arena_printf(f->a, "g%u", f->i)));
}
static void other_ply(struct forge *f)
{
	f->from = "alice@example.org";
	f->to = token_address(f, with_field(f, old, 2, "2"));
}
static void other_end(struct forge *f)
{
	f->from = "alice@example.org";
	f->to = token_address(f, with_field(f, alices, 3, "99999"));
}

static void other_key(struct forge *f)
{
	static const char *const numbers[] = { "0", "2", "01", "9999", "-1", "" };

	f->from = "alice@example.org";
	f->to = token_address(f, with_field(f, alices, 4, numbers[f->i % 6]));
}

/* A game's MAC after an account's or a question's words. */
static void other_kind(struct forge *f)
{
	const char *mac = strrchr(alices, '.') + 1;

	f->from = "alice@example.org";
	f->to = token_address(f, arena_printf(f->a, "%s.%d.1.%s",
	                                      f->i % 2 ? "p.alice" : "c.abcdefghijklmnop",
	                                      NOW / 86400 + 100, mac));
	f->body = f->i % 2 ? f->body : "ok";
}

static void guessed_question(struct forge *f)
{
	struct token t = { .kind = TOKEN_CONFIRM, .expires = NOW / 86400 + 10 };

	snprintf(t.name, sizeof t.name, "%016u", f->i);
	f->from = f->i % 2 ? "alice@example.org" : f->from;
	f->to = token_address(f, f->i % 4 ? bent(f, sign(f, t)) : sign(f, t));
	f->body = "ok";
}

static void foreign_question(struct forge *f)
{
	f->from = f->i % 2 ? "bob@example.org" : f->from;
	f->to = token_address(f, question);
	f->body = "ok";
}

static void replay_same_id(struct forge *f)
{
	f->from = "alice@example.org";
	f->to = token_address(f, old);
	f->id = first_id;
	f->body = "e3";
}

static void replay(struct forge *f)
{
	if (f->i >= REPLAYS)
		replay_same_id(f);
	f->from = "alice@example.org";
	f->to = token_address(f, old);
	f->body = "e3";
}

static void injected(struct forge *f)
{
	static const char *const lines[] = {
		"Subject: =?utf-8?Q?show_1=0D=0ABcc:_eve@evil.example?=\n",
		"Subject: =?utf-8?B?c2hvdyAxDQpCY2M6IGV2ZUBldmlsLmV4YW1wbGU=?=\n",
		"Subject: help\r\n \r\nBcc: eve@evil.example\n",
		"In-Reply-To: <a@b>\r Bcc: eve@evil.example\n",
		"References: <x> Bcc: eve@evil.example <y@z\n\t>\n",
		"Reply-To: =?utf-8?Q?a=0ABcc:_eve@evil.example?= <eve@evil.example>\n",
		"Comments: \xff\xfe =?utf-7?Q?+AAoBcc:?= eve@evil.example\n",
	};
	static const char *const ids[] = { "a b\r Bcc: eve@evil.example",
		                           "=?utf-8?Q?a=0D=0ABcc:_eve@evil.example?=",
		                           "x@y>\n <eve@evil.example",
		                           "%s%n@x",
		                           "x\\\"@y",
		                           "a@b,c@d" };

	f->subject = NULL;
	f->more = lines[f->i % 7];
	f->id = arena_printf(f->a, "%u%s", f->i, ids[f->i % 6]);
	f->body = f->i % 2 ? "help" : "show 1\nBcc: eve@evil.example";
}

static void injected_name(struct forge *f)
{
	static const char *const names[] = {
		"=?utf-8?Q?a=0D=0ABcc:_eve@evil.example?=", "\"a\\\r\\\n Bcc: eve@evil.example\"",
		"a\rBcc: eve@evil.example\r", "=?utf-8?B?YQ0KQmNjOiBldmVAZXZpbC5leGFtcGxl?="
	};

	f->from = arena_printf(f->a, "%s <%s>", names[f->i % 4], stranger(f));
}

/* Our server's name on results that stand where a sender can write. */
static void forged_results(struct forge *f)
{
	static const char *const ids[] = { "mx.example.org", "MX.EXAMPLE.ORG.",
		                           "\"mx.example.org\"", "(x) mx.example.org 1",
		                           "mx.example.org\n\t(y)" };

	f->from = as_person(f);
	f->more = arena_printf(
		f->a,
		"Authentication-Results: %s; dmarc=pass header.from=example.org;\n dkim=pass "
		"header.d=example.org; spf=pass smtp.mailfrom=example.org\n",
		ids[f->i % 5]);
}

static void strange_results(struct forge *f)
{
	static const char *const ids[] = { "mx.example.org.evil.example",
		                           "xmx.example.org",
		                           "mx.example.0rg",
		                           "mx",
		                           "dmarc=pass",
		                           "[mx.example.org]" };

	f->from = as_person(f);
	f->above = arena_printf(f->a,
	                        "Authentication-Results: %s; dmarc=pass header.from=example.org\n",
	                        ids[f->i % 6]);
}

static void failed_results(struct forge *f)
{
	f->from = as_person(f);
	f->above =
		f->i % 2
			? "Authentication-Results: mx.example.org; dmarc=fail header.from=example.org\n"
			: "Authentication-Results: mx.example.org; dmarc=pass header.from=evil.example\n";
}

/* Believed, and still not enough for what changes the account itself. */
static void believed_but_account(struct forge *f)
{
	f->from = as_person(f);
	f->above = "Authentication-Results: mx.example.org; dmarc=pass header.from=example.org\n";
	f->id = arena_printf(f->a, "%u.believed@x", f->i % BELIEVED);
	f->body = f->i % 2 ? "add eve@evil.example" : "change password evil-evil";
}

static void lookalike_from(struct forge *f)
{
	static const char *const froms[] = {
		"\"alice@example.org\" <%s>",
		"alice@example.org <%s>",
		"=?utf-8?Q?alice=40example.org?= <%s>",
		"<alice@example.org> <%s>",
		"alice@example.org, %s",
		"%s, alice@example.org",
		"players: alice@example.org, %s;",
		"(alice@example.org) %s",
		"%s (alice@example.org)",
		"\"a\" <alice@example.org\r\n @%s>",
		"alice@example.org\nFrom: %s",
		"%s\nFrom: alice@example.org",
		"alice@example.org\n (%s",
		"alice@example.org@%s",
		"alice%example.org@%s",
		"<@example.org,alice:%s>",
		"=?utf-8?Q?=3Calice=40example=2Eorg=3E?= %s",
		"\"%s\" alice@example.org",
	};

	const char *form = froms[f->i % 18], *mark = strstr(form, "%s");
	f->from = arena_printf(f->a, "%.*s%s%s", (int)(mark - form), form, stranger(f), mark + 2);
}

static void lookalike_domain(struct forge *f)
{
	static const char *const froms[] = { "alice@example.org.evil.example",
		                             "alice@example.0rg",
		                             "alice@xn--xample-2of.org",
		                             "alice+x@example.org",
		                             "alice@mail.example.org",
		                             "al1ce@example.org",
		                             "alice.@example.org",
		                             "alice@example.org.",
		                             "alice@EXAMPLE.ORG",
		                             "alice@\xd0\xb5xample.org",
		                             "alice @example.org",
		                             "\"alice\"@example.org",
		                             "alice@[192.0.2.1]",
		                             "@example.org" };

	f->from = froms[f->i % 14];
}

static void plus_tricks(struct forge *f)
{
	static const char *const tags[] = { "alice",
		                            "g1.w",
		                            "g1.w.2",
		                            "p.alice",
		                            "c.",
		                            "bounces",
		                            "b.1.2",
		                            "g1.w.2.99999.1",
		                            "",
		                            "+",
		                            "g-1.w.2.99999.1.aaaaaaaaaaaaaaaa",
		                            "g1.w.2.99999.1.aaaaaaaaaaaaaaaa",
		                            "g99999999999999999999.w.2.3.1.aaaaaaaaaaaaaaaa",
		                            "p.alice.99999.1.aaaaaaaaaaaaaaaa" };

	f->from = f->i % 2 ? f->from : "alice@example.org";
	f->to = token_address(f, tags[f->i % 14]);
	f->more = arena_printf(f->a, "Delivered-To: pbm+%s@evil.example\n", alices);
}

static void other_fields(struct forge *f)
{
	static const char *const fields[] = {
		"Reply-To: alice@example.org\n",
		"Sender: alice@example.org\n",
		"Resent-From: alice@example.org\n",
		"Cc: alice@example.org, bob@example.org, victim@example.net\n",
		"X-Original-From: alice@example.org\n",
		"Return-Receipt-To: victim@example.net\nDisposition-Notification-To: victim@example.net\n",
		"Reply-To: victim@example.net\nErrors-To: victim@example.net\n",
		"Bcc: victim@example.net\n"
	};

	f->more = fields[f->i % 8];
}

static void guessed_password(struct forge *f)
{
	f->from = "guesser@evil.example";
	if (f->i < GUESSES)
		f->body = arena_printf(f->a,
		                       f->i % 2 ? "change password alice guess%u evil-evil"
		                                : "move 1 alice guess%u g3",
		                       f->i);
}

/* Mails to somebody else, by way of us. */
static void bombing(struct forge *f)
{
	f->body = arena_printf(f->a, "signup eve%u victim@example.net", f->i);
}

static const struct {
	const char *name;
	void (*make)(struct forge *f);
} kinds[] = {
	{ "unproved", unproved },
	{ "bent", bent_mac },
	{ "cut", cut_mac },
	{ "foreign", foreign },
	{ "upper", foreign_upper },
	{ "thread", foreign_thread },
	{ "other", other_player },
	{ "expired", expired },
	{ "seat", other_seat },
	{ "game", other_game },
	{ "ply", other_ply },
	{ "end", other_end },
	{ "key", other_key },
	{ "kind", other_kind },
	{ "question", guessed_question },
	{ "answer", foreign_question },
	{ "same-id", replay_same_id },
	{ "replay", replay },
	{ "inject", injected },
	{ "name", injected_name },
	{ "results", forged_results },
	{ "strange", strange_results },
	{ "failed", failed_results },
	{ "believed", believed_but_account },
	{ "from", lookalike_from },
	{ "domain", lookalike_domain },
	{ "plus", plus_tricks },
	{ "fields", other_fields },
	{ "password", guessed_password },
	{ "bombing", bombing },
};
