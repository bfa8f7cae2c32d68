"""Flags of the rules of a country. They change no minutes."""

from collections import namedtuple

from time_stays import break_spans, minutes_in, minutes_of, work_spans

# All in minutes. `breaks` are (code, work of more than this, needs breaks of this).
Rules = namedtuple("Rules", "day max_day shortest_break breaks in_a_row max_in_a_row rest min_rest")
RULES = {
    # Arbeitszeitgesetz, sections 3 to 5.
    "DE": Rules(
        *("de_day_over_10h", 600, 15, [("de_break_under_30", 360, 30), ("de_break_under_45", 540, 45)]),
        *("de_over_6h_in_a_row", 360, "de_rest_under_11h", 660),
    ),
    # Estatuto de los Trabajadores, article 34.3 and 34.4.
    "ES": Rules(
        *("es_day_over_9h", 540, 15, [("es_break_under_15", 360, 15)], None, None),
        *("es_rest_under_12h", 720),
    ),
}


def rule_flags(stays, month, country):
    """A code, a date and rows: at most one of a code and day."""
    rules, flags, before = RULES[country], [], None
    for day, shifts in workdays(stays, month):
        flags += [(code, day, rows) for code, rows in workday_flags(shifts, rules)]
        # Rest is between the shifts of two days.
        if before and before[-1].end and shifts[0].start.minute - before[-1].end.minute < rules.min_rest:
            flags.append((rules.rest, day, [before[-1].end, shifts[0].start]))
        before = shifts
    flagged = {day for code, day, _ in flags if code == rules.day}
    return flags + [flag for flag in calendar_flags(stays, month, rules) if flag[1] not in flagged]


def workdays(stays, month):
    """The shifts that began on one day."""
    days = []
    for stay in stays:
        day = month.date_of(stay.start.minute)
        if days and days[-1][0] == day:
            days[-1][1].append(stay)
        else:
            days.append((day, [stay]))
    return days


def ends_of(shifts):
    return [row for stay in shifts for row in (stay.start, stay.end)]


def workday_flags(shifts, rules):
    closed = [stay for stay in shifts if stay.end]
    work = [span for stay in closed for span in work_spans(stay)]
    pauses = [span for stay in closed for span in break_spans(stay)]
    pauses += [(a.end.minute, b.start.minute) for a, b in zip(closed, closed[1:])]
    counting = [(start, end) for start, end in pauses if end - start >= rules.shortest_break]
    minutes, rows = minutes_of(work), ends_of(closed)
    if minutes > rules.max_day:
        yield rules.day, rows
    for code, over, least in rules.breaks:
        if minutes > over and minutes_of(counting) < least:
            yield code, rows
    if rules.in_a_row and longest_in_a_row(work, counting) > rules.max_in_a_row:
        yield rules.in_a_row, rows


def longest_in_a_row(work, counting):
    sums = {}
    for start, end in work:
        before = sum(pause_end <= start for _, pause_end in counting)
        sums[before] = sums.get(before, 0) + end - start
    return max(sums.values(), default=0)


def calendar_flags(stays, month, rules):
    """Days with too much work between their two midnights."""
    closed = [(stay, work_spans(stay)) for stay in stays if stay.end]
    for day in month.days:
        shifts = [(stay, work) for stay, work in closed if minutes_in(day, work) > 0]
        if sum(minutes_in(day, work) for _, work in shifts) > rules.max_day:
            yield rules.day, day[0], ends_of([stay for stay, _ in shifts])
