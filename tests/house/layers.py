#!/usr/bin/env python3
"""Checks the structure of the source below ROOT, and prints each violation.

1. A folder with C files is a room.  ROOMS lists all rooms from the bottom up; a room
   includes only rooms below it.  So no two rooms include each other, and there are no
   circles.  games, mail and store include none of each other's headers, and of pbm only
   pbm/base.
2. A header declares only functions and variables that the file of its name defines, or
   a file that has its name and '_' as prefix (match.h: match.c, match_clock.c).  play_tables.h
   declares the tables of commands of its room.
3. A library is used in the rooms that LIBRARIES lists for it, and nowhere else.
4. games/ does no I/O, reads no clock and takes no heap.
5. No base name and no struct tag stands for two things.
6. A room has at most ROOM_MAX files.
7. No files need each other, not in a circle either: by the functions and tables that each file
   defines, and the names that the others say.
8. X_private.h is included in its own room alone.
9. A comment has a subject (QUESTION), and says "behind" only of a place (BEHIND), also in tests/;
   so do the texts in templates/, in German, too (HINTER).
10. A .c file of less than SMALL lines whose header one file of its room alone includes, and no
   test, is part of that file, unless the two have more than JOINED_MAX lines (APART: exceptions).
11. A function that a header declares has a user in another file, or in tests/.

tests/house/test_house.c plants a violation of each rule and expects it to be found.
  tests/layers.sh ROOT"""
import collections
import os
import re
import sys

TOP = ("pbm", "games", "mail", "store")
ROOM_MAX = 45
SMALL = 100
JOINED_MAX = 480

# Small files that read better apart, and why.
APART = {
    "pbm/pairing/berger.c": "a kind of pairing a file, as swiss.c and knockout.c",
}

ROOMS = """
pbm/base
games games/fast games/notation games/variants games/solve games/engine
mail mail/reply mail/robots mail/compose mail/transport mail/transport/imap mail/sandbox
store/db store/sqlite store/postgres store/document store store/shared store/check
pbm/text pbm/bucket pbm/site pbm/external pbm/picture pbm/pairing pbm/record pbm/tournament pbm/rating pbm/request pbm/people
pbm/answer pbm/outbox
pbm/commands/words pbm/commands/help pbm/commands/proof pbm/commands/lobby pbm/commands/play
pbm/commands/tournament pbm/commands/account pbm/commands/staff pbm/commands
pbm/archive/place pbm/archive/pages pbm/archive pbm/archive/live
pbm/run/due pbm/run pbm/think pbm/doctor pbm/exchange pbm/program
""".split()

# Header prefix: the rooms that may include it, and in how many files (0: any number).
LIBRARIES = {
    "archive": (["pbm/program"], 2),
    "ares": (["pbm/doctor"], 1),
    "arpa/nameser": (["pbm/doctor"], 1),
    "curl/": (["mail/transport"], 0),
    "editline/": (["pbm/program"], 1),
    "histedit": (["pbm/program"], 1),
    "gif_lib": (["pbm/picture"], 1),
    "iconv": (["mail"], 1),
    "jansson": (["store", "pbm/text", "pbm/rating", "pbm/request", "pbm/answer", "pbm/outbox", "pbm/archive", "pbm/commands", "pbm/run",
                 "pbm/doctor", "pbm/program"], 0),
    "libetpan/": (["mail", "mail/transport"], 2),
    "libxml/": (["mail", "mail/sandbox"], 2),
    "libpq": (["store/postgres"], 1),
    "md4c": (["pbm/text"], 2),
    "png": (["pbm/picture"], 2),
    "seccomp": (["pbm/base", "mail/sandbox"], 1),
    "sodium": (["store", "pbm/bucket", "pbm/site", "pbm/people", "pbm/archive", "pbm/run", "pbm/program"], 0),
    "sqlite3": (["store/sqlite"], 0),
}

# Headers of pbm's own that hand a library's types on, and who may include them.
DOORS = {
    "mail/transport/curl.h": ["mail/transport", "pbm/bucket"],
    "mail/transport/imap/imap_private.h": ["mail/transport/imap"],
    "mail/transport/secure.h": ["mail/transport"],
}

IMPURE = re.compile(r"\b(malloc|calloc|realloc|free|fopen|open|printf|puts|time|clock_now|clock_ms"
                    r"|gettimeofday|clock_gettime|getenv|rand)\(")

PROTOTYPE = re.compile(r"^(?!typedef|static|return|struct \w+ \{)[a-zA-Z_][\w \t\n]*?[ *\n]"
                       r"(\w+)\s*\((?:[^;{}])*\)(?:\s*__attribute__\s*\(\(.*?\)\))?;",
                       re.M | re.S)
VARIABLE = re.compile(r"^extern [^;()]*?(\w+)(?:\[\w*\])*(?:,\s*\*?(\w+)(?:\[\w*\])*)*;", re.M)
DEFINITION = re.compile(r"^(?!static|typedef|extern)[a-zA-Z_][^;{}=#]*?\b(\w+)\s*\([^;{}]*\)\n\{",
                        re.M)
