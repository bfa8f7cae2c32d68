"""What is wrong with what a phone proved of an event, or of a correction."""

import json
import re

from receipt_file import is_line
from record_check import canonical, sha256
from time_zone import milliseconds
from verify_receipt import is_bound

UUID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
CAUSES = ["forgotten", "wrong_time", "wrong_type", "double", "not_present", "device_failed", "other"]
TYPES, REASONS = ["check_in", "check_out"], ["work", "break"]


def is_text(value, most, has_lines=False):
    if not isinstance(value, str) or not 0 < len(value) <= most:
        return False
    lines = value.split("\n")
    return (has_lines or len(lines) == 1) and all([lines[0], lines[-1]]) and all(map(is_line, lines))


def is_like(form, value):
    return isinstance(value, str) and re.fullmatch(form, value, re.ASCII) is not None


def is_time(value):
    if not is_like(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", value):
        return False
    try:
        milliseconds(value)
        return True
    except ValueError:
        return False


def has_fields(value, names):
    return isinstance(value, dict) and sorted(value) == sorted(names.split())


def is_attendance(it):
    """docs/vectors/attendance.json has what a statement must be."""
    names = "v issuer tenant environment company type reason activity contract mode place scannedAt nonce"
    if not has_fields(it, names) or type(it["v"]) is not int or it["v"] != 1:
        return False
    right = is_like(r"https?://[^\s/]+", it["issuer"]) and is_like(UUID, it["tenant"]) and is_text(it["company"], 200)
    right = right and it["environment"] in ("live", "test") and it["type"] in TYPES and it["reason"] in REASONS
    for name in ("activity", "contract"):
        right = right and (it[name] is None or is_like(r"[A-Za-z0-9._-]{1,32}", it[name]))
    place = it["place"]
    if it["mode"] == "desk":
        right = right and has_fields(place, "deviceId name")
        right = right and is_like(UUID, place["deviceId"]) and is_text(place["name"], 200)
    else:
        right = right and it["mode"] == "remote" and place is None
    return right and is_time(it["scannedAt"]) and is_like(UUID, it["nonce"])


def is_answer(it):
    """The statement of somebody who agrees to a correction, or declines it."""
    names = "v issuer tenant environment company correctionId correctionSha256 createdAt"
    if not has_fields(it, names) or type(it["v"]) is not int or it["v"] != 1:
        return False
    right = is_like(r"https?://[^\s/]+", it["issuer"]) and is_like(UUID, it["tenant"]) and is_text(it["company"], 200)
    right = right and it["environment"] in ("live", "test") and is_like(UUID, it["correctionId"])
    return right and is_like("[0-9a-f]{64}", it["correctionSha256"]) and is_time(it["createdAt"])


def is_correction(it):
    """Its ids, types and times have their form already."""
    right = it["cause"] in CAUSES and (it["note"] is None or is_text(it["note"], 500, has_lines=True))
    olds = [each["old"]["id"] for each in it["changes"] if each["old"]]
    return right and len(set(olds)) == len(olds) and all(each["old"] or each["new"] for each in it["changes"])


def statement_in(text, is_valid):
    """None unless it is written canonically."""
    try:
        value = json.loads(text)
        right = canonical(value) == text
    except (ValueError, RecursionError):
        return None
    return value if right and is_valid(value) else None


def digest_of(value):
    return sha256(canonical(value).encode("utf-8"))


def punch_fault(sent, said, header):
    """None if it says exactly what the event says."""
    statement = statement_in(sent["statement"], is_attendance)
    if statement is None:
        return "has a statement that is not valid"
    of = [header[name] for name in ("issuer", "tenantId", "environment")]
    if [statement[name] for name in ("issuer", "tenant", "environment")] != of:
        return "has a statement of another account"
    names = ("type", "reason", "activity", "mode")
    right = all(name in said and statement[name] == said[name] for name in names)
    right = right and statement["scannedAt"] == said["occurredAt"] and "deviceId" in said
    if not right or (statement["place"] or {"deviceId": None})["deviceId"] != said["deviceId"]:
        return "says something else than what the phone proved"
    fields = [header["tenantId"], header["environment"], statement["nonce"], digest_of(statement)]
    right = sent["circuit"] == "identity_proof" and is_bound(sent, "attend", *fields)
    return None if right else "has a proof of another statement"


def correction_fault(it, header):
    text = {name: it[name] for name in ("userId", "cause", "note", "changes")}
    if not is_correction(it):
        return "is none that there can be"
    if digest_of(text) != it["correctionSha256"]:
        return "was altered"
    sent = it.get("proved")
    if it["proposedBy"] == "person" and it["personBy"] != "phone":
        return "was proposed by no phone"
    if it["personBy"] != "phone":
        return "has a proof although no phone decided" if sent else None
    return decision_fault(it, sent, header) if sent else "has no proof of the phone that decided"


def decision_fault(it, sent, header):
    statement = statement_in(sent["statement"], is_answer) or {}
    place = [header["tenantId"], header["environment"]]
    said = [statement.get(name) for name in ("correctionId", "correctionSha256", "issuer", "tenant", "environment")]
    if said != [it["id"], it["correctionSha256"], header["issuer"], *place]:
        return "has a statement of another correction"
    is_declined = it["state"] == "contested" and it["proposedBy"] == "member"
    purpose = "correct-decline" if is_declined else "correct"
    fields = [*place, it["id"], digest_of(statement), milliseconds(sent["provedAt"])]
    return None if is_bound(sent, purpose, *fields) else "has a proof of another decision"
