#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pbm/text/template.h"

#define OUT_MAX 100000

/* The specification's own tests, when they lie beside the checkout. */
#define SPEC_DIR "../shared/vectors/mustache"

struct row {
	const char *text, *context, *expected; /* expected NULL: the error, in why */
	const char *why;
	bool html;
};

static const struct row rows[] = {
	{ "Hi {{name}}", "{\"name\":\"alice & bob\"}", "Hi alice & bob", NULL, false },
	{ "Hi {{name}}", "{\"name\":\"<'\\\"&>\"}", "Hi &lt;&#39;&quot;&amp;&gt;", NULL, true },
	{ "{{{name}}}", "{\"name\":\"<\"}", "<", NULL, true },
	{ "{{n}}|{{x}}|{{y}}", "{\"n\":7,\"x\":7.0,\"y\":0.1}", "7|7|0.1", NULL, false },
	{ "{{n}}", "{\"n\":-9007199254740993}", "-9007199254740993", NULL, false },
	{ "{{t}} {{f}}", "{\"t\":true,\"f\":false}", "true false", NULL, false },
	{ "[{{l}}{{o}}]", "{\"l\":[1],\"o\":{\"a\":1}}", "[]", NULL, false },
	{ "{{^n}}none{{/n}}{{#n}}some{{/n}}", "{\"n\":0}", "none", NULL, false },
	{ "{{^n}}none{{/n}}{{#n}}some{{/n}}", "{\"n\":\"\"}", "none", NULL, false },
	{ "{{^n}}none{{/n}}{{#n}}some{{/n}}", "{\"n\":{}}", "some", NULL, false },
	{ "{{#l}}{{a}}{{b}} {{/l}}", "{\"b\":2,\"l\":[{\"a\":1},{\"a\":3,\"b\":4}]}", "12 34 ",
	  NULL, false },
	{ "{{#a.b}}{{c}}{{/a.b}}", "{\"a\":{\"b\":{\"c\":5}}}", "5", NULL, false },
	{ "a\n{{! note }}\nb\n", "{}", "a\nb\n", NULL, false },
	{ "{{=<% %>=}}{{x}}<%x%>", "{\"x\":1}", "{{x}}1", NULL, false },
	{ "{{x", "{}", NULL, "line 1: this tag is not closed", false },
	{ "a\n\n{{#x}}", "{}", NULL, "line 3: this section is not closed", false },
	{ "a\n{{/x}}", "{}", NULL, "line 2: this tag closes a section that is not open", false },
	{ "{{#x}}{{#y}}{{/x}}", "{}", NULL, "line 1: this tag closes another section", false },
	{ "{{}}", "{}", NULL, "no name", false },
	{ "{{a b}}", "{}", NULL, "no blanks inside", false },
	{ "{{=<%=}}", "{}", NULL, "delimiters are set like", false },
	{ "{{=<% = %>=}}", "{}", NULL, "delimiters are set like", false },
	{ "{{=12345678901234567 x=}}", "{}", NULL, "delimiters are set like", false },
};

START_TEST(renders)
{
	const struct row *row = &rows[_i];
	json_t *context = json_loads(row->context, 0, NULL);
	struct str out;
	struct err e = { 0 };

	ck_assert_ptr_nonnull(context);
	str_init(&out, OUT_MAX);
	str_add(&out, "before ");
	int rc = template_render_text(row->text, context, row->html, NULL, NULL, &out, &e);
	if (row->expected) {
		ck_assert_msg(rc == 0, "%s: %s", row->text, e.text);
		ck_assert_str_eq(out.data + 7, row->expected);
	} else {
		ck_assert_int_eq(rc, ERR_BAD);
		ck_assert_msg(strstr(e.text, row->why), "%s: %s", row->text, e.text);
		ck_assert_str_eq(out.data, "before ");
	}
	str_release(&out);
	json_decref(context);
}
END_TEST

static const char *spec_partial(const char *name, void *arg)
{
	return json_string_value(json_object_get(arg, name));
}

