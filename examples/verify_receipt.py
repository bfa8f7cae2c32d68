"""Checks the receipt of an approval without the service: the text, the proofs, the audit chain.

    python3 verify_receipt.py FILE [--audit EXPORT] [--head HEAD] [--key KEYID=KEY]
        [--accept-operator-enrolment] [--allow-development-keys]

HEAD is a file with a tree or a head that was kept, or an earlier receipt. Exits with 0 for a valid
receipt, with 1 and the code of a fault, with 2 if it could not check, with 3 for a receipt of
identities that may have been revoked before: no export shows it. docs/receipts.md has more.

Python 3.8 and its standard library are enough. Beside this file, receipt_file.py reads the files,
and audit-check.py has Ed25519, the audit chain and its tree. docs/vectors has the tables.
"""

import argparse
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import receipt_file
from receipt_file import VECTORS, audit, ensure

# The verification keys that this program trusts, by their SHA-256, with how they were made.
PINNED = {"45985c43fd245afb97706ba698869a528899f4074c6e18a70f6eaf40c358a307": ("development", 1)}
VKEY = VECTORS.parents[1] / "zk" / "artifacts" / "identity_proof.vkey.json"
POSEIDON = json.loads((VECTORS / "poseidon.json").read_text("utf-8"))
sha256, milliseconds, canonical = audit.sha256, audit.milliseconds, audit.canonical


# The enrolments: the commitment that decided, then those by whose proofs it came into force.

AUTHORIZED = ["identity.added", "identity.rotated"]
ENROLLING = ["identity.register", "registration.completed", "identity.leaf_added", *AUTHORIZED]

def check_enrolments(it, decision):
    did, chain, tag = decision["did"], [], sha256("|".join(["svc-anchor-v1", *it.place]).encode())
    for each in decision["enrolment"]:
        leaf, row = each["leaf"], it.rows.get(each["seq"])
        ensure(row, "row_missing", f"Row {each['seq']} of an enrolment is not in the receipt.")
        hashes = [sha256(leaf[name].encode()) for name in ("identityId", "userId")]
        hashes += [bytes.fromhex(leaf[name]) for name in ("didHash", "commitment", "salt")]
        # The person is that of the row: nothing else ties a proof to somebody.
        said = {"identity_leaf": sha256(b"\0\3" + tag + b"".join(hashes)).hex()}
        said.update(identityId=leaf["identityId"], userId=leaf["userId"])
        right = row["action"] in ENROLLING and row["status"] == "success"
        right = right and said.items() <= row["metadata"].items()
        wrong = f"Row {each['seq']} does not put this identity in force."
        ensure(right, "enrolment_wrong", wrong)
        right = did and int(leaf["didHash"], 16) == field248(did)
        wrong = f"The identity that row {each['seq']} put in force has another DID."
        ensure(right, "enrolment_wrong", wrong)
        chain.append({**each, "did": did, "row": row})
        did = each.get("authorization", {}).get("did")
    for own, by in zip(chain, [*chain[1:], None]):
        right = is_authorized(it, own, by) if by else "authorization" not in own
        of = f"the identity of row {own['seq']} in force ({own['did']})"
        ensure(right, "authorization_wrong", f"The proof that put {of} is another one.")
    return chain

def is_authorized(it, own, by):
    sent, leaf, row = own.get("authorization"), own["leaf"], own["row"]
    if not sent or row["action"] not in AUTHORIZED or by["seq"] >= own["seq"]:
        return False
    use, said = [*it.place, sent["nonce"], sent["timestamp"]], row["metadata"]
    if row["action"] == "identity.rotated":
        right = by["leaf"]["identityId"] == leaf["identityId"] and sent["did"] == own["did"]
        right = right and is_bound(sent, "rotate", *use, leaf["commitment"])
    else:
        right = by["leaf"]["identityId"] == said.get("authorizer")
        right = right and is_bound(sent, "add", *use, own["did"], leaf["commitment"])
    proof = canonical({name: sent[name] for name in ("proof", "publicSignals")})
    right = right and said.get("authorizedBy") == sha256(proof).hex()
    right = right and sent["publicSignals"][0] == str(int(by["leaf"]["commitment"], 16))
    return right and by["leaf"]["userId"] == leaf["userId"]


