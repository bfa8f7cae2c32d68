"""Checks the file of a month without the service: the audit chain, the events, the proofs of the phones, the sheets.

    python3 verify_time.py FILE [--head HEAD] [--key KEYID=KEY] [--allow-development-keys]

FILE is the response of GET /v1/attendance/sheets?format=svc-hours. HEAD is an earlier file of a month, or a file with a tree or a head
that was kept; fetch FILE with from= and the size of the tree. Exits with 0 if nothing is wrong, with 1 if something is, or if the file cannot be checked to its
end, with 2 if nothing was checked. docs/hours-file.md has more.

Python 3.9 and its standard library are enough, with all files of this folder that are named time_*, record_check.py, receipt_file.py,
verify_receipt.py and audit-check.py, and the tables in docs/vectors. A proof takes about a tenth of a second.
"""

import argparse
import re
import sys
from types import SimpleNamespace

import time_report
from receipt_file import read_head
from record_check import seal_of, sha256
from time_chain import Chain, Keys, Numbers, kept_seq, shown
from time_claims import punch_fault
from time_corrections import Corrections
from time_lines import FORMAT, MAX_LINE_LENGTH, ORDER, Fault, check_header, ensure, is_event, kind_of, lines_of, parse
from time_people import Sheets, Store
from time_proofs import Enrolments, Proofs, pinned_key
from time_zone import milliseconds

# A phone has two minutes for its proof, and the clocks of two nodes may differ by an hour.
MAX_DELAY = 65 * 60_000
MAX_LISTED = 1000


class Findings:
    def __init__(self):
        self.count, self.listed = 0, []

    def add(self, code, sentence, line=None):
        self.count += 1
        if len(self.listed) < MAX_LISTED:
            self.listed.append((code, sentence, line))