static size_t run_spec_file(const char *path)
{
	json_t *file = json_load_file(path, 0, NULL), *test;
	size_t i;

	ck_assert_msg(file != NULL, "%s", path);
	json_t *tests = json_object_get(file, "tests");
	json_array_foreach(tests, i, test) {
		const char *name = json_string_value(json_object_get(test, "name"));
		struct str out;
		struct err e = { 0 };

		str_init(&out, OUT_MAX);
		int rc = template_render_text(json_string_value(json_object_get(test, "template")),
		                              json_object_get(test, "data"), true, spec_partial,
		                              json_object_get(test, "partials"), &out, &e);
		ck_assert_msg(rc == 0, "%s: %s: %s", path, name, e.text);
		ck_assert_msg(
			strcmp(out.data, json_string_value(json_object_get(test, "expected"))) == 0,
			"%s: %s: got \"%s\"", path, name, out.data);
		str_release(&out);
	}
	json_decref(file);
	return i;
}

START_TEST(specification)
{
	DIR *dir = opendir(SPEC_DIR);
	const struct dirent *d;
	size_t count = 0;

	if (!dir) {
		printf("skipped: %s is not there\n", SPEC_DIR);
		return;
	}
	while ((d = readdir(dir))) {
		char path[600];

		/* "~" marks the optional modules, which we don't have. */
		if (d->d_name[0] == '.' || d->d_name[0] == '~')
			continue;
		snprintf(path, sizeof path, "%s/%s", SPEC_DIR, d->d_name);
		count += run_spec_file(path);
	}
	closedir(dir);
	ck_assert_uint_gt(count, 100);
}
END_TEST

static const char *endless_partial(const char *name, void *)
{
	return strcmp(name, "wide") == 0 ? "{{>wide}}{{>wide}}{{>wide}}{{>wide}}" : " {{>deep}}\n";
}

START_TEST(limits_partials)
{
	static const char *const texts[] = { "{{>wide}}", "{{>deep}}", "  {{>deep}}\n" };
	struct str out;
	struct err e = { 0 };
	json_t *context = json_object();

	str_init(&out, OUT_MAX);
	int rc = template_render_text(texts[_i], context, false, endless_partial, NULL, &out, &e);
	ck_assert_int_eq(rc, ERR_LIMIT);
	ck_assert_uint_eq(out.len, 0);
	str_release(&out);
	json_decref(context);
}
END_TEST

/* Each partial below the limit of nesting, but five to the power of nine. */
static const char *counting_partial(const char *name, void *)
{
	static const char *const texts[] = {
		"{{>1}}{{>1}}{{>1}}{{>1}}{{>1}}", "{{>2}}{{>2}}{{>2}}{{>2}}{{>2}}",
		"{{>3}}{{>3}}{{>3}}{{>3}}{{>3}}", "{{>4}}{{>4}}{{>4}}{{>4}}{{>4}}",
		"{{>5}}{{>5}}{{>5}}{{>5}}{{>5}}", "{{>6}}{{>6}}{{>6}}{{>6}}{{>6}}",
		"{{>7}}{{>7}}{{>7}}{{>7}}{{>7}}", "{{>8}}{{>8}}{{>8}}{{>8}}{{>8}}",
		"{{>9}}{{>9}}{{>9}}{{>9}}{{>9}}", "",
	};

	return texts[name[0] - '0'];
}

START_TEST(limits_work)
{
	struct str out;
	struct err e = { 0 };

	str_init(&out, OUT_MAX);
	ck_assert_int_eq(
		template_render_text("{{>0}}", NULL, false, counting_partial, NULL, &out, &e),
		ERR_LIMIT);
	ck_assert_ptr_nonnull(strstr(e.text, "come to an end"));
	str_release(&out);
}
END_TEST

/* n times "{{#.}}", "x", n times "{{/.}}" */
static int render_nested(int n, struct str *out, struct err *e)
{
	struct str text;
	json_t *context = json_true();

	str_init(&text, OUT_MAX);
	for (int i = 0; i < n; i++)
		str_add(&text, "{{#.}}");
	str_add(&text, "x");
	for (int i = 0; i < n; i++)
		str_add(&text, "{{/.}}");
	int rc = template_render_text(text.data, context, false, NULL, NULL, out, e);
	str_release(&text);
	return rc;
}

START_TEST(limits_depth)
{
	static const struct {
		int n, rc;
	} depths[] = {
		{ 63, 0 },
		{ 64, ERR_LIMIT },
		{ 65, ERR_LIMIT },
		{ 5000, ERR_LIMIT },
	};
	struct str out;
	struct err e = { 0 };

	str_init(&out, OUT_MAX);
	ck_assert_int_eq(render_nested(depths[_i].n, &out, &e), depths[_i].rc);
	ck_assert_str_eq(out.data, depths[_i].rc ? "" : "x");
	str_release(&out);
}
END_TEST

