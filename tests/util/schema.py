#!/usr/bin/env python3
"""Compares documents with store/schema.

    tests/util/schema.py SITE…          does each document of these sites fit its schema?
    tests/util/schema.py --reader PBM   does pbm's reader refuse what the schemas refuse, and nothing
                                        else?  A key of each document is left out, gets another
                                        type, or a value out of its bounds.

It prints the first documents that are wrong, and exits with 1.

Without jsonschema (Debian: python3-jsonschema) it says so and exits with 0."""
import copy
import glob
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDERS = {"game": "games/*/*.json", "player": "players/*.json", "tournament": "tournaments/*.json",
           "act": "acts/*.jsonl"}
SHOWN = 10


def load(kind):
    with open("%s/store/schema/%s.json" % (ROOT, kind), encoding="utf-8") as f:
        return json.load(f)


def checkers():
    """A function for each kind of document: the first thing that is wrong, or None.  None: there is
    no jsonschema."""
    try:
        import jsonschema
    except ImportError:
        print("skipped: the schemas, because python3-jsonschema is missing", file=sys.stderr)
        return None
    schemas = {kind: load(kind) for kind in FOLDERS}
    for schema in schemas.values():
        jsonschema.Draft202012Validator.check_schema(schema)
    made = {kind: jsonschema.Draft202012Validator(schema) for kind, schema in schemas.items()}

    def first(validator, document):
        e = next(validator.iter_errors(document), None)
        return e and "%s: %s" % ("/".join(map(str, e.absolute_path)), e.message[:200])
    return {kind: lambda document, v=v: first(v, document) for kind, v in made.items()}


def parsed(text):
    try:
        return json.loads(text)
    except ValueError:
        return "not JSON"


def documents(site):
    """(kind, name, document) of each document; the lines of acts are documents, too."""
    for kind, pattern in FOLDERS.items():
        for path in sorted(glob.glob(os.path.join(site, pattern))):
            with open(path, encoding="utf-8") as f:
                for line in f if kind == "act" else [f.read()]:
                    yield kind, os.path.relpath(path, site), parsed(line)


def wrong(site):
    """The mistakes in the documents of the site: a line for each."""
    check = checkers()
    return [] if check is None else \
        ["%s: %s" % (name, why) for kind, name, d in documents(site) for why in [check[kind](d)] if why]


AT, LATER = "2026-12-01T17:00:00Z", "2026-12-02T17:00:00Z"
TERMS = {"game": "suicide", "options": "-x", "start_fen": "8/8 w - - 0 1", "rated": True, "days": 7, "reserve": 30,
         "nag": 2, "forfeit": 14, "total": 90, "increment": 12, "weekdays": True}
RATING = {"before": 150000, "rating": 151000, "deviation": 20000, "volatility": 60000000, "games": 3, "run": AT,
          "before_deviation": 21000, "before_volatility": 60000000, "with": "15 17", "then_before": 150000,
          "then_rating": 151500, "then_deviation": 20000}
GAME = dict(TERMS, format=1, rules_version=1, private=True, colors="fair", answers=4, best_of=3, tournament="half",
            round=2, white="alice", black="bob", created=AT, ply=1, fen="8/8 b - - 0 1")


def event(kind, **more):
    return dict(at=AT, kind=kind, **more)


