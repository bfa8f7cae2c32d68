"""Compares exports of records with an audit chain. audit-check.py does so with --records.

Python 3.8 and its standard library are enough. The format is described in docs/audit.md, "What a record says". The lines of all
files are kept in a temporary database, so that memory does not grow with their number.
"""

import hashlib
import json
import os
import re
import sqlite3
import tempfile
from datetime import datetime, timedelta, timezone
from decimal import Decimal

# The fields of each kind that are sealed, by the number that a row has.
FIELDS = {
    ("device", 1): (
        ("id", "environment", "deviceType", "status", "enrollment_state", "fingerprint", "attestation_kind", "keyThumbprint", "createdAt"),
        ("name", "externalId", "locationId", "metadata"),
    ),
    ("user", 1): (
        ("id", "environment", "emailFromDevice", "primaryDeviceId", "status", "createdAt", "erasedAt"),
        ("fullName", "externalId", "email", "phone", "employeeCode", "metadata"),
    ),
    ("user", 2): (
        ("id", "environment", "emailFromDevice", "nameConfirmation", "primaryDeviceId", "status", "createdAt", "erasedAt"),
        ("fullName", "externalId", "email", "phone", "employeeCode", "metadata"),
    ),
    ("user", 3): (
        (
            *("id", "environment", "emailFromDevice", "nameConfirmation", "primaryDeviceId", "siteId", "attendanceFrom", "status"),
            *("createdAt", "erasedAt"),
        ),
        ("fullName", "externalId", "email", "phone", "employeeCode", "metadata"),
    ),
    ("verification", 1): (
        ("id", "environment", "method", "result", "userId", "deviceId", "confidenceScore", "occurredAt", "createdAt"),
        ("reason", "referenceId", "metadata"),
    ),
    ("attendance", 1): (
        ("id", "environment", "userId", "type", "deviceId", "verificationId", "result", "occurredAt", "createdAt"),
        ("metadata",),
    ),
    ("attendance", 2): (
        (
            *("id", "environment", "userId", "type", "reason", "activity", "mode", "evidence", "siteId", "deviceId"),
            *("verificationId", "correctionId", "result", "occurredAt", "createdAt"),
        ),
        ("metadata",),
    ),
}
KINDS = sorted({kind for kind, _ in FIELDS})
# Nobody changes these, so their first seal counts.
WRITE_ONCE = ("verification", "attendance")
# Entries of these have the seal of the record that they are about, or say that what is sealed stays the same.
SEALING = ("device.created", "device.updated", "user.created", "user.updated", "verification.created", "attendance.created")
# Entries of these have the seal of the device or person that they are about, unless a version without seals wrote them.
CHANGING = ("device.created", "device.updated", "device.enrolled", "device.revoked", "user.created", "user.updated")
# Instead of the seal of such a change.
UNSEALED = "none"
# How much the clocks of two nodes may differ.
HOUR = timedelta(hours=1)
UUID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"


# What can be found of a record that is no fault of anybody.
LATER = "as sealed later by the operator, which does not show what they said before"
BEFORE, ERASED, DELETED = "from before there were seals", "of erased people", "deleted because of their age"
NEW = "not there, because they were made while the file was written"


class Incomplete(Exception):
    """A file cannot be compared. That is no fault of its records."""


def number(value):
    """A number as JavaScript writes it, which RFC 8785 requires."""
    try:
        double = float(value)
    except OverflowError:
        raise ValueError("no double") from None
    if double in (float("inf"), float("-inf")) or double != double:
        raise ValueError("no number of JSON")
    if double == 0:
        return "0"
    sign, digits, exponent = Decimal(repr(double)).normalize().as_tuple()
    text, point = "".join(map(str, digits)), len(digits) + exponent
    if 0 < point <= 21:
        shown = text.ljust(point, "0") if len(text) <= point else text[:point] + "." + text[point:]
    elif -6 < point <= 0:
        shown = "0." + "0" * -point + text
    else:
        shown = text[0] + ("." + text[1:] if text[1:] else "") + "e" + ("+" if point > 0 else "-") + str(abs(point - 1))
    return ("-" if sign else "") + shown


