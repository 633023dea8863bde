"""A disk that is really full: a small file system, filled to every degree."""
import os
import shutil
import subprocess

from day import NOW, compare
from points import collect
from runner import Broken

SIZE = 12 << 20
KIB = 1024
TRY_AGAIN = 75


class Disk:
    """A tmpfs with the day's site on it, all but so many KiB of the rest taken."""

    def __init__(self, day, reserve):
        self.mount = os.path.join(day.folder, "disk")
        os.makedirs(self.mount, exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=%d" % SIZE, "tmpfs", self.mount], check=True,
                       capture_output=True)
        self.site, self.ballast = self.mount + "/site", self.mount + "/ballast"
        shutil.copytree(day.start, self.site)
        with open(self.site + "/pbm.conf", "a") as f:
            f.write("disk-reserve = %d\n" % reserve)

    def leave(self, kib):
        """Takes what is left but so much."""
        st = os.statvfs(self.mount)
        with open(self.ballast, "wb") as f:
            os.posix_fallocate(f.fileno(), 0, max(1, st.f_bavail * st.f_frsize - kib * KIB))

    def empty(self):
        os.unlink(self.ballast)

    def close(self):
        subprocess.run(["umount", self.mount], check=True)


def same_end(day, servers, disk, collected, told):
    """The operator was told so many times, and nothing else differs."""
    end = day.finish(servers, disk.site, collected)
    extra = [m for m in end["sent"] if m[1] == "root@pbm.example.org" and b"nearly full" in m[2]]
    if len(extra) != told:
        raise Broken("the operator was told %d times" % len(extra))
    end["sent"] = [m for m in end["sent"] if m not in extra]
    end["files"]["pbm.conf"] = day.end["files"]["pbm.conf"]
    compare(end, day.end)


def fill_to(day, servers, kib):
    """No reserve: the run hits the end wherever that is."""
    disk = Disk(day, 0)
    try:
        disk.leave(kib)
        code, said = servers.run(disk.site, NOW, "tick")
        if code not in (0, TRY_AGAIN) or (code and "pbm: " not in said):
            raise Broken("%d KiB left: exit %d: %s" % (kib, code, said[-400:]))
        disk.empty()
        same_end(day, servers, disk, collect(disk.site), 0)
        return code
    except Broken as why:
        raise Broken("%d KiB left: %s" % (kib, why)) from None
    finally:
        disk.close()


def reserve_holds(day, servers):
    """Below the reserve no mail is taken by either way, and the operator is told once."""
    disk, mail = Disk(day, 2), day.steps[1].mail
    try:
        waiting = sorted(os.listdir(disk.site + "/inbox/new"))
        disk.leave(1500)
        for word in ("tick", "tick", "deliver"):
            code, said = servers.run(disk.site, NOW, word, mail if word == "deliver" else None)
            if code != TRY_AGAIN or "disk-reserve" not in said:
                raise Broken("%s below the reserve: exit %d: %s" % (word, code, said[-400:]))
        if sorted(os.listdir(disk.site + "/inbox/new")) != waiting:
            raise Broken("mails were taken below the reserve")
        collected = collect(disk.site)
        if not any(b"nearly full" in m[2] for m in collected):
            raise Broken("the operator was not told before there was room again")
        disk.empty()
        same_end(day, servers, disk, collected, 1)
    finally:
        disk.close()


def full_disk(day, servers, step):
    """The number of degrees that were tried, and how many of them stopped the run; None when
    this machine lets us mount nothing."""
    try:
        Disk(day, 0).close()
    except subprocess.CalledProcessError:
        return None
    reserve_holds(day, servers)
    stopped = [fill_to(day, servers, kib) != 0 for kib in range(0, 2800, step)]
    if not any(stopped) or all(stopped):
        raise Broken("the degrees are badly chosen: all runs ended alike")
    return len(stopped) + 1, sum(stopped)
