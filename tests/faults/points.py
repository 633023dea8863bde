"""One fault at each point of a run in turn; then undisturbed runs must end as if
it had never been."""
import hashlib
import multiprocessing
import os
import shutil

from day import NOW, compare, envelope, rows
from runner import Broken, Servers

# Exit codes a run that met the fault may end with; else it must say why.
TRY_AGAIN, LIBRARY_DIED = 75, 99
SIGKILL = -9


def count_points(day, servers, kind):
    """The names of the calls that the fault could happen to in the day's run."""
    site, names = os.path.join(day.folder, "counting"), os.path.join(day.folder, "names")
    shutil.copytree(day.start, site)
    code, said = servers.run(site, NOW, "tick", kind=kind, count=names)
    shutil.rmtree(site)
    if code != 0:
        raise Broken("the day without a fault: exit %d: %s" % (code, said))
    with open(names) as f:
        return f.read().split()


def fingerprint(site):
    """Of every byte and name.  Equal sites go on equally, so one of them is enough."""
    h = hashlib.sha256()
    for folder, dirs, names in os.walk(site):
        dirs.sort()
        for name in sorted(names):
            path = os.path.join(folder, name)
            with open(path, "rb") as f:
                data = f.read()
            h.update(b"%s %d " % (os.path.relpath(path, site).encode(), len(data)))
            h.update(data)
        for name in dirs:
            h.update(os.path.relpath(os.path.join(folder, name), site).encode() + b"/")
    return h.digest()


def collect(site):
    """Takes away what was sent and left the outbox, as its readers do: a second
    copy would not be stopped by the first one lying there."""
    waiting = {(mid.strip("<>"), rcpt) for mid, rcpt in
               rows(site, "SELECT message_id, rcpt FROM outbox")}
    collected = []
    for name in os.listdir(site + "/sent/new"):
        mail = envelope(os.path.join(site, "sent/new", name))
        if (mail[0].strip("<>"), mail[1]) not in waiting:
            collected.append(mail)
            os.unlink(os.path.join(site, "sent/new", name))
    return collected


def check_exit(kind, code, said):
    if kind in ("kill", "tear"):
        if code not in (SIGKILL, 0):
            raise Broken("exit %d, expected a kill" % code)
    elif code == LIBRARY_DIED and kind.startswith("nomem"):
        return
    elif code not in (0, TRY_AGAIN):
        raise Broken("exit %d: %s" % (code, said[-600:]))
    elif code and "pbm: " not in said:
        raise Broken("exit %d without a word" % code)


class Worker:
    """Tries one point after the other, in a process of its own."""

    def __init__(self, day, shim):
        self.day, self.known = day, set()
        self.servers = Servers(day.runner.pbm, shim, day.folder)

    def __call__(self, point):
        kind, at = point
        site = os.path.join(self.day.folder, "point.%d" % os.getpid())
        shutil.copytree(self.day.start, site)
        try:
            check_exit(kind, *self.servers.run(site, NOW, "tick", kind=kind, at=at))
            mark = fingerprint(site)
            if mark not in self.known:
                compare(self.day.finish(self.servers, site, collect(site)), self.day.end)
                self.known.add(mark)
            return point, None
        except Broken as why:
            return point, str(why)
        finally:
            shutil.rmtree(site)


worker = None


def start_worker(day, shim):
    global worker
    worker = Worker(day, shim)


def try_point(point):
    return worker(point)


def survive(day, shim, kinds, report):
    """Every point of every kind.  report(kind, names, failures) is called for each."""
    servers = Servers(day.runner.pbm, shim, day.folder)
    with multiprocessing.Pool(os.cpu_count(), start_worker, (day, shim)) as pool:
        for kind in kinds:
            names = count_points(day, servers, kind)
            points = [(kind, n) for n in range(1, len(names) + 1)]
            failures = [(at, names[at - 1], why) for (_, at), why in
                        pool.imap_unordered(try_point, points, 16) if why]
            report(kind, names, sorted(failures))
    servers.close()
