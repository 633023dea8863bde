"""Runs the program: each time anew, or, many times a second, as children of one
that is loaded already (FAULT_SERVER of tests/faults/fault.c)."""
import os
import select
import signal
import subprocess

PATIENCE = 600         # seconds; the program needs a hundredth of one


class Broken(Exception):
    """A thing that must not happen, in a sentence."""


class Runner:
    def __init__(self, pbm):
        self.pbm = os.path.realpath(pbm)

    def run(self, site, now, word, stdin=None, env=None):
        """(exit code or -signal, what it said)"""
        with open(stdin or os.devnull, "rb") as f:
            try:
                done = subprocess.run([self.pbm, "-C", ".", "--now", now, word], cwd=site, stdin=f,
                                      env=dict(os.environ, **env) if env else None, timeout=PATIENCE,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            except subprocess.TimeoutExpired:
                raise Broken("%s: hangs" % word) from None
        return done.returncode, done.stdout.decode(errors="replace")


class Server:
    """One loaded program; a run is a fork of it."""

    def __init__(self, pbm, shim, now, word, output):
        self.word, self.output = word, output
        self.process = subprocess.Popen(
            [pbm, "-C", ".", "--now", now, word], bufsize=0,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env=dict(os.environ, LD_PRELOAD=shim, FAULT_SERVER="1", LD_BIND_NOW="1"))

    def answer(self, child=None):
        if not select.select([self.process.stdout], [], [], PATIENCE)[0]:
            if child:
                os.kill(child, signal.SIGKILL)
                self.process.stdout.readline()
            raise Broken("%s: hangs" % self.word)
        return int(self.process.stdout.readline())

    def run(self, site, kind, at, count, stdin):
        line = "\t".join([site, kind, str(at), count, stdin or os.devnull, self.output])
        self.process.stdin.write(line.encode() + b"\n")
        code = self.answer(self.answer())
        with open(self.output, "rb") as f:
            return code, f.read().decode(errors="replace")

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Servers:
    """A Runner that keeps a server for each (time, word), and can make faults."""

    def __init__(self, pbm, shim, folder):
        self.pbm, self.shim, self.folder, self.servers = os.path.realpath(pbm), shim, folder, {}

    def run(self, site, now, word, stdin=None, kind="", at=0, count=""):
        key = now, word
        if key not in self.servers:
            output = os.path.join(self.folder, "out.%d.%d" % (os.getpid(), len(self.servers)))
            self.servers[key] = Server(self.pbm, self.shim, now, word, output)
        return self.servers[key].run(os.path.realpath(site), kind, at, count, stdin)

    def close(self):
        for server in self.servers.values():
            server.close()
