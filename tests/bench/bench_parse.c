/* The price of the sandbox: mails parsed in the process itself, and in a child each. */
#include <stdio.h>
#include <string.h>

#include "mail/gate.h"
#include "mail/parse.h"
#include "mail/sandbox/sandbox.h"
#include "mail/sandbox/sandbox_child.h"
#include "pbm/base/str.h"
#include "tests/bench/bench.h"

#define HEADER                                                                                           \
	"Return-Path: <alice@example.org>\r\nReceived: from a by b; Tue, 1 Dec 2026 10:00:00 +0000\r\n"  \
	"From: =?utf-8?q?=C3=81lice?= <alice@example.org>\r\nTo: pbm+g1.w.12.abcdef@pbm.example.org\r\n" \
	"Subject: Re: [pbm] Suicide #1: your move\r\nMessage-ID: <m1@example.org>\r\n"                   \
	"In-Reply-To: <g1.12@pbm.example.org>\r\nDate: Tue, 1 Dec 2026 10:00:00 +0000\r\nMIME-Version: 1.0\r\n"

/* The unit is repeated up to so many bytes. */
static const struct {
	const char *name, *head, *unit, *tail;
	size_t bytes;
} kinds[] = {
	{ "an answer", HEADER "Content-Type: text/plain; charset=utf-8\r\n\r\ne3\r\n\r\n",
	  "> It is your move, alice.\r\n", "", 1500 },
	{ "with HTML",
	  HEADER
	  "Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\n"
	  "Content-Type: text/plain; charset=utf-8\r\n\r\ne3\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>e3",
	  "<blockquote>It is your <b>move</b>, alice.</blockquote>\r\n", "--b--\r\n", 10000 },
	{ "the largest", HEADER "\r\n", "> It is your move, alice.\r\n", "", 256000 },
};

static double parse_here(const struct str *mail, size_t n)
{
	double t = bench_now();

	for (size_t i = 0; i < n; i++) {
		struct arena a = { 0 };
		struct mail m;
		struct err e = { 0 };

		if (gate_check(mail->data, mail->len, &e) < 0 ||
		    parse_mail(&a, mail->data, mail->len, &m, &e) < 0)
			bench_fail("parse", &e);
		arena_release(&a);
	}
	return (double)n / (bench_now() - t);
}

static double parse_inside(const struct str *mail, size_t n)
{
	struct mail_sandbox *s = mail_sandbox_new();
	double t = bench_now();

	for (size_t i = 0; i < n; i++) {
		struct arena a = { 0 };
		struct mail m;
		struct err e = { 0 };

		if (mail_sandbox_parse(s, &a, mail->data, mail->len, &m, &e) < 0)
			bench_fail("parse", &e);
		arena_release(&a);
	}
	mail_sandbox_free(s);
	return (double)n / (bench_now() - t);
}

static void compare(const char *name, const struct str *mail)
{
	size_t n = mail->len > 100000 ? 100 : 2000;
	double here[RUNS], inside[RUNS];

	for (int r = 0; r < RUNS; r++) {
		here[r] = parse_here(mail, n);
		inside[r] = parse_inside(mail, n);
	}
	double h = bench_median(here, RUNS), i = bench_median(inside, RUNS);
	printf("%-10s %8zu %12.0f %12.0f %8.3f\n", name, mail->len, h, i, i / h);
	fflush(stdout);
}

void bench_parse(void)
{
	printf("\nparse: mails/s parsed in the process, and in the sandbox\n"
	       "%-10s %8s %12s %12s %8s\n",
	       "mail", "bytes", "in process", "sandbox", "ratio");
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		struct str mail;

		str_init(&mail, 300000);
		str_add(&mail, kinds[i].head);
		while (mail.len < kinds[i].bytes)
			str_add(&mail, kinds[i].unit);
		str_add(&mail, kinds[i].tail);
		compare(kinds[i].name, &mail);
		str_release(&mail);
	}
}