def canonical(value):
    """RFC 8785. ValueError for what it does not have."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(canonical(name) + ":" + canonical(value[name]) for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return number(value)
    return json.dumps(value, ensure_ascii=False)


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def is_hex(value, size):
    return isinstance(value, str) and re.fullmatch("[0-9a-f]{%d}" % (2 * size), value) is not None


def seal_of(kind, row):
    """The seal of a row of an export. ValueError if it cannot have been sealed as it is."""
    n, salts, kept = row.get("n"), row.get("salts"), row.get("T")
    if (kind, n) not in FIELDS or isinstance(n, bool) or not isinstance(salts, dict):
        raise ValueError("no such fields")
    facts, text = FIELDS[kind, n]
    # A field that a later list has was not there when this one was sealed.
    later = {name for (of, number), lists in FIELDS.items() if of == kind and number > n for names in lists for name in names}
    if any(row.get(name) is not None for name in later.difference(facts, text)):
        raise ValueError("a field that no seal covers")
    if not re.fullmatch(UUID, str(row.get("id"))):
        raise ValueError("no such id")

    def part(salt, names):
        if not is_hex(salt, 16):
            raise ValueError("no salt")
        return sha256(bytes.fromhex(salt) + canonical({name: row.get(name) for name in names}).encode("utf-8"))

    removed = salts.get("text") is None
    if removed != (kept is not None) or (removed and not is_hex(kept, 32)):
        raise ValueError("either the salt of the text or its hash")
    of_text = kept if removed else part(salts["text"], text)
    return sha256(f"svc-record-v1|{kind}.{n}|{row['id']}|{part(salts.get('facts'), facts)}|{of_text}".encode("utf-8"))


def page_leaf(kind, record, seal):
    """A leaf of the tree over a page of records that the operator sealed later."""
    return hashlib.sha256(b"\0" + f"{kind}|{record}|{seal}".encode("ascii")).digest()


def page_root(kind, records):
    """The root of a page, from RFC 9162, level by level. ValueError if it is not a page."""

    def is_record(one):
        return isinstance(one, list) and len(one) == 2 and re.fullmatch(UUID, str(one[0])) and is_hex(one[1], 32)

    if not isinstance(records, list) or not 1 <= len(records) <= 1000 or not all(map(is_record, records)):
        raise ValueError("no page")
    level = [page_leaf(kind, record, seal) for record, seal in records]
    while len(level) > 1:
        pairs = [level[at : at + 2] for at in range(0, len(level), 2)]
        level = [pair[0] if len(pair) == 1 else hashlib.sha256(b"\1" + pair[0] + pair[1]).digest() for pair in pairs]
    return level[0].hex()


def is_text_removed(kind, row):
    """Whether a record says nothing of what its text has said. `reason` may be one of the service's own codes."""
    texts = FIELDS[kind, row["n"]][1]
    values = [(name, row.get(name)) for name in texts if row.get(name) is not None]
    return all(name == "reason" and re.fullmatch("[a-z_]{1,64}", str(value)) for name, value in values)


def time_of(text):
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=timezone.utc)


def made_at(record, seal):
    """When a record was made, for which the time of its first seal stands. An id of version 7 begins with its time."""
    _, _, at, later = seal
    if not later or record[14] != "7":
        return at
    time = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(milliseconds=int(record.replace("-", "")[:12], 16))
    return time.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


