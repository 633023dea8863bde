/* The log: key=value, one line for each fact, whatever a mail puts into it. */
#include "pbm/base/log.h"

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pbm/base/clock.h"
#include "tests/util/util.h"

#define TIME 1796119200 /* 2026-12-01T10:00:00Z */

static FILE *file;
static int kept;

static void setup(void)
{
	file = tmpfile();
	ck_assert_ptr_nonnull(file);
	fflush(stderr);
	kept = dup(2);
	ck_assert_int_eq(dup2(fileno(file), 2), 2);
	clock_set(TIME);
}

static void teardown(void)
{
	dup2(kept, 2);
	close(kept);
	fclose(file);
}

/* The log so far, in a buffer of its own. */
static const char *logged(void)
{
	static char text[20000];

	fflush(stderr);
	ssize_t n = pread(fileno(file), text, sizeof text - 1, 0);
	text[n > 0 ? n : 0] = '\0';
	return text;
}

static const struct {
	const char *said, *line;
} lines[] = {
	{ "3 mails taken", "msg=\"3 mails taken\"" },
	{ "", "msg=\"\"" },
	{ "a \"quoted\" word", "msg=\"a \\\"quoted\\\" word\"" },
	{ "x\" level=error msg=\"forged", "msg=\"x\\\" level=error msg=\\\"forged\"" },
	{ "back\\slash", "msg=\"back\\\\slash\"" },
	{ "two\nlines\r\t\x7f", "msg=\"two\\x0alines\\x0d\\x09\\x7f\"" },
	{ "\xc3\xa4\xc3\xb6", "msg=\"\xc3\xa4\xc3\xb6\"" },
};

START_TEST(writes_a_line)
{
	char expected[300];

	log_warn("%s", lines[_i].said);
	snprintf(expected, sizeof expected, "time=2026-12-01T10:00:00Z level=warn %s\n",
	         lines[_i].line);
	ck_assert_str_eq(logged(), expected);
}
END_TEST

START_TEST(has_more_keys)
{
	log_keys(LOG_LEVEL_INFO, "taken=3 sent=4", "%d mails taken", 3);
	ck_assert_str_eq(
		logged(),
		"time=2026-12-01T10:00:00Z level=info msg=\"3 mails taken\" taken=3 sent=4\n");
}
END_TEST

START_TEST(is_cut)
{
	char *text = malloc(5000);

	memset(text, '"', 4999);
	text[4999] = '\0';
	log_error("%s", text);
	ck_assert_uint_lt(strlen(logged()), 4100);
	ck_assert_int_eq(logged()[strlen(logged()) - 1], '\n');
	ck_assert_int_eq(logged()[strlen(logged()) - 2], '"');
	free(text);
}
END_TEST

START_TEST(has_levels)
{
	enum log_level level = LOG_LEVEL_INFO;

	ck_assert(!log_read_level("loud", &level) && !log_read_level("", &level));
	log_debug("1");
	log_info("2");
	ck_assert(log_read_level("debug", &level));
	log_standard(level);
	log_debug("3");
	ck_assert(log_read_level("error", &level));
	log_standard(level);
	log_warn("4");
	log_threshold(LOG_LEVEL_WARN); /* the command line goes before the site's setting */
	log_standard(LOG_LEVEL_DEBUG);
	log_info("5");
	log_warn("6");
	const char *said = logged();
	ck_assert(!strstr(said, "\"1\"") && strstr(said, "level=info msg=\"2\""));
	ck_assert(strstr(said, "level=debug msg=\"3\"") && !strstr(said, "\"4\""));
	ck_assert(!strstr(said, "\"5\"") && strstr(said, "\"6\""));
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("log");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, writes_a_line, 0, ROWS(lines));
	tcase_add_test(t, has_more_keys);
	tcase_add_test(t, is_cut);
	tcase_add_test(t, has_levels);
	return util_main(t);
}
