"""The hardened service between real mail servers: IMAP and SMTP with TLS and DNS, a password as
a credential, pbm's own fences inside systemd's; then the sendmail program of Exim."""
import os
import re
import shutil
import smtplib
import ssl

import dns
import exim
from layer import PATIENCE, SOURCE
from systemd import boot, clean, leave_cgroup  # noqa: F401

PACKAGES = ["systemd", "systemd-sysv", "dbus", "exim4-daemon-light", "dovecot-core", "dovecot-imapd", "dovecot-pop3d", "dovecot-lmtpd", "openssl"]
P = 20000
LANDLOCK = 'print "landlock: ", syscall(444, 0, 0, 1), "\\n";'     # its version, or -1
WELL = ("site", "secret", "passwords", "kernel", "source", "source-certificate", "source-login", "sink", "sink-certificate",
        "sink-login", "mx", "spf", "test-mail")


def drop_in(root, name, text):
    root.write("/etc/systemd/system/pbm.service.d/" + name, text)
    root.run("systemctl daemon-reload")


def start(root):
    """One run; what the journal has of it."""
    root.run("systemctl start pbm.service", good=None)
    return root.run("journalctl --no-pager -u pbm.service -o cat | tail -30", good=None)


def beside(root, name, line):
    """Another command, fenced as the service is; its output."""
    root.run("cd /etc/systemd/system && mkdir -p %s.service.d && cp pbm.service.d/* %s.service.d/" % (name, name))
    root.write("/etc/systemd/system/%s.service" % name, re.sub("(?m)^ExecStart=.*", "ExecStart=" + line, root.run("cat /lib/systemd/system/pbm.service")))
    root.run("systemctl daemon-reload")
    root.run("systemctl start %s.service" % name, good=None)
    return root.run("journalctl --no-pager -u %s.service -o cat" % name, good=None)


def mails_of(root, box):
    path = root.path(box)
    return sorted(os.path.join(path, f) for f in os.listdir(path)) if os.path.isdir(path) else []


def write(to, subject, port, server=smtplib.SMTP_SSL, login="alice", **how):
    with server("127.0.0.1", port, local_hostname="alice.example.org", timeout=PATIENCE, **how) as c:
        if login:
            c.login(login, login + "pw")
        c.sendmail("alice@" + to.split("@")[1], [to], "From: alice@%s\r\nTo: %s\r\nSubject: %s\r\nMessage-ID: <%s@alice>\r\n\r\n" % (
            to.split("@")[1], to, subject, os.urandom(8).hex()))


def by_servers(root, t):
    os.makedirs(root.path("/util"))
    for name in ("mailstack.sh", "certs.sh"):
        shutil.copy(SOURCE + "/tests/util/" + name, root.path("/util/" + name))
    root.run("P=%d bash /util/mailstack.sh start /mail" % P)
    root.run("pbm init /var/lib/pbm --host localhost --archive-dir /var/lib/pbm-archive", user="pbm")
    with open(root.path("/var/lib/pbm/pbm.conf"), "a") as f:
        f.write("local-part = game\noperator = carol@localhost\nresolver = %s\nsource-ca = /mail/certs/ca.pem\nsink-ca = /mail/certs/ca.pem\n"
                "source = imaps://game@localhost:%d/INBOX\nsource-password = file:/run/credentials/pbm.service/mail\n"
                "sink = smtps://game@localhost:%d\nsink-password = file:/run/credentials/pbm.service/mail\n" % (dns.ADDRESS, P + 993, P + 465))
    root.write("/etc/pbm-mail", "gamepw\n", mode=0o600)
    drop_in(root, "password.conf", "[Service]\nLoadCredential=mail:/etc/pbm-mail\n")
    root.pbm("user add alice alice@localhost")
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    write("game@localhost", "help", P + 465, context=context)
    root.wait_for(lambda: mails_of(root, "/mail/dovecot/mail/game/new"), "the mail to reach pbm's mailbox")
    said = start(root)
    root.wait_for(lambda: mails_of(root, "/mail/dovecot/mail/alice/new"), "the service's answer, by IMAP and SMTP; it says " + said)
    t.check(True, "the service takes mail by IMAP and answers by SMTP")
    t.check(mails_of(root, "/mail/dovecot/mail/game/.Processed/cur"), "and files it")
    t.check("level=warn" not in said and "level=error" not in said, "without a word: " + said)
    examine(root, t)
    named(root, t)


