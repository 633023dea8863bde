"""The source with another C library: every file but those of LIMITS compiles against musl;
the rules of the games run with it.  The libraries that pbm is built on are glibc's here, so
the whole program isn't linked.  docs/libraries.md names these limits."""
import os
import shutil
import subprocess
import tempfile

from layer import SOURCE, Skip

PACKAGES = None
INSTALLED = False
# Small ones of libc's, and games without the server around it.
GAMES = ["games", "pbm/base/err.c", "pbm/base/str.c", "pbm/base/mem.c", "pbm/base/utf8.c", "pbm/base/distance.c"]
LIMITS = {}          # file: what musl does not have
MAIN = """
#include <stdio.h>
#include <string.h>
#include "games/game.h"
#include "games/variants/registry.h"
int main(void)
{
	for (size_t i = 0; rules_all[i]; i++) {
		struct game g = { .rules = rules_all[i] };
		struct pos p;
		struct err e = { 0 };
		if (game_setup(&g, NULL, &p, &e) < 0)
			return 1;
		printf("%s %llu\\n", rules_all[i]->name, (unsigned long long)game_perft(&g, &p, 3));
	}
	return 0;
}
"""


def files(folder):
    if folder.endswith(".c"):
        return [folder]
    return sorted(os.path.join(d, f) for d, _, fs in os.walk(folder) for f in fs if f.endswith(".c"))


def compile_all(cc, names, folder):
    """Objects of all; those that fail, with the reason."""
    flags = subprocess.run(["pkg-config", "--cflags", "jansson", "sqlite3", "libsodium", "libxml-2.0", "libseccomp", "libcurl", "libcares",
                            "libedit", "libarchive"], capture_output=True, text=True).stdout.split()
    includes = ["-I."] + [f for f in flags if f.startswith("-D")]
    if "musl" in cc:
        # The libraries' headers, after musl's own.
        for d in [f[2:] for f in flags if f.startswith("-I")] + ["/usr/include", "/usr/include/x86_64-linux-gnu"]:
            includes += ["-idirafter", d]
    else:
        includes += [f for f in flags if f.startswith("-I")]
    bad, objects = {}, []
    for name in names:
        out = folder + "/" + name.replace("/", "_")[:-2] + ".o"
        r = subprocess.run([cc, "-std=c2x", "-D_GNU_SOURCE", "-O1", "-Werror=implicit-function-declaration", *includes, "-c", "-o", out, name], capture_output=True, text=True)
        objects.append(out)
        if r.returncode:
            bad[name] = r.stderr[:600]
    return objects, bad


def run(root, t):
    if not shutil.which("musl-gcc"):
        raise Skip("there is no musl-gcc")
    os.chdir(SOURCE)
    with tempfile.TemporaryDirectory() as folder:
        _, bad = compile_all("musl-gcc", [f for room in ("games", "mail", "store", "pbm") for f in files(room)], folder)
        for name, why in bad.items():
            t.check(LIMITS.get(name, "no limit") in why, "musl: %s: %s" % (name, why))
        t.equal(sorted(bad), sorted(LIMITS), "musl: the files that don't compile")
        with open(folder + "/main.c", "w") as f:
            f.write(MAIN)
        said = {}
        for cc in ("musl-gcc", "gcc"):
            objects = compile_all(cc, [f for part in GAMES for f in files(part)], folder)[0]
            r = subprocess.run([cc, "-std=c2x", "-D_GNU_SOURCE", "-I.", "-o", folder + "/perft", folder + "/main.c", *objects, "-lm"],
                               capture_output=True, text=True)
            if not t.check(r.returncode == 0, "%s links the games: %s" % (cc, r.stderr[-800:])):
                return
            said[cc] = subprocess.run([folder + "/perft"], capture_output=True, text=True).stdout
        t.check("chess 8902" in said["gcc"], "the games count")
        t.equal(said["musl-gcc"], said["gcc"], "and the same with musl")
