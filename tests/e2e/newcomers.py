"""Six people who know nothing but the mails they get: they write to the server, copy
what its answers show, find each other in three ways, and play three games to the end.
LETTERS=folder writes each person's whole correspondence there, to be read."""
import html.parser
import os
import re

from play import game_list
from world import CLIENTS, HOUR, Person, Site, at, message_ids, moves_of, text_of

GAMES = game_list()
HALF = ["Bd3", "Nc6", "Qc5", "Ba5", "Nc4", "Rxa2", "Qa5", "Nc5", "Na5", "Ra8", "Ra2", "Ra3", "Bd4", "Nb3", "Kb2", "Rxa2#"]
TOP, PHONE, SOFT, BASE64, FLOWED, SIGNED, OUTLOOK, BOTH = CLIENTS


class Newcomer(Person):
    """A person who remembers what was written and read, in order."""

    def __init__(self, t, site, name, client):
        super().__init__(site.stack, name)
        self.t, self.site, self.client, self.pages = t, site, client, []
        self.asked = "your move"

    def send(self, text, *args, **kwargs):
        self.pages.append(("sent", text))
        super().send(text, *args, **kwargs)

    def look(self):
        known = len(self.inbox)
        super().look()
        self.pages += [("got", m) for m in self.inbox[known:]]
        return self.inbox

    def get(self, words, old=None):
        """A run is over when its mails are in the mailboxes: no need to wait."""
        found = self.find(words, old)
        if not found:
            raise AssertionError("no mail to %s with %r; there are %r" %
                                 (self.name, words, [m["Subject"] for m in self.inbox]))
        return found

    def answer(self, words, text, client=None):
        """To the newest mail with these words."""
        self.reply(self.get(words), text, client or self.client)

    def copy(self, words, shown, **put):
        """Answers the newest mail with these words with a command that it shows, all of
        the line or the last word of it; put says what stands for the <placeholders>, and
        take which of the words is meant."""
        mail = self.get(words)
        self.t.check(shown in " ".join(text_of(mail).split()), "%s is shown %r in %r" % (self.name, shown, mail["Subject"]))
        text = put.pop("take", None) or (shown.split(": ")[-1])
        for name, value in put.items():
            text = text.replace("<" + name.replace("_", " ") + ">", value)
        self.reply(mail, text, self.client)


class Reader(html.parser.HTMLParser):
    """An HTML part as a browser without pictures shows it."""

    def __init__(self, text):
        super().__init__()
        self.out = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.out += {"tr": "\n", "p": "\n", "br": "\n", "td": " ", "a": "["}.get(tag, "")

    def handle_endtag(self, tag):
        self.out += {"p": "\n", "table": "\n", "a": "]", "pre": "\n"}.get(tag, "")

    def handle_data(self, data):
        self.out += data


def html_of(mail):
    body = mail.get_body(("html",))
    return Reader(body.get_content()).out if body else ""


def write_letters(folder, people):
    os.makedirs(folder, exist_ok=True)
    for who in people:
        with open("%s/%s.txt" % (folder, who.name), "w") as f:
            for way, what in who.pages:
                f.write("=" * 30 + " " + way + "\n")
                if way == "sent":
                    f.write(what if isinstance(what, str) else what.decode(errors="replace"))
                else:
                    f.write("Date: %s\nSubject: %s\n\n%s\n" % (what["Date"], what["Subject"], text_of(what)))
                    if what.get_body(("html",)):
                        f.write("-" * 20 + " HTML\n" + html_of(what) + "\n")


class Newcomers:
    """The six, their site and its clock."""

    def __init__(self, t, stack, pbm, folder):
        self.t, self.now = t, 0
        self.site = Site(stack, pbm, folder + "/newcomers", archive_url="https://games.localhost/")
        self.people = [Newcomer(t, self.site, *p) for p in (
            ("dora", TOP), ("emil", PHONE), ("fritz", OUTLOOK), ("greta", BOTH), ("hugo", FLOWED), ("ida", SIGNED))]

    def tick(self, hours=1):
        """Runs, never more than eight hours apart: longer would be an outage."""
        for left in range(hours, 0, -8):
            self.now += min(left, 8) * HOUR
            self.site.tick(now=at(self.now))

    def turns(self, board, players, moves, first=0):
        """Plays the moves, each in answer to the mail that asks for it."""
        for ply, move in enumerate(moves, first):
            who = players[ply % 2]
            who.answer("#%d |%s" % (board, who.asked), move)
            self.tick()


