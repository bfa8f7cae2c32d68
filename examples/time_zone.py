"""The days of a month and local times in a time zone, in minutes since 1970.

Python 3.9 has the rules of time zones from the system. On Windows, `pip install tzdata` adds them.
"""

from datetime import date, datetime, timedelta, timezone
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
DAY_MINUTES = 1440


@lru_cache(None)
def names():
    return {name.lower(): name for name in available_timezones()}


def zone_named(name):
    """ValueError if there is no such zone. The case of the name does not count."""
    if not names():
        raise LookupError("this system has no time zones: install the package tzdata")
    if name.lower() not in names():
        raise ValueError(f"no zone: {name}")
    return ZoneInfo(names()[name.lower()])


def milliseconds(time):
    """Of a time in UTC with milliseconds, such as 2026-03-02T07:58:31.204Z."""
    year, month, day, hour, minute, second, fraction = (
        int(time[at:to]) for at, to in ((0, 4), (5, 7), (8, 10), (11, 13), (14, 16), (17, 19), (20, 23))
    )
    at = datetime(year, month, day, hour, minute, second, fraction * 1000, timezone.utc)
    return (at - EPOCH) // timedelta(milliseconds=1)


def shown_clock(minutes):
    return f"{minutes // 60:02}:{minutes % 60:02}"


class ZonedMonth:
    """`days` has (date, first minute, minute after the last) of each day, which may have 23 or 25 hours."""

    def __init__(self, zone, month):
        self.zone = zone_named(zone)
        year, number = map(int, month.split("-"))
        first = date(year, number, 1)
        starts, day = [], first
        while day.month == number:
            starts.append((day.isoformat(), self.start_of(day)))
            day += timedelta(days=1)
        ends = [start for _, start in starts[1:]] + [self.start_of(day)]
        self.days = [(name, start, end) for (name, start), end in zip(starts, ends)]
        self.shown = {}

    def offset(self, minute):
        """Local time minus UTC."""
        local = datetime.fromtimestamp(minute * 60, self.zone)
        return (local.utcoffset() // timedelta(seconds=1) + 30) // 60

    def start_of(self, day):
        """The first minute of a day. Where the clocks skip midnight, it is that of the change."""
        midnight = datetime(day.year, day.month, day.day)
        both = [midnight.replace(tzinfo=self.zone, fold=fold) for fold in (0, 1)]
        minutes = [(each.astimezone(timezone.utc) - EPOCH) // timedelta(minutes=1) for each in both]
        local = (midnight - datetime(1970, 1, 1)) // timedelta(minutes=1)
        exact = [minute for minute in minutes if minute + self.offset(minute) == local]
        if exact:
            return min(exact)
        before, after = min(minutes), max(minutes)
        while after - before > 1:
            middle = (before + after) // 2
            if self.offset(middle) == self.offset(after):
                after = middle
            else:
                before = middle
        return after

    def local(self, minute):
        """The date and the time with its difference to UTC."""
        if minute not in self.shown:
            offset = self.offset(minute)
            day, clock = divmod(minute + offset, DAY_MINUTES)
            name = date.fromordinal(719163 + day).isoformat()
            sign = "-" if offset < 0 else "+"
            self.shown[minute] = name, f"{name}T{shown_clock(clock)}{sign}{shown_clock(abs(offset))}"
        return self.shown[minute]

    def date_of(self, minute):
        return self.local(minute)[0]

    def show(self, minute):
        return self.local(minute)[1]


@lru_cache(4)
def zoned_month(zone, month):
    return ZonedMonth(zone, month)
