#!/usr/bin/env python3
"""A submission server that does what it is told, for tests of the client.

    tests/fake_smtp.py CERTS LOG [option | STAGE=ACTION]...

Prints its port, logs each line it gets to LOG as "CONNECTION LINE", stores each
mail it takes as LOG.N (as it came, dots undoubled), runs until it is killed.

Options: cert=NAME, starttls, plain (offers no STARTTLS), noauth, pipelining, size,
per=N (421 after N mails of a connection), times=N (an action happens N times),
connections=N (more get 421).
STAGE: connect greet ehlo auth mail rcpt data body end rset.
ACTION: a reply ("550 5.1.1 no", its lines joined by |), drop, hang, flood, drip, junk, late.
"""
import re, socket, ssl, sys, threading, time

certs, log_name, words = sys.argv[1], sys.argv[2], sys.argv[3:]
options, actions = {}, {}
for w in words:
    k, _, v = w.partition('=')
    (actions if k in 'connect greet ehlo auth mail rcpt data body end rset'.split() else options)[k] = v
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
cert = options.get('cert', 'good')
context.load_cert_chain(f'{certs}/{cert}.pem', f'{certs}/{cert}.key')
lock = threading.Lock()
log = open(log_name, 'a', buffering=1)
state = {'left': int(options.get('times', 1 << 30)), 'mails': 0, 'open': 0}


class Gone(Exception):
    pass


class Session:
    def __init__(self, sock, number):
        self.sock, self.number, self.file, self.mails, self.tls = sock, number, None, 0, False
        self.wrap(not ('starttls' in options or 'plain' in options))

    def wrap(self, tls):
        if tls:
            self.sock, self.tls = context.wrap_socket(self.sock, server_side=True), True
        self.file = self.sock.makefile('rb')

    def say(self, text):
        lines = text.split('|')
        for i, l in enumerate(lines):
            self.sock.sendall((l[:3] + ('-' if i + 1 < len(lines) else ' ') + l[4:] + '\r\n').encode())

    def answer(self, stage, text):
        """The stage's reply; True when it was the usual one."""
        with lock:
            act = actions.get(stage) if state['left'] > 0 else None
            if act is not None:
                state['left'] -= 1
        if act is None:
            self.say(text)
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
        if act == 'late':
            time.sleep(0.05)
            self.say(text)
            return True
        self.say(act)
        if act.startswith('421'):
            raise Gone
        return False

    def line(self):
        l = self.file.readline(100000)
        if not l:
            raise Gone
        l = l.rstrip(b'\r\n').decode('latin-1')
        log.write(f'{self.number} {l}\n')
        return l

    def body(self):
        if actions.get('body') == 'drop' and state['left'] > 0:
            state['left'] -= 1
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
        if not self.answer('end', '250 2.0.0 taken'):
            return
        with lock:
            state['mails'] += 1
            open(f'{log_name}.{state["mails"]}', 'wb').write(b''.join(lines))
        self.mails += 1

    def ehlo(self):
        offers = ['250 localhost']
        if 'starttls' in options and not self.tls:
            offers.append('250 STARTTLS')
        elif 'noauth' not in options:
            offers.append('250 AUTH PLAIN LOGIN OAUTHBEARER XOAUTH2')
        offers += [f'250 {w.upper()}' for w in ('pipelining', 'size') if w in options]
        self.answer('ehlo', '|'.join(offers))

    def command(self, line):
        word = re.split('[ :]', line, maxsplit=1)[0].lower()
        if word in ('mail', 'rcpt', 'rset', 'data') and self.mails >= int(options.get('per', 1 << 30)):
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
            self.say('221 bye')
            raise Gone
        else:
            self.say('500 what?')

    def run(self):
        if 'connections' in options and state['open'] > int(options['connections']):
            self.say('421 4.7.0 too many connections')
            raise Gone
        self.answer('greet', '220 localhost ESMTP')
        while True:
            self.command(self.line())


def serve(sock, number):
    with lock:
        state['open'] += 1
    try:
        if actions.get('connect') == 'hang':
            time.sleep(3600)
        Session(sock, number).run()
    except (Gone, OSError, ValueError):
        pass
    finally:
        with lock:
            state['open'] -= 1
        try:
            sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        sock.close()


server = socket.create_server(('127.0.0.1', 0))
print(server.getsockname()[1], flush=True)
number = 0
while True:
    s, _ = server.accept()
    s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    number += 1
    threading.Thread(target=serve, args=(s, number), daemon=True).start()
