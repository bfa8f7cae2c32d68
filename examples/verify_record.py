"""Checks without the service that a record says what it said when the audit chain sealed it.

    python3 verify_record.py FILE [--head HEAD] [--key KEYID=KEY]

FILE is the response of GET /v1/{devices,users,verifications,attendance}/:id/proof. HEAD is a file with a tree or a head that was kept, or
an earlier proof; fetch the proof with ?from= and the size of the tree. Exits with 0 if the record is as it was sealed, with 1 and
the code of a fault, with 2 if it could not check. docs/audit.md has more.

Python 3.8 and its standard library are enough. Beside this file, record_check.py has the seals, and audit-check.py has Ed25519, the
audit chain and its tree.
"""

import argparse
import json
import re
import sys

from receipt_file import Fault, audit, ensure, has_form, read_head
from record_check import FIELDS, HOUR, KINDS, WRITE_ONCE, is_text_removed, page_leaf, seal_of, time_of

NAMES = {"kind", "tenantId", "record", "n", "salts", "entry", "inclusion", "tree", "publicKey"}


def is_list(value):
    return isinstance(value, list) and len(value) <= 64 and all(audit.is_hex(each, 32) for each in value)


def check_form(proof):
    right = isinstance(proof, dict) and NAMES <= set(proof) <= NAMES | {"T", "consistency", "sealedLater"} and proof["kind"] in KINDS
    right = right and isinstance(proof["record"], dict) and isinstance(proof["tenantId"], str)
    right = right and (proof["entry"] is None or has_form(proof["entry"], "row"))
    right = right and (proof["inclusion"] is None or is_list(proof["inclusion"]))
    right = right and (proof["tree"] is None or has_form(proof["tree"], "tree"))
    consistency = proof.get("consistency", {"from": 1, "proof": []}) if right else None
    right = right and isinstance(consistency, dict) and is_list(consistency.get("proof"))
    page = proof.get("sealedLater", {"index": 0, "size": 1, "proof": []}) if right else None
    right = right and isinstance(page, dict) and is_list(page.get("proof"))
    right = right and all(type(page.get(name)) is int for name in ("index", "size")) and 0 <= page["index"] < page["size"]
    ensure(right, "malformed", "The file is not a proof.")


def read_entry(proof, what):
    entry = proof["entry"]
    before = "That is right only if it was last written before there were seals, which an export of the chain shows."
    ensure(proof["n"] is not None, "not_covered", f"No seal of {what} is known. {before}")
    ensure(entry is not None, "record_unknown", f"The service named no entry that has sealed {what}.")
    right = audit.hash_of(entry) == entry["hash"] and entry["seq"] > 0
    ensure(right, "row_altered", f"Row {entry['seq']} of the audit chain was altered.")
    return entry


def check_seal(proof, entry, what):
    kind, record, salts = proof["kind"], proof["record"], proof["salts"] or {}
    facts, text, kept = salts.get("facts"), salts.get("text"), proof.get("T")
    right = facts is not None and (text is not None or kept is not None)
    ensure(right, "salt_missing", f"The {what} cannot be checked: the salt of its seal is gone.")
    metadata, seal = entry["metadata"], None
    if metadata.get(f"{kind}Id") == record.get("id"):
        seal = metadata.get(f"seal_{kind}")
    if entry["entityType"] == kind and entry["entityId"] == record.get("id"):
        seal = metadata.get("seal") or seal
    ensure(seal or "sealedLater" in proof, "record_unknown", f"Row {entry['seq']} has no seal of the {what}.")
    row = {**record, "n": proof["n"], "salts": salts, **({} if kept is None else {"T": kept})}
    try:
        made = seal_of(kind, row)
        right = (made == seal if seal else is_on_page(proof, entry, made)) and (text is not None or is_text_removed(kind, row))
    except (ValueError, TypeError, RecursionError):
        right = False
    when = f"when row {entry['seq']} sealed it, at {entry['createdAt']}"
    ensure(right, "record_changed", f"The {what} says something else than {when}.")


def is_on_page(proof, entry, seal):
    """Whether the entry has the root of a page with this seal, which the operator made later."""
    page, kind = proof["sealedLater"], proof["kind"]
    if entry["action"] != "records.sealed_later" or entry["metadata"].get("kind") != kind:
        return False
    leaf = page_leaf(kind, proof["record"]["id"], seal)
    return audit.roots(leaf, page["proof"], audit.sides(page["index"], page["size"]))[1] == entry["metadata"].get("root")


def check_signed(it, signed, what):
    key = it.keys.get(signed["keyId"])
    unknown = f"{what} is signed with the key {signed['keyId']}, which you did not name. Pass a head that you kept, or this key."
    ensure(key is not None, "key_unknown", unknown)
    message = audit.signed_text(signed, it.tenant_id, it.environment)
    right = audit.is_signed(bytes.fromhex(key), message, bytes.fromhex(signed["signature"]))
    ensure(right, "signature_wrong", f"The signature of {what[0].lower()}{what[1:]} is wrong.")


