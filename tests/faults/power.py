"""The power goes: what the program said is safe must be found on the disk.  The
site is on an ext4 image; the program is stopped before one of its calls, and a
copy of the image shows what had reached the disk by then.  What only lay in
memory is not in it."""
import os
import shutil
import signal
import subprocess
import time

from day import DELIVERED, NOW, compare
from points import collect, count_points
from runner import Broken

IMAGE_MIB = 40
# The kernel's own flushes would hide a forgotten one: none for five minutes.
OPTIONS = "loop,commit=300"


class Image:
    def __init__(self, path, folder, options=OPTIONS):
        self.path, self.folder = path, folder
        os.makedirs(folder, exist_ok=True)
        subprocess.run(["mount", "-t", "ext4", "-o", options, path, folder], check=True,
                       capture_output=True)

    def close(self):
        for _ in range(6000):
            if subprocess.run(["umount", self.folder], capture_output=True).returncode == 0:
                return
            time.sleep(0.05)       # a parser whose parent was killed is about to go
        raise Broken("%s is busy" % self.folder)


def make_image(day, start):
    """An image with the site start on it."""
    path = os.path.join(day.folder, os.path.basename(start) + ".img")
    with open(path, "wb") as f:
        f.truncate(IMAGE_MIB << 20)
    subprocess.run(["mkfs.ext4", "-q", "-E", "lazy_itable_init=0,lazy_journal_init=0", path], check=True)
    image = Image(path, day.folder + "/live")
    shutil.copytree(start, image.folder + "/site")
    image.close()
    return path


class Ended(Exception):
    """The run was over before the call: it makes a few less on this disk."""


def run_until(day, site, shim, step, at, lies):
    """Stops the step before its call number at; the process."""
    env = dict(os.environ, LD_PRELOAD=shim, FAULT="stop", FAULT_AT=str(at), **lies)
    with open(step.mail or os.devnull, "rb") as mail:
        p = subprocess.Popen([day.runner.pbm, "-C", ".", "--now", NOW, step.word], cwd=site, env=env,
                             stdin=mail, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status = os.waitpid(p.pid, os.WUNTRACED)
    if not os.WIFSTOPPED(status):
        raise Ended
    return p


def cut(day, shim, base, number, at, lies):
    """Mails up to the step's own are delivered and answered; then the power goes."""
    live, dead = day.folder + "/live.img", day.folder + "/dead.img"
    shutil.copy(base, live)
    image = Image(live, day.folder + "/live")
    try:
        for step in day.steps[1:number]:
            code, said = day.runner.run(image.folder + "/site", NOW, "deliver", step.mail,
                                        dict(LD_PRELOAD=shim, **lies))
            if code not in DELIVERED:
                raise Broken("deliver: exit %d: %s" % (code, said))
        process = run_until(day, image.folder + "/site", shim, day.steps[number], at, lies)
        try:
            shutil.copy(live, dead)
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()
    finally:
        image.close()
    return dead


def mailed(day):
    """The steps that follow each other on one site; the computers' has a site of its own."""
    return [step for step in day.steps if step.word != "think"]


def go_on(day, dead, number):
    """The machine is up again: what was not answered comes once more."""
    image = Image(dead, day.folder + "/dead", "loop")
    try:
        site = image.folder + "/site"
        collected = collect(site)
        for step in mailed(day)[number:] if number else []:
            code, said = day.runner.run(site, NOW, "deliver", step.mail)
            if code not in DELIVERED:
                raise Broken("deliver: exit %d: %s" % (code, said))
        compare(day.finish(day.runner, site, collected), mailed(day)[-1 if number else 0].end)
    finally:
        image.close()


def cuts_of(day, servers, every):
    """(step, call): each so many-th call of the day, by both ways."""
    calls = [(i, at + 1) for i, step in enumerate(mailed(day))
             for at in range(len(count_points(day, servers, step, "stop")))]
    return calls[every // 2::every]


def power(day, servers, every):
    """(how many cuts, failures); None when this machine lets us mount nothing."""
    try:
        make_image(day, day.start)
    except subprocess.CalledProcessError:
        return None
    bases = {"tick": make_image(day, day.start), "deliver": make_image(day, day.steps[1].start)}
    failures, done = [], 0
    for number, at in cuts_of(day, servers, every):
        step = day.steps[number]
        try:
            go_on(day, cut(day, servers.shim, bases[step.word], number, at, {}), number)
            done += 1
        except Ended:
            pass
        except Broken as why:
            done += 1
            failures.append(("%s %d" % (step.word, number), at, str(why)))
    # A disk that only says that it flushed must be found out, or the test is blind.
    try:
        go_on(day, cut(day, servers.shim, bases["deliver"], 5, 1, {"FAULT_LIES": "1"}), 5)
        failures.append(("lies", 1, "a disk that forgets was not noticed"))
    except Broken:
        pass
    return done, failures
