"""Servers that nobody should trust with a password: none gets one."""
import base64
import socket
import ssl
import threading

from world import DAY, HOUR, Site, at

TALKS = {       # greeting, how abilities are asked for and told, how TLS begins
    "imap": ("* OK here", {"CAPABILITY": "* CAPABILITY IMAP4rev1 {tls}SASL-IR AUTH=PLAIN\r\n{tag} OK"},
             "STARTTLS", "{tag} OK begin", "+ ", "{tag} NO"),
    "pop3": ("+OK here", {"CAPA": "+OK\r\nUSER\r\n{tls}\r\nSASL PLAIN\r\n."}, "STLS", "+OK begin", "+ ", "-ERR no"),
    "smtp": ("220 here", {"EHLO": "250-here\r\n{tls}250 AUTH PLAIN LOGIN", "HELO": "250 here"},
             "STARTTLS", "220 begin", "334 ", "500 no"),
}
TLS_WORD = {"imap": "STARTTLS ", "pop3": "STLS", "smtp": "250-STARTTLS\r\n"}
SECRETS = [b"gamepw", base64.b64encode(b"\0game\0gamepw"), base64.b64encode(b"game\0game\0gamepw"),
           base64.b64encode(b"gamepw")]


class Trap:
    """A server with a certificate (None: without TLS) that notes every line it is told."""

    def __init__(self, folder, scheme, cert):
        self.kind, self.at_once = scheme[:4], scheme.endswith("s") and cert is not None
        self.heard, self.visits, self.context = [], 0, None
        if cert:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain("%s/%s.pem" % (folder, cert), "%s/%s.key" % (folder, cert))
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                s = self.listener.accept()[0]
            except OSError:
                return
            self.visits += 1
            threading.Thread(target=self.serve, args=(s,), daemon=True).start()

    def serve(self, s):
        try:
            self.talk(s)
        except OSError:
            pass
        s.close()

    def talk(self, s):
        greeting, asked, begin, begun, go_on, no = TALKS[self.kind]
        if self.at_once:
            s = self.context.wrap_socket(s, server_side=True)
        lines, in_tls = s.makefile("rb"), self.at_once
        s.sendall(greeting.encode() + b"\r\n")
        while line := lines.readline(4096):
            self.heard.append(line)
            words = line.decode("latin-1").split() + ["", ""]
            tag, word = (words[0], words[1].upper()) if self.kind == "imap" else ("", words[0].upper())
            tls = TLS_WORD[self.kind] if self.context and not in_tls else ""
            start_tls = word == begin and self.context
            answer = begun if start_tls else asked.get(word, go_on if word.startswith("AUTH") else no)
            s.sendall(answer.format(tag=tag, tls=tls).replace("\r\n\r\n", "\r\n").encode() + b"\r\n")
            if start_tls:
                s = self.context.wrap_socket(s, server_side=True)
                lines, in_tls = s.makefile("rb"), True

    def close(self):
        self.listener.close()


MAIL = """Return-Path: <alice@localhost>
From: alice@localhost
To: game@localhost
Subject: help
Message-ID: <%d.doors@localhost>

"""


class Doors:
    """A site that fetches and a site that sends, each with one end in Maildirs."""

    def __init__(self, t, stack, pbm, folder):
        self.t, self.stack, self.mails = t, stack, 0
        self.reader = Site(stack, pbm, folder + "/door-in", sink="maildir:sent")
        self.writer = Site(stack, pbm, folder + "/door-out", source="maildir:inbox")
        self.writer.user("alice")

    def knock(self, scheme, cert, known=True, told=False):
        sends = scheme.startswith("smtp")
        site, end = (self.writer, "sink") if sends else (self.reader, "source")
        trap = Trap(self.stack.dir + "/certs", scheme, cert)
        site.conf(**{end: "%s://game@localhost:%d" % (scheme, trap.port),
                     end + "_ca": self.stack.dir + "/certs/ca.pem" if known else ""})
        if sends:
            self.mails += 1
            with open("%s/inbox/new/%d" % (site.dir, self.mails), "w") as f:
                f.write(MAIL % self.mails)
        r = site.run("tick", now=at(self.mails * 2 * HOUR), good=range(80) if sends else [75])
        trap.close()
        what = "%s with %s certificate%s: " % (scheme, cert or "no", "" if known else " by nobody known")
        self.t.check(trap.visits, what + "nobody came")
        self.t.check("gamepw" not in r.stderr, what + "the log has the password")
        heard = any(w in line for line in trap.heard for w in SECRETS)
        self.t.check(heard == told, what + "the password is%s among %r" % ("" if heard else " not", trap.heard))


def doors(t, stack, pbm, folder):
    d = Doors(t, stack, pbm, folder)
    for scheme in "imaps", "imap", "pop3s", "pop3", "smtps", "smtp":
        for cert in "wronghost", "expired", "self", None:
            d.knock(scheme, cert)
        d.knock(scheme, "good", known=False)
        # The trap does work: who shows the right certificate hears the password.
        d.knock(scheme, "good", told=True)
    d.writer.conf(sink="smtps://game@localhost:%d" % stack.port("smtps"), sink_ca=stack.dir + "/certs/ca.pem")
    d.writer.tick(now=at(2 * DAY))
    t.equal(len(stack.fetch("alice")), d.mails, "answers that waited before the doors")
