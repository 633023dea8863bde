#include <check.h>
#include <string.h>

#include "pbm/text/formula.h"
#include "tests/util/util.h"

static bool name_value(void *, const char *name, int64_t *value)
{
	static const struct {
		const char *name;
		int64_t value;
	} names[] = {
		{ "rating", 1600 }, { "mine", 1500 },      { "ratingdiff", 100 }, { "rated", 1 },
		{ "days", 7 },      { "zero", 0 },         { "suicide", 1 },      { "chess", 0 },
		{ "variant", 1 },   { "cascade-both", 1 }, { "max", INT64_MAX },  { "notes", 5 },
		{ "android", 6 },
	};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(names[i].name, name) == 0) {
			*value = names[i].value;
			return true;
		}
	return false;
}

/* The value of right formulas, and the part that is to blame when that is 0. */
static const struct {
	const char *text;
	int64_t value;
	const char *failed;
} right[] = {
	{ "1", 1, NULL },
	{ "0", 0, "0" },
	{ "  42  ", 42, NULL },
	{ "9223372036854775807", INT64_MAX, NULL },
	{ "rating", 1600, NULL },
	{ "RATING > 1500", 1, NULL },
	{ "rating>1500", 1, NULL },
	{ "rating > 1600", 0, "rating > 1600" },
	{ "rating >= 1600", 1, NULL },
	{ "rating < 1600", 0, "rating < 1600" },
	{ "rating <= 1600", 1, NULL },
	{ "rating = 1600", 1, NULL },
	{ "rating != 1600", 0, "rating != 1600" },
	{ "1 + 2 * 3", 7, NULL },
	{ "(1 + 2) * 3", 9, NULL },
	{ "10 - 3 - 2", 5, NULL },
	{ "100 / 10 / 5", 2, NULL },
	{ "7 / 2", 3, NULL },
	{ "-7 / 2", -3, NULL },
	{ "7 / -2", -3, NULL },
	{ "- - 3", 3, NULL },
	{ "2 - -3", 5, NULL },
	{ "not 0", 1, NULL },
	{ "not 5", 0, "not 5" },
	{ "!0", 1, NULL },
	{ "!!5", 1, NULL },
	{ "not rating > 5", 0, "not rating > 5" }, /* (not rating) > 5 */
	{ "not (rating > 5)", 0, "not (rating > 5)" },
	{ "not 0 = 1", 1, NULL },
	/* or is weaker than and */
	{ "1 or 0 and 0", 1, NULL },
	{ "(1 or 0) and 0", 0, "0" },
	{ "0 | 0 & 1", 0, "0 | 0 & 1" },
	{ "1|0", 1, NULL },
	{ "5 and 3", 1, NULL },
	{ "5&0", 0, "0" },
	{ "0 or 7", 1, NULL },
	/* names */
	{ "rating-mine", 100, NULL },
	{ "rating-mine-ratingdiff", 0, "rating-mine-ratingdiff" },
	{ "cascade-both", 1, NULL },
	{ "cascade-both-1", 0, "cascade-both-1" },
	{ "days-3", 4, NULL },
	{ "notes > 4", 1, NULL },
	{ "android", 6, NULL },
	{ "variant = suicide", 1, NULL },
	{ "variant = chess", 0, "variant = chess" },
	{ "suicide & rated", 1, NULL },
	/* overflow and division by zero make their comparison false, or the bare term */
	{ "1 / 0", 0, "1 / 0" },
	{ "1 / zero > 0", 0, "1 / zero > 0" },
	{ "1 / zero <= 0", 0, "1 / zero <= 0" },
	{ "1 / zero != 0", 0, "1 / zero != 0" },
	{ "1 / zero = 1 / zero", 0, "1 / zero = 1 / zero" },
	{ "1 / zero or 1", 1, NULL },
	{ "not (1 / zero)", 1, NULL },
	{ "max + 1", 0, "max + 1" },
	{ "max + 1 > 0", 0, "max + 1 > 0" },
	{ "max * 2 < 0", 0, "max * 2 < 0" },
	{ "0 - max - 2 < 0", 0, "0 - max - 2 < 0" },
	{ "0 - max - 1 < 0", 1, NULL },
	{ "(0 - max - 1) / -1", 0, "(0 - max - 1) / -1" },
	{ "-(0 - max - 1) = 5", 0, "-(0 - max - 1) = 5" },
	{ "(max + 1) + 3", 3, NULL },
	/* the part that failed */
	{ "rating > 1500 and days > 10", 0, "days > 10" },
	{ "rating > 1700 and days > 10", 0, "rating > 1700" },
	{ "rated and (days > 10 or chess) and 1", 0, "days > 10 or chess" },
	{ "rated and (days > 3 and chess)", 0, "chess" },
	{ "((days > 3 and ((chess))))", 0, "chess" },
	{ "(days > 10) + 0", 0, "(days > 10) + 0" },
	{ "chess or days > 10", 0, "chess or days > 10" },
	{ "rating\n>\t1700", 0, "rating\n>\t1700" },
};