DATA = re.compile(r"^(?!static|typedef|extern)[a-zA-Z_][^;{}=()#]*?\b(\w+)(?:\[\w*\])* =", re.M)

COMMENT = re.compile(r"/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)
QUESTION = re.compile(r"/\*[\s*]*(What|Who|Whose|Whom|Which|Where|How)(ever)?\b")
# A parameter may have that name (*behind); "after" says the order of things, in a text too.
BEHIND = re.compile(r"(?<!\*)\bbehind\b(?![\s*]+(a|the)[\s*]+(proxy|server|king|man|men|pawn)\b)", re.I)

HINTER = re.compile(r"\b(da)?hinter\b", re.I)

MEMBERS = re.compile(r"->\s*\w+|\b(?:struct|enum) \w+|__attribute__.*")
STATIC = re.compile(r"^static [^;{}=#]*?\b(\w+)(?:\s*\(|\[| =|;)", re.M)


def plain(text):
    """The text without comments and strings, line for line."""
    keep_lines = lambda m: "\n" * m.group(0).count("\n")
    text = re.sub(r"/\*.*?\*/", keep_lines, text, flags=re.S)
    return re.sub(r'"(\\.|[^"\\\n])*"', '""', text)


def read(root, tops, kinds=(".c", ".h")):
    """{path below root: text} of all files of these kinds in these folders."""
    texts = {}
    for top in tops:
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in names:
                if name.endswith(kinds):
                    path = os.path.join(folder, name)
                    with open(path, encoding="utf-8") as f:
                        texts[os.path.relpath(path, root)] = f.read()
    return texts


class House:
    def __init__(self, root):
        self.bad = 0
        self.root = root
        self.text = read(root, TOP)
        self.tests = read(root, ("tests",))
        for top in TOP:
            if not any(path.startswith(top + "/") for path in self.text):
                self.report(top, "there is no file in this folder")

    def report(self, where, what):
        print("layers: %s: %s" % (where, what))
        self.bad += 1

    def included(self, pattern):
        """(file, line number, what) of each include that matches."""
        for path, text in sorted(self.text.items()):
            for n, line in enumerate(text.split("\n"), 1):
                m = re.match(r"#\s*include\s+" + pattern, line)
                if m:
                    yield path, n, m.group(1)

    def arrows(self):
        for path in sorted(self.text):
            if os.path.dirname(path) not in ROOMS:
                self.report(path, "this folder is not in the list of rooms")
        for path, n, header in self.included(r'"([^"]+)"'):
            source, target = os.path.dirname(path), os.path.dirname(header)
            where = "%s:%d" % (path, n)
            if target == "" or header.startswith("../"):
                self.report(where, "write the whole path of %s" % header)
            elif source in ROOMS and target not in ROOMS:
                self.report(where, "%s is in no room" % header)
            elif source in ROOMS and ROOMS.index(target) > ROOMS.index(source):
                self.report(where, "%s may not include %s, which stands above it"
                            % (source, target))
            elif source != "pbm/base" and not source.startswith("pbm/") and \
                    target != "pbm/base" and target.split("/")[0] != source.split("/")[0]:
                self.report(where, "%s may not include %s" % (source, target))
            elif header in DOORS and source not in DOORS[header]:
                self.report(where, "%s is only for %s" % (header, ", ".join(DOORS[header])))

    def libraries(self):
        users = collections.defaultdict(set)
        for path, n, header in self.included(r"<([^>]+)>"):
            for library, (rooms, _) in LIBRARIES.items():
                if not header.startswith(library):
                    continue
                users[library].add(path)
                if not any((os.path.dirname(path) + "/").startswith(r + "/") for r in rooms):
                    self.report("%s:%d" % (path, n), "<%s> is only for %s"
                                % (header, ", ".join(rooms)))
        for library, files in users.items():
            most = LIBRARIES[library][1]
            if most and len(files) > most:
                self.report(library, "in %d files, at most %d: %s"
                            % (len(files), most, ", ".join(sorted(files))))

    def purity(self):
        for path, text in sorted(self.text.items()):
            if not path.startswith("games/"):
                continue
            for n, line in enumerate(plain(text).split("\n"), 1):
                m = IMPURE.search(line)
                if m:
                    self.report("%s:%d" % (path, n), "games/ may not call %s()" % m.group(1))

    def declarations(self):
        defined = collections.defaultdict(list)
        for path, text in self.text.items():
            if path.endswith(".c"):
                for pattern in DEFINITION, DATA:
                    for m in pattern.finditer(plain(text)):
                        defined[m.group(1)].append(path)
        for path, text in sorted(self.text.items()):
            if not path.endswith(".h"):
                continue
            stem = path[:-2]
            names = [m.group(1) for m in PROTOTYPE.finditer(plain(text))]
            for m in VARIABLE.finditer(plain(text)):
                names += [name for name in m.groups() if name]
            for name in names:
                homes = defined.get(name, [])
                if homes and not any(home[:-2] == stem or home.startswith(stem + "_") or
                                     (stem.endswith("_tables") and
                                      os.path.dirname(home) == os.path.dirname(stem))
                                     for home in homes):
                    self.report(path, "declares %s, which %s defines" % (name, homes[0]))

    def comments(self):
        for path, text in sorted(self.text.items()) + sorted(self.tests.items()):
            for m in COMMENT.finditer(text):
                where = "%s:%d" % (path, text.count("\n", 0, m.start()) + 1)
                if QUESTION.match(m.group()):
                    self.report(where, "the comment needs a subject instead of its first word")
                if m.group().startswith("/*") and BEHIND.search(m.group()):
                    self.report(where, "behind is for places: write after")

    def words(self):
        """"behind" in what players read, in English and German."""
        pages = read(self.root, ("templates",), (".md", ".txt", ".html", ".json"))
        for path, text in sorted(pages.items()):
            for n, line in enumerate(text.splitlines(), 1):
                if BEHIND.search(line) and "leaves behind" not in line or HINTER.search(line):
                    self.report("%s:%d" % (path, n), "behind is for places: write after (nach)")

    def sizes(self):
        rooms = collections.Counter(os.path.dirname(path) for path in self.text)
        for room, files in sorted(rooms.items()):
            if files > ROOM_MAX:
                self.report(room, "%d files, at most %d" % (files, ROOM_MAX))

    def private(self):
        for path, n, header in self.included(r'"([^"]+)"'):
            if header.endswith("_private.h") and os.path.dirname(header) != os.path.dirname(path):
                self.report("%s:%d" % (path, n), "%s is only for its room" % header)

    def joined(self):
        includers = collections.defaultdict(set)
        for path, text in {**self.text, **self.tests}.items():
            for header in re.findall(r'^#\s*include "([^"]+)"', text, re.M):
                includers[header].add(path)
        lines = {path: text.count("\n") for path, text in self.text.items()}
        for path in sorted(p for p in lines if p.endswith(".c") and p not in APART):
            users = list(includers[path[:-2] + ".h"] - {path})
            if len(users) == 1 and users[0].endswith(".c") and lines[path] < SMALL and \
                    os.path.dirname(users[0]) == os.path.dirname(path) and \
                    lines[path] + lines[users[0]] <= JOINED_MAX:
                self.report(path, "only %s includes its header: join them" % users[0])

    def unused(self):
        users = collections.defaultdict(list)
        for path, text in {**self.text, **self.tests}.items():
            for word in set(re.findall(r"\w+", plain(text))):
                users[word].append(path)
        for path, text in sorted(self.text.items()):
            code = plain(text)
            for m in PROTOTYPE.finditer(code) if path.endswith(".h") else ():
                others = [user for user in users[m.group(1)] if user != path]
                alone = len(others) == 1 and others[0] in self.text
                if alone and len(re.findall(r"\b%s\b" % m.group(1), code)) == 1:
                    self.report(path, "only %s uses %s" % (others[0], m.group(1)))

    def needs(self):
        """For each .c file the files whose functions and tables it uses."""
        home, said = {}, {}
        for path, text in self.text.items():
            if path.endswith(".c"):
                code = plain(text)
                for pattern in DEFINITION, DATA:
                    home.update((m.group(1), path) for m in pattern.finditer(code))
                said[path] = set(re.findall(r"(?<![.>\w])\w+", MEMBERS.sub("", code)))
        static = {path: set(STATIC.findall(plain(self.text[path]))) for path in said}
        return {path: {home[w] for w in words - static[path] if w in home} - {path}
                for path, words in said.items()}

    def circles(self):
        """Takes away again and again what needs nothing that is left."""
        left = self.needs()
        while True:
            free = [path for path, below in left.items() if not below & left.keys()]
            if not free:
                break
            for path in free:
                del left[path]
        while left:  # what stands above a circle is in none
            used = set().union(*left.values())
            above = [path for path in left if path not in used]
            if not above:
                break
            for path in above:
                del left[path]
        if left:
            self.report("a circle of files", ", ".join(sorted(left)))

    def names(self):
        homes = collections.defaultdict(set)
        for path in self.text:
            homes[os.path.basename(path)[:-2]].add(os.path.dirname(path))
        for name, rooms in sorted(homes.items()):
            if len(rooms) > 1:
                self.report(name, "files of this name in %s" % ", ".join(sorted(rooms)))
        tags = collections.defaultdict(set)
        for path, text in self.text.items():
            for m in re.finditer(r"^struct (\w+) \{", plain(text), re.M):
                tags[m.group(1)].add(path)
        for tag, paths in sorted(tags.items()):
            if len(paths) > 1:
                self.report("struct " + tag, "defined in %s" % ", ".join(sorted(paths)))


def main():
    house = House(sys.argv[1])
    house.arrows()
    house.libraries()
    house.purity()
    house.declarations()
    house.comments()
    house.words()
    house.names()
    house.sizes()
    house.private()
    house.joined()
    house.unused()
    house.circles()
    return 1 if house.bad else 0


if __name__ == "__main__":
    sys.exit(main())
