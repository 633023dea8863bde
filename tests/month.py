#!/usr/bin/env python3
"""A month in the life of a site: twenty players, all games, on a simulated clock, by mail
alone.  Then the end state and every mail are checked.

    tests/month.py build/pbm [--write] [FOLDER]
        --write: write one player's mailbox to tests/data/month anew
        FOLDER:  keep the site there

Ends with "N passed, M failed"."""
import datetime
import os
import random
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/month")
from checks import check_all  # noqa: E402
from people import Person  # noqa: E402
from site_of_month import Site  # noqa: E402

HOURS = datetime.timedelta(hours=1)
DAYS, STEP = 31, 3          # a run every three hours
OUTAGE = range(17 * 24, 19 * 24 + 12)   # hours in which the server is down

# The players, and what each does beside playing.
HABITS = {
    "alice": ["draws", "plans"], "bob": ["errs", "resigns"], "clara": ["plans"], "dora": ["digest"],
    "emil": ["vanishes"], "fred": ["resigns"], "gina": ["twice"], "hugo": ["draws", "errs"],
    "iris": ["vacation"], "jack": ["notes"], "kate": ["plans", "twice"], "liam": ["leaves"],
    "mona": ["formula"], "nils": ["weekdays"], "olga": ["watches"], "paul": ["undoes"],
    "quin": ["chats", "resigns"], "rosa": ["automove"], "sven": ["german"], "tina": ["resigns", "digest"],
}

# Writer, day and Subject: offers first.
WRITES = [
    (1, "alice", "suicide challenge alice bob -days=3 -reserve=5"),
    (1, "clara", "antichess challenge clara dora -days=4"),
    (1, "emil", "losers challenge emil fred -days=2 -reserve=2 -forfeit=1"),
    (1, "gina", "avalanchechess challenge gina hugo -reversed"),
    (1, "iris", "avalanchechess challenge iris jack"),
    (1, "kate", "allmate challenge kate liam"),
    (1, "mona", "connectedchess challenge mona nils -friendly"),
    (1, "olga", "connectedchess challenge olga paul -half"),
    (1, "quin", "chess challenge quin rosa -unrated"),
    (1, "sven", "kamikaze challenge sven tina"),
    (2, "alice", "kamikaze2 challenge alice clara"),
    (2, "bob", "giveaway challenge bob emil"),
    (2, "dora", "losing2 challenge dora gina"),
    (2, "fred", "losing3 challenge fred hugo"),
    (2, "jack", "losing4 challenge jack kate -private"),
    (2, "liam", "losing5 challenge liam mona"),
    (2, "nils", "threecheck challenge nils olga -weekdays"),
    (2, "paul", "atomic challenge paul quin"),
    (3, "rosa", "avalanchechess challenge rosa sven -balanced"),
    (3, "tina", "connectedchess challenge tina alice"),
    (3, "bob", "match alice suicide -days=3"),
    (2, "dora", "set digest 07:00"),
    (5, "tina", "set digest 18:30"),
    (2, "rosa", "set automove on"),
    (2, "emil", "set autovacation off"),
    (2, "sven", "set language German"),
    (2, "nils", "set timezone America/New_York"),
    (2, "iris", "set timezone Europe/Berlin"),
    (3, "mona", "set formula days >= 5 & !computer"),
    (4, "bob", "match mona suicide -days=2"),
    (4, "quin", "seek suicide -days=3 1000-2000"),
    (5, "rosa", "sought"),
    (5, "rosa", "play 22"),
    (4, "olga", "watch 1"),
    (6, "hugo", "noplay bob"),
    (7, "bob", "suicide challenge bob hugo"),
    (8, "iris", "vacation 2026-12-10 2026-12-14"),
    (9, "jack", "standings suicide"),
    (10, "paul", "games paul"),
    (12, "fred", "finger alice"),
]


class Month:
    def __init__(self, pbm, folder):
        self.site = Site(pbm, folder)
        self.rng = random.Random(20261130)
        self.people = {n: Person(n, self.site, random.Random(n), h) for n, h in HABITS.items()}
        self.mails = []

    def deliver(self, mails):
        for mail in mails:
            self.mails.append(mail)
            person = self.people.get(mail.rcpt.split("@")[0])
            if person:
                person.read(mail)

    def sign_up(self):
        for i, p in enumerate(self.people.values()):
            p.plan(i % 9, p.write, "signup " + p.name)

    def run(self):
        self.sign_up()
        for day, by, words in WRITES:
            p = self.people[by]
            p.plan(day * 24 + p.rng.randint(0, 9), p.write, words)
        for hour in range(0, DAYS * 24, STEP):
            for p in self.people.values():
                p.live()
            if hour not in OUTAGE:
                self.deliver(self.site.tick())
            self.site.now += STEP * HOURS


def main():
    pbm, words = os.path.abspath(sys.argv[1]), [w for w in sys.argv[2:] if w != "--write"]
    with tempfile.TemporaryDirectory(prefix="pbm-month-") as folder:
        kept = words[0] if words else folder + "/site"
        month = Month(pbm, kept)
        month.write = "--write" in sys.argv
        try:
            month.run()
            tally = check_all(month)
        finally:
            month.site.close()
    print("%d passed, %d failed" % (tally.passed, tally.failed))
    return tally.failed > 0


sys.exit(main())
