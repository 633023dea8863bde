"""A site of an older layout, and an upgrade that is killed at each point: the next one ends as if
nothing had been, and a whole backup of the old site is there before the first change."""
import contextlib
import glob
import hashlib
import os
import shutil
import sqlite3
import subprocess
import tarfile
import tempfile

from points import Model
from runner import Broken

SITES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data", "sites")
FIRST, AGAIN = "2027-01-01T10:00:00Z", "2027-01-01T10:01:00Z"
KINDS = (("kill", -9), ("tear", -9), ("ENOSPC", None), ("EIO", None))


def version(site):
    """Seen in a copy: what a kill left half done must be found by pbm."""
    with tempfile.TemporaryDirectory() as folder:
        for path in glob.glob(site + "/pbm.db*"):
            shutil.copy(path, folder)
        with contextlib.closing(sqlite3.connect(folder + "/pbm.db")) as db:
            return db.execute("PRAGMA user_version").fetchone()[0]


def state(site):
    """Every document, and every row of the database, but for the times of its own work."""
    found = {}
    for folder, _, names in os.walk(site):
        for name in names:
            path = os.path.join(folder, name)
            if path.endswith(".json") or path.endswith(".jsonl"):
                with open(path, "rb") as f:
                    found[os.path.relpath(path, site)] = hashlib.sha256(f.read()).hexdigest()
    with contextlib.closing(sqlite3.connect(site + "/pbm.db")) as db:
        found["pbm.db"] = sorted(line for line in db.iterdump())
    return found


class Upgrade:
    def __init__(self, servers, folder, name):
        self.servers, self.folder, self.name = servers, folder, name
        os.mkdir(folder)
        with tarfile.open("%s/%s.tar.gz" % (SITES, name)) as f:
            f.extractall(folder + "/old")
        (old,) = os.listdir(folder + "/old")
        self.model = Model(folder + "/old/" + old)
        self.site = folder + "/site"
        self.fresh()
        self.before = version(self.site)
        self.run(FIRST)
        self.wanted = state(self.site)
        self.after = version(self.site)

    def fresh(self):
        shutil.rmtree(self.site, ignore_errors=True)
        for path in glob.glob(self.site + "-version-*"):
            os.unlink(path)
        self.model.lay_out(self.site)

    def run(self, now, **fault):
        code, said = self.servers.run(self.site, now, "upgrade", **fault)
        if not fault and code != 0:
            raise Broken("upgrade: exit %d: %s" % (code, said[-600:]))
        return code, said

    def check(self):
        """The site, right after the fault, and after one more upgrade."""
        begun = self.before != version(self.site)
        backups = glob.glob(self.site + "-version-*.tar.zst")
        if begun and not backups:
            raise Broken("changed before there is a backup")
        self.run(AGAIN)
        got = state(self.site)
        if got != self.wanted:
            raise Broken("ends otherwise: %r" % sorted(k for k in got.keys() | self.wanted.keys() if got.get(k) != self.wanted.get(k)))
        code, said = self.servers.run(self.site, AGAIN, "fsck")
        if code != 0 or "clean" not in said:
            raise Broken("fsck: exit %d: %s" % (code, said[-600:]))
        whole = [b for b in glob.glob(self.site + "-version-*.tar.zst")
                 if subprocess.run([self.servers.pbm, "backup", "--verify", b], capture_output=True).returncode == 0]
        if not whole or len(whole) != len(glob.glob(self.site + "-version-*.tar.zst")):
            raise Broken("a backup that is not whole: %r of %r" % (whole, os.listdir(self.folder)))
        strange = [n for n in os.listdir(self.folder) if n not in ("old", "site", "names") and not n.endswith(".tar.zst")]
        if strange:
            raise Broken("left over: %r" % strange)

    def points(self, kind, wanted, every):
        """The number of points that were tried, and those where something went wrong."""
        names, failures = self.folder + "/names", []
        self.fresh()
        self.run(FIRST, kind=kind, at=0, count=names)
        with open(names) as f:
            calls = f.read().split()
        tried = range(1, len(calls) + 1, every)
        for at in tried:
            try:
                self.fresh()
                code, said = self.run(FIRST, kind=kind, at=at)
                if wanted is not None and code not in (wanted, 0):
                    raise Broken("exit %d, expected a kill" % code)
                if wanted is None and code and "pbm: " not in said:
                    raise Broken("exit %d without a word" % code)
                self.check()
            except (Broken, sqlite3.Error) as why:
                failures.append((kind, at, calls[at - 1], str(why)))
        return len(tried), failures


def upgrade(servers, folder, every, report):
    """report(what, points, failures)"""
    for name in ("format-1", "format-8"):
        u = Upgrade(servers, "%s/upgrade-%s" % (folder, name), name)
        for kind, wanted in KINDS:
            n, failures = u.points(kind, wanted, every)
            report("an upgrade from %s: %s at %s point, %d" % (name, kind, "each" if every == 1 else "each %dth" % every, n), n, failures)
