/* Authentication-Results: how the field reads. */
#include <check.h>
#include <string.h>

#include "mail/robots/authres.h"
#include "pbm/base/str.h"
#include "tests/util/suite.h"

/* said: "id|method=result type.name=value …|…". */
static const struct {
	const char *value, *said;
} good[] = {
	{ "mx.example.org; none", "mx.example.org" },
	{ "mx.example.org 1; none", "mx.example.org" },
	{ "mx.example.org;none", "mx.example.org" },
	{ "\"mx.example.org\" ; none (nothing to say)", "mx.example.org" },
	{ "MX.Example.ORG.; spf=Pass smtp.MailFrom=Example.org",
	  "MX.Example.ORG.|spf=pass smtp.mailfrom=Example.org" },
	{ "mx.example.org; dmarc=pass (p=none dis=none) header.from=example.org",
	  "mx.example.org|dmarc=pass header.from=example.org" },
	{ "mx.example.org;  dmarc=pass(p=NONE) header.from=example.org;",
	  "mx.example.org|dmarc=pass header.from=example.org" },
	{ "(us (all)) mx.example.org (\\) ; dkim=pass) 1 ; dkim / 1 = fail header . d = example.org",
	  "mx.example.org|dkim=fail header.d=example.org" },
	{ "mx.example.org; dkim=pass reason=\"good; very\" header.b=\"a/b+=\"; spf=none",
	  "mx.example.org|dkim=pass .reason=good; very header.b=a/b+=|spf=none" },
	{ "mx.example.org; spf=pass smtp.mailfrom=\"a b; dmarc=pass\"@evil.example",
	  "mx.example.org|spf=pass smtp.mailfrom=a b; dmarc=pass@evil.example" },
	{ "mx.example.org; spf=pass smtp.mailfrom=SRS0=x=y=a/b@example.org",
	  "mx.example.org|spf=pass smtp.mailfrom=SRS0=x=y=a/b@example.org" },
	{ "mx.example.org; dmarc=pass action=none header.from=example.org; compauth=pass reason=100",
	  "mx.example.org|dmarc=pass .action=none header.from=example.org|compauth=pass .reason=100" },
	{ "mx.example.org; iprev=pass policy.iprev=192.0.2.1 (mail.example.org); auth=pass (login) smtp.auth=a@b",
	  "mx.example.org|iprev=pass policy.iprev=192.0.2.1|auth=pass smtp.auth=a@b" },
	{ "mx.example.org; dkim=pass header.d=example.org\theader.i=\"\"",
	  "mx.example.org|dkim=pass header.d=example.org header.i=" },
};

START_TEST(read)
{
	struct arena a = { 0 };
	struct authres r;
	struct err e = { 0 };
	char text[500];
	struct str s = STR_FIXED(text);

	ck_assert_msg(authres_read(&a, good[_i].value, &r, &e) == 0, "%s: %s", good[_i].value,
	              e.text);
	str_add(&s, r.id);
	for (size_t i = 0; i < r.n; i++) {
		str_addf(&s, "|%s=%s", r.results[i].method, r.results[i].result);
		for (size_t k = 0; k < r.results[i].n; k++)
			str_addf(&s, " %s.%s=%s", r.results[i].properties[k].type,
			         r.results[i].properties[k].name, r.results[i].properties[k].value);
	}
	ck_assert_str_eq(text, good[_i].said);
	arena_release(&a);
}
END_TEST

