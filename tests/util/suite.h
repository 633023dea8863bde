/* The end of every test program of one suite. */
#pragma once

#include <check.h>

static int suite_run(Suite *s)
{
	SRunner *r = srunner_create(s);

	srunner_run_all(r, CK_NORMAL);
	int failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed != 0;
}
