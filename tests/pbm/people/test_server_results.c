/* Authentication-Results count only from our own mail server, where only it can have put them. */
#include <stdio.h>
#include <string.h>

#include "mail/parse.h"
#include "pbm/people/server_results.h"
#include "tests/util/util.h"

#define MX "mx.example.org"
#define RECEIVED                                                                                   \
	"Received: from client.example (client.example [192.0.2.7])\n\tby mx.example.org; Tue, 1 Dec 2026 09:59:00 +0000\n"
#define AR "Authentication-Results: mx.example.org;"
#define TEN                                                                                        \
	" dkim=fail header.d=a;\n dkim=fail header.d=a;\n dkim=fail header.d=a;\n"                 \
	" dkim=fail header.d=a;\n dkim=fail header.d=a;\n dkim=fail header.d=a;\n"                 \
	" dkim=fail header.d=a;\n dkim=fail header.d=a;\n dkim=fail header.d=a;\n"                 \
	" dkim=fail header.d=a;\n"
#define MANY TEN TEN TEN TEN TEN TEN /* AUTHRES_RESULTS_MAX is 50 */
#define DMARC AR " dmarc=pass header.from=example.org\n"

/* head stands above the From of alice@example.org. */
static const struct {
	const char *head;
	enum vouch said;
	const char *id;
	long received;
} rows[] = {
	/* results that count */
	{ DMARC RECEIVED, VOUCH_PASS, MX, 0 },
	{ AR " dkim=pass header.d=example.org\n" RECEIVED, VOUCH_PASS, MX, 0 },
	{ AR " dkim=pass header.i=alice@example.org\n" RECEIVED, VOUCH_PASS, MX, 0 },
	/* the envelope alone says nothing of From */
	{ AR " spf=pass smtp.mailfrom=alice@example.org\n" RECEIVED, VOUCH_NONE, MX, 0 },
	{ AR " dmarc=none header.from=example.org; spf=pass smtp.mailfrom=example.org\n" RECEIVED,
	  VOUCH_NONE, MX, 0 },
	{ AR " dkim=fail header.d=list.example; dmarc=pass header.from=example.org\n" RECEIVED,
	  VOUCH_PASS, MX, 0 },
	{ "AUTHENTICATION-results:\n (ours)\n\tMX.Example.ORG. 1;\n dmarc=pass (p=none)\n header.from=Example.org\n" RECEIVED,
	  VOUCH_PASS, MX, 0 },
	{ "Authentication-Results: \"mx.example.org\"; dmarc=pass header.from=example.org\n" RECEIVED,
	  VOUCH_PASS, MX, 0 },
	{ "Return-Path: <alice@example.org>\nAuthentication-Results: other.example; dmarc=fail\n" DMARC
	          RECEIVED,
	  VOUCH_PASS, MX, 0 },
	{ DMARC AR " spf=pass smtp.mailfrom=example.org\n" RECEIVED RECEIVED, VOUCH_PASS, MX, 0 },
	{ DMARC RECEIVED, VOUCH_PASS, "MX.example.org.", 0 },
	{ "Received: by lmtp.example.org\n" DMARC RECEIVED, VOUCH_PASS, MX, 1 },
	/* results that don't, and are nothing special */
	{ "", VOUCH_NONE, MX, 0 },
	{ RECEIVED, VOUCH_NONE, MX, 0 },
	{ DMARC RECEIVED, VOUCH_NONE, "", 0 },
	{ RECEIVED DMARC, VOUCH_NONE, "", 0 },
	{ AR " none\n" RECEIVED, VOUCH_NONE, MX, 0 },
	{ AR " dmarc=none header.from=example.org\n" RECEIVED, VOUCH_NONE, MX, 0 },
	{ AR " iprev=pass; auth=pass smtp.auth=alice\n" RECEIVED, VOUCH_NONE, MX, 0 },
	{ AR " dkim=pass header.d=evil.example\n" RECEIVED, VOUCH_NONE, MX, 0 },
	{ AR " dkim=pass header.d=mail.example.org\n" RECEIVED, VOUCH_NONE, MX, 0 },
	{ AR " dkim=pass header.d=org\n" RECEIVED, VOUCH_NONE, MX, 0 },
	{ AR " dkim=pass\n" RECEIVED, VOUCH_NONE, MX, 0 },
	{ AR " dkim=pass header.d=evil.example header.i=@example.org\n" RECEIVED, VOUCH_NONE, MX,
	  0 },
	{ AR " spf=pass smtp.helo=example.org\n" RECEIVED, VOUCH_NONE, MX, 0 },
	{ AR " spf=pass smtp.mailfrom=example.org@evil.example\n" RECEIVED, VOUCH_NONE, MX, 0 },
	{ AR " spf=pass smtp.mailfrom=\"x@example.org\"@evil.example\n" RECEIVED, VOUCH_NONE, MX,
	  0 },
	{ AR " spf=neutral smtp.mailfrom=example.org\n" RECEIVED, VOUCH_NONE, MX, 0 },
	{ AR " dkim=pass (header.d=example.org)\n" RECEIVED, VOUCH_NONE, MX, 0 },
	{ AR " x-dmarc=pass header.from=example.org\n" RECEIVED, VOUCH_NONE, MX, 0 },
	{ "X-" DMARC RECEIVED, VOUCH_NONE, MX, 0 },
	/* look-alike names */
	{ "Authentication-Results: mx.example.org.evil.example; dmarc=pass header.from=example.org\n" RECEIVED,
	  VOUCH_NONE, MX, 0 },
	{ "Authentication-Results: xmx.example.org; dmarc=pass header.from=example.org\n" RECEIVED,
	  VOUCH_NONE, MX, 0 },
	{ "Authentication-Results: mx.example.0rg; dmarc=pass header.from=example.org\n" RECEIVED,
	  VOUCH_NONE, MX, 0 },
	{ "Authentication-Results: mx-example.org; dmarc=pass header.from=example.org\n" RECEIVED,
	  VOUCH_NONE, MX, 0 },
	{ "Authentication-Results: (mx.example.org) evil.example; dmarc=pass header.from=example.org\n" RECEIVED,
	  VOUCH_NONE, MX, 0 },
	{ "Authentication-Results: dmarc=pass header.from=example.org\n" RECEIVED, VOUCH_NONE, MX,
	  0 },
	{ "Authentication-Results: mx.\xd0\xb5xample.org; dmarc=pass header.from=example.org\n" RECEIVED,
	  VOUCH_NONE, MX, 0 },
	/* failures, and contradictions */
	{ AR " dmarc=fail header.from=example.org\n" RECEIVED, VOUCH_DISOWNED, MX, 0 },
	{ AR " dmarc=temperror header.from=example.org; dkim=pass header.d=example.org\n" RECEIVED,
	  VOUCH_FAIL, MX, 0 },
	{ AR " dmarc=pass header.from=evil.example\n" RECEIVED, VOUCH_FAIL, MX, 0 },
	{ AR " dmarc=pass\n" RECEIVED, VOUCH_FAIL, MX, 0 },
	{ AR " dmarc=pass header.from=evil.example header.from=example.org\n" RECEIVED, VOUCH_FAIL,
	  MX, 0 },
	{ AR " dmarc=pass header.from=example.org; dmarc=fail header.from=example.org\n" RECEIVED,
	  VOUCH_DISOWNED, MX, 0 },
	{ DMARC AR " dmarc=fail header.from=example.org\n" RECEIVED, VOUCH_DISOWNED, MX, 0 },
	{ DMARC AR " dkim=fail header.d=example.org\n" RECEIVED, VOUCH_FAIL, MX, 0 },
	{ AR " spf=softfail smtp.mailfrom=example.org; dkim=pass header.d=example.org\n" RECEIVED,
	  VOUCH_FAIL, MX, 0 },
	{ DMARC AR " dmarc=fail header.from=example.org\n" RECEIVED, VOUCH_DISOWNED, MX, 0 },
	/* too many signatures, or an odd envelope sender, must not hide that From is disowned */
	{ AR MANY " dmarc=fail header.from=example.org\n" RECEIVED, VOUCH_DISOWNED, MX, 0 },
	{ AR
	  " spf=pass smtp.mailfrom=\"x@evil.example; dmarc=fail header.from=example.org\n" RECEIVED,
	  VOUCH_DISOWNED, MX, 0 },
	{ AR " spf=pass smtp.mailfrom=a(b@evil.example; dmarc = fail (p=none)\n" RECEIVED,
	  VOUCH_DISOWNED, MX, 0 },
	{ AR " spf=pass smtp.mailfrom=a)b@evil.example; DMARC=Fail\n" RECEIVED, VOUCH_DISOWNED, MX,
	  0 },
	{ AR MANY " dmarc=pass header.from=example.org\n" RECEIVED, VOUCH_FORGED, MX, 0 },
	{ RECEIVED AR MANY " dmarc=fail header.from=example.org\n", VOUCH_FORGED, MX, 0 },
	/* written by the sender, or by nobody sane */
	{ DMARC, VOUCH_FORGED, MX, 0 },
	{ RECEIVED DMARC, VOUCH_FORGED, MX, 0 },
	{ DMARC RECEIVED DMARC, VOUCH_FORGED, MX, 0 },
	{ DMARC RECEIVED AR " dmarc=fail header.from=example.org\n", VOUCH_FORGED, MX, 0 },
	{ "Received: by lmtp.example.org\n" DMARC RECEIVED, VOUCH_FORGED, MX, 0 },
	{ "Received: by lmtp.example.org\n" RECEIVED DMARC, VOUCH_FORGED, MX, 1 },
	{ DMARC RECEIVED, VOUCH_FORGED, MX, 1 },
	{ RECEIVED "Authentication-Results: mx.example.org\n", VOUCH_FORGED, MX, 0 },
	{ AR " dmarc=pass header.from=example.org;; spf\n" RECEIVED, VOUCH_FORGED, MX, 0 },
	{ "Authentication-Results: mx.example.org 2; dmarc=pass header.from=example.org\n" RECEIVED,
	  VOUCH_FORGED, MX, 0 },
};

START_TEST(only_our_server_where_only_it_writes)
{
	char id[40];
	struct site s = { .conf.authserv_id = id, .conf.authserv_received = rows[_i].received };
	struct arena a = { 0 };
	struct mail m;
	struct err e = { 0 };
	const char *text = arena_printf(
		&a,
		"%sFrom: Alice <alice@Example.org>\nTo: pbm@pbm.example.org\n"
		"Subject: show 1\n\n",
		rows[_i].head);

	snprintf(id, sizeof id, "%s", rows[_i].id);
	ck_assert_msg(parse_mail(&a, text, strlen(text), &m, &e) == 0, "%s", e.text);
	ck_assert_msg(server_results_vouch(&s, &a, &m) == rows[_i].said, "%d, not %d: %s",
	              server_results_vouch(&s, &a, &m), rows[_i].said, text);
	arena_release(&a);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("vouch");

	tcase_add_loop_test(t, only_our_server_where_only_it_writes, 0, ROWS(rows));
	return util_main(t);
}
