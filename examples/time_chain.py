"""Follows the audit chain of the file of a month, the numbers of the entries about the month, and the signatures."""

from receipt_file import audit
from record_check import canonical, sha256
from time_lines import ensure

ASK = "which you did not name. Pass a head that you kept, or this key."


def shown(value):
    """A value of JSON as JavaScript puts it into a text."""
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    return str(value)


def canonical_or_none(value):
    """RFC 8785. None for half of a surrogate pair."""
    try:
        text = canonical(value)
        text.encode("utf-8")
        return text
    except ValueError:
        return None


def kept_seq(head):
    """The number of the newest entry that was kept."""
    return head.get("size", head.get("seq")) if head else None


class Chain:
    def __init__(self, header, head):
        self.header, self.head, self.kept = header, head, kept_seq(head)
        self.seq, self.hash, self.at, self.hash_at_kept = header["first"] - 1, None, "", None

    def show(self, row, line):
        text = canonical_or_none({name: value for name, value in row.items() if name not in ("prevHash", "hash")})
        seq, at, altered = row["seq"], row["createdAt"], f"Line {line}: entry {row['seq']} was altered."
        ensure(text is not None, "chain_broken", altered)
        made = self.follow(seq, row["prevHash"], sha256(text.encode("utf-8")), line)
        ensure(made == row["hash"], "chain_broken", altered)
        right = row["environment"] == self.header["environment"]
        ensure(right, "chain_broken", f"Line {line}: entry {seq} is of another environment.")
        ensure(at >= self.at, "chain_broken", f"Line {line}: entry {seq} is older than the one before it.")
        self.at = at
        if self.head:
            right = at >= self.head["at"] if seq > self.kept else at <= self.head["at"]
            of = f"Line {line}: entry {seq} has a time that contradicts the head that you kept."
            ensure(right, "kept_head_differs", of)

    def follow(self, seq, before, digest, line):
        expected = self.seq + 1
        of = f"Line {line} has entry {seq}, not {expected}: lines were removed, doubled or moved."
        ensure(seq == expected, "chain_broken", of)
        account = f"{self.header['tenantId']}|{self.header['environment']}"
        genesis = sha256(f"svc-audit-v1|{account}".encode("utf-8")) if seq == 1 else before
        right = before == (self.hash or genesis)
        ensure(right, "chain_broken", f"Line {line}: entry {seq} does not follow the one before it.")
        if seq - 1 == self.kept and self.hash_at_kept is None:
            self.hash_at_kept = before
        self.seq, self.hash = seq, sha256(bytes.fromhex(before + digest))
        if seq == self.kept:
            self.hash_at_kept = self.hash
        return self.hash

    def end(self, keys):
        """Whether the file has the entry that was kept, and whether its tree extends the one that was kept."""
        tree, head, kept = self.header["tree"], self.head, self.kept
        right = self.seq == tree["size"] and self.hash == tree["hash"]
        of = f"The chain ends with entry {self.seq}, and the signed tree with entry {tree['size']}."
        ensure(right, "tree_wrong", of)
        check_signed(self.header, keys, tree, "The tree of the file")
        if not head:
            return False, False
        right = head.get("tenantId", self.header["tenantId"]) == self.header["tenantId"]
        ensure(right, "kept_head_differs", "The head that you kept is of another account.")
        check_signed(self.header, keys, head, "The head that you kept")
        of = f"it has {kept} entries, and the file {tree['size']}. Fetch the file again."
        ensure(kept <= tree["size"], "kept_head_differs", f"The head that you kept is newer than the file: {of}")
        is_in_file = self.hash_at_kept is not None
        right = not is_in_file or self.hash_at_kept == head["hash"]
        of = f"The chain was rewritten at or before entry {kept}, which you kept."
        ensure(right, "kept_head_differs", of)
        has_tree = "root" in head and self.is_extended(head, tree)
        of = f"Keep a tree, and fetch the file with from={kept}."
        of = f"The head that you kept is older than the first entry of the file. {of}"
        ensure(is_in_file or has_tree, "kept_head_differs", of)
        return is_in_file, has_tree

    def is_extended(self, head, tree):
        """False if nothing shows it."""
        consistency, is_same = self.header.get("consistency"), head["size"] == tree["size"]
        if not is_same and (consistency is None or consistency["from"] != head["size"]):
            return False
        right = audit.is_consistent(head, tree, [] if is_same else consistency["proof"])
        ensure(right, "kept_head_differs", "The tree of the file does not extend the tree that you kept.")
        return True


