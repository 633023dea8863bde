"""One fault at each point of a run in turn; then undisturbed runs must end as if
it had never been."""
import hashlib
import multiprocessing
import os
import shutil

from day import NOW, Broken, compare, envelope, rows

# Exit codes a run that met the fault may end with; else it must say why.
TRY_AGAIN, LIBRARY_DIED = 75, 99
SIGKILL = -9


def environment(shim, kind, at=0, count=None):
    env = {"LD_PRELOAD": shim, "FAULT": kind, "FAULT_AT": str(at)}
    if count:
        env["FAULT_COUNT"] = count
    return env


def count_points(day, shim, kind):
    """The names of the calls that the fault could happen to in the day's run."""
    site, names = os.path.join(day.folder, "counting"), os.path.join(day.folder, "names")
    shutil.copytree(day.start, site)
    day.run(site, NOW, "tick", env=environment(shim, kind, 0, names))
    shutil.rmtree(site)
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


def check_exit(kind, done):
    if kind in ("kill", "tear"):
        if done.returncode not in (SIGKILL, 0):
            raise Broken("exit %d, expected a kill" % done.returncode)
    elif done.returncode == LIBRARY_DIED and kind.startswith("nomem"):
        pass
    elif done.returncode not in (0, TRY_AGAIN):
        raise Broken("exit %d: %s" % (done.returncode, done.stderr.decode()[-600:]))
    elif done.returncode and b"pbm: " not in done.stderr:
        raise Broken("exit %d without a word" % done.returncode)


class Worker:
    """Tries one point after the other, in a process of its own."""

    def __init__(self, day, shim):
        self.day, self.shim, self.known = day, shim, {}

    def __call__(self, point):
        kind, at = point
        site = os.path.join(self.day.folder, "point.%d" % os.getpid())
        shutil.copytree(self.day.start, site)
        try:
            done = self.day.run(site, NOW, "tick", env=environment(self.shim, kind, at), check=False)
            check_exit(kind, done)
            mark = fingerprint(site)
            if mark not in self.known:
                compare(self.day.finish(site, collect(site)), self.day.end)
                self.known[mark] = True
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
    with multiprocessing.Pool(os.cpu_count(), start_worker, (day, shim)) as pool:
        for kind in kinds:
            names = count_points(day, shim, kind)
            points = [(kind, n) for n in range(1, len(names) + 1)]
            failures = [(at, names[at - 1], why) for (_, at), why in
                        pool.imap_unordered(try_point, points, 16) if why]
            report(kind, names, sorted(failures))