class Records:
    """Reads a chain with `visit`, and compares the files with it."""

    def __init__(self, paths, parse):
        self.parse = parse
        self.folder = tempfile.TemporaryDirectory()
        self.database = sqlite3.connect(os.path.join(self.folder.name, "records"), isolation_level=None)
        self.database.execute("create table seals (kind text, id text, seq integer, seal text, at text, later integer)")
        self.database.execute("create table pages (kind text, root text, primary key (kind, root)) without rowid")
        self.database.execute("create table named (kind text, id text, seq integer, primary key (kind, id)) without rowid")
        self.database.execute("create table rows (id text, line text)")
        self.database.execute("begin")
        self.database.execute("create table lacking (kind text, id text, seq integer, at text)")
        # Who was erased, and by which row. What was deleted because of its age, before the records were exported and at any time.
        self.erased, self.all_sealed = {}, False
        self.retained, self.ever_retained = {kind: [] for kind in KINDS}, {kind: [] for kind in KINDS}
        # The entries with the roots of pages of records that were sealed later.
        self.pages = {kind: [] for kind in KINDS}
        self.files = [(path, self.last_line(path)) for path in paths]
        # With two exports of a kind, the earlier one: what came after it must accuse neither.
        self.first = {kind: min([end["headBefore"]["seq"] for _, end in self.files if end["kind"] == kind], default=0) for kind in KINDS}
        self.reading = None
        self.hashes = {end[head]["seq"]: None for _, end in self.files for head in ("headBefore", "headAfter")}

    def close(self):
        self.database.close()
        self.folder.cleanup()

    def last_line(self, path):
        line = b""
        with open(path, "rb") as file:
            for line in file:
                pass
        try:
            end = json.loads(line.decode("utf-8"))
            numbers = [end["count"], end["headBefore"]["seq"], end["headAfter"]["seq"]]
            if end["kind"] in KINDS and all(type(number) is int and number >= 0 for number in numbers):
                return end
        except (ValueError, KeyError, TypeError):
            pass
        raise Incomplete(f"{path} is incomplete: its last line is not that of an export with include=seal")

    def visit(self, line):
        """Notes what the judgement of a record can depend on."""
        if "head" in line:
            return
        metadata, seq = line["metadata"], line["seq"]
        if seq in self.hashes:
            self.hashes[seq] = line["hash"]
        if seq == 1 and 0 in self.hashes:
            self.hashes[0] = line["prevHash"]
        if line["action"] == "user.erased":
            self.erased[line["entityId"]] = (seq, line["createdAt"])
        if line["action"] == "records.sealed_later" and metadata.get("kind") in KINDS:
            self.pages[metadata["kind"]].append((seq, metadata.get("root"), line["createdAt"]))
        for kind in KINDS:
            if line["action"] == "tenant.retention_applied" and metadata.get(f"{kind}_last") is not None:
                before, last = time_of(metadata["before"]), metadata[f"{kind}_last"]
                # Those that delete no more than this one say nothing more.
                for all_of in [self.ever_retained] + [self.retained] * (seq <= self.first[kind]):
                    others = [one for one in all_of[kind] if one[0] > before or one[1] > last]
                    all_of[kind] = others + [(before, last)]
            # An entry that says `UNSEALED` has no seal.
            metadata = {name: value for name, value in metadata.items() if value != UNSEALED}
            own = [(line["entityId"], metadata.get("seal"))] if line["entityType"] == kind else []
            if own and self.all_sealed and self.must_seal(line) and not isinstance(own[0][1], str):
                self.database.execute("insert into lacking values (?, ?, ?, ?)", (kind, line["entityId"], seq, line["createdAt"]))
            for record, seal in own + [(metadata.get(f"{kind}Id"), metadata.get(f"seal_{kind}"))]:
                # Once all are sealed, an entry without a seal is no sign of a record from before.
                if isinstance(record, str) and not self.all_sealed:
                    self.database.execute("insert or ignore into named values (?, ?, ?)", (kind, record, seq))
                if record and not isinstance(seal, str) and not self.all_sealed and self.may_change(line, kind):
                    seal = UNSEALED
                if isinstance(record, str) and isinstance(seal, str):
                    self.database.execute("insert into seals values (?, ?, ?, ?, ?, 0)", (kind, record, seq, seal, line["createdAt"]))

        self.all_sealed = self.all_sealed or line["action"] == "chain.records_sealed"

    @staticmethod
    def must_seal(line):
        return line["action"] in SEALING and line["status"] == "success" and line["metadata"].get("sealed") != "same"

    @staticmethod
    def may_change(line, kind):
        """Whether an entry without a seal may have changed that record. The person of a completed registration gets a phone."""
        own = line["action"] in CHANGING and line["entityType"] == kind
        given = line["action"] == "registration.completed" and kind == "user"
        return (own or given) and line["status"] == "success" and line["metadata"].get("sealed") != "same"

    def compare(self, head):
        """Yields (code, kind, id, (seq, time) of the entry or None) for each record that is not what the chain knows.

        `head` is that of the chain. After each file, `counts` of what was found in it.
        """
        self.database.execute("create index seals_of on seals (kind, id, seq)")
        for path, end in self.files:
            for name in ("headBefore", "headAfter"):
                seq = end[name]["seq"]
                if seq > head["seq"]:
                    raise Incomplete(f"{path} was exported when the chain had {seq} rows: export the chain after the records")
                if end[name]["tenantId"] != head["tenantId"] or self.hashes[seq] != end[name]["hash"]:
                    raise Incomplete(f"{path} belongs to another chain: row {seq} differs")
            yield from self.compare_file(path, end)

    def compare_file(self, path, end):
        self.reading = path
        self.database.execute("delete from rows")
        with open(path, "rb") as file:
            for count, line in enumerate(file):
                if count < end["count"]:
                    record = self.parse(line, count + 1).get("id")
                    self.database.execute("insert into rows values (?, ?)", (str(record), line.decode("utf-8")))
                elif count < end["count"] + end.get("pages", 0):
                    self.add_page(path, end, self.parse(line, count + 1).get("sealedLater"))
        if count != end["count"] + end.get("pages", 0):
            raise Incomplete(f"{path} is incomplete: it says that it has {end['count']} records, and has {count}")
        self.database.execute("create index if not exists rows_of on rows (id)")
        kind = end["kind"]
        known = {root for (root,) in self.database.execute("select distinct root from pages where kind = ?", (kind,))}
        if any(seq <= end["headBefore"]["seq"] and root not in known for seq, root, _ in self.pages[kind]):
            raise Incomplete(f"{path} is incomplete: it lacks a page of records that were sealed later")
        after = end["headAfter"]["seq"]
        lacking = "select id, min(seq), at from lacking where kind = ? and seq <= ? group by id"
        lacking = {record: entry for record, *entry in self.database.execute(lacking, (kind, after))}
        yield from (("seal_missing", kind, record, entry) for record, entry in lacking.items())
        counts = dict.fromkeys(("as sealed", LATER, BEFORE, ERASED, DELETED, NEW), 0)
        wrong = len(lacking)
        ids = "select id from rows union select id from seals where kind = ? and seal <> ? order by id"
        for (record,) in self.database.execute(ids, (kind, UNSEALED)):
            if record in lacking:
                continue
            seals = self.database.execute(
                "select seq, seal, at, later from seals where kind = ? and id = ? and seq <= ? order by seq",
                (kind, record, after),
            ).fetchall()
            rows = self.database.execute("select line from rows where id = ?", (record,)).fetchall()
            judged = "record_unknown" if len(rows) > 1 else self.judge(kind, record, seals, rows, end["headBefore"]["seq"])
            if judged in counts:
                counts[judged] += 1
                continue
            wrong += 1
            erasure = self.erased.get(record) if kind == "user" and judged == "record_changed" else None
            newest = [(seq, at) for seq, seal, at, _ in seals if seal != UNSEALED][-1:]
            yield judged, kind, record, erasure or (newest[0] if newest else None)
        others = [f"{number} {what}" for what, number in counts.items() if number or what == "as sealed"]
        yield f"{path}: " + ", ".join([f"{end['count']} records", *others, f"{wrong} not as in the chain"]) + "."

    def add_page(self, path, end, records):
        kind, after = end["kind"], end["headAfter"]["seq"]
        try:
            root = page_root(kind, records)
        except ValueError:
            root = None
        entries = [entry for entry in self.pages[kind] if entry[1] == root and entry[0] <= after]
        if not entries:
            raise Incomplete(f"{path} has a page of records that no entry of the chain has the root of")
        is_new = self.database.execute("insert or ignore into pages values (?, ?)", (kind, root)).rowcount == 1
        for seq, _, at in entries if is_new else []:
            rows = ((kind, record, seq, seal, at, 1) for record, seal in records)
            self.database.executemany("insert into seals values (?, ?, ?, ?, ?, ?)", rows)

    def judge(self, kind, record, seals, rows, before):
        changes, seals = seals, [one for one in seals if one[1] != UNSEALED]
        if not rows:
            is_due = seals and seals[0][0] <= before
            if not is_due:
                return NEW
            return DELETED if self.is_retired(self.ever_retained, kind, record, made_at(record, seals[0]), HOUR) else "record_missing"
        row = json.loads(rows[0][0])
        if not seals or (row.get("n") is None and seals[0][0] > before):
            named = self.database.execute("select 1 from named where kind = ? and id = ?", (kind, record)).fetchone()
            return BEFORE if row.get("n") is None and named else "record_unknown"
        if self.is_retired(self.retained, kind, record, made_at(record, seals[0]), -HOUR):
            return "record_undeleted"
        if kind in WRITE_ONCE and len(seals) > 1:
            return "record_resealed"
        salts = row.get("salts") if isinstance(row.get("salts"), dict) else {}
        erasure = self.erased.get(record if kind == "user" else row.get("userId"))
        if row.get("n") is None or salts.get("facts") is None:
            # All that the record of an erased person may say is nothing, and that it was erased.
            texts = FIELDS.get((kind, row.get("n")), ((), ("id",)))[1]
            is_empty = all(row.get(name) in (None, "") for name in texts)
            is_empty = is_empty and row.get("status") == "inactive" and isinstance(row.get("erasedAt"), str)
            return ERASED if kind == "user" and erasure and salts.get("text") is None and is_empty else "salt_missing"
        if kind == "user" and erasure and erasure[0] <= before:
            # The row from before the erasure was put back.
            return "record_changed"
        if salts.get("text") is None and not erasure:
            return "salt_missing"
        # A record that changed while it was read may have each of its seals of that time.
        earlier = [change for change in changes if change[0] <= before][-1:]
        current = seals if kind in WRITE_ONCE else earlier + [change for change in changes if change[0] > before]
        # A version without seals changed it.
        otherwise = BEFORE if UNSEALED in [seal for _, seal, *_ in current] else "record_changed"
        try:
            made = seal_of(kind, row)
            if salts.get("text") is None and not is_text_removed(kind, row):
                return otherwise
        except (ValueError, TypeError, RecursionError):
            return otherwise
        found = [later for _, seal, _, later in current if seal == made]
        return (LATER if found[0] else "as sealed") if found else otherwise

    @staticmethod
    def is_retired(retained, kind, record, created, slack):
        return any(record <= last and time_of(created) < before + slack for before, last in retained[kind])