# What a proof is bound to.

def is_bound(sent, purpose, *fields):
    bind = field248("|".join(["svc:bind:v1", purpose, *(str(each).lower() for each in fields)]))
    return sent["publicSignals"][1] == str(poseidon(field248(sent["did"]), bind))

def field248(text):
    return int.from_bytes(sha256(text.encode())[:31], "big")

def poseidon(a, b):
    constants = [int(each, 16) for each in POSEIDON["constants"]]
    state, matrix = [0, a, b], [[int(each, 16) for each in row] for row in POSEIDON["matrix"]]
    for turn in range(65):
        state = [value + constants[3 * turn + at] for at, value in enumerate(state)]
        powers = 3 if turn < 4 or turn >= 61 else 1
        state = [pow(value, 5, R) for value in state[:powers]] + state[powers:]
        state = [sum(map(int.__mul__, row, state)) % R for row in matrix]
    return state[0]


# The decisions and the outcome.

def find_row(it, event, **about):
    """The newest one, or None: a person may decide again after a decision was dropped."""
    for row in reversed(list(it.rows.values())):
        right = row["action"] == f"approval.{event}" and row["status"] == "success"
        said = {"digest": it.digest, **about}.items() <= row["metadata"].items()
        if right and said and row["entityId"] == it.statement["approvalId"]:
            return row

def check_decision(it, sent):
    statement, did, approves = it.statement, sent["did"], sent["decision"] == "approve"
    reason, number = ([sent[name]] if name in sent else [] for name in ("reason", "matchCode"))
    ensure(not (approves and reason), "decision_invalid", f"The approval of {did} has a reason.")
    right = number or not approves if statement["match"] == "type" else not number
    ensure(right, "decision_invalid", f"The number of {did} is missing, or nobody asked for it.")
    own, purpose = milliseconds(sent["decidedAt"]), "approve" if approves else "approve-decline"
    fields = [*it.place, statement["approvalId"], it.digest, own, *reason, *number]
    right = is_bound(sent, purpose, *fields)
    ensure(right, "binding_wrong", f"The proof of {did} is of another text, decision or time.")
    chain = check_enrolments(it, sent)
    leaf, person = chain[0]["leaf"], chain[0]["leaf"]["userId"]
    right = sent["publicSignals"][0] == str(int(leaf["commitment"], 16))
    ensure(right, "enrolment_wrong", f"The proof of {did} is of another secret.")
    ensure(person in statement["approvers"], "decision_invalid", f"{person} is not an approver.")
    event = "approved_by" if approves else "declined_by"
    row = find_row(it, event, userId=person, identityId=leaf["identityId"])
    ensure(row, "row_missing", f"The row in which {person} decided is not in the receipt.")
    written = statement["createdAt"], statement["expiresAt"], row["createdAt"]
    begin, end, at = map(milliseconds, written)
    # The phone's clock may be off by five minutes, and the row be written a minute later.
    right = begin - 300_000 <= own < end and begin - 60_000 <= at < end and abs(at - own) <= 360_000
    ensure(right, "decision_invalid", f"{person} did not decide while the approval was open.")
    ensure(chain[0]["seq"] < row["seq"], "decision_invalid", f"{person} decided before enrolling.")
    return SimpleNamespace(sent=sent, person=person, chain=chain, row=row, approves=approves)