START_TEST(limits_output)
{
	char buf[8];
	struct str out = STR_FIXED(buf);
	struct err e = { 0 };

	ck_assert_int_eq(template_render_text("1234567", NULL, false, NULL, NULL, &out, &e), 0);
	str_clear(&out);
	ck_assert_int_eq(template_render_text("12345678", NULL, false, NULL, NULL, &out, &e),
	                 ERR_LIMIT);
	ck_assert_str_eq(buf, "");
}
END_TEST

START_TEST(finds_built_in_files)
{
	static const char *const bad[] = {
		"",
		"/etc/passwd",
		"../Makefile",
		"help/../../Makefile",
		"help/.secret",
		"help/nothing.md",
		"help",
		"help/start.md ",
		"help//../x",
	};

	ck_assert_ptr_nonnull(template_text(NULL, "help/start.md"));
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		ck_assert_msg(!template_text(NULL, bad[i]), "%s", bad[i]);
}
END_TEST

static void write_file(const char *dir, const char *name, const char *text)
{
	char path[200];

	snprintf(path, sizeof path, "%s/%s", dir, name);
	FILE *f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	ck_assert_int_eq(fclose(f), 0);
}

static void remove_file(const char *dir, const char *name)
{
	char path[200];

	snprintf(path, sizeof path, "%s/%s", dir, name);
	ck_assert_int_eq(unlink(path), 0);
}

START_TEST(own_files_win)
{
	char dir[] = "/tmp/pbm-template-XXXXXX", sub[100];
	struct err e = { 0 };
	struct str out;
	json_t *context = json_pack("{s:s}", "x", "<");

	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(sub, sizeof sub, "%s/help", dir);
	ck_assert_int_eq(mkdir(sub, 0700), 0);
	write_file(sub, "start.md", "ours");
	write_file(sub, "draw.md", "latin \xe9");
	write_file(dir, "page.html", "{{x}}\n  {{> part.txt }}\n{{> none.txt }}");
	write_file(dir, "page.txt", "{{x}} {{> part.txt }}");
	write_file(dir, "part.txt", "<part {{x}}>\n");

	ck_assert_str_eq(template_text(dir, "help/start.md"), "ours");
	ck_assert_ptr_eq(template_text(dir, "help/moves.md"), template_text(NULL, "help/moves.md"));
	/* Not UTF-8: the built-in one serves. */
	ck_assert_ptr_eq(template_text(dir, "help/draw.md"), template_text(NULL, "help/draw.md"));
	/* Read only once. */
	write_file(sub, "start.md", "newer");
	ck_assert_str_eq(template_text(dir, "help/start.md"), "ours");

	str_init(&out, OUT_MAX);
	ck_assert_int_eq(template_render(dir, "page.html", context, &out, &e), 0);
	ck_assert_str_eq(out.data, "&lt;\n  <part &lt;>\n");
	str_clear(&out);
	ck_assert_int_eq(template_render(dir, "page.txt", context, &out, &e), 0);
	ck_assert_str_eq(out.data, "< <part <>\n");
	ck_assert_int_eq(template_render(dir, "none.txt", context, &out, &e), ERR_NOT_FOUND);

	static const char *const names[] = { "help/start.md", "help/draw.md", "page.html",
		                             "page.txt", "part.txt" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		remove_file(dir, names[i]);
	rmdir(sub);
	rmdir(dir);
	str_release(&out);
	json_decref(context);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("template");
	TCase *tc = tcase_create("all");

	tcase_add_loop_test(tc, renders, 0, sizeof rows / sizeof *rows);
	tcase_add_test(tc, specification);
	tcase_add_loop_test(tc, limits_partials, 0, 3);
	tcase_add_test(tc, limits_work);
	tcase_add_loop_test(tc, limits_depth, 0, 4);
	tcase_add_test(tc, limits_output);
	tcase_add_test(tc, finds_built_in_files);
	tcase_add_test(tc, own_files_win);
	suite_add_tcase(s, tc);
	SRunner *sr = srunner_create(s);
	srunner_run_all(sr, CK_NORMAL);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed != 0;
}
