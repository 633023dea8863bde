"""Two people, two games, from the sign-up to the archive."""
import os

from world import CLIENTS, TESTS, Person, Site, moves_of, message_ids, text_of, wait_for


def game_list():
    games = {}
    for line in open(TESTS + "/demo/games.txt"):
        if line.strip() and not line.startswith("#"):
            name, *turns = line.split()
            games[name] = turns
    return games


def sign_up(t, site, person):
    person.write("signup " + person.name)
    site.tick()
    question = person.get("Please confirm")
    t.check(person.name in text_of(question), "the question names " + person.name)
    person.reply(question, "ok", CLIENTS[len(person.name) % len(CLIENTS)])
    site.tick()
    return person.get("elcome", question)


def start_games(t, site, alice, bob, welcome):
    """One is offered by a fresh mail, which has to be confirmed; one by a reply."""
    alice.write("avalanchechess challenge alice bob -reversed -unrated", "Shall we?")
    bob.reply(welcome, "suicide challenge alice bob -unrated")
    site.tick()
    alice.reply(alice.get("Please confirm", welcome), "ok")
    alice.reply(alice.get("bob offers you a game"), "accept\n\nWith pleasure!")
    site.tick()
    bob.reply(bob.get("alice offers you a game"), "accept")
    site.tick()
    boards = {g["game"]: n for n, g in site.games().items()}
    t.equal(sorted(boards), ["avalanchechess", "suicide"], "the games")
    return boards


def one_round(site, people, boards, games, ply):
    """The next turn of each game that has one, each in answer to the newest mail
    about it; then one run for all."""
    for name, turns in games.items():
        if ply < len(turns):
            who = people[ply % 2]
            asked = who.get("#%d |your move" % boards[name])
            who.reply(asked, turns[ply], CLIENTS[(ply + boards[name]) % len(CLIENTS)])
    site.tick()
    for name, turns in games.items():
        if ply + 1 < len(turns):
            who = people[(ply + 1) % 2]
            wait_for(lambda: who.find("#%d |your move" % boards[name]), "the turn after ply %d of %s; log %s" %
                     (ply, name, site.log[-600:]))


def check_end(t, site, people, boards, name, turns, result):
    game = site.games()[boards[name]]
    t.equal(len(moves_of(game)), len(turns), name + ": plies")
    t.equal((game["state"], game["result"]), ("finished", result), name + ": how it ended")
    for who in people:
        last = who.get("#%d |wins" % boards[name])
        pgn = [p for p in last.walk() if (p.get_filename() or "").endswith(".pgn")]
        t.check(pgn and '[Result "%s"]' % result in pgn[0].get_payload(decode=True).decode(),
                "%s: the final mail to %s has the PGN" % (name, who.name))
    page = [f for d, _, fs in os.walk(site.dir + "/archive") for f in fs
            if f.startswith(str(boards[name])) and f.endswith(".html")]
    t.check(page, name + ": a page in the archive")


def play(t, stack, pbm, folder):
    site = Site(stack, pbm, folder + "/play")
    people = alice, bob = Person(stack, "alice"), Person(stack, "bob")
    welcome = sign_up(t, site, alice)
    boards = start_games(t, site, alice, bob, sign_up(t, site, bob)) if welcome else {}
    games = {k: v for k, v in game_list().items() if k in boards}
    for ply in range(max(len(v) for v in games.values())):
        one_round(site, people, boards, games, ply)
    check_end(t, site, people, boards, "avalanchechess", games["avalanchechess"], "1-0")
    check_end(t, site, people, boards, "suicide", games["suicide"], "0-1")
    for who in people:
        ids = message_ids(who.look())
        t.equal(len(set(ids)), len(ids), "mails to %s, each once" % who.name)
        t.check(all(m["From"].addresses[0].addr_spec == "game@localhost" for m in who.inbox), "the sender's address")
        who.close()
    t.equal(stack.fetch("game"), [], "nothing is left in the inbox")
    t.equal(len(stack.fetch("game", "Processed")), 4 + 5 + sum(map(len, games.values())), "mails filed as processed")
    t.equal(site.run("fsck").stdout, "clean\n", "fsck")


def operator(t, stack, pbm, folder):
    """The words of docs/mail.md for a mailbox at a provider, to the letter but for names."""
    text = open(os.path.dirname(TESTS) + "/docs/mail.md").read()
    block = text.split("## A mailbox at a provider")[1].split("\n\n")[1]
    for theirs, ours in (("games%40example.org@imap.example.org", "game@localhost:%d" % stack.port("imaps")),
                         ("games%40example.org@smtp.example.org", "game@localhost:%d" % stack.port("smtps")),
                         ("example.org", "localhost"), ("= games", "= game")):
        t.check(theirs in block, "the settings of docs/mail.md have " + theirs)
        block = block.replace(theirs, ours)
    site = Site(stack, pbm, folder + "/operator")
    with open(site.dir + "/pbm.conf", "w") as f:
        f.write("\n".join(line.strip() for line in block.split("\n")) + "\nsource-ca = %s/certs/ca.pem\n"
                "sink-ca = %s/certs/ca.pem\n" % (stack.dir, stack.dir))
    os.rename(site.dir + "/pw", site.dir + "/password")
    site.user("carol", "carol@localhost", "moderator")
    carol = Person(stack, "carol")
    carol.write("help")
    r = site.tick()
    t.check("1 mails taken" in r.stderr and "1 sent" in r.stderr, "tick says what it took and sent: " + r.stderr)
    carol.get("help members")
    carol.close()
    t.equal(site.run("outbox").stdout.count("@"), 0, "what waits in the outbox")