def check_outcome(it, outcome):
    decided, required, asked = it.decided, it.statement["required"], len(it.statement["approvers"])
    right = len({each.person for each in decided}) == len(decided)
    ensure(right, "person_twice", "One person is counted twice.")
    numbers = {each.sent["matchCode"] for each in decided if "matchCode" in each.sent}
    ensure(len(numbers) <= 1, "decision_invalid", "The approvers typed different numbers.")
    approved, used = sum(each.approves for each in decided), outcome in ("approved", "consumed")
    left = asked - (len(decided) - approved)
    right = approved >= required if used else outcome != "declined" or left < required
    ensure(right, "quorum_missing", f"Approvals: {approved}, at most {left}. Needed: {required}.")
    row = find_row(it, outcome)
    ensure(row or outcome == "expired", "outcome_wrong", f"No row says that it is {outcome}.")
    right = not row or all(each.row["seq"] < row["seq"] for each in decided)
    right = right and not (used and row["createdAt"] >= it.statement["expiresAt"])
    ensure(right, "outcome_wrong", f"It was {outcome} after its time, or before a decision.")
    return row


# The tree and the signatures.

def check_tree(chain, tree, head):
    places = {head["seq"]: head["hash"]}
    right = not tree or places.setdefault(tree["size"], tree["hash"]) == tree["hash"]
    ensure(right, "tree_wrong", "The tree and the head of the receipt contradict each other.")
    for row, proof in ((each["row"], each["inclusion"]) for each in chain):
        seq, hash_ = row["seq"], row["hash"]
        right = audit.is_included(row, proof, tree) if tree and proof is not None else tree is proof
        right = right and seq <= head["seq"] and places.get(seq, hash_) == hash_
        ensure(right, "tree_wrong", f"Row {seq} is not in the tree, or not that of the head.")

def check_signed(it, signed, what):
    key = it.keys.get(signed["keyId"])
    right = key and signed.get("publicKey") in (None, key)
    ensure(right, "key_unknown", f"{what} is signed with a key that you did not name. Pass it.")
    message, signature = audit.signed_text(signed, *it.place), bytes.fromhex(signed["signature"])
    right = audit.is_signed(bytes.fromhex(key), message, signature)
    ensure(right, "signature_wrong", f"The signature is wrong: {what}.")


# What was kept, the export, and what was in force.

def check_kept(it, tree, head):
    kept = it.kept
    if kept.get("publicKey"):
        right = it.keys.setdefault(kept["keyId"], kept["publicKey"]) == kept["publicKey"]
        ensure(right, "key_unknown", "The head that you kept has another key than you named.")
    for signed, what in ((tree, "the tree"), (head, "the head"), (kept, "the head that you kept")):
        if signed:
            check_signed(it, signed, what)
    right = kept.get("tenantId", it.place[0]) == it.place[0]
    for each in [*it.rows.values(), head, {**(tree or head), "seq": (tree or {}).get("size")}]:
        right = right and (each["seq"] != it.kept_seq or not kept or each["hash"] == kept["hash"])
    ensure(right, "kept_head_differs", "The receipt contradicts the head that you kept.")

def check_export(it, path):
    count, noted, last = receipt_file.read_export(path, it.rows, it.kept_seq, it.kept.get("hash"))
    right = [last["head"]["tenantId"], last["environment"]] == it.place
    ensure(right, "export_wrong", "The export is of another account.")
    check_signed(it, last["head"], "the head of the export")
    return count, noted

def check_coverage(it, tree, consistency):
    """Every commitment after the head needs the proof of an earlier one, which was checked."""
    ensure(it.kept, "not_covered", "No head was kept, so the identities are the operator’s word.")
    proofs = {consistency["from"]: consistency["proof"]} if consistency else {}
    proofs.update({tree["size"]: []} if tree else {})
    extends = "root" in it.kept and tree and it.kept_seq in proofs
    right = not extends or audit.is_consistent(it.kept, tree, proofs[it.kept_seq])
    ensure(right, "kept_head_differs", "The tree does not extend the one that you kept.")
    right = extends or it.count > 0
    ensure(right, "not_covered", "Nothing shows which rows lie before the head that you kept.")
    for each in it.decided:
        right = any(own["seq"] <= it.kept_seq for own in each.chain)
        ensure(right, "not_covered", f"{each.person} has an identity from after the head you kept.")