class File:
    """Reads a file line by line."""

    def __init__(self, header, options, findings, store):
        check_header(header)
        self.header, self.findings, self.store = header, findings, store
        self.site, self.month = header["site"]["id"], header["month"]
        head = options.head
        self.keys, self.chain = Keys(options.keys, head), Chain(header, head)
        self.proofs = Proofs(pinned_key(header["setup"], options.allow_development_keys), findings)
        self.enrolments = Enrolments(header, findings)
        try:
            self.sheets = Sheets(header, findings)
        except ValueError:
            raise Fault("malformed", "Line 1 names a month or a time zone that there is not.") from None
        self.corrections = Corrections(header, findings, self.sheets.is_in_month)
        self.numbers = Numbers(header, kept_seq(head), findings)
        self.unknown, self.erased_people = {}, set()
        self.lines, self.digest, self.place, self.ending = 0, "", 0, None
        self.displaced, self.closing_number = 0, 0

    def read(self, at, text, value):
        ensure(self.ending is None, "malformed", f"Line {at} comes after the end.")
        kind = "header" if at == 1 else kind_of(value, at)
        if kind == "end":
            self.ending = value["end"]
            return
        place = 0 if at == 1 else ORDER.index("seq" if kind == "entry" else kind)
        ensure(place >= self.place, "malformed", f"Line {at} is in the wrong place.")
        self.place, self.lines = place, self.lines + 1
        self.digest = sha256((self.digest + sha256(text.encode("utf-8"))).encode("ascii"))
        self.take(kind, value, at)

    def take(self, kind, value, at):
        if kind == "seq":
            self.chain.follow(value["seq"], value["prevHash"], value["digest"], at)
        elif kind == "entry":
            self.take_entry(value, at)
        elif kind == "correction":
            self.corrections.add(value["correction"], self.proofs, at)
        elif kind == "enrolment":
            self.enrolments.add(value, self.proofs, at)
        elif kind == "leaf":
            self.sheets.add_leaf(value["leaf"])
        elif kind == "unsealed":
            own = shown(value["unsealed"]["record"].get("id"))
            of = f"The event {own} is in the file, and no entry of the chain has sealed it."
            self.findings.add("record_unknown", of, at)
        elif kind == "sheet":
            self.store.add(value["userId"], {"is": "sheets", "shown": value["sheet"], "line": at})

    def take_entry(self, value, at):
        row = value["entry"]
        action, kind, own, metadata = (row[name] for name in ("action", "entityType", "entityId", "metadata"))
        self.chain.show(row, at)
        self.numbers.note(row, at)
        if action == "user.erased" and own is not None:
            self.erased_people.add(own)
        if kind == "attendance_correction":
            self.corrections.note(row, at)
        about = [metadata.get("siteId"), metadata.get("period")] == [self.site, self.month]
        is_whole = self.header["userId"] is None
        if action == "attendance.month_closed" and about and is_whole and self.numbers.is_numbered(row):
            self.sheets.closing, self.closing_number = row, metadata["number"]
        if kind == "attendance" and own is not None:
            if action == "attendance.created":
                self.take_event(value, row, own, at)
            else:
                self.take_mark(value, row, own, at)

    def take_event(self, value, row, own, at):
        add = self.findings.add
        if "record" not in value:
            of = f"The event {own}, which entry {row['seq']} recorded at {row['createdAt']}, is gone."
            return add("record_missing", of, at)
        said, person = value["record"], value["record"].get("userId")
        is_sealed = self.is_sealed(value, row, own, at)
        right = isinstance(person, str) and said.get("siteId") == self.site
        if not right or self.header["userId"] not in (None, person):
            return add("record_changed", f"The event {own} is of another site or person.", at)
        if not is_sealed:
            return None
        if not is_event(said):
            return add("record_changed", f"The event {own} is none that sheets can have.", at)
        if not self.numbers.is_numbered(row):
            of = f"Entry {row['seq']}, which recorded the event {own}, has no number in a month."
            add("entry_missing", of, at)
        self.check_evidence(value, row, own, at)
        by, time = said.get("voidedBy"), said["occurredAt"]
        is_here = row["metadata"].get("period") == self.month
        self.displaced += is_here != self.sheets.is_in_month(time)
        event = {
            **{"is": "events", "id": own, "type": said["type"], "reason": said.get("reason") or "work"},
            **{"occurredAt": time, "result": said["result"], "evidence": said.get("evidence") or "asserted"},
            **{"seq": row["seq"], "line": at, "voidedBy": by if isinstance(by, str) else None},
            "isContested": said.get("contestedAt") is not None,
        }
        return self.store.add(person, event)

    def is_sealed(self, value, row, own, at):
        salts, said = value.get("salts") or {}, value["record"]
        right = value.get("n") is not None and salts.get("facts") is not None
        if not right or (salts.get("text") is None and "T" not in value):
            of = f"The event {own} cannot be checked: the salt of its seal is gone."
            self.findings.add("salt_missing", of, at)
            return False
        sealed = {**said, "n": value["n"], "salts": salts, **({"T": value["T"]} if "T" in value else {})}
        try:
            right = seal_of("attendance", sealed) == row["metadata"].get("seal") and said.get("id") == own
        except (ValueError, TypeError, RecursionError):
            right = False
        if not right:
            of = f"than when entry {row['seq']} recorded it, at {row['createdAt']}"
            self.findings.add("record_changed", f"The event {own} says something else {of}.", at)
        return right

    def check_evidence(self, value, row, own, at):
        wrong = lambda why: self.findings.add("punch_wrong", f"The event {own} {why}.", at)
        said, sent, seq = value["record"], value.get("punch"), row["seq"]
        evidence, person, time = said.get("evidence"), said["userId"], said["occurredAt"]
        if evidence == "agreed" and not self.corrections.makes(said.get("correctionId"), said):
            of = f"The event {own} is agreed, and no correction made it."
            self.findings.add("correction_missing", of, at)
        if evidence != "proved" and sent:
            wrong("has a proof, and is none of a phone")
        delay = abs(milliseconds(row["createdAt"]) - milliseconds(time))
        if evidence in ("proved", "declared") and delay > MAX_DELAY:
            wrong(f"was made at {time}, and entry {seq} recorded it at {row['createdAt']}")
        if evidence != "proved":
            return None
        if sent is None:
            return wrong("is that of a phone, and its proof is gone")
        fault = punch_fault(sent, said, self.header)
        if fault is not None:
            return wrong(fault)
        self.proofs.add(sent, f"The event {own}", at)
        owner, since = self.enrolments.owner_of(sent)
        if owner is None:
            self.note_unknown(person, sent["did"], at)
        elif owner != person:
            wrong(f"is of {person}, and the phone is that of {owner}")
        elif since >= seq:
            wrong("was proved before its phone was enrolled")
        return None

    def note_unknown(self, person, did, at):
        """The person may have been erased."""
        self.unknown.setdefault(person, [0, at, did])[0] += 1

    def take_mark(self, value, row, own, at):
        action, seq, person = row["action"], row["seq"], value.get("userId")
        if person is None:
            of = f"The event {own}, which entry {seq} is about, is gone."
            return self.findings.add("record_missing", of, at)
        if action == "attendance.contested":
            return self.store.add(person, {"is": "contested", "id": own, "line": at})
        if action != "attendance.voided":
            return None
        by = row["metadata"].get("correctionId", "undefined")
        old = self.corrections.voids(by, own, person)
        if old is None:
            of = f"The event {own} was voided, and no correction says so."
            self.findings.add("correction_missing", of, at)
        mark = {"is": "voided", "id": own, "by": shown(by), "old": old, "seq": seq, "line": at}
        return self.store.add(person, mark)

    def end(self):
        """What needs the whole file. Returns what the report is made of."""
        ending, header = self.ending, self.header
        ensure(ending, "incomplete", "The file was cut off: its last line is missing.")
        self.keys.check_file(header, ending, self.lines, self.digest)
        is_in_file, has_tree = self.chain.end(self.keys.of_chain(header, ending))
        kept = self.chain.kept
        for sent, person, what, at in self.corrections.decisions:
            owner, _ = self.enrolments.owner_of(sent)
            if owner is None:
                self.note_unknown(person, sent["did"], at)
            elif owner != person:
                of = f"{what} was decided by the phone of somebody else."
                self.findings.add("correction_wrong", of, at)
        self.corrections.end()
        self.proofs.flush()
        for person in self.store.all():
            self.sheets.check(person, kept)
        erased, closing = self.judge_unknown(), self.sheets.end()
        return SimpleNamespace(
            **{"header": header, "kept": kept, "is_in_file": is_in_file, "named": self.keys.named},
            **{"erased": erased, "displaced": self.displaced, "proofs": self.proofs, "numbers": self.numbers},
            **{"sheets": self.sheets, "closing": closing, "closing_number": self.closing_number},
            **{"corrections": self.corrections, "findings": self.findings, "shown": shown},
            new_enrolments=self.enrolments.newer_than(kept if has_tree else 0),
        )

    def judge_unknown(self):
        """How many events and decisions are of people who were erased."""
        erased = 0
        for person, (count, at, did) in self.unknown.items():
            if person in self.erased_people:
                erased += count
            else:
                of = f"Nothing shows that {did} is the phone of {person}."
                self.findings.add("enrolment_missing", of, at)
        return erased


