#!/usr/bin/env python3
"""Writes the cases beside it, as Python's zoneinfo has them.
  make.py deadlines   computed a quarter of an hour at a time: begin, seconds, weekdays (w) or
                      all days (-), vacations (from/until, or -), deadline, the zone's offsets
  make.py zones       years that are over: name, from, until, offsets
The offsets stand in the cases, so that news about a country's clocks breaks no test."""
import datetime as dt
import random
import sys
from zoneinfo import ZoneInfo

UTC = dt.timezone.utc
ZONES = """UTC Europe/Berlin Europe/London Europe/Dublin Europe/Moscow America/New_York America/St_Johns
America/Sao_Paulo America/Havana America/Santiago Africa/Cairo Africa/Casablanca Asia/Kolkata Asia/Kathmandu
Asia/Tokyo Asia/Beirut Asia/Gaza Australia/Sydney Australia/Lord_Howe Pacific/Auckland Pacific/Chatham
Pacific/Kiritimati Pacific/Pago_Pago Atlantic/Azores America/Nuuk""".split()


def iso(t):
    return dt.datetime.fromtimestamp(t, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def at(text):
    return int(dt.datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC).timestamp())


def offset(zone, t):
    minutes = int(dt.datetime.fromtimestamp(t, zone).utcoffset().total_seconds()) // 60
    return "%s%02d%02d" % ("-" if minutes < 0 else "+", abs(minutes) // 60, abs(minutes) % 60)


def offsets(zone, start, end):
    """All offsets between two times; they change at quarters of an hour."""
    text = offset(zone, start)
    for t in range(start - start % 900 + 900, end + 1, 900):
        if offset(zone, t) != text[-5:]:
            text += " %s %s" % (iso(t), offset(zone, t))
    return text


def resting(zone, t, weekdays, rests):
    if any(a <= t < b for a, b in rests):
        return True
    return weekdays and dt.datetime.fromtimestamp(t, zone).weekday() >= 5


def borders(zone, t, weekdays, rests):
    """The next instant after t at which anything can change: quarters of an hour, vacations."""
    n = t - t % 900 + 900
    return min([n] + [x for r in rests for x in r if x > t])


def deadline(zone, t, seconds, weekdays, rests):
    while True:
        n = borders(zone, t, weekdays, rests)
        if not resting(zone, t, weekdays, rests):
            if n - t > seconds:
                return t + seconds
            seconds -= n - t
        t = n


def rows():
    r = random.Random(11)
    fixed = [at(x) for x in ("2026-03-27T22:30:00Z", "2026-10-24T12:00:00Z", "2028-02-25T09:00:00Z",
                             "2028-02-29T00:00:00Z", "2027-12-31T23:59:59Z", "2026-11-01T05:30:00Z",
                             "2027-09-04T03:59:59Z", "2026-04-23T21:59:59Z")]
    for name in ZONES:
        for i in range(18):
            t = fixed[i] if i < len(fixed) else r.randrange(at("2026-01-01T00:00:00Z"), at("2030-01-01T00:00:00Z"))
            days = r.choice([0, 1, 2, 3, 5, 7, 10, 30, 37])
            seconds = days * 86400 + (0 if i % 3 else r.randrange(86400))
            weekdays = i % 5 != 4
            rests = []
            for _ in range(r.choice([0, 0, 1, 2])):
                a = t + r.randrange(-10, 40) * 86400 + r.randrange(86400)
                rests.append((a, a + r.randrange(0, 30) * 86400))
            yield name, t, seconds, weekdays, rests



def deadlines():
    for name, t, seconds, weekdays, rests in rows():
        z = ZoneInfo(name)
        print(iso(t), seconds, "w" if weekdays else "-",
              ",".join("%s/%s" % (iso(a), iso(b)) for a, b in rests) or "-",
              iso(deadline(z, t, seconds, weekdays, rests)), offsets(z, t - 20 * 86400, t + 200 * 86400))


def zones():
    for name in ZONES:
        for year in (2019, 2021, 2023):
            a, b = at("%d-01-01T00:00:00Z" % year), at("%d-12-31T12:00:00Z" % (year + 1))
            print(name, iso(a), iso(b), offsets(ZoneInfo(name), a, b))


{"deadlines": deadlines, "zones": zones}[sys.argv[1]]()
