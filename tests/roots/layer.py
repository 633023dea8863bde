"""Roots of a fresh Debian, in layers: the smallest system, packages on it, and what a part
of the test does with them."""
import fcntl
import hashlib
import importlib
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
import traceback

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HERE = SOURCE + "/build/roots"
SUITE = "bookworm"
PATIENCE = 120


class Skip(Exception):
    """The part can't run here; the reason."""


class Tally:
    """Each check is a test of its own; a failed one is printed at once."""

    def __init__(self):
        self.passed = self.failed = 0

    def check(self, right, what):
        self.passed += bool(right)
        if not right:
            self.failed += 1
            print("FAILED: " + what, flush=True)
        return bool(right)

    def equal(self, got, wanted, what):
        return self.check(got == wanted, "%s: %.600r instead of %.600r" % (what, got, wanted))


def tool(name):
    if not shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin"):
        raise Skip("there is no " + name)


def base():
    """The smallest system, made once."""
    root = HERE + "/base"
    if os.path.exists(root + "/etc/debian_version"):
        return root
    tool("mmdebstrap")
    os.makedirs(HERE, exist_ok=True)
    shutil.rmtree(root + ".new", ignore_errors=True)
    r = subprocess.run(apart("mmdebstrap", "--variant=minbase", "--quiet", SUITE, root + ".new", network=True),
                       stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if r.returncode:
        raise Skip("no fresh root: " + r.stderr[-300:])
    with open(root + ".new/usr/sbin/policy-rc.d", "w") as f:
        f.write("#!/bin/sh\nexit 101\n")          # no server starts by itself
    os.chmod(root + ".new/usr/sbin/policy-rc.d", 0o755)
    with open(root + ".new/etc/hosts", "w") as f:
        f.write("127.0.0.1 games.example.org localhost\n")
    os.rename(root + ".new", root)
    return root


def mount(lower, upper, at):
    for d in (upper, upper + ".work", at):
        os.makedirs(d, exist_ok=True)
    os.chmod(upper, 0o755)
    subprocess.run(["mount", "-t", "overlay", "overlay", "-o", "lowerdir=%s,upperdir=%s,workdir=%s.work" %
                    (":".join(lower), upper, upper), at], check=True)
    subprocess.run(["mount", "-t", "proc", "proc", at + "/proc"], check=True)
    subprocess.run(["mount", "--rbind", "/dev", at + "/dev"], check=True)
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", at + "/run"], check=True)
    os.makedirs(at + "/run/lock", exist_ok=True)


def apart(*command, network=False):
    """The words of a command with mounts and processes of its own.  However its parent ends, the
    kernel ends it, all that it has started, and their mounts."""
    return ["setpriv", "--pdeathsig", "KILL", "unshare", "--mount", "--pid", "--uts", "--mount-proc", "--fork", "--kill-child",
            *([] if network else ["--net"]), *command]


def call_apart(code, *args, network=False):
    """Calls layer.CODE(args) there."""
    return subprocess.run(apart(sys.executable, "-B", os.path.abspath(__file__), code, *args, network=network), stdin=subprocess.DEVNULL)


def install_layer(upper, *packages):
    """In call_apart(): the packages, with those they depend on, from Debian."""
    at = upper + ".root"
    mount([HERE + "/base"], upper, at)
    os.makedirs(HERE + "/debs/partial", exist_ok=True)
    subprocess.run(["mount", "--bind", HERE + "/debs", at + "/var/cache/apt/archives"], check=True)
    shutil.copy("/etc/resolv.conf", at + "/etc/resolv.conf")
    env = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C"}
    for words in (["update"], ["-y", "--no-install-recommends", "install", *packages]):
        with open(upper + ".log", "a") as log:
            r = subprocess.run(["chroot", at, "apt-get", "-qq", "-o", "Acquire::Retries=3", *words], env=env, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        if r.returncode:
            return 1
    return 0


def layer(packages):
    """A folder with these packages on the base, made once."""
    base()
    if not packages:
        return None
    name = HERE + "/" + hashlib.sha256(" ".join(packages).encode()).hexdigest()[:12]
    if not os.path.exists(name + ".done"):
        for d in (name, name + ".work"):
            shutil.rmtree(d, ignore_errors=True)
        if call_apart("install_layer", name, *packages, network=True).returncode:
            raise Skip("can't install %s; see %s.log" % (" ".join(packages), name))
        open(name + ".done", "w").close()
    return name


def library_packages(deb):
    """The package's own dependencies, for the layers below it."""
    text = subprocess.run(["dpkg-deb", "-f", deb, "Depends"], capture_output=True, text=True, check=True).stdout
    return [d.split("(")[0].split("|")[0].strip() for d in text.split(",")]


class Root:
    """A root that is mounted in this process's name spaces."""

    def __init__(self, at, deb, t):
        self.at, self.deb, self.t = at, deb, t
        self.servers = []
        self.enter = []          # what comes before chroot, for a part with more name spaces

    def path(self, name):
        return self.at + name

    def run(self, line, user=None, stdin="", good=(0,)):
        """A shell line in the root; its output.  good: exit codes that are right, None: all."""
        words = self.enter + ["chroot"] + (["--userspec=%s:%s" % (user, user)] if user else []) + [self.at, "sh", "-c", line]
        env = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive",
               "LC_ALL": "C.UTF-8", "HOME": "/", "SYSTEMD_IGNORE_CHROOT": "1"}
        r = subprocess.run(words, input=stdin, capture_output=True, text=True, env=env)
        if good is not None and r.returncode not in good:
            raise AssertionError("%s: exit %d\n%s%s" % (line, r.returncode, r.stdout[-1500:], r.stderr[-1500:]))
        return r.stdout + r.stderr

    def start(self, line):
        """A server, which ends with the part."""
        log = open(self.path("/server.log"), "a")
        p = subprocess.Popen(["chroot", self.at, "sh", "-c", "exec " + line], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.servers.append(p)
        return p

    def wait_for(self, condition, what):
        end = time.monotonic() + PATIENCE
        while True:
            found = condition()
            if found:
                return found
            if time.monotonic() > end:
                raise AssertionError("waited in vain for " + what)
            time.sleep(0.02)

    def wait_for_port(self, port):
        def is_open():
            with socket.socket() as s:
                return s.connect_ex(("127.0.0.1", port)) == 0
        self.wait_for(is_open, "port %d; %s" % (port, open(self.path("/server.log")).read()[-800:]))

    def install_pbm(self):
        shutil.copy(self.deb, self.path("/pbm.deb"))
        self.run("dpkg -i /pbm.deb")

    def ready(self, name):
        """The text of a ready file, as the package brings it."""
        return self.run("cat /usr/share/doc/pbm/examples/%s 2>/dev/null || zcat /usr/share/doc/pbm/examples/%s.gz" % (name, name))

    def write(self, name, text, owner=None, mode=0o644):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w") as f:
            f.write(text)
        os.chmod(self.path(name), mode)
        if owner:
            self.run("chown %s: %s" % (owner, name))

    def make_site(self, **conf):
        self.run("pbm init /var/lib/pbm --host games.example.org", user="pbm")
        conf = {k.replace("_", "-"): v for k, v in conf.items()}
        path = self.path("/var/lib/pbm/pbm.conf")
        with open(path) as f:
            kept = [line for line in f if line.split("=")[0].strip() not in conf]  # a setting twice is an error
        with open(path, "w") as f:
            f.writelines(kept + ["%s = %s\n" % row for row in conf.items()])

    def pbm(self, words, **how):
        return self.run("pbm -C /var/lib/pbm " + words, user="pbm", **how)


def lo_up():
    with socket.socket() as s:
        flags = struct.pack("16sh", b"lo", 0x1 | 0x40)
        fcntl.ioctl(s, 0x8914, flags)


def part(name, deb, lower):
    """In call_apart(): one part; its numbers go to build/roots/NAME.sum."""
    t, upper = Tally(), HERE + "/scratch." + name
    module = importlib.import_module(name)
    try:
        if not getattr(module, "NETWORK", False):
            lo_up()
        socket.sethostname("games.example.org")
        mount([d for d in lower.split(":") if d], upper, upper + ".root")
        if getattr(module, "NETWORK", False):
            shutil.copy("/etc/resolv.conf", upper + ".root/etc/resolv.conf")
        root = Root(upper + ".root", deb, t)
        if getattr(module, "INSTALLED", True):
            root.install_pbm()
        module.run(root, t)
    except Skip as why:
        print("skipped: %s: %s" % (name, why), flush=True)
    except Exception:
        t.check(False, name + ": " + traceback.format_exc())
    with open(HERE + "/" + name + ".sum", "w") as f:
        f.write("%d %d" % (t.passed, t.failed))
    return 0


def remove_scratch(name):
    for end in ("", ".work", ".root"):
        shutil.rmtree(HERE + "/scratch." + name + end, ignore_errors=True)


def run_part(module, deb, t):
    """Makes the layers of a part and runs it; adds its numbers to t."""
    name, start = module.__name__, time.monotonic()
    if os.getuid() != 0:
        raise Skip("only root may make roots")
    tool("unshare")
    packages = getattr(module, "PACKAGES", [])
    above = layer(library_packages(deb) + packages) if packages is not None else None
    lower = ":".join(filter(None, [above, base()]))
    remove_scratch(name)
    if os.path.exists(HERE + "/" + name + ".sum"):
        os.unlink(HERE + "/" + name + ".sum")
    try:
        call_apart("part", name, deb, lower, network=getattr(module, "NETWORK", False))
    finally:
        getattr(module, "clean", lambda: None)()
    try:
        passed, failed = map(int, open(HERE + "/" + name + ".sum").read().split())
    except FileNotFoundError:
        passed, failed = 0, 1
        print("FAILED: %s: did not come to its end" % name)
    if not failed:           # else somebody wants to look at it
        remove_scratch(name)
    t.passed, t.failed = t.passed + passed, t.failed + failed
    print("%-12s %3d passed, %d failed, %5.1f s" % (name, passed, failed, time.monotonic() - start), flush=True)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    sys.path.insert(0, SOURCE + "/tests/roots")
    sys.modules["layer"] = sys.modules["__main__"]
    sys.exit(globals()[sys.argv[1]](*sys.argv[2:]))
