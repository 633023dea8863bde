"""Counts checks, and says which failed."""
import traceback


class Tally:
    def __init__(self):
        self.passed, self.failed = 0, 0

    def check(self, good, what):
        if good:
            self.passed += 1
        else:
            self.failed += 1
            print("failed:", what)

    def equal(self, got, wanted, what):
        self.check(got == wanted, f"{what}: {got!r}, not {wanted!r}")

    def guard(self, name, call, *words):
        """A part that breaks down fails; the others go on."""
        try:
            call(*words)
        except (AssertionError, OSError, KeyError, IndexError, TypeError, ValueError):
            self.check(False, name + ":\n" + traceback.format_exc())