static const struct {
	const char *value, *id;
} bad[] = {
	{ "", NULL },
	{ "; none", NULL },
	{ "(mx.example.org; none", NULL },
	{ "\"mx; none", NULL },
	{ "spf=pass smtp.mailfrom=example.org", "spf" },
	{ "mx.example.org", "mx.example.org" },
	{ "mx.example.org 2; dkim=pass", "mx.example.org" },
	{ "mx.example.org 12; dkim=pass", "mx.example.org" },
	{ "mx.example.org@evil.example; dkim=pass", "mx.example.org" },
	{ "mx.example.org/x; dkim=pass", "mx.example.org" },
	{ "mx.example.org; none; dkim=pass", "mx.example.org" },
	{ "mx.example.org; dkim", "mx.example.org" },
	{ "mx.example.org; dkim=", "mx.example.org" },
	{ "mx.example.org; dkim=pass spf=pass x", "mx.example.org" },
	{ "mx.example.org; dkim=pass,spf=pass", "mx.example.org" },
	{ "mx.example.org; dkim/2=pass", "mx.example.org" },
	{ "mx.example.org; dkim=pass header.d", "mx.example.org" },
	{ "mx.example.org; dkim=pass header.=x", "mx.example.org" },
	{ "mx.example.org; dkim=pass header.d=\"x", "mx.example.org" },
	{ "mx.example.org; dkim=pass header.d=\"x\"y", "mx.example.org" },
	{ "mx.example.org; dkim=pass (never ends", "mx.example.org" },
	{ "mx.example.org; dkim=pass (((((((((((((((((((((deep)))))))))))))))))))))",
	  "mx.example.org" },
};

START_TEST(refused)
{
	struct arena a = { 0 };
	struct authres r;
	struct err e = { 0 };

	ck_assert_msg(authres_read(&a, bad[_i].value, &r, &e) == ERR_BAD, "%s passed",
	              bad[_i].value);
	ck_assert_uint_eq(r.n, 0);
	if (bad[_i].id)
		ck_assert_str_eq(r.id, bad[_i].id);
	else
		ck_assert_ptr_null(r.id);
	ck_assert_uint_gt(strlen(e.text), 0);
	arena_release(&a);
}
END_TEST

START_TEST(limits)
{
	struct arena a = { 0 };
	struct authres r;
	struct str many, wide;

	str_init(&many, 100000);
	str_init(&wide, 100000);
	str_add(&many, "mx.example.org");
	str_add(&wide, "mx.example.org; dkim=pass");
	for (int i = 0; i <= AUTHRES_RESULTS_MAX; i++)
		str_add(&many, "; dkim=pass");
	for (int i = 0; i <= AUTHRES_PROPERTIES_MAX; i++)
		str_add(&wide, " header.d=x");
	ck_assert_int_eq(authres_read(&a, many.data, &r, NULL), ERR_LIMIT);
	ck_assert_int_eq(authres_read(&a, wide.data, &r, NULL), ERR_LIMIT);
	ck_assert_uint_eq(r.n, 0);
	str_release(&many);
	str_release(&wide);
	arena_release(&a);
}
END_TEST

static const struct {
	const char *a, *b;
	bool same;
} domains[] = {
	{ "mx.example.org", "MX.EXAMPLE.ORG", true },
	{ "mx.example.org.", "mx.example.org", true },
	{ "mx.example.org", "x.example.org", false },
	{ "mx.example.org", "mx.example.or", false },
	{ "mx.example.org", "mx.example.org.evil", false },
	{ "", "", false },
	{ ".", "", false },
	{ "mx.example.org..", "mx.example.org", false },
};

START_TEST(same_domains)
{
	ck_assert_int_eq(authres_same_domain(domains[_i].a, domains[_i].b), domains[_i].same);
	ck_assert_int_eq(authres_same_domain(domains[_i].b, domains[_i].a), domains[_i].same);
	ck_assert_str_eq(authres_domain("a@b@example.org"), "example.org");
	ck_assert_str_eq(authres_domain("example.org"), "example.org");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("authres");
	TCase *t = tcase_create("authres");

	tcase_add_loop_test(t, read, 0, sizeof good / sizeof good[0]);
	tcase_add_loop_test(t, refused, 0, sizeof bad / sizeof bad[0]);
	tcase_add_test(t, limits);
	tcase_add_loop_test(t, same_domains, 0, sizeof domains / sizeof domains[0]);
	suite_add_tcase(s, t);
	return suite_run(s);
}
