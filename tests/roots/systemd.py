"""The service and its timer, under a systemd that boots in the root."""
import os
import subprocess
import time
import zlib

from layer import HERE, Skip

PACKAGES = ["systemd", "systemd-sysv", "dbus"]


def boot(root):
    """systemd as the first process of name spaces of its own."""
    script = ("mount -t sysfs -o ro sysfs {0}/sys && mount -t cgroup2 cgroup2 {0}/sys/fs/cgroup && "
              "mount -t tmpfs tmpfs {0}/tmp && mount -t proc proc {0}/proc && "
              "mount --make-rshared {0} && "      # as at a real boot: services get their credentials that way
              "exec env -i container=pbm-test PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot {0} /lib/systemd/systemd --log-target=console").format(root.at)
    log = open(root.path("/server.log"), "a")
    p = subprocess.Popen(["unshare", "--mount", "--pid", "--cgroup", "--fork", "--kill-child", "sh", "-c", script],
                         stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def state():
        if p.poll() is not None:
            raise Skip("systemd does not boot here: " + open(root.path("/server.log")).read()[-500:])
        return root.run("systemctl is-system-running", good=None).strip() in ("running", "degraded")
    # Commands go into its name spaces: it doesn't speak with processes that it can't see.
    child = root.wait_for(lambda: open("/proc/%d/task/%d/children" % (p.pid, p.pid)).read().split(), "its first process")[0]
    root.enter = ["nsenter", "-t", child, "-m", "-p", "-C"]
    root.wait_for(state, "systemd to boot; " + open(root.path("/server.log")).read()[-800:])


def group():
    top = "/sys/fs/cgroup/unified" if os.path.isdir("/sys/fs/cgroup/unified") else "/sys/fs/cgroup"
    return "%s/pbm-test-%08x" % (top, zlib.crc32(HERE.encode()))


def leave_cgroup():
    """A group of its own, below which systemd may make others."""
    try:
        os.makedirs(group(), exist_ok=True)
        with open(group() + "/cgroup.procs", "w") as f:
            f.write("0")
    except OSError as why:
        raise Skip("no cgroup for systemd: %s" % why)


def clean():
    """The groups, once nobody is in them."""
    for folder, _, _ in os.walk(group(), topdown=False):
        for _ in range(100):
            try:
                os.rmdir(folder)
                break
            except OSError:
                time.sleep(0.05)      # the kernel is ending their processes


def run(root, t):
    leave_cgroup()
    for name in ("dbus.service", "dbus.socket"):
        root.run("ln -sf /dev/null /etc/systemd/system/" + name)
    boot(root)
    root.run("systemctl is-enabled pbm.timer")
    root.run("systemctl start pbm.service", good=None)
    t.check("condition" in root.run("systemctl status pbm.service", good=None).lower(), "nothing runs before there is a site")
    root.make_site()
    root.pbm("user add alice alice@example.org --password-stdin", stdin="alice-pw\n")
    root.pbm("user add bob bob@example.org")
    with open(root.path("/var/lib/pbm/pbm.conf"), "a") as f:
        f.write("archive-dir = /var/lib/pbm-archive\n")
    for who, line in (("alice", "chess challenge alice bob -unrated"), ("bob", "accept 1"), ("alice", "move 1 e4"), ("bob", "move 1 e5")):
        root.pbm("talk " + who, stdin=line + "\n")
    sent = len(os.listdir(root.path("/var/lib/pbm/sent/new")))
    root.run("rm -rf /var/lib/pbm-archive/*")
    root.write("/var/lib/pbm/inbox/new/1", "From: alice@example.org\nTo: pbm@games.example.org\nSubject: resign 1 alice alice-pw\n"
               "Message-ID: <1@example.org>\n\n", "pbm", 0o600)
    said = root.run("systemctl start pbm.service; journalctl --no-pager -u pbm.service | tail -20", good=None)
    t.check("status=" not in said and len(os.listdir(root.path("/var/lib/pbm/sent/new"))) > sent, "the hardened service answers a mail: %s %s" %
            (said, root.run("systemctl status --no-pager -l pbm.service", good=None)))
    t.check(os.path.exists(root.path("/var/lib/pbm-archive/games/000/1.html")), "and writes the archive")
    shown = root.run("systemctl show pbm.service -p NoNewPrivileges -p ProtectSystem -p ExecMainStatus -p User")
    for want in ("NoNewPrivileges=yes", "ProtectSystem=strict", "ExecMainStatus=0", "User=pbm"):
        t.check(want in shown, "%s: %s" % (want, shown))
    said = root.run("systemd-analyze security --no-pager pbm.service", good=None)
    level = float(said.strip().split("pbm.service: ")[-1].split()[0])
    t.check(level < 2.0, "exposure %.1f" % level)
    print("systemd-analyze security: %.1f" % level, flush=True)
    root.write("/var/lib/pbm/inbox/new/2", "From: alice@example.org\nTo: pbm@games.example.org\nSubject: who\n"
               "Message-ID: <2@example.org>\n\n", "pbm", 0o600)
    root.run("systemctl start pbm.timer")
    root.wait_for(lambda: not os.path.exists(root.path("/var/lib/pbm/inbox/new/2")), "the timer to start a run")
    t.check(True, "the timer starts runs")
