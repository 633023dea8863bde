#!/usr/bin/env python3
"""Names the tests and talks that run a file of the program.

    make tests-of FILES=store/check/fsck_rows.c

The file is compiled so that the first call of one of its functions notes that in $RAN and ends the
process, and each test and talk is run with it.  A child that may write no file only ends: there a test
counts that fails now, and does not otherwise.  This takes some minutes.  It finds nothing about a file
that has tables alone.

The environment holds the words of the Makefile, as for mutants.py."""
import glob
import multiprocessing
import os
import shutil
import sys
import tempfile

import mutants

TRAP = """
#include <fcntl.h>
#include <stdlib.h>
#define PLAIN __attribute__((no_instrument_function))
PLAIN void __cyg_profile_func_exit(void *function, void *caller)
{
}
PLAIN void __cyg_profile_func_enter(void *function, void *caller)
{
	if (getenv("RAN"))
		open(getenv("RAN"), O_CREAT | O_WRONLY, 0600);
	__builtin_trap();
}
"""


def runs():
    """(name, test program without the folder of the build, its words)"""
    for test in sorted(glob.glob("tests/**/test_*.c", recursive=True)):
        # The house's tests read sources, and never run the program.
        if not test.startswith("tests/house/") and not test.endswith("/test_talks.c"):
            yield test, test[:-2], []
    for talk in sorted(glob.glob("tests/data/talks/*.txt")):
        yield talk, os.path.relpath(mutants.TALKS, mutants.B), [os.path.basename(talk)]


def ran(job):
    folder, (name, test, names) = job
    mark = os.path.join(folder, "ran." + os.path.basename(name))
    program = mutants.TALKS if names else mutants.link_test(folder, test)
    if mutants.run([program] + names, dict(mutants.environment(folder), RAN=mark, SITE=folder + "/site")):
        return name, False
    return name, os.path.exists(mark) or mutants.run([os.path.join(mutants.B, test)] + names, mutants.environment(None))


def tests_of(path):
    folder = tempfile.mkdtemp(prefix="pbm-tests-of-")
    try:
        if mutants.compiled(path, [mutants.text_of(path), TRAP], folder, ["-finstrument-functions"]) is None:
            sys.exit(path + " does not compile")
        mutants.put_into_archive(path, folder)
        mutants.link_program(folder)
        # The site that tests copy is made by the plain program, or most would run what adds a player.
        mutants.run([mutants.TALKS, "quiet.txt"], dict(mutants.environment(None), SITE=folder + "/site"))
        found = 0
        with multiprocessing.Pool(len(os.sched_getaffinity(0))) as pool:
            for name, by in pool.imap(ran, [(folder, r) for r in runs()]):
                found += by
                if by:
                    print(name, flush=True)
        print("%s: %d tests and talks" % (path, found))
    finally:
        shutil.rmtree(folder)


for file in os.environ.get("FILES", "").split() or sys.exit(__doc__):
    tests_of(file)
