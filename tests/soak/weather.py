"""The faults of a year: one call of a run fails, or all from one on; the run is killed;
the server is down."""
import datetime
import random

# The weight of each kind of fault (tests/faults/fault.c), and how many calls it can
# happen to in an ordinary run, so that most of them do happen.
FAULTS = [("kill", 6), ("tear", 3), ("EIO", 2), ("ENOSPC", 2), ("EMFILE", 2), ("short", 2), ("full", 2), ("dead", 2),
          ("EREAD", 2), ("nomem", 2), ("nomemlib", 2)]
EXITS = {"kill": (-9, 0, 69, 75), "tear": (-9, 0, 69, 75)}     # beside what any run may end with
SURVIVED = (0, 69, 73, 74, 75)
LIBRARY_DIED = 99
OUTAGES_A_YEAR, LONGEST_OUTAGE = 5, 4      # days


class Weather:
    def __init__(self, shim, seed):
        self.shim, self.rng = shim, random.Random("weather %d" % seed)
        self.met = {kind: 0 for kind, _ in FAULTS}
        self.outages = []

    def plan(self, start, days):
        """When the server is down; never in the first two weeks or at the end."""
        for _ in range(max(1, days * OUTAGES_A_YEAR // 365)):
            begin = start + datetime.timedelta(days=self.rng.uniform(14, max(15, days - 10)))
            self.outages.append((begin, begin + datetime.timedelta(days=self.rng.uniform(0.7, LONGEST_OUTAGE))))

    def is_down(self, now):
        return any(begin <= now < end for begin, end in self.outages)

    def fault(self):
        """(kind, environment) of a fault for the next run, or (None, None)."""
        if self.rng.random() > 0.35:
            return None, None
        kind = self.rng.choices([k for k, _ in FAULTS], [n for _, n in FAULTS])[0]
        at = int(10 ** self.rng.uniform(0, 3.6))     # early calls and late ones
        return kind, {"LD_PRELOAD": self.shim, "FAULT": kind, "FAULT_AT": str(at)}

    def judge(self, kind, code, said):
        """None, or what is wrong about the end of such a run."""
        self.met[kind] += code != 0
        if code in SURVIVED or code in EXITS.get(kind, ()):
            return None if code in (0, -9) or said.strip() else "%s: exit %d without a word" % (kind, code)
        if code == LIBRARY_DIED and kind.startswith("nomem"):
            return None
        return "%s: exit %d: %s" % (kind, code, said[-500:])
