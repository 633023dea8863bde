/* pbm stats: what runs counted, as text, JSON, and in Prometheus' text format, which is read as
 * strictly as its description has it, and by promtool where that is installed. */
#include <ctype.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/str.h"
#include "tests/util/util.h"

static char *site;

static char *stats(const char *option)
{
	const char *pbm = getenv("PBM") ? getenv("PBM") : "build/pbm";
	int status;
	char *out = util_pbm((const char *[]){ pbm, "--now", "2026-12-01T10:00:00Z", "-C", site,
	                                       "stats", option, NULL },
	                     NULL, &status);

	ck_assert_int_eq(status, 0);
	return out;
}

/* A game, and a few mails: one with a move, one with a wrong password, one of a stranger. */
static void setup(void)
{
	const char *pbm = getenv("PBM") ? getenv("PBM") : "build/pbm";
	int status;

	site = util_site();
	free(util_pbm((const char *[]){ pbm, "--now", "2026-12-01T10:00:00Z", "-C", site, "talk",
	                                "carol", NULL },
	              "chess challenge alice bob\n", &status));
	ck_assert_int_eq(status, 0);
	util_mail(site, "1", "alice@example.org", "pbm@pbm.example.org", "",
	          "move 1 alice alice-pw e4", NULL);
	util_mail(site, "2", "bob@example.org", "pbm@pbm.example.org", "", "move 1 bob wrong e5",
	          NULL);
	util_mail(site, "3", "mallory@example.net", "pbm@pbm.example.org", "hello", "hello", NULL);
	util_tick(site);
}

static void teardown(void)
{
	util_drop(site);
}

static json_int_t number(const json_t *o, const char *a, const char *b)
{
	const json_t *v = json_object_get(o, a);

	if (b)
		v = json_object_get(v, b);
	ck_assert_msg(json_is_integer(v), "%s %s", a, b ? b : "");
	return json_integer_value(v);
}

START_TEST(counts_as_json)
{
	char *text = stats("--json");
	json_t *o = json_loads(text, JSON_REJECT_DUPLICATES, NULL);

	ck_assert_msg(json_is_object(o), "%s", text);
	ck_assert_int_eq(number(o, "players", NULL), 3);
	ck_assert_int_eq(number(o, "mails-in", "taken"), 3);
	ck_assert_int_eq(number(o, "mails-in", "quarantined"), 0);
	ck_assert_int_ge(number(o, "mails-out", "sent"), 3);
	ck_assert_int_eq(number(o, "refusals", "password-wrong"), 1);
	ck_assert_int_ge(number(o, "strangers", "answered"), 1);
	ck_assert_int_eq(number(json_object_get(o, "games"), "chess", "running"), 1);
	ck_assert_int_eq(number(o, "outbox", "mails"), 0);
	ck_assert_int_eq(number(o, "inbox", "mails"), 0);
	ck_assert_int_eq(number(o, "run", "number"), 1);
	util_tick(site); /* an idle run writes nothing within an hour */
	char *again = stats("--json");
	ck_assert_str_eq(text, again);
	json_decref(o);
	free(text);
	free(again);
}
END_TEST

START_TEST(reads_as_text)
{
	char *text = stats(NULL);

	ck_assert_ptr_nonnull(strstr(text, "Players: 3\n"));
	ck_assert_ptr_nonnull(
		strstr(text, "Games of chess: 0 offered, 1 running, 0 finished, 0 closed\n"));
	ck_assert_ptr_nonnull(strstr(text, "Refused proofs: 1 password-wrong\n"));
	free(text);
}
END_TEST

/* ---- the text format, version 0.0.4 ---- */

static size_t name_length(const char *p)
{
	size_t n = 0;

	while (isalpha((unsigned char)p[n]) || p[n] == '_' || p[n] == ':' ||
	       (n && isdigit((unsigned char)p[n])))
		n++;
	return n;
}

