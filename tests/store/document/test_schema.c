/* The schemas of the documents, store/schema/, say what the program's reader says. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/util/util.h"

START_TEST(the_reader_agrees)
{
	const char *pbm = getenv("PBM") ? getenv("PBM") : "build/pbm";
	int status;
	char *said = util_run((const char *[]){ "tests/util/schema.py", "--reader", pbm, NULL },
	                      NULL, &status);

	ck_assert_msg(status == 0, "%s", said);
	free(said);
}
END_TEST

/* Documents of the demo, changed by sed; what is found. */
static const struct {
	const char *file, *change, *says;
} plants[] = {
	{ "games/000/1.json", "", NULL },
	{ "games/000/1.json", "s/\"rated\": true/\"rated\": 1/", "games/000/1.json: rated: " },
	{ "games/000/1.json", "/\"rated\"/d", "'rated' is a required property" },
	{ "games/000/1.json", "s/\"rated\"/\"rate\"/", "games/000/1.json: " },
	{ "games/000/1.json", "s/\"kind\": \"start\"/\"kind\": \"begin\"/", "events/" },
	{ "games/000/1.json", "s/, \"san\": \"[^\"]*\"//", "events/" },
	{ "games/000/1.json", "1d", "not JSON" },
	{ "games/000/1.json", "/^\"ended\"/d", "'ended' is a required property" },
	{ "players/alice.json", "s/\"player\"/\"king\"/", "players/alice.json: role: " },
	{ "players/alice.json", "s/T10:00:00Z/ 10:00/", "players/alice.json: " },
};

START_TEST(a_wrong_document_is_found)
{
	char *dir = util_folder(), line[500];
	int status;

	snprintf(line, sizeof line,
	         "cp -r tests/data/demo/games tests/data/demo/players %s && sed -i '%s' %s/%s && "
	         "tests/util/schema.py %s 2>&1",
	         dir, plants[_i].change, dir, plants[_i].file, dir);
	char *said = util_run((const char *[]){ "sh", "-c", line, NULL }, NULL, &status);
	if (!strstr(said, "skipped: ")) {
		ck_assert_msg((status != 0) == (plants[_i].says != NULL), "%s", said);
		if (plants[_i].says)
			ck_assert_msg(strstr(said, plants[_i].says) != NULL, "%s", said);
	}
	free(said);
	util_drop(dir);
}
END_TEST

/* Sites of each older version. */
START_TEST(older_documents_fit)
{
	char *dir = util_folder(), line[500];
	int status;

	snprintf(line, sizeof line,
	         "for f in tests/data/sites/*.tar.gz; do tar -C %s -xmzf $f || exit; done; "
	         "tests/util/schema.py %s/*",
	         dir, dir);
	char *said = util_run((const char *[]){ "sh", "-c", line, NULL }, NULL, &status);
	ck_assert_msg(status == 0, "%s", said);
	free(said);
	util_drop(dir);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("schema");

	tcase_add_test(t, the_reader_agrees);
	tcase_add_loop_test(t, a_wrong_document_is_found, 0, ROWS(plants));
	tcase_add_test(t, older_documents_fit);
	return util_main(t);
}
