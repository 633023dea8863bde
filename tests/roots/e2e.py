"""The end-to-end test of the source, of the installed program."""
import os
import subprocess

from layer import SOURCE

PACKAGES = ["python3", "openssl", "exim4-daemon-light", "dovecot-core", "dovecot-imapd", "dovecot-pop3d", "dovecot-lmtpd"]


def run(root, t):
    for name in ("tests", "docs"):
        target = root.path("/src/" + name)
        os.makedirs(target)
        subprocess.run(["mount", "--bind", SOURCE + "/" + name, target], check=True)
        subprocess.run(["mount", "-o", "remount,ro,bind", target], check=True)
    said = root.run("cd /tmp && python3 -B /src/tests/e2e.py /usr/bin/pbm", good=None)
    for line in said.split("\n"):
        if line.endswith(" failed"):
            passed, failed = int(line.split()[0]), int(line.split()[2])
            t.passed, t.failed = t.passed + passed, t.failed + failed
            t.check(passed > 50, "the test of the source ran: " + said[-2000:])
            break
    else:
        t.check(False, "the test of the source ends: " + said[-3000:])
    if " 0 failed" not in said:
        print(said[-4000:])