/* {a="b",c="d"}; returns what follows. */
static const char *read_labels(const char *p, const char *line)
{
	if (*p != '{')
		return p;
	do {
		size_t n = name_length(++p);

		ck_assert_msg(n && p[n] == '=' && p[n + 1] == '"', "label: %s", line);
		p += n + 2;
		ck_assert_msg(strncmp(p, "\"", 1) != 0, "empty label: %s", line);
		p += strcspn(p, "\"\\\n");
		ck_assert_msg(*p == '"', "label's value: %s", line);
		p++;
	} while (*p == ',');
	ck_assert_msg(*p == '}', "labels' end: %s", line);
	return p + 1;
}

/* Each metric: # HELP, # TYPE, and its samples, all together and each once. */
static void check_format(char *text)
{
	char metric[100] = "", type[20] = "", seen[20000] = "";
	struct str all = STR_FIXED(seen);
	char *rest = text, *line;
	int samples = 0;

	ck_assert(*text && text[strlen(text) - 1] == '\n');
	text[strlen(text) - 1] = '\0';
	while ((line = strsep(&rest, "\n"))) {
		char key[300];

		if (strncmp(line, "# HELP ", 7) == 0) {
			size_t n = name_length(line + 7);

			snprintf(metric, sizeof metric, "%.*s", (int)n, line + 7);
			snprintf(key, sizeof key, "|%s|", metric);
			ck_assert_msg(n && line[7 + n] == ' ' && !strstr(seen, key), "%s", line);
			str_add(&all, key);
			*type = '\0';
			continue;
		}
		if (strncmp(line, "# TYPE ", 7) == 0) {
			size_t n = strlen(metric);

			ck_assert_msg(strncmp(line + 7, metric, n) == 0 && line[7 + n] == ' ', "%s",
			              line);
			snprintf(type, sizeof type, "%s", line + 8 + n);
			ck_assert(strcmp(type, "gauge") == 0 || strcmp(type, "counter") == 0);
			ck_assert_int_eq(strcmp(type, "counter") == 0,
			                 strcmp(metric + n - 6, "_total") == 0);
			continue;
		}
		size_t n = name_length(line);
		ck_assert_msg(*type && n == strlen(metric) && strncmp(line, metric, n) == 0, "%s",
		              line);
		const char *value = read_labels(line + n, line);
		snprintf(key, sizeof key, "|%.*s|", (int)(value - line), line);
		ck_assert_msg(value == line + n || !strstr(seen, key), "twice: %s", line);
		str_add(&all, key);
		char *end;
		ck_assert_msg(*value == ' ' && isdigit((unsigned char)value[1]), "%s", line);
		strtod(value + 1, &end);
		ck_assert_msg(*end == '\0', "%s", line);
		samples++;
	}
	ck_assert_int_ge(samples, 16);
}

START_TEST(is_prometheus_text)
{
	char *text = stats("--prometheus");

	ck_assert_ptr_nonnull(strstr(text, "pbm_players 3\n"));
	ck_assert_ptr_nonnull(strstr(text, "pbm_games{game=\"chess\",state=\"running\"} 1\n"));
	ck_assert_ptr_nonnull(strstr(text, "pbm_mails_in_total{fate=\"taken\"} 3\n"));
	ck_assert_ptr_nonnull(strstr(text, "pbm_refusals_total{reason=\"password-wrong\"} 1\n"));
	if (system("command -v promtool >/dev/null") == 0) {
		int status;
		char *said = util_run((const char *[]){ "promtool", "check", "metrics", NULL },
		                      text, &status);

		ck_assert_msg(status == 0, "promtool: %s", said);
		free(said);
	} else {
		puts("promtool is not installed (package prometheus): our own reader must do");
	}
	check_format(text);
	free(text);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("stats");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, counts_as_json);
	tcase_add_test(t, reads_as_text);
	tcase_add_test(t, is_prometheus_text);
	return util_main(t);
}