# One document or more of each kind, which together have each key.
BASES = {
    "game": [
        dict(GAME, state="finished", result="1-0", reason="x", ended=LATER, points_white=2, points_black=1, next=9, source="Site: x\n",
             ratings=[dict(RATING, seat=seat) for seat in ("white", "black")],
             secret=[{"seat": "white", "note": "x", "lost": "unfit", "lost_turn": "e5"}],
             events=[event("offer", seat="white"), event("start", text="x"), event("chat", seat="black", text="x"),
                     event("move", seat="white", move="e2e4", san="e4", automatic=True, received=AT),
                     event("undo-ask", seat="white", number=1), event("undo-decline", text="undo"),
                     event("undo", number=1, clocks=True), event("undo", by="carol"), event("draw-offer", seat="white"),
                     event("draw-decline", seat="black"), event("abort-ask", seat="black"),
                     event("remind", seat="white", number=1), event("warn", seat="white"), event("extend", number=90000),
                     event("shorten", number=90000), event("zone", seat="white", text="x"),
                     event("vacation", seat="white", **{"from": AT, "until": LATER}),
                     event("gift", seat="white", number=5), event("time-up", seat="white"),
                     event("pause", by="carol", text="x"), event("resume", by="carol"),
                     event("inspect", by="carol", text="x"), event("end", result="1-0", text="x")]),
        dict(GAME, state="running", result="*", to_move="white", deadline=LATER, due=LATER, events=[],
             secret=[{"seat": "white", "ahead": "e4", "ahead_at": 1, "pending": "e4", "pending_at": AT,
                      "pending_since": AT, "comment": "x"}]),
        {"format": 1, "game": "suicide", "rules_version": 1, "rated": True, "days": 7, "reserve": 0, "white": "alice",
         "black": "anyone", "created": AT, "state": "offered", "ply": 0, "result": "*", "manual": True,
         "rating_min": 1, "rating_max": 2000, "formula": "rated", "events": []}],
    "player": [
        {"format": 1, "role": "moderator", "password": "x", "created": AT, "signed_off": True, "deleted": AT,
         "suspended": AT, "banned": AT, "banned_by": "carol", "banned_why": "x", "ban_end": "resign", "barred": "x",
         "digest_due": AT, "settings": {"timezone": "UTC"}, "watches": [{"what": "17", "final": True}],
         "addresses": [{"address": "a@example.org", "confirmed": AT, "resting": AT, "woken": AT, "complaint": True}],
         "digests": [{"at": AT, "boards": "17w24"}], "vacations": [{"from": AT, "until": LATER, "automatic": True}]},
        {"format": 1, "role": "player", "created": AT, "renamed": "bob", "addresses": [], "settings": {}}],
    "tournament": [
        dict(TERMS, format=1, kind="swiss", state="running", director="carol", rounds=3, best_of=2, boards=2, byes=1,
             by_teams=True, at_once=2, least=2, most=8, rating_min=1, rating_max=2000, settled=True, computers=True,
             undo=True, round_days=30, until=AT, created=AT, started=AT, ended=AT, due=AT, lot=7, reason="x",
             entries=[dict({"userid": "p%d" % i, "standing": "plays", "at": AT, "rating": 1500, "lot": i, "first_round": 1,
                            "seed_points": 1, "missed": 1, "void": True, "silent": True, "asks_bye": True, "team": 1 + i // 2},
                           **({} if i % 2 else {"captain": True})) for i in range(4)],
             teams=[{"name": name, "standing": "plays", "at": AT, "rating": 1500, "lot": 1, "first_round": 1,
                     "seed_points": 1, "void": True} for name in ("reds", "blues")],
             rounds_paired=[{"at": AT, "from": "20", "out": "3"}],
             games=[{"round": 1, "white": 1, "black": 3, "board": 7, "over": True, "played": True, "annulled": True,
                     "points_white": 0, "points_black": 0},
                    {"round": 1, "white": 4, "black": 2, "over": True, "points_white": 2, "points_black": 0}])],
    "act": [{"before": "0" * 64, "at": AT, "board": 7, "by": "carol", "act": "rollback", "players": "alice bob",
             "detail": "x", "reason": "x"}]}
# Only the reader knows that the colours of a pairing alternate.
READER_ALONE = {("tournament", "games/0/black missing"), ("tournament", "games/1/black missing")}
TYPES = 2       # an act's line keeps its limits when it is written; its reader looks at types alone
NAMES = {"game": "board", "player": "userid", "tournament": "name"}
PATHS = {"game": lambda n: "games/%03d/%d.json" % (n // 1000, n), "player": lambda n: "players/p%d.json" % n,
         "tournament": lambda n: "tournaments/p%d.json" % n,
         "act": lambda n: "acts/%04d-%02d.jsonl" % (2000 + n // 12, n % 12 + 1)}


def resolved(schema, part):
    return schema["$defs"][part["$ref"].split("/")[-1]] if "$ref" in part else part


def bad_values(part):
    """Values that part, the schema of a key, must not take: TYPES of another type come first."""
    yield [] if part.get("type") != "array" else {}
    yield 17 if part.get("type") != "integer" else "x"
    if "enum" in part:
        yield "surprise"
    if "minimum" in part:
        yield from (part["minimum"] - 1, part["maximum"] + 1, 1.5)
    if "pattern" in part:
        yield "?"
    if "maxLength" in part:
        yield from ["x" * (part["maxLength"] + 1)] + [""] * (part["minLength"] > 0)
    if "maxItems" in part:
        yield [None] * (part["maxItems"] + 1)


def objects(schema, part, document, path=()):
    """(path, schema) of the document and each object in its lists."""
    yield path, part
    for key, inner in part["properties"].items():
        items = inner.get("items", {})
        for i, item in enumerate(document.get(key, []) if "properties" in items else []):
            yield from objects(schema, items, item, path + (key, i))


def changed(document, path, key, *value):
    """A copy with another value at that place; without value: without the key."""
    made = at = copy.deepcopy(document)
    for step in path:
        at = at[step]
    if value:
        at[key] = value[0]
    else:
        del at[key]
    return made


def changes(kind, base):
    """(what was changed, document) of each key of base."""
    schema = load(kind)
    yield "nothing", base
    for path, part in objects(schema, schema, base):
        where = "/".join(map(str, path))
        yield where + "/surprise", changed(base, path, "surprise", 1)
        here = base
        for step in path:
            here = here[step]
        for key in [k for k in here if k != NAMES.get(kind) or path]:
            name = "%s/%s" % (where, key)
            if not isinstance(here[key], (list, dict)):   # a list that is missing is read as an empty one
                yield name + " missing", changed(base, path, key)
            values = bad_values(resolved(schema, part["properties"][key]))
            for value in itertools.islice(values, TYPES if kind == "act" else None):
                yield "%s = %s" % (name, json.dumps(value)[:30]), changed(base, path, key, value)


def refused(pbm, folder, kind, made):
    """The numbers of the documents that pbm's reader refuses."""
    site = "%s/%s" % (folder, kind)
    subprocess.run([pbm, "init", site, "--host", "games.example.org"], check=True, capture_output=True)
    for n, (_, document) in enumerate(made):
        path = "%s/%s" % (site, PATHS[kind](n + 1))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(json.dumps(document) + "\n")
    said = subprocess.run([pbm, "-C", site, "fsck"], capture_output=True, text=True, check=False).stdout
    taken = [": it is not the record of an act"] if kind == "act" else [": the index differs: no row"]
    named = {line.split(":")[0] for line in said.split("\n") if any(t in line for t in taken)}
    return {n for n in range(len(made)) if (PATHS[kind](n + 1) in named) == (kind == "act")}


def named(kind, document, n):
    return dict(document, **{NAMES[kind]: n if kind == "game" else "p%d" % n}) if kind in NAMES else document


def tables_in_c():
    """The keys of each table of fields in store/, in their order."""
    for folder, _, names in os.walk(ROOT + "/store"):
        for name in names:
            with open(os.path.join(folder, name), encoding="utf-8") as f:
                for body in re.findall(r"const struct field \w+\[\] = \{(.*?)\{ 0 \}", f.read(), re.S):
                    yield tuple(re.findall(r'\{\s*"(\w+)",\s*FIELD_', body))


def tables_in_schemas(part):
    if "properties" in part:
        yield tuple(k for k, v in part["properties"].items() if k != "format" and v.get("type") not in ("array", "object"))
        for inner in part["properties"].values():
            yield from tables_in_schemas(inner.get("items", {}))


def compare_keys():
    """Has each table of the C files its object in a schema, with the same keys in the same order?"""
    c = set(tables_in_c()) - {("name", "value")}     # the settings, whose names are the keys
    schemas = {t for kind in FOLDERS if kind != "act" for t in tables_in_schemas(load(kind))}
    return ["only in C: " + " ".join(t) for t in c - schemas] + ["only in a schema: " + " ".join(t) for t in schemas - c]


def compare_with_reader(pbm):
    """Is each document refused by both, or by none?"""
    check, bad = checkers(), compare_keys()
    with tempfile.TemporaryDirectory(prefix="pbm-schema-") as folder:
        for kind in check and BASES or ():
            made = [(what, named(kind, d, 0)) for base in BASES[kind] for what, d in changes(kind, base)]
            made = [(what, named(kind, d, n + 1)) for n, (what, d) in enumerate(made)]
            no = refused(pbm, folder, kind, made)
            for n, (what, document) in enumerate(made):
                why = check[kind](document)
                if bool(why) != (n in no) and (kind, what) not in READER_ALONE:
                    bad.append("%s: %s: the schema %s, the reader %s" % (kind, what, why or "takes it",
                                                                        "refuses it" if n in no else "takes it"))
    return bad


def main():
    bad = compare_with_reader(os.path.abspath(sys.argv[2])) if sys.argv[1] == "--reader" else \
        [line for site in sys.argv[1:] for line in wrong(site)]
    print("".join(line + "\n" for line in bad[:SHOWN]), end="")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
