"""Six people who know nothing but the mails they get: they write to the server, copy
what its answers show, find each other in three ways, and play three games to the end.
LETTERS=folder writes each person's whole correspondence there, to be read."""
import html.parser
import os
import re

from world import CLIENTS, DAY, HOUR, Person, Site, at, message_ids, moves_of, text_of

TOP, PHONE, SOFT, BASE64, FLOWED, SIGNED, OUTLOOK, BOTH = CLIENTS


class Newcomer(Person):
    """A person who remembers what was written and read, in order."""

    def __init__(self, t, site, name, client):
        super().__init__(site.stack, name)
        self.t, self.site, self.client, self.pages = t, site, client, []

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
        """Answers the newest mail with these words with a line that it shows; put says
        what stands for the <placeholders>."""
        mail = self.get(words)
        lines = [l.strip() for l in text_of(mail).split("\n")]
        self.t.check(any(shown in l for l in lines), "%s is shown %r in %r" % (self.name, shown, mail["Subject"]))
        for name, value in put.items():
            shown = shown.replace("<" + name.replace("_", " ") + ">", value)
        self.reply(mail, shown, self.client)


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
                    f.write("Subject: %s\n\n%s\n" % (what["Subject"], text_of(what)))
                    if what.get_body(("html",)):
                        f.write("-" * 20 + " HTML\n" + html_of(what) + "\n")


def newcomers(t, stack, pbm, folder):
    site = Site(stack, pbm, folder + "/newcomers", archive_url="https://games.localhost/")
    names = {"dora": TOP, "emil": PHONE, "fritz": OUTLOOK, "greta": BOTH, "hugo": FLOWED, "ida": SIGNED}
    people = [Newcomer(t, site, *p) for p in names.items()]
    dora, emil, fritz, greta, hugo, ida = people
    now = [0]

    def tick(minutes=HOUR):
        now[0] += minutes
        site.tick(now=at(now[0]))

    try:
        story(t, site, people, tick)
    finally:
        if os.environ.get("LETTERS"):
            for who in people:
                who.look()
            write_letters(os.environ["LETTERS"], people)
        for who in people:
            who.close()


def story(t, site, people, tick):
    dora, emil, fritz, greta, hugo, ida = people
    dora.write("Hi, how do I play?", "A friend told me about you.")
    emil.write("hello")
    fritz.write("Wie kann ich hier spielen?", "Guten Tag, wie geht das?")
    greta.write("", "")
    hugo.write("help start")
    ida.write("sign up ida")
    tick()
    for who in people:
        who.copy("", "signup <the name you want>", the_name_you_want=who.name)
    tick()
    for who in people:
        who.copy("Please confirm", "ok")
    tick()
    for who in people:
        who.copy("elcome", "games")
    tick()
    dora.copy("elcome", "suicide challenge dora <the other player>", the_other_player="emil")
    fritz.write("who")
    greta.answer("elcome", "help challenge")
    hugo.answer("elcome", "help seek")
    ida.answer("elcome", "sought")
    tick()
    fritz.answer("elcome", "set language de")
    emil.answer("dora offers", "acept")
    fritz.answer("elcome", "match greta avalanche")
    hugo.answer("elcome", "seek connected -half -white")
    tick()
    emil.answer("dora offers", "accept\nHello dora!")
    greta.answer("fritz offers", "accept")
    ida.answer("elcome", "sought")
    tick()
    ida.answer("seeks", "play 3")
    tick()
    dora.answer("your move", "Nf33")
    f, g = fritz, greta
    hugo.answer("your move", "Bd3")
    ida.answer("elcome", "set digest 08:00")
    tick()
    dora.answer("Nf33", "d4")
    emil.answer("elcome", "help ifs")
    tick()
    emil.answer("your move", "e5 if dxe5 then Qg5")
    tick()
    dora.answer("your move", "dxe5")
    tick()
    dora.answer("your move", "undo")
    tick()
    emil.answer("undo", "reject")
    tick()
    dora.answer("your move", "Qxd7")
    emil.answer("elcome", "vacation now 2026-12-12")
    tick()
    for i in range(24):
        tick()
    ida.answer("boards", "3: Nc6")
    tick()
    hugo.answer("your move", "Qc5 draw")
    tick()
