"""Prints the local time of instants, and how many minutes of some spans fall on each day. Reads and writes JSON."""
import json
import sys
from collections import Counter
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

START = datetime(1970, 1, 1, tzinfo=timezone.utc)


def local(minute, zone):
    return (START + timedelta(minutes=minute)).astimezone(zone)


def answer(case):
    zone = ZoneInfo(case["zone"])
    days = Counter(
        local(minute, zone).strftime("%Y-%m-%d") for begin, end in case["spans"] for minute in range(begin, end)
    )
    return {
        "shown": [local(minute, zone).isoformat(timespec="minutes") for minute in case["minutes"]],
        "days": {date: count for date, count in days.items() if date.startswith(case["month"])},
    }


json.dump([answer(case) for case in json.load(sys.stdin)], sys.stdout)
