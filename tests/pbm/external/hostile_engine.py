#!/usr/bin/python3
"""A chess engine that does harm when it is asked for a turn: the option Kind says which.  It plays e2e3 when the harm was
refused, and h2h4 when it was done; after the turn h7h6, b2b3."""
import os
import signal
import socket
import sys
import time


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def forks():
    if os.fork() == 0:
        time.sleep(1000)


def writes():
    open("/tmp/pbm-hostile-%d" % os.getpid(), "w").close()


def connects():
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(("127.0.0.1", 9))


def connects_here():
    socket.socketpair()


def fills():
    bytearray(700 << 20)


def kills():
    os.kill(os.getppid(), signal.SIGTERM)


def reads():
    open(os.environ.get("SITE", os.path.dirname(os.path.abspath(__file__)) + "/test_external.c")).close()


def starts():
    os.posix_spawn("/bin/true", ["true"], {})


HARM = (forks, writes, connects, connects_here, fills, kills, reads, starts)


def floods():
    while True:
        say("info string " + "x" * 1000)


def hangs():
    time.sleep(1000)


def dies():
    os._exit(3)


def nul():
    sys.stdout.write("\0bestmove h2h4\nbestmove\0h2h4\nbestmove h2h4\0\0\nbest" + "\0" * 5000 + "\n")


def long_line():
    sys.stdout.write("bestmov" * 150000 + " h2h4\nbestmove e2e3\n")


def answer(kind, last):
    done = "b2b3" if last == "h7h6" else "e2e3"
    for harm in HARM:
        if harm.__name__ == kind:
            try:
                harm()
                done = "h2h4"
            except (OSError, MemoryError):
                pass
    for act in (floods, hangs, dies, nul, long_line):
        if act.__name__ == kind:
            act()
    say("info depth 1 score cp -13 nodes 77 pv e2e3")
    say("bestmove " + {"lies": "a1a8", "none": "(none)"}.get(kind, done))


def main():
    kind = last = ""
    for sig in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGXCPU, signal.SIGPIPE):
        signal.signal(sig, signal.SIG_IGN)
    for line in iter(sys.stdin.readline, ""):
        words = line.split()
        if words[0] == "uci":
            say("id name Hostile\noption name UCI_Variant type combo default chess var chess var suicide\nuciok")
        elif words[:3] == ["setoption", "name", "Kind"]:
            kind = words[4]
        elif words[0] == "isready" and kind != "silent":
            say("bestmove h2h4" if kind == "early" else "info string hello")
            say("readyok")
        elif words[0] == "position":
            last = words[-1]
        elif words[:2] == ["go", "perft"]:
            say("a1a8: 1\n\nNodes searched: 1")
        elif words[0] == "go":
            answer(kind, last)
    while kind == "stays":
        time.sleep(1)


main()