def sign_up(n):
    """From a first mail of whatever kind to the welcome, by copying what is shown."""
    dora, emil, fritz, greta, hugo, ida = n.people
    dora.write("Hi, how do I play?", "A friend told me about you.")
    emil.write("hello")
    fritz.write("Wie kann ich hier spielen?", "Guten Tag, wie geht das?")
    greta.write("", "")
    hugo.write("help start")
    ida.write("sign up ida")
    n.tick()
    n.t.check("Dies ist ein Server" in text_of(fritz.get("wie man per Mail spielt")),
              "a German question gets the German page")
    for who in n.people:
        name = "der Name, den du willst" if who is fritz else "the name you want"
        if who is hugo:       # the page that he asked for says it with a name
            who.copy("help start", "signup alice Write %s instead of alice." % name, take="signup " + who.name)
        else:
            who.copy("", "signup <%s>" % name, **{name: who.name})
    n.tick()
    for who in n.people:
        if who is fritz:
            who.copy("Bitte bestätige deine Adresse, fritz", "antworte auf diese Mail nur mit: ok", take="ok")
        elif who is hugo:     # whose letters say more below; here that would be no ok
            who.answer("Please confirm", "ok", TOP)
        else:
            who.copy("Please confirm", "answer this mail with nothing but: ok")
    n.tick()
    for who in n.people:
        who.copy("illkommen" if who is fritz else "elcome", "games")
    n.tick()
    for who in n.people:
        n.t.equal(len(who.look()), 4, "mails to %s until now: each answers one" % who.name)
        words = "Was hier gespielt werden kann" if who is fritz else "What can be played"
        n.t.check("help chess" in text_of(who.get(words)), "the list of games says what is next")
    n.t.check("die Partien" in fritz.inbox[-1]["Subject"], "who wrote in German is answered in German to the end")


def find_games(n):
    """By a challenge, by match, by a seek."""
    dora, emil, fritz, greta, hugo, ida = n.people
    dora.answer("elcome", "suicide challenge dora emil")
    fritz.answer("illkommen", "set timezone Berlin")
    greta.copy("elcome", "who")
    hugo.answer("elcome", "seek connected -half -white")
    n.tick()
    emil.answer("dora offers", "acept")
    n.t.check("timezone ist jetzt: Europe/Berlin" in text_of(fritz.get("dein Befehl: set")), "a setting, answered in German")
    greta.copy("players", "match <name> chess", name="fritz")
    ida.answer("elcome", "sought")
    n.tick()
    emil.copy("acept", "accept")
    fritz.copy("bietet dir", "decline")
    ida.answer("seeks", "play 2")
    n.tick()
    fritz.answer("illkommen", "match greta avalanche -white")
    n.tick()
    greta.copy("fritz offers", "accept")
    n.tick()
    games = {b: (g["game"], g["state"]) for b, g in n.site.games().items()}
    n.t.equal(games, {1: ("suicide", "running"), 2: ("connectedchess", "running"), 3: ("chess", "closed"),
                      4: ("avalanchechess", "running")}, "the games, and an offer that was declined")
    for who, board in ((emil, 1), (ida, 2), (greta, 4)):
        n.t.check("You need do nothing now" in text_of(who.get("#%d " % board)), who.name + " knows that nothing is to do")


def play_suicide(n):
    """With a slip of the pen, a takeback that is refused, moves ahead and a vacation."""
    dora, emil = n.people[:2]
    d4, *turns = GAMES["suicide"]
    dora.answer("#1 |your move", "Nf33")
    n.tick()
    n.t.check("Nothing was played" in text_of(dora.get("Nf33")), "a slip is refused")
    n.turns(1, (dora, emil), [d4])
    dora.answer("#1 |emil to move", "undo")
    n.tick()
    emil.copy("dora asks to take back", "reject")
    n.tick()
    n.turns(1, (dora, emil), ["e5 if dxe5 then Qg5"], 1)
    n.t.check("Qg5" not in "".join(map(text_of, dora.look())), "nobody reads moves ahead")
    n.turns(1, (dora, emil), ["dxe5"])
    n.t.equal(moves_of(n.site.games()[1]), [d4] + turns[:3], "the answer was played at once")
    emil.answer("elcome", "vacation now 2026-12-05")
    n.tick()
    emil.copy("Please confirm: vacation", "answer this mail with nothing but: ok")
    n.tick()
    n.t.check("vacation" in text_of(dora.get("emil")), "dora learns of the vacation")
    n.turns(1, (dora, emil), turns[3:])