def check_signed(header, keys, signed, what):
    key_id = signed["keyId"]
    ensure(key_id in keys, "key_unknown", f"{what} is signed with the key {key_id}, {ASK}")
    right = signed.get("publicKey") in (None, keys[key_id])
    ensure(right, "key_unknown", f"{what} has another key {key_id} than you named.")
    message = audit.signed_text(signed, header["tenantId"], header["environment"])
    right = audit.is_signed(bytes.fromhex(keys[key_id]), message, bytes.fromhex(signed["signature"]))
    ensure(right, "signature_wrong", f"The signature of {what[0].lower()}{what[1:]} is wrong.")


class Keys:
    """The public keys that somebody named, and that of the head that was kept."""

    def __init__(self, keys, head):
        self.keys, self.head, self.named = dict(keys), head, bool(keys) or head is not None
        self.own = {head["keyId"]: head["publicKey"]} if head and head.get("publicKey") else {}

    def check_file(self, header, end, lines, digest):
        """Whether the file is the one that was signed."""
        key_id, key = end["keyId"], end["publicKey"]
        known = {**self.keys, **self.own}.get(key_id)
        ensure(known or not self.named, "key_unknown", f"The file is signed with the key {key_id}, {ASK}")
        right = known in (None, key)
        ensure(right, "key_unknown", f"The file has another key {key_id} than you named.")
        parts = [header["tenantId"], header["environment"], header["site"]["id"], header["month"]]
        message = "|".join(map(str, ["svc-hours-file-v1", *parts, end["lines"], end["sha256"], key_id]))
        signature = bytes.fromhex(end["signature"])
        right = audit.is_signed(bytes.fromhex(key), message.encode("utf-8"), signature)
        right = right and [end["lines"], end["sha256"]] == [lines, digest]
        ensure(right, "altered", "The file is not the one that the service signed: somebody changed it afterwards.")

    def of_chain(self, header, end):
        """The keys of the tree. Without a named one, it is the one that the file itself names."""
        if not self.named:
            return {header["tree"]["keyId"]: header["publicKey"] or end["publicKey"]}
        for key_id, key in self.own.items():
            of = f"The head that you kept has another key {key_id} than you named."
            ensure(self.keys.get(key_id, key) == key, "key_unknown", of)
        return {**self.keys, **self.own}


class Numbers:
    """The numbers of the entries about the month. Without a gap, none of them is hidden among those of other kinds."""

    def __init__(self, header, kept, findings):
        self.header, self.kept, self.findings = header, kept or 0, findings
        self.last, self.missing, self.last_entry, self.last_kept = 0, 0, None, None

    def note(self, row, line):
        said, seq = row["metadata"], row["seq"]
        about = said.get("siteId") == self.header["site"]["id"] and said.get("period") == self.header["month"]
        if not about or "number" not in said:
            return
        expected, own = self.last + 1, said["number"]
        own = own if type(own) in (int, float) else 0
        self.last, self.last_entry = own, (seq, row["createdAt"])
        if seq <= self.kept:
            self.last_kept = self.last_entry
        if own == expected or (self.header["userId"] is not None and own > expected):
            return
        self.missing += max(1, own - expected)
        of = f"has the number {shown(said['number'])} in the month, not {expected}: entries between them are hidden."
        self.findings.add("entry_missing", f"Entry {seq} {of}", line)

    def is_numbered(self, row):
        """Whether an entry about an event has a number in a month, which may be one of those beside this one."""
        said = row["metadata"]
        right = said.get("siteId") == self.header["site"]["id"] and isinstance(said.get("period"), str)
        return right and type(said.get("number")) is int
