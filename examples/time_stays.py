"""Makes shifts and breaks of the events of a person. What does not fit is flagged, and nothing is guessed."""

from collections import namedtuple
from types import SimpleNamespace

from time_zone import milliseconds

# `at` in milliseconds, `minute` without the seconds.
Row = namedtuple("Row", "id act is_asserted at minute")
# The end is None if there is none. Breaks are pairs of rows.
Stay = namedtuple("Stay", "start end breaks")

ACTS = {
    ("work", "check_in"): "begin",
    ("work", "check_out"): "end",
    ("break", "check_in"): "end break",
    ("break", "check_out"): "begin break",
}
# Within a millisecond, ends come before beginnings.
ORDER = ["end break", "end", "begin", "begin break"]
DOUBLE_TAP = 60_000


def place(row):
    return row.at, ORDER.index(row.act), row.id


def rows_of(events):
    """The events that were accepted and not voided, by time."""
    rows = []
    for event in events:
        if event["result"] != "rejected" and not event["voided"]:
            at = milliseconds(event["occurredAt"])
            act = ACTS[event["reason"], event["type"]]
            rows.append(Row(event["id"], act, event["evidence"] == "asserted", at, at // 60_000))
    return sorted(rows, key=place)


def pair_rows(rows):
    """Stays in the order of their beginnings, and flags: a code with rows."""
    stays, flags = [], []
    it = SimpleNamespace(shift=None, breaks=[], pause=None)

    def leave_pause_open(*after):
        if it.pause:
            flags.append(("open_break", [it.pause, *after]))
            it.breaks.append((it.pause, None))
            it.pause = None

    def close(end):
        if it.shift:
            stays.append(Stay(it.shift, end, it.breaks))
        it.shift, it.breaks = None, []

    last = None
    for row in rows:
        if last and last.act == row.act and row.at - last.at <= DOUBLE_TAP:
            flags.append(("double_tap", [last, row]))
            continue
        last = row
        if row.act == "begin":
            if it.shift:
                flags.append(("two_check_ins", [it.shift, row]))
            leave_pause_open()
            close(None)
            it.shift = row
        elif row.act == "end":
            if not it.shift:
                flags.append(("check_out_alone", [row]))
            if it.pause:
                flags.append(("break_at_the_end", [it.pause, row]))
                it.breaks.append((it.pause, row))
                it.pause = None
            close(row)
        elif row.act == "begin break":
            leave_pause_open(row)
            if it.shift:
                it.pause = row
            else:
                flags.append(("break_alone", [row]))
        else:
            if it.shift and it.pause:
                it.breaks.append((it.pause, row))
            else:
                flags.append(("break_alone", [row]))
            it.pause = None
    if it.shift:
        flags.append(("open_shift", [it.shift]))
    leave_pause_open()
    close(None)
    return stays, flags


def pair_asserted(rows, own):
    """Asserted rows are paired only with each other, and only between two shifts of the person that have ended."""
    closed, gaps, flags = [stay for stay in own if stay.end], {}, []
    for row in rows:
        is_end = row.act.startswith("end")
        is_over = lambda minute: minute < row.minute if is_end else minute <= row.minute
        gap = next((at for at, stay in enumerate(closed) if not is_over(stay.end.minute)), len(closed))
        if gap < len(closed) and is_over(closed[gap].start.minute):
            flags.append(("asserted_ignored", [row, closed[gap].start]))
        else:
            gaps.setdefault(gap, []).append(row)
    stays = []
    for gap in sorted(gaps):
        more, others = pair_rows(gaps[gap])
        stays, flags = stays + more, flags + others
    return stays, flags


# Spans of minutes, from one to before another.


def break_spans(stay):
    return [(start.minute, end.minute) for start, end in stay.breaks if end]


def work_spans(stay):
    """A shift that has ended, without its breaks."""
    breaks = break_spans(stay)
    starts = [stay.start.minute, *(end for _, end in breaks)]
    ends = [*(start for start, _ in breaks), stay.end.minute]
    return [(start, end) for start, end in zip(starts, ends) if start < end]


def minutes_of(spans):
    return sum(end - start for start, end in spans)


def minutes_in(day, spans):
    _, first, last = day
    return sum(max(0, min(end, last) - max(start, first)) for start, end in spans)