START_TEST(computes_right_formulas)
{
	struct formula_result r;
	struct formula_part wrong;
	struct err e = { 0 };

	int rc = formula_run(right[_i].text, name_value, NULL, &r, &wrong, &e);
	ck_assert_msg(rc == 0, "%s: %s", right[_i].text, e.text);
	ck_assert_msg(r.value == right[_i].value, "%s: %lld", right[_i].text, (long long)r.value);
	if (!right[_i].failed)
		return;
	ck_assert_msg(
		strlen(right[_i].failed) == r.failed.len &&
			strncmp(right[_i].text + r.failed.at, right[_i].failed, r.failed.len) == 0,
		"%s: blames \"%.*s\"", right[_i].text, (int)r.failed.len,
		right[_i].text + r.failed.at);
}
END_TEST

#define NOTS "! ! ! ! ! ! ! ! ! ! ! ! ! ! ! ! ! ! ! ! "

/* Wrong formulas, and the place that the mistake is pointed at. */
static const struct {
	const char *text;
	int code;
	size_t at;
	const char *says;
} wrong_ones[] = {
	{ "", ERR_BAD, 0, "missing" },
	{ "   ", ERR_BAD, 3, "missing" },
	{ "rating >", ERR_BAD, 8, "missing at the end" },
	{ "rating > > 5", ERR_BAD, 9, "a number or a name" },
	{ "rating 1500", ERR_BAD, 7, "\"and\", \"or\"" },
	{ "rating > 1500 days", ERR_BAD, 14, "\"and\", \"or\"" },
	{ "rating == 5", ERR_BAD, 8, "a number or a name" },
	{ "rating => 5", ERR_BAD, 8, "a number or a name" },
	{ "rated && days", ERR_BAD, 7, "a number or a name" },
	{ "rated and", ERR_BAD, 9, "missing" },
	{ "and rated", ERR_BAD, 0, "a number or a name" },
	{ "rated or or days", ERR_BAD, 9, "a number or a name" },
	{ "not", ERR_BAD, 3, "missing" },
	{ "(rated", ERR_BAD, 6, "missing" },
	{ "(rated days)", ERR_BAD, 7, "\")\"" },
	{ "rated)", ERR_BAD, 5, "the end" },
	{ "()", ERR_BAD, 1, "a number or a name" },
	{ "1 < 2 < 3", ERR_BAD, 6, "Only two things" },
	{ "1 < 2 = 1", ERR_BAD, 6, "Only two things" },
	{ "rating > $5", ERR_BAD, 9, "a number or a name" },
	{ "rating \xe2\x89\xa5 5", ERR_BAD, 7, "the end" },
	{ "+5", ERR_BAD, 0, "a number or a name" },
	{ "5 + + 5", ERR_BAD, 4, "a number or a name" },
	{ "5 % 2", ERR_BAD, 2, "the end" },
	{ "1.5", ERR_BAD, 1, "the end" },
	{ "12days", ERR_BAD, 2, "the end" },
	{ "9223372036854775808", ERR_BAD, 0, "too great" },
	{ "1 or 99999999999999999999", ERR_BAD, 5, "too great" },
	{ "ratign > 5", ERR_NOT_FOUND, 0, "this name" },
	{ "rating > foo-bar", ERR_NOT_FOUND, 9, "this name" },
	{ "0 and nobody", ERR_NOT_FOUND, 6, "this name" }, /* checked though it can't count */
	{ NOTS "! 1", ERR_LIMIT, 40, "20 deep" },
	{ "((((((((((((((((((((((1))))))))))))))))))))))", ERR_LIMIT, 20, "20 deep" },
	{ "!(-(!(-(!(-(!(-(!(-(!(1)))))))))))", ERR_LIMIT, 20, "20 deep" },
};

START_TEST(points_at_mistakes)
{
	struct formula_result r;
	struct formula_part wrong = { 0 };
	struct err e = { 0 };

	int rc = formula_run(wrong_ones[_i].text, name_value, NULL, &r, &wrong, &e);
	ck_assert_msg(rc == wrong_ones[_i].code, "%s: %d", wrong_ones[_i].text, rc);
	ck_assert_msg(wrong.at == wrong_ones[_i].at, "%s: at %zu", wrong_ones[_i].text, wrong.at);
	ck_assert_msg(strstr(e.text, wrong_ones[_i].says), "%s: %s", wrong_ones[_i].text, e.text);
}
END_TEST

START_TEST(keeps_limits)
{
	char text[FORMULA_MAX + 10];
	struct formula_result r;
	struct formula_part wrong;
	struct err e = { 0 };

	/* The longest chain is no deeper than one link. */
	for (size_t i = 0; i < FORMULA_MAX; i++)
		text[i] = i % 2 ? '+' : '1';
	text[FORMULA_MAX - 1] = ' ';
	text[FORMULA_MAX] = '\0';
	ck_assert_int_eq(formula_run(text, name_value, NULL, &r, &wrong, &e), 0);
	ck_assert_int_eq(r.value, FORMULA_MAX / 2);
	strcpy(text + FORMULA_MAX, " ");
	ck_assert_int_eq(formula_run(text, name_value, NULL, &r, &wrong, &e), ERR_LIMIT);
	ck_assert_uint_eq(wrong.at, FORMULA_MAX);
	ck_assert_int_eq(formula_run(NOTS "1", name_value, NULL, &r, &wrong, &e), 0);
	ck_assert_int_eq(r.value, 1);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("formula");

	tcase_add_loop_test(t, computes_right_formulas, 0, ROWS(right));
	tcase_add_loop_test(t, points_at_mistakes, 0, ROWS(wrong_ones));
	tcase_add_test(t, keeps_limits);
	return util_main(t);
}
