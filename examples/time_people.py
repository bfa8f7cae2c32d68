"""What the file of a month says of each person: events, marks and sheets, and the sheets that were closed.

All that it says of people is kept in a temporary database, so that memory does not grow with the number of events.
"""

import hashlib
import json
import os
import sqlite3
import tempfile
from types import SimpleNamespace

from record_check import canonical
from time_chain import canonical_or_none
from time_lines import RULES_VERSION
from time_sheet import sheet_of
from time_zone import milliseconds, zoned_month


class Store:
    """What is said of people, in the order in which they appear."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.database = sqlite3.connect(os.path.join(self.folder.name, "people"), isolation_level=None)
        self.database.execute("create table said (person integer, what text)")
        self.database.execute("begin")
        self.places = {}

    def add(self, person, what):
        place = self.places.setdefault(person, len(self.places))
        self.database.execute("insert into said values (?, ?)", (place, json.dumps(what)))

    def all(self):
        people, before = list(self.places), None
        for place, what in self.database.execute("select person, what from said order by person, rowid"):
            if before is None or place != before.place:
                if before is not None:
                    yield before
                new = {"events": [], "voided": {}, "contested": {}, "sheets": []}
                before = SimpleNamespace(place=place, id=people[place], **new)
            what = json.loads(what)
            kind = getattr(before, what.pop("is"))
            if isinstance(kind, dict):
                # The last one counts, at the place of the first.
                kind[what["id"]] = what
            else:
                kind.append(what)
        if before is not None:
            yield before

    def close(self):
        self.database.close()
        self.folder.cleanup()


class Sheets:
    def __init__(self, header, findings):
        self.header, self.findings = header, findings
        self.options = header["site"]["timeZone"], header["month"], header["rules"], header["rulesVersion"]
        days = zoned_month(*self.options[:2]).days
        self.begin, self.finish = days[0][1] * 60_000, days[-1][2] * 60_000
        self.counts = dict.fromkeys(("proved", "declared", "agreed", "asserted", "contested"), 0)
        self.people = self.minutes = self.minutes_with_asserted = self.unproved_after_kept = 0
        self.leaves, self.closing = {}, None

    def is_in_month(self, time):
        return self.begin <= milliseconds(time) < self.finish

    def changed(self, sentence, line):
        self.findings.add("record_changed", sentence, line)

    def wrong(self, sentence, line=None):
        self.findings.add("sheet_wrong", sentence, line)

    def check(self, person, kept):
        """Compares what the file says of a person with what their events say."""
        self.compare_marks(person)
        self.find_doubles(person.events)
        events = [{**event, "voided": event["id"] in person.voided} for event in person.events]
        self.count(events, kept)
        sheet = person.sheets[0] if person.sheets else None
        if len(person.sheets) > 1:
            self.wrong(f"The person {person.id} has two sheets.", person.sheets[1]["line"])
        if sheet and self.header["userId"] not in (None, person.id):
            self.wrong(f"The file is of one person, and has a sheet of {person.id}.", sheet["line"])
        if sheet is None:
            if any(self.is_in_month(event["occurredAt"]) for event in events):
                self.wrong(f"The person {person.id} has events in the month, and no sheet.")
        else:
            own = sheet_of(events, *self.options)
            self.people += 1
            self.minutes += own["totals"]["minutes"]
            self.minutes_with_asserted += own["totals"]["minutesWithAsserted"]
            if canonical(own) != canonical_or_none(sheet["shown"]):
                self.wrong(f"The sheet of {person.id} is not what their events say.", sheet["line"])
        self.close_person(person, events)

    def compare_marks(self, person):
        """What a row says of having been voided or contested is not in its seal, so its entries say it."""
        for event in person.events:
            own, mark = event["id"], person.voided.get(event["id"])
            by, line = mark["by"] if mark else None, event["line"]
            names = ("type", "reason", "occurredAt")
            if mark and mark["old"] and any(mark["old"][name] != event[name] for name in names):
                of = f"The correction {by} says something else of the event {own} than the event."
                self.findings.add("correction_wrong", of, line)
            if event["voidedBy"] != by:
                no = f"The event {own} says that a correction voided it, and no entry does."
                of = f"The event {own} was voided by the correction {by}, and does not say so."
                self.changed(no if by is None else of, line)
            if event["isContested"] != (own in person.contested):
                no = f"The event {own} says that the person contested it, and no entry does."
                of = f"The person contested the event {own}, and it does not say so."
                self.changed(no if event["isContested"] else of, line)
        ids = {event["id"] for event in person.events}
        for mark in [*person.voided.values(), *person.contested.values()]:
            if mark["id"] not in ids:
                self.changed(f"The event {mark['id']} is not of the person that the file names.", mark["line"])

    def find_doubles(self, events):
        ids, punches = set(), set()
        for event in events:
            own, line = event["id"], event["line"]
            if own in ids:
                self.findings.add("record_resealed", f"The event {own} is recorded by two entries.", line)
            ids.add(own)
            if event["evidence"] != "proved":
                continue
            punch = event["type"], event["reason"], event["occurredAt"]
            if punch in punches:
                self.findings.add("punch_reused", f"The event {own} has the proof of another event.", line)
            punches.add(punch)

    def count(self, events, kept):
        for event in events:
            if event["voided"] or event["result"] == "rejected" or not self.is_in_month(event["occurredAt"]):
                continue
            self.counts[event["evidence"]] += 1
            self.counts["contested"] += event["isContested"]
            is_late = kept is not None and event["seq"] > kept
            self.unproved_after_kept += is_late and event["evidence"] in ("declared", "asserted")

    # What was closed.

    def add_leaf(self, leaf):
        self.leaves[leaf["userId"]] = [leaf["salt"], None]

    def is_closed_alike(self):
        """A month that was closed keeps its zone and its rules."""
        metadata = self.closing["metadata"]
        return [metadata.get("timeZone"), metadata.get("rules")] == [self.options[0], self.options[2]]

    def close_person(self, person, events):
        if person.id not in self.leaves or self.closing is None or not self.is_closed_alike():
            return
        at, then = self.closing["seq"], []
        for event in events:
            if event["seq"] < at:
                mark = person.voided.get(event["id"])
                then.append({**event, "voided": mark is not None and mark["seq"] < at})
        leaf = self.leaves[person.id]
        leaf[1] = self.leaf_of(person.id, leaf[0], then)

    def leaf_of(self, person, salt, events):
        text = canonical({"userId": person, "sheet": sheet_of(events, *self.options)})
        return hashlib.sha256(b"\0" + bytes.fromhex(salt) + text.encode("utf-8")).digest()

    def end(self):
        """How the newest closing is: none, unknown_rules, sound or wrong."""
        if self.closing is None:
            return "none"
        metadata, of = self.closing["metadata"], f"entry {self.closing['seq']}"
        if metadata.get("rulesVersion") != RULES_VERSION:
            return "unknown_rules"
        if not self.is_closed_alike():
            of = f"The file has another time zone or other rules than {of}, which closed the month."
            self.findings.add("closing_wrong", of)
            return "wrong"
        for person, leaf in self.leaves.items():
            leaf[1] = leaf[1] or self.leaf_of(person, leaf[0], [])
        hashes = [own for _, own in self.leaves.values()]
        if len(hashes) == metadata.get("sheets") and root_of(hashes) == metadata.get("root"):
            return "sound"
        of = f"The events do not give the sheets that {of} closed, at {self.closing['createdAt']}."
        self.findings.add("closing_wrong", of)
        return "wrong"


def root_of(level):
    """RFC 9162, level by level."""
    while len(level) > 1:
        pairs = [level[at : at + 2] for at in range(0, len(level), 2)]
        level = [pair[0] if len(pair) == 1 else hashlib.sha256(b"\1" + pair[0] + pair[1]).digest() for pair in pairs]
    return level[0].hex() if level else ""
