"""OpenSMTPD with the ready lines in its configuration."""
from mta import Mta

PACKAGES = ["opensmtpd"]


def run(root, t):
    root.write("/etc/mailname", "games.example.org\n")
    root.write("/etc/mail/aliases", "")
    root.write("/etc/aliases", "")
    m = Mta(root, t, "opensmtpd")
    for way in ("Maildir", "pipe"):
        ready = root.ready("opensmtpd/smtpd.conf")
        if way == "pipe":
            ready = ready.replace('$" action "pbm-maildir"', '$" action "pbm-pipe"')
        root.write("/etc/smtpd.conf", 'listen on lo port 25\n%s\naction "local" maildir\n'
                   'match from any for domain "games.example.org" action "local"\nmatch from local for any action "local"\n' % ready)
        root.run("smtpd -n")
        server = root.start("smtpd -d")
        root.wait_for_port(25)
        m.talk(way, way == "Maildir", False)
        server.terminate()
        server.wait()