def check_kept(it, head, proof):
    """The size of the tree that was kept, if there is one."""
    if head is None:
        return None
    what, tree = "The head that you kept", proof["tree"]
    if "root" not in head:
        ensure(head["tenantId"] == it.tenant_id, "kept_head_differs", f"{what} is of another account.")
        check_signed(it, head, what)
        known = [(tree["size"], tree["hash"]), (proof["entry"]["seq"], proof["entry"]["hash"])]
        right = all(seq != head["seq"] or shown == head["hash"] for seq, shown in known)
        ensure(right, "kept_head_differs", f"The proof contradicts the head that you kept, at row {head['seq']}.")
        return None
    check_signed(it, head, what)
    consistency = proof.get("consistency", {})
    of_size = [] if head["size"] == tree["size"] else consistency["proof"] if consistency.get("from") == head["size"] else None
    missing = f"Nothing shows that the tree extends the one that you kept. Fetch the proof with ?from={head['size']}."
    ensure(of_size is not None, "kept_head_differs", missing)
    right = audit.is_consistent(head, tree, of_size)
    ensure(right, "kept_head_differs", "The tree of the proof does not extend the tree that you kept.")
    return head["size"]


def check(proof, head, keys):
    """Sentences about a record that is as it was sealed. Fault if it is not."""
    check_form(proof)
    record, tree = proof["record"], proof["tree"]
    what = f"{proof['kind']} {record.get('id')}"
    entry = read_entry(proof, f"the {what}")
    check_seal(proof, entry, what)
    seq, inclusion = entry["seq"], proof["inclusion"]
    ensure(tree and inclusion is not None, "row_unproven", f"Row {seq} is in no signed tree yet. Fetch the proof again.")
    right = (seq != tree["size"] or entry["hash"] == tree["hash"]) and audit.is_included(entry, inclusion, tree)
    ensure(right, "tree_wrong", f"Row {seq} is not in the tree.")
    if head is not None and head.get("publicKey"):
        keys = {**keys, head["keyId"]: keys.get(head["keyId"], head["publicKey"])}
    it = argparse.Namespace(keys=keys, tenant_id=proof["tenantId"], environment=entry["environment"])
    check_signed(it, tree, "The tree of the proof")
    kept = check_kept(it, head, proof)
    if kept is not None and seq > kept and proof["kind"] in WRITE_ONCE and "sealedLater" not in proof:
        # What nobody changes is sealed when it is made, so what is older than a tree is in it.
        is_old = time_of(record["createdAt"]) < time_of(head["at"]) - HOUR
        newer = f"is older than the tree that you kept, and row {seq}, which sealed it, is newer."
        ensure(not is_old, "record_resealed", f"The {what} {newer}")
    sealed = {name for part in FIELDS[proof["kind"], proof["n"]] for name in part}
    flags = {"is_removed": "T" in proof, "is_later": "sealedLater" in proof}
    yield from report(what, entry, tree, kept, **flags, unsealed=sorted(set(record) - sealed))


def report(what, entry, tree, kept, is_removed, is_later, unsealed):
    seq = entry["seq"]
    start = "Except for its text, which was removed, the" if is_removed else "The"
    yield f"{start} {what} says what it said when row {seq} sealed it, at {entry['createdAt']}."
    extends = "" if kept is None else f", which extends the tree of {kept} rows that was kept"
    yield f"The row is in the signed tree of {tree['size']} rows{extends}."
    yield "not checked: whether other rows sealed it too. An export of the chain shows that."
    if is_later:
        yield f"not checked: what it said before row {seq}, because the service sealed it later."
    if unsealed:
        yield f"not checked: {', '.join(unsealed)}, which no seal covers."
    if is_removed:
        yield "not checked: that the person was erased."
    if kept is not None and seq <= kept:
        yield f"It rests on the tree of {kept} rows, which was kept from before."
    else:
        why = "no tree was kept" if kept is None else f"row {seq} is newer than the tree that was kept"
        yield f"It rests on the signature of the service: {why}."


def main(arguments):
    parser = argparse.ArgumentParser(prog="verify_record.py")
    parser.add_argument("file")
    parser.add_argument("--head")
    parser.add_argument("--key", action="append", default=[])
    options = parser.parse_args(arguments)
    try:
        keys = dict(re.fullmatch("([^=]+)=([0-9a-f]{64})", key).groups() for key in options.key)
        head = None if options.head is None else read_head(options.head)
        with open(options.file, "rb") as file:
            proof = json.loads(file.read().decode("utf-8"))
    except (OSError, ValueError, AttributeError, TypeError, KeyError, RecursionError) as error:
        print(f"A file or a key cannot be read: {error}", file=sys.stderr)
        return 2
    try:
        for sentence in check(proof, head, keys):
            print(sentence)
        return 0
    except Fault as fault:
        print(fault)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
