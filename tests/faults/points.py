"""One fault at each point of a run in turn; then undisturbed runs must end as if
it had never been."""
import hashlib
import multiprocessing
import os
import shutil

from day import DELIVERED, NOW, compare, envelope, rows
from runner import Broken, Servers

# Exit codes a run that met the fault may end with; else it must say why.
TRY_AGAIN, LIBRARY_DIED = 75, 99
SIGKILL = -9
KILLED = 7       # runs in a row, for the kind "kills"


def call_of(kind):
    """The shim's name for it."""
    return "kill" if kind == "kills" else kind


def count_points(day, servers, step, kind):
    """The names of the calls that the fault could happen to in this run."""
    site, names = os.path.join(day.folder, "counting"), os.path.join(day.folder, "names")
    shutil.copytree(step.start, site)
    code, said = servers.run(site, NOW, step.word, step.mail, call_of(kind), 0, names)
    shutil.rmtree(site)
    if code not in DELIVERED:
        raise Broken("%s without a fault: exit %d: %s" % (step.word, code, said))
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
    if kind in ("kill", "kills", "tear"):
        if code != SIGKILL and code not in DELIVERED:
            raise Broken("exit %d, expected a kill" % code)
    elif code == LIBRARY_DIED and kind.startswith("nomem"):
        return
    elif code != TRY_AGAIN and code not in DELIVERED:
        raise Broken("exit %d: %s" % (code, said[-600:]))
    elif code == TRY_AGAIN and "pbm: " not in said:
        raise Broken("exit %d without a word" % code)


class Model:
    """A site kept in memory, laid out thousands of times."""

    def __init__(self, site):
        self.dirs, self.files = [], []
        for folder, dirs, names in os.walk(site):
            at = os.path.relpath(folder, site)
            self.dirs += [os.path.join(at, name) for name in dirs]
            for name in names:
                with open(os.path.join(folder, name), "rb") as f:
                    st = os.fstat(f.fileno())
                    self.files.append((os.path.join(at, name), f.read(), st.st_mode & 0o777,
                                       (st.st_atime_ns, st.st_mtime_ns)))

    def lay_out(self, site):
        os.mkdir(site)
        for name in self.dirs:
            os.mkdir(os.path.join(site, name))
        for name, data, mode, times in self.files:
            path = os.path.join(site, name)
            with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb", buffering=0) as f:
                f.write(data)
                os.utime(f.fileno(), ns=times)


class Worker:
    """Tries one point after the other, in a process of its own."""

    def __init__(self, day, shim):
        self.day, self.known, self.models = day, set(), {}
        self.servers = Servers(day.runner.pbm, shim, day.folder)

    def __call__(self, point):
        number, kind, at = point
        step = self.day.steps[number]
        site = os.path.join(self.day.folder, "point.%d" % os.getpid())
        if number not in self.models:
            self.models[number] = Model(step.start)
        self.models[number].lay_out(site)
        try:
            for _ in range(KILLED if kind == "kills" else 1):
                code, said = self.servers.run(site, NOW, step.word, step.mail, call_of(kind), at)
                check_exit(kind, code, said)
                if code in DELIVERED:
                    break
            self.go_on(site, number, code in DELIVERED)
            return point, None
        except Broken as why:
            return point, str(why)
        finally:
            shutil.rmtree(site)

    def go_on(self, site, number, taken):
        """The result of the undisturbed runs; a mail that was not taken comes again, and the
        computers think again."""
        step = self.day.steps[number]
        mark = number, taken, fingerprint(site)
        if mark in self.known:
            return
        collected = collect(site)
        if step.word != "tick" and not taken:
            code, said = self.servers.run(site, NOW, step.word, step.mail)
            if code not in DELIVERED:
                raise Broken("%s fails the second time, too: exit %d: %s" % (step.word, code, said))
        compare(self.day.finish(self.servers, site, collected), step.end)
        self.known.add(mark)


worker = None


def start_worker(day, shim):
    global worker
    worker = Worker(day, shim)


def try_point(point):
    return worker(point)


def in_rows(names):
    """Numbers of the calls, from 0; of a row of equal ones, which are mostly the pages of one
    commit, the first two, the last and every third: a page is two calls, so both are met."""
    return [n for n, name in enumerate(names)
            if n % 3 == 0 or names[n - 2:n] != [name, name] or names[n + 1:n + 2] != [name]]


def candidates(names, kind, thin):
    """Numbers of the calls among which points are chosen."""
    if thin and kind != "kills" and not kind.startswith("nomem"):
        return in_rows(names)
    return range(len(names))


def survive(day, shim, plan, thin, seed, report):
    """The points of every (word, kind, every) of the plan, each so many-th of them, from another
    one on for another seed; thin: without most of the calls that are equal.
    report(word, kind, every, points, failures) after each."""
    servers = Servers(day.runner.pbm, shim, day.folder)
    with multiprocessing.Pool(os.cpu_count(), start_worker, (day, shim)) as pool:
        for word, kind, every in plan:
            steps = [i for i, step in enumerate(day.steps) if step.word == word]
            names = {i: count_points(day, servers, day.steps[i], kind) for i in steps}
            points = [(i, kind, n + 1) for i in steps
                      for n in candidates(names[i], kind, thin)[seed % every::every]]
            failures = [(point, names[point[0]][point[2] - 1], why) for point, why in
                        pool.imap_unordered(try_point, points, 16) if why]
            report(word, kind, every, len(points), sorted(failures))
    servers.close()
