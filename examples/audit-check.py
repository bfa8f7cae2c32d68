"""Checks an exported audit chain: every hash, every link, and the signature of its head.

    python3 audit-check.py FILE [PUBLIC_KEY] [--records FILE...]

FILE is the response of GET /v1/audit/export; `-` reads standard input. PUBLIC_KEY is the `publicKey` of a head that was kept
earlier; without it the head's own is taken, and then a chain that somebody made up whole, and signed with a key of their
own, holds as well. --records compares exports of records with the chain (`format=jsonl&include=seal`, exported before it), with
record_check.py beside this file.

Python 3.8 and its standard library are enough. Exits with 0 when the chain is valid, with 1 and the first fault when it does
not, with 2 when there was nothing to check. The format is described in docs/audit.md.
"""

import hashlib
import json
import re
import sys
from datetime import datetime, timezone

# Longer than any row of the service. Prevents a file with one endless line from filling the memory.
MAX_LINE_LENGTH = 1 << 20


class Fault(Exception):
    """Why a chain is invalid."""


def sha256(data):
    return hashlib.sha256(data).digest()


def is_hex(value, size):
    return isinstance(value, str) and re.fullmatch("[0-9a-f]{%d}" % (2 * size), value) is not None


# Ed25519 signature verification from RFC 8032 (section 6), which the standard library lacks. It handles public values only,
# so it need not run in constant time.

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P


