"""Postfix as Debian configures it, with the ready files, OpenDKIM and OpenDMARC."""
import dns
from mta import Mta

PACKAGES = ["postfix", "opendkim", "opendmarc"]


def run(root, t):
    root.write("/etc/mailname", "games.example.org\n")
    m = Mta(root, t, "postfix", authserv_id="games.example.org")
    root.write("/etc/postfix/pbm_header_checks", root.ready("postfix/header_checks"))
    root.run("cp /usr/share/postfix/main.cf.debian /etc/postfix/main.cf")
    root.run("postconf -e myhostname=games.example.org mydestination='games.example.org, localhost' inet_interfaces=127.0.0.1 "
             "inet_protocols=ipv4 mynetworks= home_mailbox=Maildir/ maillog_file=/dev/stdout maillog_file_prefixes=/dev "
             "smtp_dns_support_level=disabled alias_maps= alias_database=")
    root.run("cat >>/etc/postfix/main.cf", stdin="".join(
        line + "\n" for line in root.ready("postfix/main.cf").split("\n") if line and line[0] != "#"))
    root.write("/etc/opendkim.conf", root.ready("postfix/opendkim.conf").replace("Syslog			yes", "Syslog			no") + "Nameservers %s\n" % dns.ADDRESS)
    root.write("/etc/opendmarc.conf", root.ready("postfix/opendmarc.conf").replace("Syslog			yes", "Syslog			no"))
    root.run("mkdir -p /run/opendkim /run/opendmarc && chown opendkim /run/opendkim && chown opendmarc /run/opendmarc")
    root.start("opendkim -f -x /etc/opendkim.conf")
    root.start("opendmarc -f -c /etc/opendmarc.conf")
    root.wait_for_port(8891)
    root.wait_for_port(8893)
    root.run("newaliases; postfix check")
    root.start("postfix start-fg")
    root.wait_for_port(25)
    for way in ("Maildir", "pipe"):
        root.write("/var/lib/pbm/.forward", root.ready("postfix/forward." + way.lower()), "pbm", 0o600)
        m.talk(way, way == "Maildir", True)