def check_in_force(it, ended):
    for each in it.decided:
        counted = it.outcome["seq"] if each.approves and it.outcome else each.row["seq"]
        uses = [(each.chain[0], counted)]  # each commitment with its use
        uses += [(by, own["seq"]) for own, by in zip(each.chain, each.chain[1:])]
        for own, to in uses:
            ids = [own["leaf"]["identityId"], own["leaf"]["userId"]]
            right = not any(row["entityId"] in ids and own["seq"] < row["seq"] < to for row in ended)
            ensure(right, "not_in_force", f"An identity of {each.person} had ended before its use.")


# The proofs: Groth16 over BN254. Elements of F_p^2 are pairs a + b i. Those of F_p^12 are the
# coefficients of polynomials in w modulo w^12 - 18 w^6 + 82, where i is w^6 - 9.

P = 21888242871839275222246405745257275088696311157297823662689037894645226208583
R = 21888242871839275222246405745257275088548364400416034343698204186575808495617
SLOT = 66  # bytes, more than a sum of twelve products has

def times(a, b):
    return (a[0] * b[0] - a[1] * b[1]) % P, (a[0] * b[1] + a[1] * b[0]) % P

def minus(a, b):
    return (a[0] - b[0]) % P, (a[1] - b[1]) % P

def over(a, b):
    inverse = pow(b[0] * b[0] + b[1] * b[1], -1, P)
    return times(a, (b[0] * inverse, -b[1] * inverse))

def slope(a, b):
    if a == b:
        return over(times((3, 0), times(a[0], a[0])), times((2, 0), a[1]))
    return over(minus(b[1], a[1]), minus(b[0], a[0]))

def plus(a, b):
    """The sum of two points of a curve. None is the point at infinity."""
    if a is None or b is None:
        return a or b
    if a[0] == b[0] and (a[1] != b[1] or a[1] == (0, 0)):
        return None
    by = slope(a, b)
    x = minus(minus(times(by, by), a[0]), b[0])
    return x, minus(times(by, minus(a[0], x)), a[1])

def repeat(operation, count, element):
    """The element combined with itself, `count` times."""
    result = element
    for bit in bin(count)[3:]:
        result = operation(result, result)
        result = operation(result, element) if bit == "1" else result
    return result

def product(a, b):
    """In F_p^12. Each polynomial becomes one large integer: Python multiplies those fast."""
    packed = [b"".join(each.to_bytes(SLOT, "little") for each in value) for value in (a, b)]
    both = int.from_bytes(packed[0], "little") * int.from_bytes(packed[1], "little")
    wide = [both >> 8 * SLOT * at & (1 << 8 * SLOT) - 1 for at in range(23)]
    for at in range(22, 11, -1):
        wide[at - 6] += 18 * wide[at]
        wide[at - 12] -= 82 * wide[at]
    return [value % P for value in wide[:12]]

def line(a, b, point):
    """The line through two points of the twist, at a point of G1."""
    by, value = slope(a, b), [-point[1][0] % P] + [0] * 11
    for at, (real, imaginary) in ((1, times(by, point[0])), (3, minus(a[1], times(by, a[0])))):
        value[at], value[at + 6] = (real - 9 * imaginary) % P, imaginary
    return value

