"""The players of the month.  Each reads only mails sent to it, and writes as people do:
hours later, from several mail programs, sometimes twice, sometimes nonsense."""
import collections
import datetime
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/../demo")
from clients import CLIENTS, NAME, Letter, signature, top_posted  # noqa: E402
from site_of_month import HOST, START, moves_of  # noqa: E402

SERVER = "pbm@" + HOST
HOURS, DAY = datetime.timedelta(hours=1), datetime.timedelta(days=1)
BOARD = re.compile(r"#(\d+)\b")


class MonthLetter(Letter):
    def __init__(self, person, old, subject=None):
        super().__init__(person.name, None, SERVER)
        self.person = person
        if old:
            self.old = old.msg
            self.to, self.subject, self.quote = old.reply_to, "Re: " + old.subject, old.text
        if subject is not None:
            self.subject = subject
        person.written += 1
        self.id = "<%s.%d@client.example>" % (person.name, person.written)

    def head(self, subject=None, extra=""):
        lines = ["From: %s <%s>" % (self.person.name.capitalize(), self.person.address), "To: <%s>" % self.to,
                 "Subject: " + (subject if subject is not None else self.subject), "Message-ID: " + self.id]
        if self.old:
            lines.append("In-Reply-To: " + str(self.old["Message-ID"]))
        return "\n".join(lines) + "\n" + extra + "MIME-Version: 1.0\n"


class Person:
    """habits: words that say what this player does beside playing; see month.py."""

    def __init__(self, name, site, rng, habits=()):
        self.name, self.address = name, name + "@example.org"
        NAME[name] = name.capitalize()
        self.site, self.rng, self.habits = site, rng, set(habits)
        self.inbox, self.plans, self.written = [], [], 0
        self.left = None        # since then the player wants no mail
        self.leaving = False    # has asked for that, and will be asked back
        self.sent = set()       # Message-IDs
        self.played = collections.defaultdict(list)     # board: turns as they were sent
        self.secrets = []       # words of private notes and of trees, which nobody else may read
        self.away = (None, None)
        self.gone = START + datetime.timedelta(days=6)  # of one who vanishes

    def send(self, letter, text, client=signature):
        """The mail reaches the server now, to be worked on in the next run."""
        client_mail = client(letter, text)
        self.sent.add(letter.id)
        self.site.feed(client_mail.encode("utf-8"), self.site.now)
        if "twice" in self.habits and self.rng.random() < 0.2:
            self.site.feed(client_mail.encode("utf-8"), self.site.now)

    def write(self, subject, body=""):
        self.send(MonthLetter(self, None, subject), body, lambda m, text: m.head() +
                  "Content-Type: text/plain; charset=utf-8\n\n" + text + "\n")

    def reply(self, mail, text, client=None):
        self.send(MonthLetter(self, mail), text, client or self.rng.choice(CLIENTS))

    def answer(self, mail, text):
        """An answer of this one line, whatever mail program."""
        self.reply(mail, text, top_posted)

    def find(self, words):
        """The last mail that has the words in Subject or text, or None."""
        return next((m for m in reversed(self.inbox) if words in m.subject or words in m.text), None)

    def plan(self, hours, act, *args):
        self.plans.append((self.site.now + hours * HOURS, act, args))

    def is_away(self):
        return self.away[0] is not None and self.away[0] <= self.site.now < self.away[1]

    def live(self):
        """Does what is due; called before each run."""
        if self.is_away() or ("vanishes" in self.habits and self.site.now >= self.gone):
            return
        due = [p for p in self.plans if p[0] <= self.site.now]
        self.plans = [p for p in self.plans if p[0] > self.site.now]
        for _, act, args in due:
            act(*args)

    def confirm_leaving(self, mail):
        self.left = self.site.now
        self.answer(mail, "ok")

    def read(self, mail):
        self.inbox.append(mail)
        if self.leaving and "signoff all" in mail.text and "nothing but: ok" in mail.text:
            self.plan(self.rng.randint(1, 8), self.confirm_leaving, mail)
        elif "nothing but: ok" in mail.text or "Please confirm" in mail.subject:
            self.plan(self.rng.randint(1, 8), self.answer, mail, "ok")
        elif "offers you a game" in mail.subject:
            self.plan(self.rng.randint(1, 20), self.answer, mail, "accept")
        elif "asks to take back" in mail.text or "wants to take back" in mail.text:
            number = BOARD.search(mail.subject).group(1)     # no move meanwhile, which would decline it
            self.plans = [p for p in self.plans
                          if p[1] != self.play or BOARD.search(p[2][0].subject).group(1) != number]
            self.plan(self.rng.randint(1, 6), self.answer, mail, "accept undo")
        elif "leaves" in self.habits and self.site.now >= START + 12 * DAY and not self.leaving:
            self.leaving = True
            self.answer(mail, "stop all")
        elif BOARD.search(mail.subject) and mail.reply_to != SERVER:
            self.plan(self.rng.randint(1, 18), self.play, mail)

    def play(self, mail):
        """Answers a board mail, if the board waits for this player."""
        board = int(BOARD.search(mail.subject).group(1))
        game = self.site.game(board)
        seat = "white" if game.get("white") == self.name else "black"
        if game["state"] != "running" or game.get("to_move") != seat or self.left:
            return
        position = self.site.ask(game, moves_of(game))
        if "errs" in self.habits and self.rng.random() < 0.15:
            self.reply(mail, self.rng.choice(["Zz9", "Qh9", "I think about it until tomorrow.", "e2e2e2"]))
            self.plan(5, self.play, mail)
            return
        text = self.choose(game, position)
        self.played[board].append(text.split("\n")[0])
        self.reply(mail, text, signature)
        self.talk(mail, board)

    def talk(self, mail, board):
        """The words of this player beside the move."""
        if "notes" in self.habits:
            secret = "nightingale-%s-%d" % (self.name, len(self.secrets))
            self.secrets.append(secret)
            self.answer(mail, "note %d %s" % (board, secret))
        if "chats" in self.habits and self.rng.random() < 0.3:
            self.answer(mail, "chat A fine position, isn't it?")
        if "undoes" in self.habits and self.rng.random() < 0.1:
            self.plan(1, self.answer, mail, "undo")

    def choose(self, game, position):
        """A legal turn, in SAN; sometimes with a line ahead, or the end of it."""
        luck, moves = self.rng.random(), moves_of(game)
        if "resigns" in self.habits and len(moves) > 24 and luck < 0.1:
            return "resign"
        turn = self.rng.choice(position["san"])
        if "draws" in self.habits and luck < 0.08:
            return turn + "\ndraw" if self.rng.random() < 0.5 else "draw"
        if "plans" in self.habits and luck < 0.6:
            return turn + self.tree(game, moves, position, turn)
        return turn

    def tree(self, game, moves, position, turn):
        """A line ahead: an answer to one turn of the other side."""
        own = position["legal"][position["san"].index(turn)]
        after = self.site.ask(game, moves + [own])
        if not after.get("san"):
            return ""
        theirs = self.rng.choice(after["san"])
        reply = self.site.ask(game, moves + [own, after["legal"][after["san"].index(theirs)]])
        if not reply.get("san"):
            return ""
        mine = self.rng.choice(reply["san"])
        line = "if %s then %s" % (theirs, mine)
        self.secrets.append(line)
        return "\n" + line
