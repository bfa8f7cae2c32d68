"""The corrections of the file of a month, compared with what the audit chain says of them."""

from types import SimpleNamespace

from time_chain import shown
from time_claims import correction_fault
from time_zone import milliseconds

# How long a person can take back their own event alone, with the time of a slow request.
TAKE_BACK = 6 * 60_000
ENDINGS = {
    f"attendance.correction_{state}": state for state in ("agreed", "contested", "unanswered", "withdrawn")
}
AGREED = "attendance.correction_agreed"


def name_of(correction):
    return f"The correction {shown(correction)}"


class Corrections:
    def __init__(self, header, findings, is_in_month):
        self.header, self.findings, self.is_in_month = header, findings, is_in_month
        self.all, self.decisions = {}, []

    def wrong(self, correction, why, line):
        self.findings.add("correction_wrong", f"{name_of(correction)} {why}.", line)

    def count(self, state):
        return sum(it.said["state"] == state for it in self.all.values())

    def agreed_by_pin(self, after=0):
        """How many were agreed after an entry without a proof of the person's phone."""
        agreed = [it for it in self.all.values() if it.said["state"] == "agreed" and it.said["personBy"] != "phone"]
        return sum((it.ended["seq"] if it.ended else 0) > after for it in agreed)

    def add(self, said, proofs, line):
        own, fault = said["id"], correction_fault(said, self.header)
        if fault is not None:
            self.wrong(own, fault, line)
        if own in self.all:
            return self.wrong(own, "is in the file twice", line)
        new = {"proposed": None, "ended": None, "made": set(), "voided": set()}
        self.all[own] = SimpleNamespace(said=said, line=line, **new)
        if "proved" in said:
            # Whose phone it is, is known only later in the file.
            self.decisions.append((said["proved"], said["userId"], name_of(own), line))
            proofs.add(said["proved"], name_of(own), line)

    def note(self, row, line):
        own, action, metadata = row["entityId"], row["action"], row["metadata"]
        it = self.all.get(own)
        if it is None:
            of = f"Entry {row['seq']} is about the correction {shown(own)}, which is not in the file."
            return self.findings.add("correction_missing", of, line)
        right = metadata.get("userId") == it.said["userId"]
        right = right and metadata.get("correctionSha256", it.said["correctionSha256"]) == it.said["correctionSha256"]
        if not right:
            self.wrong(own, f"is another one than entry {row['seq']} says", line)
        if action == "attendance.correction_proposed":
            it.proposed = row
        elif action in ENDINGS:
            if it.ended is not None:
                self.wrong(own, "ended twice", line)
            it.ended = row

    def agreed(self, correction):
        it = self.all.get(correction) if isinstance(correction, str) else None
        return it if it and it.ended and it.ended["action"] == AGREED else None

    def makes(self, correction, said):
        """Whether an agreed correction made this event. Of each change one event is made."""
        it = self.agreed(correction)
        if it is None or it.said["userId"] != said["userId"]:
            return False
        of = [said.get(name) for name in ("type", "reason", "occurredAt")]
        for at, each in enumerate(it.said["changes"]):
            new = each["new"]
            if at not in it.made and new and [new[name] for name in ("type", "reason", "occurredAt")] == of:
                it.made.add(at)
                return True
        return False

    def voids(self, correction, event, person):
        """What an agreed correction says of an event of that person that it voids. None if it does not."""
        it = self.agreed(correction)
        if it is None or it.said["userId"] != person:
            return None
        olds = [each["old"] for each in it.said["changes"] if each["old"] and each["old"]["id"] == event]
        it.voided.update(old["id"] for old in olds)
        return olds[0] if olds else None

    def end(self):
        for own, it in self.all.items():
            fault = self.end_fault(it)
            if fault is not None:
                self.wrong(own, fault, it.line)

    def end_fault(self, it):
        said, proposed, ended = it.said, it.proposed, it.ended
        metadata = proposed["metadata"] if proposed else {}
        if metadata.get("correctionSha256") != said["correctionSha256"]:
            return "was never proposed"
        if metadata.get("by") != said["proposedBy"]:
            return "was proposed by the other side"
        is_member = said["proposedBy"] == "member"
        if is_member and proposed["actorType"] != "member":
            return "was proposed by no member"
        state = ENDINGS[ended["action"]] if ended else "proposed"
        # Nobody answered it in time, and the job that notes it has not run yet.
        is_late = said["state"] == "unanswered" and ended is None
        if not is_late and state != said["state"]:
            return f"is {state}, and the file says {said['state']}"
        if said["state"] != "agreed" or ended is None:
            return None
        if said["personBy"] is None:
            return "was agreed without the person"
        if not is_member and ended["actorType"] != "member" and not is_taken_back(said, proposed):
            return "was agreed without a member"
        return self.apply_fault(it)

    def apply_fault(self, it):
        """The file has all events of the month. Those of other months can be in other files."""
        for at, each in enumerate(it.said["changes"]):
            old, new = each["old"], each["new"]
            if new and self.is_in_month(new["occurredAt"]) and at not in it.made:
                return "was agreed, and not all of its events are in the file"
            if old and self.is_in_month(old["occurredAt"]) and old["id"] not in it.voided:
                return "was agreed, and not all events that it replaces are voided"
        return None


def is_taken_back(said, proposed):
    change = said["changes"][0]
    is_one = len(said["changes"]) == 1 and change["new"] is None and change["old"] is not None
    if not is_one or said["personBy"] != "phone":
        return False
    return milliseconds(proposed["createdAt"]) - milliseconds(change["old"]["occurredAt"]) <= TAKE_BACK
