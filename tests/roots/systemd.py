"""The service and its timer, under a systemd that boots in the root."""
import os
import subprocess

from layer import Skip

PACKAGES = ["systemd", "systemd-sysv", "dbus"]


def boot(root):
    """systemd as the first process of name spaces of its own."""
    script = ("mount -t sysfs -o ro sysfs {0}/sys && mount -t cgroup2 cgroup2 {0}/sys/fs/cgroup && "
              "mount -t tmpfs tmpfs {0}/tmp && mount -t proc proc {0}/proc && "
              "exec env -i container=pbm-test PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot {0} /lib/systemd/systemd --log-target=console").format(root.at)
    log = open(root.path("/server.log"), "a")
    p = subprocess.Popen(["unshare", "--mount", "--pid", "--cgroup", "--fork", "--kill-child", "sh", "-c", script],
                         stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def state():
        if p.poll() is not None:
            raise Skip("systemd does not boot here: " + open(root.path("/server.log")).read()[-500:])
        return root.run("systemctl is-system-running", good=None).strip() in ("running", "degraded")
    root.wait_for(state, "systemd to boot; " + open(root.path("/server.log")).read()[-800:])


def leave_cgroup():
    """A group of its own, below which systemd may make others."""
    top = "/sys/fs/cgroup/unified" if os.path.isdir("/sys/fs/cgroup/unified") else "/sys/fs/cgroup"
    group = top + "/pbm-test-%d" % os.getppid()
    try:
        os.makedirs(group, exist_ok=True)
        with open(group + "/cgroup.procs", "w") as f:
            f.write("0")
    except OSError as why:
        raise Skip("no cgroup for systemd: %s" % why)
    return group


def run(root, t):
    leave_cgroup()
    for name in ("dbus.service", "dbus.socket"):
        root.run("ln -sf /dev/null /etc/systemd/system/" + name)
    boot(root)
    root.run("systemctl is-enabled pbm.timer")
    root.run("systemctl start pbm.service")
    t.check("condition" in root.run("systemctl status pbm.service", good=None).lower(), "nothing runs before there is a site")
    root.make_site()
    root.pbm("user add alice alice@example.org")
    with open(root.path("/var/lib/pbm/pbm.conf"), "a") as f:
        f.write("archive-dir = /var/lib/pbm-archive\n")
    root.write("/var/lib/pbm/inbox/new/1", "From: alice@example.org\nTo: pbm@games.example.org\nSubject: help\n"
               "Message-ID: <1@example.org>\n\n", "pbm", 0o600)
    root.run("systemctl start pbm.service")
    root.run("grep -l '^Delivered-To: alice@example.org' /var/lib/pbm/sent/new/*")
    t.check(True, "the hardened service answers a mail")
    t.check(os.path.exists(root.path("/var/lib/pbm-archive/index.html")), "and writes the archive")
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
    root.wait_for(lambda: len(os.listdir(root.path("/var/lib/pbm/sent/new"))) == 2, "the timer to start a run")
    t.check(True, "the timer starts runs")
