"""Starts programs for the soak test and says what memory they took.  The kernel counts the
memory of the starting process for a program, too, and the test's own grows all year: this one
stays small.  Python's -I -S keeps it so.

A line in: [arguments, environment, file for its output].  A line out: [status of waitpid(), KiB
at most, seconds of processor time]."""
import json
import os
import sys


def main():
    for line in sys.stdin:
        args, env, out = json.loads(line)
        pid = os.posix_spawn(args[0], args, env, file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
            (os.POSIX_SPAWN_DUP2, 1, 2)])
        _, status, usage = os.wait4(pid, 0)
        print(json.dumps([status, usage.ru_maxrss, usage.ru_utime + usage.ru_stime]), flush=True)


main()
