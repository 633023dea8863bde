"""Faults inside libexec's programs, one in each run: what parses mails loses none, and a backup is
whole or not there."""
import os
import shutil
import subprocess

from day import NOW, compare, state
from points import check_exit, collect
from runner import Broken

PARSE = [(kind, at) for kind in ("kill", "EIO", "short") for at in (1, 2, 4, 5, 7, 10, 13, 19, 20, 31, 44)]
BACKUP = [(kind, at) for kind in ("kill", "tear", "EIO", "ENOSPC", "EREAD") for at in (1, 2, 3, 5, 9, 20, 60, 150)]


def fault(shim, program, kind, at):
    return dict(LD_PRELOAD=shim, FAULT=kind, FAULT_AT=str(at), FAULT_IN=program)


def parse(day, shim, kind, at, site):
    """Whether the run noticed it."""
    shutil.copytree(day.start, site)
    code, said = day.runner.run(site, NOW, "tick", None, fault(shim, "pbm-parse", kind, at))
    check_exit("EIO", code, said)
    compare(day.finish(day.runner, site, collect(site)), day.end)
    return code != 0


def pbm(day, words, env=None):
    done = subprocess.run([day.runner.pbm, "-q", *words], env=dict(os.environ, **(env or {})), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    return done.returncode, done.stdout.decode(errors="replace")


def restored(day, path, site):
    """What the backup holds, to be compared."""
    code, said = pbm(day, ["restore", path, site])
    if code != 0:
        raise Broken("restore: exit %d: %s" % (code, said))
    found = state(site, [])
    shutil.rmtree(site)
    return found


def backup(day, shim, kind, at, site):
    """A backup, and then one that is restored: a fault in either, and then none."""
    shutil.copytree(day.start, site)
    saved, copy = site + ".tar", site + ".copy"
    shutil.rmtree(copy, ignore_errors=True)
    if os.path.exists(saved):
        os.unlink(saved)
    met = 0
    for words, made in ((["-C", site, "backup", saved], saved), (["restore", saved, copy], copy + "/pbm.conf")):
        code, said = pbm(day, words, fault(shim, "pbm-backup", kind, at))
        if code != 0 and not (code == -9 and kind in ("kill", "tear")) and "pbm: " not in said:
            raise Broken("%s: exit %d: %s" % (words[-2], code, said))
        if (code == 0) != os.path.exists(made):
            raise Broken("%s: exit %d, and %s is %sthere" % (words[-2], code, made, "not " if code == 0 else ""))
        met += code != 0
        if made == saved and code != 0:
            code, said = pbm(day, words)
            if code != 0:
                raise Broken("the next backup: exit %d: %s" % (code, said))
    shutil.rmtree(copy, ignore_errors=True)
    compare(restored(day, saved, copy), day.saved)
    return met


def programs(day, shim):
    """(what, tries, failures) for each program."""
    whole = day.folder + "/whole.tar"
    if pbm(day, ["-C", day.start, "backup", whole])[0] != 0:
        raise Broken("no backup of the undisturbed site")
    day.saved = restored(day, whole, day.folder + "/whole")
    for program, trial, plan in (("pbm-parse", parse, PARSE), ("pbm-backup", backup, BACKUP)):
        failures, met = [], 0
        for kind, at in plan:
            site = os.path.join(day.folder, "programs")
            try:
                met += trial(day, shim, kind, at, site)
            except Broken as why:
                failures.append((kind, at, str(why)))
            finally:
                shutil.rmtree(site, ignore_errors=True)
        if met < len(plan) // 4:
            failures.append(("seldom", met, "the points are badly chosen: hardly a run noticed its fault"))
        yield "faults inside %s, %d runs failed" % (program, met), len(plan) + 1, failures
