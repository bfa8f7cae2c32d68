"""Computes the sheet of a person's month from their events, as docs/time.md describes it.

    python3 time_sheet.py < CASES

CASES has a line of JSON for each month: `{"events": [...], "zone": "Europe/Madrid", "month": "2026-03", "rules": "ES", "version": 1}`. Prints
the canonical JSON (RFC 8785) of each sheet.
"""

import json
import sys

from record_check import canonical
from time_rules import rule_flags
from time_stays import break_spans, minutes_in, minutes_of, pair_asserted, pair_rows, place, rows_of, work_spans
from time_zone import zoned_month


def sheet_of(events, zone, month, rules, version):
    """Each time is cut to the minute that the sheet shows and then subtracted, so the sums can be added up by hand."""
    calendar, rows = zoned_month(zone, month), rows_of(events)
    own, own_flags = pair_rows([row for row in rows if not row.is_asserted])
    asserted, flags = pair_asserted([row for row in rows if row.is_asserted], own)
    stays = sorted([*own, *asserted], key=lambda stay: place(stay.start))
    flags = flags_of([*own_flags, *flags], own, stays, calendar, rules)
    days = days_of(own, stays, flags, calendar)
    return {
        **{"version": version, "zone": zone, "month": month},
        "shifts": [
            shift_of(stay, flags, calendar)
            for stay in stays
            if calendar.date_of(stay.start.minute).startswith(month)
        ],
        **{"days": days, "totals": totals_of(days)},
        "flags": [flag for flag in flags if flag["date"].startswith(month)],
    }


def flags_of(flags, own, stays, calendar, rules):
    """All flags, by date and code. Asserted rows can add a flag of the rules, but never hide one."""
    dated = [(code, calendar.date_of(rows[0].minute), rows) for code, rows in flags]
    if rules != "none":
        of_rules = rule_flags(own, calendar, rules)
        known = {(code, day) for code, day, _ in of_rules}
        others = rule_flags(stays, calendar, rules) if len(stays) != len(own) else []
        dated += [*of_rules, *(flag for flag in others if flag[:2] not in known)]
    shown = [{"code": code, "date": day, "eventIds": [row.id for row in rows]} for code, day, rows in dated]
    return sorted(shown, key=lambda flag: " ".join([flag["date"], flag["code"], *flag["eventIds"]]))


def shown_span(start, end, calendar):
    return {
        **{"from": calendar.show(start.minute), "to": calendar.show(end.minute) if end else None},
        **{"fromId": start.id, "toId": end.id if end else None},
    }


def shift_of(stay, flags, calendar):
    minutes = minutes_of(work_spans(stay)) if stay.end else 0
    ids = {row.id for pair in [stay[:2], *stay.breaks] for row in pair if row}
    is_asserted = stay.start.is_asserted
    return {
        **shown_span(stay.start, stay.end, calendar),
        **{"date": calendar.date_of(stay.start.minute), "asserted": is_asserted},
        **{"minutes": 0 if is_asserted else minutes, "minutesWithAsserted": minutes},
        "breaks": [
            {**shown_span(start, end, calendar), "minutes": end.minute - start.minute if end else 0}
            for start, end in stay.breaks
        ],
        "breakMinutes": minutes_of(break_spans(stay)),
        "flags": [flag for flag in flags if ids.intersection(flag["eventIds"])],
    }


def days_of(own, stays, flags, calendar):
    """Days with work, breaks or a flag. Shifts are split at local midnight."""
    of_work = lambda all_of: [span for stay in all_of if stay.end for span in work_spans(stay)]
    work, with_asserted = of_work(own), of_work(stays)
    breaks = [span for stay in own for span in break_spans(stay)]
    days = [
        {
            "date": day[0],
            **{"minutes": minutes_in(day, work), "minutesWithAsserted": minutes_in(day, with_asserted)},
            "breakMinutes": minutes_in(day, breaks),
            "flags": [flag for flag in flags if flag["date"] == day[0]],
        }
        for day in calendar.days
    ]
    return [day for day in days if day["minutesWithAsserted"] > 0 or day["breakMinutes"] > 0 or day["flags"]]


def totals_of(days):
    names = ("minutes", "minutesWithAsserted", "breakMinutes")
    totals = {name: sum(day[name] for day in days) for name in names}
    totals["difference"] = totals["minutesWithAsserted"] - totals["minutes"]
    return {**totals, "days": sum(day["minutesWithAsserted"] > 0 for day in days)}


def main():
    for line in sys.stdin:
        case = json.loads(line)
        for event in case["events"]:
            event.setdefault("result", "accepted")
            event.setdefault("voided", False)
        print(canonical(sheet_of(**case)))


if __name__ == "__main__":
    main()
