/* The usual fixture of a store test: a new site, open for writing, and an arena. */
#pragma once

#include "tests/util/store_site.h"

static struct store *s;
static struct arena a;

static void setup(void)
{
	store_site_new();
	s = store_site_open(STORE_WRITE);
	a = (struct arena){ 0 };
}

static void teardown(void)
{
	store_close(s);
	arena_release(&a);
	store_site_remove();
}
