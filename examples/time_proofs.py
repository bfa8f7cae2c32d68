"""The proofs of the file of a month, and whose phones they are of."""

import json
import secrets
from types import SimpleNamespace

import receipt_file
from receipt_file import audit
from time_lines import ensure
from verify_receipt import PINNED, VKEY, R, check_enrolments, is_batch, points_of, sha256

AT_ONCE = 64


def pinned_key(setup, allow_development_keys):
    """The key of the proofs. The file only names it."""
    pinned = PINNED.get(setup["vkeySha256"])
    of = "The proofs are under a verification key that this checker does not pin."
    ensure(pinned, "setup_unknown", of)
    of = "The receipt says something else about the verification key than this checker does."
    ensure(pinned == (setup["kind"], setup["contributors"]), "setup_unknown", of)
    right = setup["kind"] == "ceremony" or allow_development_keys
    ensure(right, "setup_forgeable", "The proofs are under development keys, whose maker can forge proofs.")
    key = VKEY.read_bytes()
    ensure(sha256(key).hex() == setup["vkeySha256"], "setup_unknown", f"{VKEY} is another key.")
    return json.loads(key)


class Proofs:
    """Verifies proofs, many by one equation."""

    def __init__(self, key, findings):
        self.key, self.findings, self.count, self.waiting = key, findings, 0, []

    def add(self, sent, what, line):
        """`what` is the beginning of a sentence."""
        self.waiting.append((sent, what, line))
        if len(self.waiting) >= AT_ONCE:
            self.flush()

    def flush(self):
        waiting, self.waiting = self.waiting, []
        points = [points_of(sent) for sent, _, _ in waiting]
        known = [each for each in points if each]
        weighted = [(secrets.randbelow(2**128 - 1) + 1, each) for each in known]
        right = not weighted or is_batch(self.key, weighted)
        for each, (_, what, line) in zip(points, waiting):
            self.count += 1
            if not each or not (right or is_batch(self.key, [(1, each)])):
                self.findings.add("proof_invalid", f"{what} has a proof that is not valid.", line)


def is_event_value(value):
    """What the entry of a chain can have."""
    if isinstance(value, dict):
        return all(map(is_event_value, [*value, *value.values()]))
    if isinstance(value, str):
        return not any("\ud800" <= each <= "\udfff" for each in value)
    return value is None or isinstance(value, bool) or (isinstance(value, int) and abs(value) < 2**53)


class Enrolments:
    """The secrets of people, by what their proofs show."""

    def __init__(self, header, findings):
        self.header, self.findings, self.owners = header, findings, {}

    def newer_than(self, seq):
        """How many go back to nothing from before an entry."""
        return sum(first > seq for _, _, first in self.owners.values())

    def add(self, line, proofs, at):
        did, rows = line["did"], {}
        for each in line["rows"]:
            row = each["row"]
            right = is_event_value(row) and audit.hash_of(row) == row["hash"]
            if not right or not audit.is_included(row, each["inclusion"], self.header["tree"]):
                of = f"Entry {row['seq']}, which enrolled {did}, is not in the tree."
                return self.findings.add("enrolment_wrong", of, at)
            rows[row["seq"]] = row
        it = SimpleNamespace(rows=rows, place=[self.header["tenantId"], self.header["environment"]])
        try:
            chain = check_enrolments(it, line)
        except receipt_file.Fault as fault:
            return self.findings.add("enrolment_wrong", str(fault).partition(": ")[2], at)
        for own in line["enrolment"]:
            if "authorization" in own:
                proofs.add(own["authorization"], f"The enrolment of {did}", at)
        leaf, commitment = chain[0]["leaf"], int(chain[0]["leaf"]["commitment"], 16)
        key = did, str(commitment) if commitment < R else None
        if key in self.owners:
            return self.findings.add("enrolment_wrong", f"{did} is in the file twice.", at)
        first = min(own["seq"] for own in chain)
        self.owners[key] = leaf["userId"], chain[0]["seq"], first

    def owner_of(self, sent):
        """The person, and the number of the entry that put the secret in force."""
        return self.owners.get((sent["did"], sent["publicSignals"][0]), (None, None, None))[:2]