def check(file, options, findings, store):
    """What the report is made of. Fault if the file cannot be checked to its end."""
    it = None
    for at, text, value in lines_of(file):
        it = it or File(value, options, findings, store)
        it.read(at, text, value)
    ensure(it, "incomplete", "The file is empty.")
    return it.end()


def report(it):
    yield from time_report.checked(it)
    for sentence in time_report.not_checked(it):
        yield f"not checked: {sentence}"
    yield time_report.rests_on(it)
    for code, sentence, line in it.findings.listed:
        yield f"{code}: {sentence}" + (f" (line {line})" if line else "")
    yield time_report.conclusion(it)


def read_kept(path):
    """An earlier file of a month has its tree in its first line."""
    with open(path, "rb") as file:
        first = file.readline(MAX_LINE_LENGTH)
    if not first.startswith(b'{"format":"' + FORMAT.encode("ascii")):
        return read_head(path)
    header = parse(first.decode("utf-8").rstrip("\n"), 1)
    check_header(header)
    return {**header["tree"], "publicKey": header["publicKey"]}


def main(arguments):
    parser = argparse.ArgumentParser(prog="verify_time.py")
    parser.add_argument("file")
    parser.add_argument("--head")
    parser.add_argument("--key", action="append", default=[])
    parser.add_argument("--allow-development-keys", action="store_true")
    options = parser.parse_args(arguments)
    store, findings = Store(), Findings()
    try:
        options.keys = dict(re.fullmatch("([^=]+)=([0-9a-f]{64})", key).groups() for key in options.key)
        options.head = None if options.head is None else read_kept(options.head)
        with open(options.file, "rb") as file:
            for sentence in report(check(file, options, findings, store)):
                print(sentence)
        return 1 if findings.count > 0 else 0
    except Fault as fault:
        print(fault)
        return 1
    except (OSError, ValueError, AttributeError, LookupError) as error:
        print(f"Nothing was checked: {error}", file=sys.stderr)
        return 2
    finally:
        store.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