def is_one(pairs):
    """Whether the product of the pairings of points of G1 with points of G2 is 1."""
    result, sums = [1] + [0] * 11, [twisted for _, twisted in pairs]
    for bit in bin(P - R)[3:]:  # the ate pairing: p - r is the trace of Frobenius less one
        result = product(result, result)
        for at, (point, twisted) in enumerate(pairs):
            for other in [sums[at], twisted] if bit == "1" else [sums[at]]:
                result = product(result, line(sums[at], other, point))
                sums[at] = plus(sums[at], other)
    # The power of (p^12 - 1) / r is 1 if this one is in F_p^6: has no odd coefficients.
    result = repeat(product, (P**6 + 1) // R, result)
    return any(result) and not any(result[1::2])

def g1(point):
    return tuple((int(each), 0) for each in point[:2])

def g2(point):
    return tuple(tuple(map(int, pair)) for pair in point[:2])

def points_of(sent):
    """A, B, C and the signals of a proof. None if a point is not of its group."""
    proof, signals = sent["proof"], list(map(int, sent["publicSignals"]))
    a, b, c = g1(proof["pi_a"]), g2(proof["pi_b"]), g1(proof["pi_c"])
    for (x, y), rest in ((a, (3, 0)), (b, over((3, 0), (9, 1))), (c, (3, 0))):
        if max(*x, *y) >= P or minus(times(y, y), times(x, times(x, x))) != rest:
            return None
    # The twist has points outside the group of order r.
    if repeat(plus, R, b) is not None or max(signals) >= R:
        return None
    return a, b, c, signals

def multiple(count, point):
    return repeat(plus, count, point) if point and count else None

def is_batch(key, weighted):
    """Whether e(A, B) = e(alpha, beta) e(inputs, gamma) e(C, delta) for each of these points.

    Of several, each comes with a random number, by which the equation is raised before all of them
    are multiplied: 128 bits, so that one that is wrong is found.
    """
    pairs, inputs, last = [], [0] * len(key["IC"]), None
    for weight, (a, b, c, signals) in weighted:
        pairs.append((multiple(weight, (a[0], minus((0, 0), a[1]))), b))
        inputs = [so_far + weight * each for so_far, each in zip(inputs, [1, *signals])]
        last = plus(last, multiple(weight, c))
    sums = None
    for count, base in zip(inputs, key["IC"]):
        sums = plus(sums, multiple(count % R, g1(base)))
    pairs.append((multiple(inputs[0], g1(key["vk_alpha_1"])), g2(key["vk_beta_2"])))
    pairs += [(sums, g2(key["vk_gamma_2"])), (last, g2(key["vk_delta_2"]))]
    return is_one([pair for pair in pairs if pair[0]])

def is_proof(key, sent):
    points = points_of(sent)
    return points is not None and is_batch(key, [(1, points)])


# The whole check, and its report.

def check(data, options):
    receipt = receipt_file.parse(data)
    setup, statement, tree, head = (receipt[key] for key in ("setup", "statement", "tree", "head"))
    right = PINNED.get(setup["vkeySha256"]) == (setup["kind"], setup["contributors"])
    ensure(right, "setup_unknown", "The proofs are under a verification key that is not pinned.")
    right = setup["kind"] == "ceremony" or options.allow_development_keys
    ensure(right, "setup_forgeable", "The maker of the development keys can forge proofs.")
    receipt_file.check_statement(statement)
    right = head["tenantId"] == statement["tenantId"]
    ensure(right, "tree_wrong", "The head of the receipt is of another account.")
    it = SimpleNamespace(statement=statement, digest=sha256(canonical(statement)).hex())
    it.place = [statement["tenantId"], statement["environment"]]
    it.rows = receipt_file.check_rows(receipt["chain"], statement["environment"])
    it.decided = [check_decision(it, each) for each in receipt["decisions"]]
    it.outcome = check_outcome(it, receipt["outcome"])
    check_tree(receipt["chain"], tree, head)
    it.keys, it.kept = dict(options.keys), options.head or {}
    it.kept_seq = it.kept.get("size", it.kept.get("seq", 0))
    check_kept(it, tree, head)
    it.count, noted = check_export(it, options.audit) if options.audit else (0, [])
    right = tree or all(seq <= it.count for seq in it.rows)
    ensure(right, "row_unproven", "A row is neither in a signed tree nor in the export.")
    if not options.accept_operator_enrolment:
        check_coverage(it, tree, receipt.get("consistency"))
    ended = [row for row in noted if row["action"] != "approval.consumed"]
    uses = [row for row in noted if row not in ended and row["entityId"] == statement["approvalId"]]
    ensure(len(uses) <= 1, "outcome_wrong", "The export says that the approval was used twice.")
    check_in_force(it, ended)
    key = VKEY.read_bytes()
    ensure(sha256(key).hex() == setup["vkeySha256"], "setup_unknown", f"{VKEY} is another key.")
    for each in it.decided:
        for sent in [each.sent, *(own["authorization"] for own in each.chain[:-1])]:
            right = is_proof(json.loads(key), sent)
            ensure(right, "proof_invalid", f"A proof of {sent['did']} is not valid.")
    return report(it, receipt, bool(it.kept) and not options.accept_operator_enrolment)

UNCHECKED = "in_force_unchecked: No rows show whether an identity was revoked before. Pass --audit."

def report(it, receipt, is_kept):
    statement, tree, setup, people = it.statement, receipt["tree"], receipt["setup"], []
    for each in it.decided:
        verb, words = "approved" if each.approves else "declined", ""
        for word, key in (("number", "matchCode"), ("reason", "reason")):
            words += f" with the {word} {each.sent[key]}" if key in each.sent else ""
        words += f" at {each.sent['decidedAt']}, by a valid proof of their phone."
        people.append(f"{each.person} {verb} this statement{words}")
    used = max(row["seq"] for row in [*(each.row for each in it.decided), it.outcome or {"seq": 0}])
    where = f"the signed tree of {tree['size']} rows" if tree else "the export"
    quorum, state = f"{statement['required']} of {len(statement['approvers'])}", receipt["outcome"]
    in_force, kept, first = 0 < it.count >= used, f"row {it.kept_seq}", is_kept and people
    ends = "contains them" if it.count >= max(it.rows) else "ends before the newest of them"
    made = f"a ceremony with {setup['contributors']} contributors, of whom one was honest"
    lines = {  # each with whether it is said
        f"The statement has the digest {it.digest}.": True,
        **dict.fromkeys(people, True),
        f"{quorum} people had to approve. The approval is {state}.": True,
        f"The {len(receipt['chain'])} rows of the audit chain are in {where}.": True,
        f"Each identity goes back to a row at or before {kept}, the head that was kept.": first,
        f"The export of {it.count} rows is whole, and {ends}.": it.count,
        "Each identity was in force when it was used.": people and in_force,
        "not checked: that the identity was still in force.": people and not in_force,
        "not checked: that the service ended the approval.": not it.outcome,
        "not checked: whether the approval was used later.": state == "approved" and not it.count,
        f"It rests on the head at {kept}, which was kept from before.": is_kept,
        "It rests on the operator’s word that the identities belong to these people.": not is_kept,
        f"It rests on the verification keys of {made}.": setup["kind"] == "ceremony",
        "It rests on development keys, whose maker can forge proofs.": setup["kind"] != "ceremony",
        "It rests on phones that show what they sign.": True,
    }
    last = "The outcome, its order and its use rest on the head of the receipt, "
    lines = [*receipt_file.shown(statement), *(line for line in lines if lines[line])]
    lines.append(f"{last}which the service signed.")
    return lines if in_force else [*lines, UNCHECKED]

def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name in ("file", "--audit", "--head"):
        parser.add_argument(name)
    parser.add_argument("--key", action="append", default=[])
    for name in ("--accept-operator-enrolment", "--allow-development-keys"):
        parser.add_argument(name, action="store_true")
    options = parser.parse_args(arguments)
    try:
        options.keys = dict(key.split("=") for key in options.key)
        options.head = receipt_file.read_head(options.head) if options.head else None
        lines = check(Path(options.file).read_bytes(), options)
        print("\n".join(lines))
    except receipt_file.Fault as fault:
        print(fault)
        return 1
    except (OSError, ValueError, KeyError) as error:
        print(f"Nothing was checked: {error}", file=sys.stderr)
        return 2
    return 3 if lines[-1] == UNCHECKED else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