def play_avalanche(n):
    """Fritz reads German."""
    fritz, greta = n.people[2:4]
    fritz.asked = "du bist am Zug"
    n.turns(4, (fritz, greta), GAMES["avalanchechess"])


def play_connected(n):
    """Ida gets one mail a day; Hugo offers a draw, then his own rematch."""
    hugo, ida = n.people[4:]
    n.turns(2, (hugo, ida), [HALF[0]])
    ida.answer("elcome", "set digest 08:00")
    n.tick()
    n.t.check("digest is 08:00" in text_of(ida.get("your command: set")), "her own mails change at once")
    ida.answer("#2 |your move", HALF[1])
    n.tick()
    for ply in range(2, len(HALF), 2):
        hugo.answer("#2 |your move", HALF[ply] + (" draw" if ply == 2 else ""))
        n.tick()
        if ply == 2:
            ida.copy("hugo offers a draw", "Answer: accept or reject", take="reject")
        n.tick(24)
        n.t.check("White has the capital letters" in text_of(ida.get("a board waits")), "whose men are whose")
        ida.answer("a board waits", "2: " + HALF[ply + 1])
        n.tick()


def check_ends(n):
    ends = {1: ("suicide", "0-1"), 2: ("connectedchess", "0-1"), 4: ("avalanchechess", "1-0")}
    for i, (board, (name, result)) in enumerate(sorted(ends.items(), key=lambda e: (e[0] != 1, -e[0]))):
        game = n.site.games()[board]
        n.t.equal((game["state"], game["result"]), ("finished", result), name + ": how it ended")
        n.t.equal(len(moves_of(game)), len({1: GAMES["suicide"], 2: HALF, 4: GAMES["avalanchechess"]}[board]),
                  name + ": each move once")
        for who in n.people[2 * i:2 * i + 2]:
            last = text_of(who.get("#%d |(%s)" % (board, result)))
            n.t.check("rematch" in last and "%d.pgn" % board in last, name + ": what comes next")
            n.t.check("https://games.localhost/games/000/%d.html" % board in last, name + ": the page in the archive")


def part(n):
    """A rematch, and no more mails."""
    dora, emil, hugo, ida = n.people[0], n.people[1], n.people[4], n.people[5]
    hugo.copy("#2 |wins", "Answer this mail with: rematch")
    dora.answer("#1 |wins", "stop")
    n.tick()
    ida.copy("hugo offers", "accept")
    emil.copy("#1 |wins", "Answer this mail with: rematch")
    n.tick()
    n.t.check("gets no mails" in text_of(emil.get("dora")), "nobody plays with dora against her will")
    n.t.check("signon" in text_of(dora.get("signed off")), "the way back")
    ida.answer("#5 |your move", "stop")
    count = len(dora.look())
    n.tick(48)
    n.t.equal(len(dora.look()), count, "mails to dora after stop")


def newcomers(t, stack, pbm, folder):
    n = Newcomers(t, stack, pbm, folder)
    try:
        for chapter in (sign_up, find_games, play_suicide, play_avalanche, play_connected, check_ends, part):
            chapter(n)
        for who in n.people:
            ids = message_ids(who.look())
            t.equal(len(set(ids)), len(ids), "mails to %s, each once" % who.name)
            long = [l for m in who.inbox for l in text_of(m).split("\n") if len(l) > 76 and "http" not in l]
            t.equal(long, [], "lines of mails to %s that are too long" % who.name)
        t.equal(n.site.run("fsck").stdout, "clean\n", "fsck")
    finally:
        if os.environ.get("LETTERS"):
            for who in n.people:
                who.look()
            write_letters(os.environ["LETTERS"], n.people)
        for who in n.people:
            who.close()