def examine(root, t):
    """The doctor, with the service's rights: all of its servers, DNS, and the kernel."""
    root.run("sed -i 's|/run/credentials/pbm.service|/run/credentials/look.service|' /var/lib/pbm/pbm.conf")
    said = beside(root, "look", "/usr/bin/pbm -C /var/lib/pbm doctor --test-mail alice@localhost")
    for name in WELL:
        t.check(any(line.split()[:2] == ["ok", name] for line in said.split("\n")), "the doctor, fenced: %s: %s" % (name, said))
    root.write("/landlock.pl", LANDLOCK)
    inside, outside = beside(root, "landlock", "/usr/bin/perl /landlock.pl"), root.run("perl /landlock.pl")
    t.check(outside.strip() in inside, "Landlock is as outside: %r, %r" % (inside, outside))
    root.run("sed -i 's|/run/credentials/look.service|/run/credentials/pbm.service|' /var/lib/pbm/pbm.conf")


def named(root, t):
    """A mail server whose name only DNS knows: its certificate is for another one."""
    root.run("sed -i 's|imaps://game@localhost|imaps://game@imap.example.org|' /var/lib/pbm/pbm.conf")
    said = start(root)
    t.check("certificate" in said, "the reader asks DNS, and looks at names: " + said)


def by_sendmail(root, t):
    root.run("rm -r /var/lib/pbm/* /etc/systemd/system/pbm.service.d; systemctl daemon-reload")
    root.write("/etc/mailname", "games.example.org\n")
    root.write("/etc/exim4/update-exim4.conf.conf", exim.CONF)
    exim.place(root, "pbm_maildir")
    root.run("systemctl restart exim4.service")
    root.wait_for_port(25)
    root.run("useradd -m alice")
    root.make_site(sink="sendmail:/usr/sbin/sendmail")
    root.pbm("user add alice alice@games.example.org")
    write("pbm@games.example.org", "help", 25, smtplib.SMTP, None, source_address=("127.0.0.2", 0))
    root.wait_for(lambda: mails_of(root, "/var/lib/pbm/inbox/new"), "a mail in pbm's Maildir")
    said = start(root)
    waits = root.pbm("outbox")
    t.check("alice" in waits and "Permission denied" in waits, "without sendmail.conf the answer waits, and why: %s %s" % (waits, said))
    drop_in(root, "sendmail.conf", root.ready("systemd/sendmail.conf"))
    root.pbm("outbox retry")
    said = start(root)
    root.wait_for(lambda: mails_of(root, "/home/alice/Maildir/new"), "the answer by way of sendmail; pbm says %s %s" % (said, root.pbm("outbox", good=None)))
    with open(mails_of(root, "/home/alice/Maildir/new")[0]) as f:
        t.check("Return-path: <pbm+" in f.read(), "pbm's own envelope sender")
    t.equal(len(root.pbm("outbox").strip().split("\n")) <= 1, True, "nothing waits")
    said = root.run("systemd-analyze security --no-pager pbm.service", good=None)
    print("systemd-analyze security with sendmail.conf: %s" % said.strip().split("pbm.service: ")[-1].split()[0], flush=True)


def run(root, t):
    leave_cgroup()
    for name in ("dbus.service", "dbus.socket"):
        root.run("ln -sf /dev/null /etc/systemd/system/" + name)
    dns.serve(root)
    dns.TEXTS["localhost"] = "v=spf1 a -all"
    dns.ADDRESSES.update({"imap.example.org": "127.0.0.1", "localhost": "127.0.0.1"})
    boot(root)
    root.run("systemctl stop pbm.timer")
    by_servers(root, t)
    by_sendmail(root, t)
