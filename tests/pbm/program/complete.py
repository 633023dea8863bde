#!/usr/bin/env python3
"""Completes words with a TAB in a bash on a terminal.

    tests/pbm/program/complete.py SCRIPT PBM

The first line that is wrong is printed; the last line is "N passed, M failed"."""
import os
import pty
import re
import sys
import tempfile

SCRIPT, PBM = map(os.path.abspath, sys.argv[1:3])
CASES = [          # what is typed before TAB, and the line that it becomes; or, after "?", what is offered
    ("pbm reind", "pbm reindex "),
    ("pbm -C si", "pbm -C site/"),
    ("pbm -q --no", "pbm -q --now "),
    ("pbm --now 2026-12-01T10:00:00Z ti", "pbm --now 2026-12-01T10:00:00Z tick "),
    ("pbm -C site outbox re", "pbm -C site outbox retry "),
    ("pbm -C site outbox --j", "pbm -C site outbox --json "),
    ("pbm -C site key dr", "pbm -C site key drop "),
    ("pbm -C site user expo", "pbm -C site user export "),
    ("pbm -C site user add x x@example.org --role mod", "pbm -C site user add x x@example.org --role moderator "),
    ("pbm perft aval", "pbm perft avalanchechess "),
    ("pbm solve antichess --nod", "pbm solve antichess --nodes "),
    ("pbm help fs", "pbm help fsck "),
    ("pbm backup --ver", "pbm backup --verify "),
    ("pbm backup --verify whole", "pbm backup --verify whole.tar.zst "),
    ("pbm restore whole.tar.zst si", "pbm restore whole.tar.zst site/"),
    ("pbm manual co", "pbm manual co? commands conf"),
    ("pbm fsck --", "pbm fsck --? --repair --accept"),
    ("pbm tick xyz", "pbm tick xyz"),
    ("pbm nonsense --", "pbm nonsense --"),
]


def read_until(fd, mark):
    out = b""
    while mark not in out:
        out += os.read(fd, 65536)
    return out


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(folder + "/site")
        os.mkdir(folder + "/bin")
        os.symlink(PBM, folder + "/bin/pbm")
        open(folder + "/whole.tar.zst", "w").close()
        open(folder + "/inputrc", "w").write(
            "set bell-style none\nset enable-bracketed-paste off\nset page-completions off\n"
            "set completion-query-items 0\nset show-all-if-ambiguous on\nset horizontal-scroll-mode off\n")
        pid, fd = pty.fork()
        if pid == 0:
            os.chdir(folder)
            os.execve("/bin/bash", ["bash", "--norc", "--noprofile", "-i"],
                      {"PATH": folder + "/bin:" + os.environ["PATH"], "TERM": "dumb", "INPUTRC": folder + "/inputrc",
                       "PS1": "@@", "COLUMNS": "200", "HOME": folder, "LC_ALL": "C.UTF-8", "HISTFILE": ""})
        os.write(fd, ("stty cols 200; source %s; echo REA''DY\n" % SCRIPT).encode())
        read_until(fd, b"READY\r\n@@")
        failed = 0
        for typed, wanted in CASES:
            # TAB; then the line is shown and dropped: C-a puts "echo '<" in front of what there is.
            os.write(fd, typed.encode() + b"\t\x05>'\x01echo '<\r")
            said = read_until(fd, b">\r\n@@").decode("utf-8", "replace").replace("\r\n", "\n")
            line = re.findall(r"^<(.*)>$", said, re.M)[-1]
            wanted, _, offered = wanted.partition("?")
            right = line == wanted and all(w in said.split() for w in offered.split())
            failed += not right
            if not right:
                print("%r became %r instead of %r; %r" % (typed, line, wanted, said))
        os.write(fd, b"exit\n")
        os.waitpid(pid, 0)
    print("%d passed, %d failed" % (len(CASES) - failed, failed))
    return failed > 0


sys.exit(main())
