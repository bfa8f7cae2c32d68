"""Reads the files of verify_receipt.py: a receipt, with the texts of its statement and its rows,
the head that was kept, and an export of the audit chain.

The form of a receipt and the table of Unicode 15.0 are in docs/vectors.
"""

import importlib.util
import json
import re
import unicodedata
from pathlib import Path

HERE = Path(__file__).resolve().parent
VECTORS = HERE.parent / "docs" / "vectors"
UNICODE = json.loads((VECTORS / "unicode-15.0.json").read_text("utf-8"))
FORM = dict(re.findall("^(.+?) = (.+)$", (VECTORS / "receipt-form.txt").read_text("utf-8"), re.M))

spec = importlib.util.spec_from_file_location("audit_check", HERE / "audit-check.py")
audit = importlib.util.module_from_spec(spec)
spec.loader.exec_module(audit)
canonical = audit.canonical
# The rows of an export that matter: what ends an identity, and the use of an approval.
NOTED = ["identity.revoked", "identity.rotated", "user.erased", "approval.consumed"]


class Fault(Exception):
    """Why a receipt is not accepted: a code and a sentence."""


def ensure(condition, code, sentence):
    if not condition:
        raise Fault(f"{code}: {sentence}")


# The file. It must mean the same to every program.


def integer(digits):
    if digits == "-0" or len(digits) > 17 or abs(int(digits)) >= 2**53:
        raise ValueError
    return int(digits)


def depth(value):
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(depth, inner)) if inner else 0


def has_form(value, name):
    expand = lambda form: re.sub("<([a-z]+)>", lambda found: expand(FORM[found[1]]), form)
    return re.fullmatch(expand(f"<{name}>"), canonical(value).decode()) is not None


def parse(data):
    ensure(len(data) <= 256 * 1024, "malformed", "The file has more than 256 KiB.")
    hooks = {"parse_float": integer, "parse_constant": integer, "parse_int": integer}
    try:
        value = json.loads(data.decode("utf-8"), object_pairs_hook=audit.fields_once, **hooks)
        canonical(value)
    except (ValueError, RecursionError):
        reason = "The file is not JSON, has a key twice, or a number that is not an integer."
        raise Fault(f"malformed: {reason}") from None
    ensure(depth(value) <= 16, "malformed", "The file is nested more than 16 levels deep.")
    right = isinstance(value, dict) and isinstance(value.get("statement"), dict)
    right = right and has_form({**value, "statement": {}}, "receipt")
    ensure(right, "malformed", "The file is not a receipt: a field is missing, wrong or unknown.")
    return value


# The statement. Its texts have only characters of Unicode 15.0. Of these, every later version of
# Unicode says the same about Normalization Form C, and an earlier one if it knows them.

ALLOWED, MARK, SPACE = (
    "[" + "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in UNICODE[name]) + "]"
    for name in ("allowed", "marks", "spaces")
)
LINE = re.compile(f"(?!{SPACE}|{MARK}|.*{SPACE}{SPACE}|.*{MARK}{MARK}{MARK}){ALLOWED}*(?<!{SPACE})")


def is_line(text):
    if not LINE.fullmatch(text):
        return False
    if any(unicodedata.category(each) == "Cn" for each in text):
        raise ValueError("Python 3.12 is needed for a character of the statement")
    return unicodedata.is_normalized("NFC", text)


def check_statement(it):
    ensure(has_form(it, "statement"), "statement_invalid", "A field is missing, wrong or unknown.")
    action, ids = it["action"], it["approvers"]
    texts = [(it["company"], 200), (it["requestedBy"]["name"], 200), (action["title"], 80)]
    texts += [(each["label"], 40) for each in action["fields"]]
    texts += [(each["value"], 400) for each in action["fields"]]
    texts += [(each["name"], 80) for each in action.get("documents", [])]
    texts.append((action.get("reference", "none"), 128))
    note = action.get("note", "none").split("\n")
    right = all(0 < len(text) <= most and is_line(text) for text, most in texts)
    right = right and note[0] and note[-1] and sum(map(len, note)) + len(note) <= 1001
    ensure(right and all(map(is_line, note)), "statement_invalid", "A text breaks the rules.")
    right = ids == sorted(set(ids)) and 1 <= it["required"] <= len(ids)
    right = right and it["createdAt"] < it["expiresAt"] and len(canonical(it)) <= 8192
    ensure(right, "statement_invalid", "The approvers, the times or the size are wrong.")


def shown(it):
    """What was asked for. A bar begins each line of the text, as none of ours does."""
    action, account = it["action"], f"the account {it['tenantId']} ({it['environment']})"
    text = [action["title"], *(f"{each['label']}: {each['value']}" for each in action["fields"])]
    text += ["", *action["note"].split("\n")] if "note" in action else []
    for each in action.get("documents", []):
        text += ["", each["name"], f"SHA-256 {each['sha256']}"]
    text += ["", f"Reference: {action['reference']}"] if "reference" in action else []
    asked = f"asked for this, with the approval {it['approvalId']} of {account}:"
    return [f"{it['company']} {asked}", *(f"│ {line}" for line in text)]


# The rows of the audit chain that are in the receipt.


def check_rows(chain, environment):
    rows, before = {}, None
    for row in (each["row"] for each in chain):
        seq, right = row["seq"], audit.hash_of(row) == row["hash"] and row["seq"] > 0
        right = right and row["environment"] == environment
        ensure(right, "row_altered", f"Row {seq} of the audit chain was altered.")
        if before:
            right = before["seq"] < seq and before["createdAt"] <= row["createdAt"]
            right = right and (before["seq"] + 1 < seq or before["hash"] == row["prevHash"])
            ensure(right, "row_altered", f"Row {seq} does not follow the row before it.")
        rows[seq] = before = row
    return rows


# The head that was kept.


def read_head(path):
    """From a tree or a head, an earlier receipt, or an export, whose last line has it."""
    lines = Path(path).read_text("utf-8").rstrip()
    try:
        value = json.loads(lines)
    except ValueError:
        value = json.loads(lines.split("\n")[-1])
    kept = value.get("tree") or value.get("head") or value
    if "root" not in kept:
        if not has_form(kept, "head"):
            raise ValueError(f"{path} has no head")
        return kept
    if not has_form({name: kept[name] for name in kept if name != "publicKey"}, "tree"):
        raise ValueError(f"{path} has no tree")
    head = value.get("head", {})
    beside = head.get("publicKey") if head.get("keyId") == kept["keyId"] else None
    return {**kept, "publicKey": kept.get("publicKey") or value.get("publicKey") or beside}


# The export of the audit chain.


def read_export(path, rows, kept_seq, kept_hash):
    """The number of rows, those that are noted, and the last line, which has the head."""
    lines = []

    def visit(line):
        if "head" not in line:
            right = line["seq"] != kept_seq or line["hash"] == kept_hash
            ensure(right, "kept_head_differs", "The export differs from the head that you kept.")
            right = rows.get(line["seq"], line)["hash"] == line["hash"]
            ensure(right, "row_unproven", f"Row {line['seq']} is another one in the export.")
        if "head" in line or line.get("action") in NOTED and line.get("status") == "success":
            lines.append(line)

    try:
        with open(path, "rb") as file:
            count = audit.check(file, visit=visit)
    except audit.Fault as fault:
        raise Fault(f"export_wrong: The export is not valid: {fault}.") from None
    ensure(kept_seq <= count, "kept_head_differs", "The export ends before the head that you kept.")
    return count, lines[:-1], lines[-1]
