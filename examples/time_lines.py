"""Reads the lines of the file of a month. Each line has one spelling, that of JavaScript's `JSON.stringify`."""

import json
import re

from record_check import number
from time_zone import milliseconds

FORMAT = "svc-hours-1"
RULES_VERSION = 1
# In units of UTF-16. A unit has at most three bytes of UTF-8.
MAX_LINE_LENGTH = 256 * 1024
MAX_DEPTH = 32
REWRITTEN = "another program has rewritten"


class Fault(Exception):
    """Why a file cannot be checked: a code and a sentence."""

    def __init__(self, code, sentence):
        super().__init__(f"{code}: {sentence}")
        self.code = code


def ensure(condition, code, sentence):
    if not condition:
        raise Fault(code, sentence)


# Text.


def units(text):
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def lines_of(file):
    """Number, text and value of each line."""
    at = 0
    while True:
        data = file.readline(3 * MAX_LINE_LENGTH + 1)
        if data == b"":
            return
        at += 1
        text = data.decode("utf-8", "replace")
        is_whole = text.endswith("\n")
        text = text[:-1] if is_whole else text
        ensure(units(text) <= MAX_LINE_LENGTH, "malformed", f"Line {at} is longer than {MAX_LINE_LENGTH} characters.")
        ensure(is_whole, "incomplete", f"The file was cut off: line {at} has no end.")
        yield at, text, parse(text, at)


def parse(text, at):
    has_mark = at == 1 and text.startswith("\ufeff")
    ensure(not has_mark, "malformed", f"The file begins with a byte order mark: {REWRITTEN} it.")
    ensure(not text.endswith("\r"), "malformed", f"Line {at} ends with CR LF: {REWRITTEN} the file.")
    other = f"Line {at} is not written as the service writes it."
    try:
        value = json.loads(text, object_pairs_hook=fields, parse_int=integer_of, parse_float=float_of, parse_constant=refuse)
        right = text.count("[") + text.count("{") <= MAX_DEPTH or not is_deeper(value, MAX_DEPTH)
    except Spelling:
        raise Fault("malformed", other) from None
    except (ValueError, RecursionError):
        right = False
    ensure(right, "malformed", f"Line {at} is not JSON, or nested too deeply.")
    ensure(written(value) == text, "malformed", other)
    ensure(isinstance(value, dict), "malformed", f"Line {at} is not one of such a file.")
    return value


class Spelling(Exception):
    """JSON that JavaScript writes in another way."""


def fields(pairs):
    """Names that are indices of an array come first in JavaScript, by their number."""
    value = dict(pairs)
    indices = [name for name in value if re.fullmatch("0|[1-9][0-9]{0,9}", name) and int(name) < 2**32 - 1]
    if len(value) != len(pairs) or indices != sorted(indices, key=int) or list(value)[: len(indices)] != indices:
        raise Spelling
    return value


def integer_of(digits):
    value = int(digits)
    if str(value) != digits or (abs(value) >= 2**53 and number(value) != digits):
        raise Spelling
    return value


def float_of(digits):
    if number(float(digits)) != digits:
        raise Spelling
    return float(digits)


def refuse(name):
    raise ValueError(f"no JSON: {name}")


def is_deeper(value, depth):
    if not isinstance(value, (dict, list)):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return depth == 0 or any(is_deeper(each, depth - 1) for each in inner)