def add(left, right):
    """Points are (X, Y, Z, T) with x = X/Z, y = Y/Z, x*y = T/Z."""
    a = (left[1] - left[0]) * (right[1] - right[0]) % P
    b = (left[1] + left[0]) * (right[1] + right[0]) % P
    c = 2 * left[3] * right[3] * D % P
    d = 2 * left[2] * right[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def multiply(scalar, point):
    result = (0, 1, 1, 0)
    while scalar > 0:
        if scalar & 1:
            result = add(result, point)
        point = add(point, point)
        scalar >>= 1
    return result


def decompress(data):
    """Decodes 32 bytes to a point; None if they are not one."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & ((1 << 255) - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P != 0:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - square) % P != 0 or (x == 0 and sign == 1):
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


def same(left, right):
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0


BASE = decompress((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


def is_signed(public_key, message, signature):
    key, commitment = decompress(public_key), decompress(signature[:32])
    response = int.from_bytes(signature[32:], "little")
    if key is None or commitment is None or response >= ORDER:
        return False
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + public_key + message).digest(), "little") % ORDER
    return same(multiply(response, BASE), add(commitment, multiply(challenge, key)))


# The export.


def fields_once(pairs):
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError("a field is named twice")
    return fields


def parse(line, number):
    try:
        value = json.loads(line.decode("utf-8"), object_pairs_hook=fields_once)
    except (ValueError, RecursionError):
        raise Fault(f"line {number} is not JSON with each field once") from None
    if not isinstance(value, dict):
        raise Fault(f"line {number} is not a row")
    return value


def lines_of(file):
    number = 0
    while True:
        line = file.readline(MAX_LINE_LENGTH)
        if line == b"":
            return
        number += 1
        if not line.endswith(b"\n"):
            raise Fault(f"line {number} is cut off, or longer than any row")
        yield number, line


def canonical(event):
    """RFC 8785, for the values of a row: text, integers, true, false, null."""
    return json.dumps(event, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode("utf-8")


def milliseconds(time):
    parsed = datetime.strptime(time, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=timezone.utc)
    epoch = datetime(1970, 1, 1, tzinfo=timezone.utc)
    return round((parsed - epoch).total_seconds() * 1000)


def hash_of(row):
    """Of a row without its `prevHash` and `hash`, after the row with the hash `prevHash`."""
    event = {name: value for name, value in row.items() if name not in ("prevHash", "hash")}
    return sha256(bytes.fromhex(row["prevHash"]) + sha256(canonical(event))).hex()


def signed_text(signed, tenant_id, environment):
    """What the signature of a head is of, or of a tree, which has a root."""
    body = f"{signed['size']}|{signed['root']}" if "root" in signed else signed["seq"]
    version = "svc-audit-tree-v1" if "root" in signed else "svc-audit-head-v1"
    at = milliseconds(signed["at"])
    return f"{version}|{tenant_id}|{environment}|{body}|{signed['hash']}|{at}".encode("utf-8")


def check_row(row, number, before):
    """`before` is the previous row, or None. Returns this row's link."""
    prev_hash, shown = row.get("prevHash"), row.get("hash")
    if not (is_hex(prev_hash, 32) and is_hex(shown, 32) and isinstance(row.get("createdAt"), str)):
        raise Fault(f"line {number} is not a row")
    seq = 1 if before is None else before["seq"] + 1
    if row.get("seq") != seq:
        raise Fault(f"line {number}: the row has sequence {row.get('seq')}, not {seq}")
    if before is not None and prev_hash != before["hash"]:
        raise Fault(f"line {number}: row {seq} does not follow the row before it")
    try:
        right = hash_of(row) == shown
    except UnicodeEncodeError:
        raise Fault(f"line {number}: row {seq} holds half a character") from None
    if not right:
        raise Fault(f"line {number}: row {seq} was altered")
    if before is not None and row["createdAt"] < before["at"]:
        raise Fault(f"line {number}: row {seq} is older than the row before it")
    first = prev_hash if before is None else before["first"]
    return {"seq": seq, "hash": shown, "at": row["createdAt"], "first": first}


def check_head(line, last, public_key):
    environment, head = line.get("environment"), line["head"]
    try:
        message = signed_text({name: head[name] for name in ("seq", "hash", "at")}, head["tenantId"], environment)
        key, signature = head["publicKey"], head["signature"]
    except (KeyError, TypeError, ValueError):
        raise Fault("the last line is not a signed head") from None
    genesis = sha256(f"svc-audit-v1|{head['tenantId']}|{environment}".encode("utf-8")).hex()
    if last is not None and last["first"] != genesis:
        raise Fault("the first row does not follow the start of this chain")
    rows = 0 if last is None else last["seq"]
    if head["seq"] != rows or head["hash"] != (genesis if last is None else last["hash"]):
        raise Fault(f"the head counts {head['seq']} rows, and is not the last of the {rows} that are here")
    if last is not None and head["at"] != last["at"]:
        raise Fault("the head is not of the last row's time")
    if public_key is not None and key != public_key:
        raise Fault("the head was signed with another key than the one that was kept")
    if not is_hex(key, 32) or not is_hex(signature, 64):
        raise Fault("the head's signature cannot be checked: its key or the signature is missing")
    if not is_signed(bytes.fromhex(key), message, bytes.fromhex(signature)):
        raise Fault("the head's signature is wrong")
    return rows


def check(file, public_key=None, visit=lambda line: None):
    """Returns the number of rows of a valid chain, or raises Fault. Keeps one row in memory. `visit` gets each line."""
    last, head = None, None
    for number, line in lines_of(file):
        if head is not None:
            raise Fault(f"line {number} comes after the head")
        value = parse(line, number)
        if "head" in value:
            head = value
        else:
            last = check_row(value, number, last)
        visit(value)
    if head is None:
        raise Fault("the file was cut off: it has no head")
    return check_head(head, last, public_key)


# The tree over the chain, from RFC 9162. verify_receipt.py uses it.


def sides(index, size, is_tree=False):
    """For each hash of a proof, from the bottom up, whether it is the left one. Of a leaf, or of the tree that ends with it."""
    if size == 1 or (is_tree and index == size - 1):
        return []
    half = 1 << (size - 1).bit_length() - 1
    if index < half:
        return sides(index, half, is_tree) + [False]
    return sides(index - half, size - half, is_tree) + [True]


def roots(start, proof, lefts):
    """The roots of the earlier and of the later tree, or None if the proof has another length. A leaf has only the later."""
    old = new = start
    for is_left, each in zip(lefts, proof):
        old = sha256(b"\1" + bytes.fromhex(each) + old) if is_left else old
        new = sha256(b"\1" + (bytes.fromhex(each) + new if is_left else new + bytes.fromhex(each)))
    return (old.hex(), new.hex()) if len(lefts) == len(proof) else (None, None)


def is_included(row, proof, tree):
    """Whether the row with this `seq` and `hash` is in the tree."""
    if not 0 < row["seq"] <= tree["size"]:
        return False
    leaf = sha256(b"\0" + bytes.fromhex(row["hash"]))
    return roots(leaf, proof, sides(row["seq"] - 1, tree["size"]))[1] == tree["root"]


def is_consistent(old, new, proof):
    """Whether the new tree begins with the leaves of the old one."""
    if not 0 < old["size"] < new["size"]:
        return (old["size"], old["root"], []) == (new["size"], new["root"], proof)
    lefts = sides(old["size"] - 1, new["size"], is_tree=True)
    # The proof does not repeat the root of an earlier tree that is whole in the later one.
    start, *rest = (proof if any(lefts) else [old["root"], *proof]) or [""]
    return roots(bytes.fromhex(start), rest, lefts) == (old["root"], new["root"])


def compare(file, public_key, paths):
    """Checks the chain, then the records. Returns the exit code."""
    from record_check import Incomplete, Records

    head, records = None, None

    def visit(line):
        nonlocal head
        head = line.get("head", head)
        records.visit(line)

    try:
        records = Records(paths, parse)
        print(VALID.format(rows=check(file, public_key, visit)))
        wrong = 0
        try:
            for found in records.compare(head):
                if isinstance(found, str):
                    print(found)
                    continue
                code, kind, record, entry = found
                wrong += 1
                print(f"{code}: {kind} {record}" + (f" (row {entry[0]}, {entry[1]})" if entry else ""), file=sys.stderr)
        except Fault as fault:
            raise Incomplete(f"{records.reading} cannot be read: {fault}") from None
        return 1 if wrong else 0
    except Incomplete as error:
        print(f"{error}.", file=sys.stderr)
        return 2
    finally:
        if records is not None:
            records.close()


VALID = "The chain is valid: {rows} rows, every hash and the head's signature are correct."


def main(arguments):
    at = arguments.index("--records") if "--records" in arguments else len(arguments)
    arguments, paths, is_named = arguments[:at], arguments[at + 1 :], at < len(arguments)
    is_usable = len(arguments) in (1, 2) and not arguments[0].startswith("--") and all(is_hex(key, 32) for key in arguments[1:])
    if not is_usable or (is_named and not paths):
        print("Usage: python3 audit-check.py FILE [PUBLIC_KEY] [--records FILE...]", file=sys.stderr)
        return 2
    public_key = arguments[1] if len(arguments) == 2 else None
    try:
        # The descriptor 0 is standard input.
        with open(0 if arguments[0] == "-" else arguments[0], "rb") as file:
            if paths:
                return compare(file, public_key, paths)
            rows = check(file, public_key)
    except OSError as error:
        print(f"{error.filename} cannot be read: {error.strerror}", file=sys.stderr)
        return 2
    except Fault as fault:
        print(f"The chain is not valid: {fault}.", file=sys.stderr)
        return 1
    print(VALID.format(rows=rows))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
