#!/usr/bin/env python3
"""A real play over real servers, and what goes wrong on the way: Exim and Dovecot
on the loopback, people who sign up, challenge and answer by mail.

    tests/e2e.py build/pbm [PART…]     all parts, or those named (see PARTS)

Ends with "N passed, M failed"."""
import os
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/e2e")
from breaks import dovecot_killed, exim_killed, net_killed, pbm_killed  # noqa: E402
from doctor import doctor  # noqa: E402
from doors import doors  # noqa: E402
from mails import bounced, deferred, robots, too_large  # noqa: E402
from newcomers import newcomers  # noqa: E402
from play import operator, play  # noqa: E402
from terminal import terminal  # noqa: E402
from ways import kept, pipe, ways  # noqa: E402
from world import Stack, Tally  # noqa: E402

PARTS = [operator, play, newcomers, exim_killed, dovecot_killed, pbm_killed, net_killed, doors, robots, too_large, deferred,
         bounced, ways, kept, pipe, doctor, terminal]


def main():
    pbm, wanted = os.path.abspath(sys.argv[1]), sys.argv[2:]
    t = Tally()
    with tempfile.TemporaryDirectory(prefix="pbm-e2e-") as folder:
        os.chmod(folder, 0o755)
        stack = Stack(folder + "/mail")
        stack.start()
        try:
            for part in PARTS:
                if not wanted or part.__name__ in wanted:
                    stack.clean()
                    t.run(part, t, stack, pbm, folder)
        finally:
            stack.stop()
    print("%d passed, %d failed" % (t.passed, t.failed))
    return t.failed > 0


sys.exit(main())
