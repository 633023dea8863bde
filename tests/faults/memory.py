"""Memory denied while a mail is read: each allocation of the program and of the
libraries in turn.  A mail reads as always, or the process leaves; never is half
of it taken for the whole."""
import glob
import os

from day import NOW
from points import LIBRARY_DIED, TRY_AGAIN
from runner import Broken, Servers

# One of each form that the demo's mails have.
FORMS = ("html-phone", "quoted-printable", "base64-utf8", "flowed", "signature", "german-outlook",
         "alternative", "bounce")
HERE = os.path.dirname(os.path.abspath(__file__))


def one_mail(servers, mail, folder):
    """(points, those that ended in a library's own crash, failures)"""
    names = os.path.join(folder, "names")
    code, wanted = servers.run(folder, NOW, "read", mail, "nomem", 0, names)
    if code != 0:
        raise Broken("%s: exit %d: %s" % (mail, code, wanted))
    with open(names) as f:
        points = len(f.read().split())
    failures, crashes = [], 0
    for at in range(1, points + 1):
        try:
            code, said = servers.run(folder, NOW, "read", mail, "nomem", at)
        except Broken as why:
            failures.append((os.path.basename(mail), at, why))
            continue
        crashes += code == LIBRARY_DIED
        if code not in (0, TRY_AGAIN, LIBRARY_DIED) or (code == 0 and said != wanted):
            failures.append((os.path.basename(mail), at, "exit %d: %.200s" % (code, said)))
    return points, crashes, failures


def read_mails(reader, shim, folder):
    servers = Servers(reader, shim, folder)
    done = [one_mail(servers, sorted(glob.glob("%s/../demo/*-%s.eml" % (HERE, form)))[0], folder)
            for form in FORMS]
    servers.close()
    return sum(d[0] for d in done), sum(d[1] for d in done), [f for d in done for f in d[2]]