def written(value):
    """As JavaScript writes it. Its numbers are already known to be."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{quoted(name)}:{written(each)}" for name, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(written, value)) + "]"
    if isinstance(value, str):
        return quoted(value)
    return number(value) if isinstance(value, float) else json.dumps(value)


def quoted(text):
    shown = json.dumps(text, ensure_ascii=False)
    if shown.isascii():
        return shown
    return re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):04x}", shown)


# The form of each kind of line: functions that get a value and its path.


def rule(holds):
    def check(value, path):
        ensure(holds(value), "malformed", f"{path} is missing or not what it must be.")

    return check


def matching(form):
    return rule(lambda value: isinstance(value, str) and re.fullmatch(form, value) is not None)


def one_of(*values):
    return rule(lambda value: isinstance(value, str) and value in values)


def nullable(shape):
    return lambda value, path: None if value is None else shape(value, path)


def list_of(shape, most, least=0):
    def check(value, path):
        rule(lambda each: isinstance(each, list) and least <= len(each) <= most)(value, path)
        for at, item in enumerate(value):
            shape(item, f"{path}.{at}")

    return check


def tuple_of(*shapes):
    def check(value, path):
        rule(lambda each: isinstance(each, list) and len(each) == len(shapes))(value, path)
        for at, shape in enumerate(shapes):
            shape(value[at], f"{path}.{at}")

    return check


def object_of(needed, optional=()):
    """An object with exactly these fields. Those of `optional` may be missing."""
    optional = dict(optional)

    def check(value, path):
        any_object(value, path)
        for name, shape in needed.items():
            shape(value.get(name), f"{path}.{name}")
        for name, shape in optional.items():
            if name in value:
                shape(value[name], f"{path}.{name}")
        known = all(name in needed or name in optional for name in value)
        ensure(known, "malformed", f"{path} has an unknown field.")

    return check


def is_count(value):
    return type(value) is int and 0 <= value < 2**53


def is_time(value):
    """ISO 8601 in UTC with milliseconds, of a day that exists."""
    if not isinstance(value, str) or not re.fullmatch(r"[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", value, re.ASCII):
        return False
    try:
        milliseconds(value)
        return True
    except ValueError:
        return False


any_object = rule(lambda value: isinstance(value, dict))
count, time = rule(is_count), rule(is_time)
text = rule(lambda value: isinstance(value, str))
uuid = matching("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
digest, signature, salt = matching("[0-9a-f]{64}"), matching("[0-9a-f]{128}"), matching("[0-9a-f]{32}")
did, key_id = matching("did:svc:[0-9a-f]{1,128}"), matching(r"[\x21-\x7e]{1,64}")
environment = one_of("live", "test")
decimal = matching("0|[1-9][0-9]{0,77}")
pair, point = tuple_of(decimal, decimal), tuple_of(decimal, decimal, one_of("1"))
groth16 = {"protocol": one_of("groth16"), "curve": one_of("bn128"), "pi_a": point}
groth16.update(pi_b=tuple_of(pair, pair, tuple_of(one_of("1"), one_of("0"))), pi_c=point)
proved = {"proof": object_of(groth16), "publicSignals": tuple_of(decimal, decimal, decimal)}
tree = object_of({"size": count, "root": digest, "hash": digest, "at": time, "keyId": key_id, "signature": signature})
HEADER = object_of(
    {
        **{"format": one_of(FORMAT), "issuer": text, "tenantId": uuid, "environment": environment, "company": text},
        "site": object_of({"id": uuid, "name": text, "country": text, "timeZone": matching("[A-Za-z][A-Za-z0-9_+/-]*")}),
        **{"month": matching("20[0-9][0-9]-(0[1-9]|1[0-2])"), "userId": nullable(uuid)},
        **{"rules": one_of("none", "DE", "ES"), "rulesVersion": count, "writtenAt": time},
        "setup": object_of({"kind": one_of("development", "ceremony"), "contributors": count, "vkeySha256": digest}),
        **{"first": count, "tree": tree, "publicKey": nullable(digest)},
    },
    {"consistency": object_of({"from": count, "proof": list_of(digest, 64)})},
)
row = object_of(
    {
        **{"id": uuid, "seq": count, "environment": environment, "actorType": text, "actorId": nullable(text)},
        **{"action": text, "entityType": text, "entityId": nullable(text), "status": one_of("success", "failure")},
        **{"summary": text, "createdAt": time, "metadata": any_object, "prevHash": digest, "hash": digest},
    }
)
record = {
    **{"record": any_object, "n": nullable(count)},
    "salts": nullable(object_of({"facts": nullable(salt), "text": nullable(salt)})),
}
sealed = {"T": digest, "punch": object_of({"did": did, "statement": text, "circuit": text, **proved})}
act = {"type": one_of("check_in", "check_out"), "reason": one_of("work", "break"), "occurredAt": time}
change = object_of({"old": nullable(object_of({"id": uuid, **act})), "new": nullable(object_of(act))})
correction = object_of(
    {
        **{"id": uuid, "userId": uuid},
        "state": one_of("proposed", "agreed", "contested", "unanswered", "withdrawn"),
        **{"cause": text, "note": nullable(text), "changes": list_of(change, 10, 1)},
        **{"correctionSha256": digest, "proposedBy": one_of("person", "member")},
        **{"personBy": nullable(one_of("phone", "pin")), "createdAt": time},
    },
    {"proved": object_of({"did": did, "statement": text, "provedAt": time, **proved})},
)
leaf = object_of({"identityId": uuid, "userId": uuid, "didHash": digest, "commitment": digest, "salt": digest})
authorization = object_of({"did": did, "nonce": matching(r"[\x20-\x7b\x7d\x7e]{1,128}"), "timestamp": count, **proved})
enrolment = object_of({"leaf": leaf, "seq": count}, {"authorization": authorization})
included = object_of({"row": row, "inclusion": list_of(digest, 64)})
end = object_of({"lines": count, "sha256": digest, "keyId": key_id, "publicKey": digest, "signature": signature})
# Each line by its first field, in the order of the kinds.
LINES = {
    "correction": object_of({"correction": correction}),
    "enrolment": object_of({"enrolment": list_of(enrolment, 64, 1), "did": did, "rows": list_of(included, 64)}),
    "leaf": object_of({"leaf": object_of({"userId": uuid, "salt": salt})}),
    "seq": object_of({"seq": count, "prevHash": digest, "digest": digest}),
    "entry": object_of({"entry": row}, {"userId": uuid, **record, **sealed}),
    "unsealed": object_of({"unsealed": object_of(record, sealed)}),
    "sheet": object_of({"sheet": any_object, "userId": uuid, "name": text, "employeeCode": nullable(text)}),
    "end": object_of({"end": end}),
}
ORDER = ["correction", "enrolment", "leaf", "seq", "unsealed", "sheet", "end"]
EVENT = {
    **{"type": act["type"], "reason": nullable(act["reason"]), "result": one_of("accepted", "rejected")},
    **{"evidence": nullable(one_of("proved", "declared", "agreed", "asserted")), "occurredAt": time},
}


def read(shape, value, at):
    try:
        shape(value, "")
    except Fault as fault:
        why = str(fault)[len("malformed: ") :]
        why = why[1:] if why.startswith(".") else why
        raise Fault("malformed", f"Line {at} is not one of such a file: {why}") from None


def check_header(header):
    right = header.get("format") == FORMAT
    ensure(right, "malformed", "The file does not begin as the file of a month does.")
    read(HEADER, header, 1)
    ensure(header["first"] > 0, "malformed", "The file begins before the first entry of the chain.")
    version = header["rulesVersion"]
    of = f"The sheets are by version {version} of the rules"
    ensure(version == RULES_VERSION, "malformed", f"{of}, which this checker does not know.")


def kind_of(value, at):
    """The kind of a line, which has its form."""
    kind = next(iter(value), "")
    ensure(kind in LINES, "malformed", f"Line {at} is not one of such a file.")
    read(LINES[kind], value, at)
    return kind


def is_event(said):
    """Whether a record is an event that sheets can be computed of."""
    try:
        for name, shape in EVENT.items():
            shape(said.get(name), name)
    except Fault:
        return False
    # Only those that the account asserts can have been rejected.
    return said["result"] == "accepted" or (said.get("evidence") or "asserted") == "asserted"
