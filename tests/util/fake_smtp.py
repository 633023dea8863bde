#!/usr/bin/env python3
"""A submission server that does what it is told, for tests of the client.

    tests/util/fake_smtp.py CERTS

Each line on standard input, LOG [option | STAGE=ACTION]..., is a server of its own:
the answer is its port.  It logs each line it gets to LOG as "CONNECTION LINE" and
stores each mail it takes as LOG.N (as it came, dots undoubled).

Options: cert=NAME, starttls, plain (offers no STARTTLS), noauth, pipelining, size,
per=N (421 after N mails of a connection), times=N (an action happens N times),
late=SECONDS (of the action late),
connections=N (more get 421).
STAGE: connect greet ehlo auth mail rcpt data body end rset quit.
ACTION: a reply ("550 5.1.1 no", its lines joined by |), drop, hang, flood, drip, junk, late.
"""
import re, shlex, socket, ssl, sys, threading, time

certs = sys.argv[1]
STAGES = 'connect greet ehlo auth mail rcpt data body end rset quit'.split()


class Server:
    def __init__(self, log, words):
        self.name, self.lock, self.options, self.actions = log, threading.Lock(), {}, {}
        for w in words:
            k, _, v = w.partition('=')
            (self.actions if k in STAGES else self.options)[k] = v
        cert = self.options.get('cert', 'good')
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(f'{certs}/{cert}.pem', f'{certs}/{cert}.key')
        self.log = open(log, 'a', buffering=1)
        self.left, self.mails, self.open = int(self.options.get('times', 1 << 30)), 0, 0
        self.socket = socket.create_server(('127.0.0.1', 0), backlog=64)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        number = 0
        while True:
            s, _ = self.socket.accept()
            s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            number += 1
            threading.Thread(target=self.serve, args=(s, number), daemon=True).start()

    def serve(self, sock, number):
        with self.lock:
            self.open += 1
        try:
            if self.actions.get('connect') == 'hang':
                time.sleep(3600)
            session = Session(self, sock, number)
            sock = session.sock
            session.run()
        except (Gone, OSError, ValueError):
            pass
        finally:
            with self.lock:
                self.open -= 1
            try:
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            sock.close()


class Gone(Exception):
    pass


class Session:
    def __init__(self, server, sock, number):
        self.server, self.sock, self.number = server, sock, number
        self.file, self.mails, self.tls = None, 0, False
        self.wrap(not ('starttls' in self.server.options or 'plain' in self.server.options))

    def wrap(self, tls):
        if tls:
            self.sock, self.tls = self.server.context.wrap_socket(self.sock, server_side=True), True
        self.file = self.sock.makefile('rb')

    def say(self, text):
        lines = text.split('|')
        for i, l in enumerate(lines):
            self.sock.sendall((l[:3] + ('-' if i + 1 < len(lines) else ' ') + l[4:] + '\r\n').encode())

    def answer(self, stage, text, before=lambda: None):
        """The stage's reply; True when it was one of the usual kind: then before() came first."""
        with self.server.lock:
            act = self.server.actions.get(stage) if self.server.left > 0 else None
            if act is not None:
                self.server.left -= 1
        if act is None or act[0] == text[0] or act == 'late':
            before()
            if act == 'late':
                time.sleep(float(self.server.options.get('late', 0.05)))
            self.say(text if act in (None, 'late') else act)
            return True
        if act == 'drop':
            raise Gone
        if act == 'hang':
            time.sleep(3600)
        if act == 'flood':
            while True:
                self.sock.sendall(b'250-more\r\n' * 1000)
        if act == 'drip':
            while True:
                self.sock.sendall(b'2')
                time.sleep(0.2)
        if act == 'junk':
            self.sock.sendall(b'\0\xff\n\r\n-1 \n')
            raise Gone
        self.say(act)
        if act.startswith('421'):
            raise Gone
        return False

    def line(self):
        l = self.file.readline(100000)
        if not l:
            raise Gone
        l = l.rstrip(b'\r\n').decode('latin-1')
        self.server.log.write(f'{self.number} {l}\n')
        return l

    def body(self):
        if self.server.actions.get('body') == 'drop' and self.server.left > 0:
            self.server.left -= 1
            self.file.read(200)
            raise Gone
        lines = []
        while True:
            l = self.file.readline(1000000)
            if not l:
                raise Gone
            if l == b'.\r\n':
                break
            lines.append(l[1:] if l.startswith(b'.') else l)
        self.answer('end', '250 2.0.0 taken', lambda: self.store(b''.join(lines)))

    def store(self, mail):
        with self.server.lock:
            self.server.mails += 1
            with open(f'{self.server.name}.{self.server.mails}', 'wb') as f:
                f.write(mail)
        self.mails += 1

    def ehlo(self):
        offers = ['250 localhost']
        if 'starttls' in self.server.options and not self.tls:
            offers.append('250 STARTTLS')
        elif 'noauth' not in self.server.options:
            offers.append('250 AUTH PLAIN LOGIN OAUTHBEARER XOAUTH2')
        offers += [f'250 {w.upper()}' for w in ('pipelining', 'size') if w in self.server.options]
        self.answer('ehlo', '|'.join(offers))

    def command(self, line):
        word = re.split('[ :]', line, maxsplit=1)[0].lower()
        if word in ('mail', 'rcpt', 'rset', 'data') and self.mails >= int(self.server.options.get('per', 1 << 30)):
            self.say('421 4.7.0 enough for one connection')
            raise Gone
        if word == 'starttls':
            self.say('220 go on')
            self.wrap(True)
        elif word == 'ehlo':
            self.ehlo()
        elif word == 'auth':
            self.answer('auth', '235 2.7.0 welcome')
        elif word == 'data':
            if self.answer('data', '354 go on'):
                self.body()
        elif word in ('mail', 'rcpt', 'rset'):
            self.answer(word, '250 fine')
        elif word == 'quit':
            self.answer('quit', '221 bye')
            raise Gone
        else:
            self.say('500 what?')

    def run(self):
        if 'connections' in self.server.options and self.server.open > int(self.server.options['connections']):
            self.say('421 4.7.0 too many connections')
            raise Gone
        self.answer('greet', '220 localhost ESMTP')
        while True:
            self.command(self.line())


for line in sys.stdin:
    log, *words = shlex.split(line)
    print(Server(log, words).socket.getsockname()[1], flush=True)
