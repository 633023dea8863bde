"""Mails that are no person's turn, and people who cannot be reached."""
import os
import sqlite3

from world import DAY, HOUR, SERVER, Person, Site, at


def one_game(site, alice):
    """alice, bob and carol; a game between the first two; alice to move."""
    for name in "alice", "bob":
        site.user(name)
    site.user("carol", role="moderator")
    site.run("talk", "carol", stdin="suicide challenge alice bob -unrated\n")
    site.tick()
    return alice.get("your move")


def robots(t, stack, pbm, folder):
    """Automatic mails do nothing and get no answer, even with a good token."""
    site, alice, bob = Site(stack, pbm, folder + "/robots"), Person(stack, "alice"), Person(stack, "bob")
    asked = one_game(site, alice)
    alice.reply(asked, "e3")
    site.tick()
    asked = bob.get("#1 |your move")
    before = len(alice.look()), len(bob.look()), site.games()
    envelope = asked["Return-Path"].strip("<>") or SERVER
    away = "I am away until Monday.\n\nresign\n"
    bob.write("Automatic reply: " + asked["Subject"], away, "Auto-Submitted: auto-replied\n", envelope, "")
    bob.write("Re: " + asked["Subject"], "resign\n", "Auto-Submitted: auto-replied\n", asked["Reply-To"].strip("<>"))
    bob.write("Re: " + asked["Subject"], "resign\n", "List-Id: Chess friends <chess.example.org>\nPrecedence: list\n",
              asked["Reply-To"].strip("<>"))
    bob.write("Abwesend: " + asked["Subject"], away, "X-Autoreply: yes\nPrecedence: bulk\n")
    bob.write("help", "", "X-Pbm-Loop: %s\n" % SERVER)
    bob.write("help", "", "", SERVER, "")
    site.tick()
    # One mail came through a list: bob is asked whether he resigned.
    before = before[0], before[1] + 1, before[2]
    t.equal((len(alice.look()), len(bob.look()), site.games()), before, "mails to alice, to bob, and the games")
    t.equal(len(stack.fetch("game")), 0, "robots' mails left in the inbox")
    bob.reply(asked, "e6")
    site.tick()
    t.check(alice.get("#1 |your move", asked), "bob himself is heard")
    for who in alice, bob:
        who.close()


def too_large(t, stack, pbm, folder):
    """Over the limit of pbm and under Exim's: put aside, and the mail after it is read."""
    site, alice = Site(stack, pbm, folder + "/large"), Person(stack, "alice")
    asked = one_game(site, alice)
    alice.reply(asked, "e3\n\n" + "A very long letter indeed.\n" * 15000)
    alice.write("help")
    before = site.games()
    site.tick()
    t.equal(site.games(), before, "the games")
    t.check(alice.get("help members", asked), "the mail after it is answered")
    t.equal(len([f for f in os.listdir(site.dir + "/quarantine") if f.endswith(".eml")]), 1, "mails in quarantine")
    t.equal(len(stack.fetch("game", "Quarantine")), 1, "mails in the folder Quarantine")
    t.equal(len(stack.fetch("game")), 0, "mails in the inbox")
    t.check(alice.get("could not be read", asked), "alice is told")
    t.equal(len(alice.look()), 3, "mails to alice")
    alice.close()


def waiting(site):
    db = sqlite3.connect("file:%s/pbm.db?mode=ro" % site.dir, uri=True)
    try:
        return [r[0] for r in db.execute("SELECT rcpt FROM outbox")]
    finally:
        db.close()


def deferred(t, stack, pbm, folder):
    """tardy@ does not open his mailbox at first."""
    site, alice = Site(stack, pbm, folder + "/deferred"), Person(stack, "alice")
    site.user("tardy")
    one_game(site, alice)
    site.run("talk", "carol", stdin="suicide challenge alice tardy -unrated\n", now=at(-10))
    site.tick(now=at(0))
    t.equal(waiting(site), ["tardy@localhost"], "what waits")
    site.tick(now=at(6))
    t.equal(waiting(site), ["tardy@localhost"], "what still waits")
    t.equal(len(alice.look()), 2, "mails to alice, who is not kept waiting")
    open(stack.dir + "/open", "w").close()
    site.tick(now=at(2 * HOUR))
    t.equal(waiting(site), [], "what waits when the mailbox is open")
    t.equal([m["Subject"].split(":")[0] for m in stack.fetch("tardy")], ["[pbm] Suicide #2 alice-tardy"], "mails to him")
    alice.close()


def bounced(t, stack, pbm, folder):
    """ghost@ is taken by Exim and comes back as a report: three days, then no more."""
    site, alice = Site(stack, pbm, folder + "/bounced"), Person(stack, "alice")
    site.user("ghosty", "ghost@localhost")
    one_game(site, alice)
    for day in 1, 2, 3:
        now = at(day * DAY)
        t.check(not alice.find("mail to ghosty comes back"), "alice is told before day 3")
        site.run("talk", "carol", stdin="suicide challenge alice ghosty -unrated\n", now=now)
        site.tick(now=now)
        t.equal(len(stack.fetch("game", "Processed")), day, "reports taken")
    t.check(alice.get("mail to ghosty comes back"), "alice is told on day 3")
    t.check("resting" in open(site.dir + "/players/ghosty.json").read(), "the address rests")
    alice.reply(alice.get("alice-ghosty: your move"), "e3")
    site.tick(now=at(4 * DAY))
    site.tick(now=at(4 * DAY + HOUR))
    t.equal(len(stack.fetch("game", "Processed")), 4, "reports and alice's mail, with no fourth report")
    t.equal([len(m["Subject"]) > 0 for m in alice.look() if "comes back" in m["Subject"]], [True], "alice is told once")
    t.equal(waiting(site), [], "mails that wait")
    alice.close()
