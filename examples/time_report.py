"""What the check of the file of a month has found, in sentences. They are those of `verifyHours` of the SDK."""

WORD = "the service’s word"


def several(count, one, many=None):
    return f"{count} {one if count == 1 else many or one + 's'}"


def counted(*parts):
    """ "2 events and 1 correction", without what there is none of."""
    return " and ".join(several(*part) for part in parts if part[0] > 0)


def hours(minutes):
    return f"{minutes // 60}:{minutes % 60:02}"


def checked(it):
    header, sheets, numbers, corrections = it.header, it.sheets, it.numbers, it.corrections
    site, counts, added = header["site"], sheets.counts, sheets.minutes_with_asserted - sheets.minutes
    of = f"{header['month']}, {site['name']} of {header['company']}, in {site['timeZone']}"
    people = several(sheets.people, "person", "people")
    more = f", and {hours(added)} more that only the account asserts" if added > 0 else ""
    yield f"{of}: {people}, {hours(sheets.minutes)} hours by their own events{more}."
    of = f"{counts['proved']} proved by phones, {counts['declared']} declared by number and PIN or beside a member"
    of += f", {counts['agreed']} agreed by both sides, {counts['asserted']} asserted by the account."
    yield f"Events: {of} {counts['contested']} contested by the person."
    yield f"{several(it.proofs.count, 'proof')} verified."
    if corrections.all:
        ends = (("agreed", "agreed"), ("contested", "contested"), ("unanswered", "unanswered"))
        ends += (("withdrawn", "withdrawn"), ("proposed", "waiting"))
        yield f"Corrections: {', '.join(f'{corrections.count(state)} {word}' for state, word in ends)}."
    if header["userId"] is None and numbers.missing == 0 and numbers.last_entry:
        seq, at = numbers.last_entry
        of = f"The {several(numbers.last, 'entry', 'entries')} about the month are numbered without a gap"
        yield f"{of}, so none before the last one (entry {seq}, {at}) is left out."
    if it.closing == "sound":
        entry, later = sheets.closing, numbers.last - it.closing_number
        of = f"(entry {entry['seq']}, version {it.shown(entry['metadata'].get('version'))}), with these sheets"
        after = f". {several(later, 'entry', 'entries')} came after that" if later > 0 else ""
        yield f"The month was closed at {entry['createdAt']} {of}{after}."
    if it.findings.count == 0:
        yield "Each sheet is what the events say, minute by minute."


def not_checked(it):
    names = "names and personnel numbers"
    if it.closing != "sound":
        names = "names, personnel numbers, the time zone and the rules of the country"
    yield f"{names}, which are {WORD}."
    of = "where a phone was, who held it, and whether it had been revoked."
    yield f"{of} A phone that was lent with its PIN is not detected."
    yield "events of the days beside the month, but for those in the file. The files of those months show them."
    yield "whether a correction that changed nothing was left out, or the answer to one."
    yield left_out(it)
    if it.closing == "unknown_rules":
        yield "the closing, whose rules this checker does not know."
    by_pin = it.corrections.agreed_by_pin()
    of = (by_pin, "correction agreed by PIN", "corrections agreed by PIN")
    declared = counted((it.sheets.counts["declared"], "declared event"), of)
    if declared:
        yield f"{declared}, for which there is only {WORD}."
    if it.displaced > 0:
        of = several(it.displaced, "event")
        yield f"the month of {of} at its ends, recorded when the site had another time zone."
    if it.erased > 0:
        of = several(it.erased, "proof")
        yield f"{of} of people who were erased, of whom nothing is left to compare them with."
    if it.named and it.new_enrolments > 0:
        of = f"{several(it.new_enrolments, 'phone')} whose enrolment rests on the operator’s word. A tree that you kept"
        yield f"{of}, and a file fetched with its size as from, show which were enrolled before."


def left_out(it):
    """What can be missing."""
    if it.header["userId"] is not None:
        of = "whether an event of this person was left out, or what was said about one."
        return f"{of} The receipts that their phone keeps show that."
    if it.numbers.last_entry is None:
        return "whether entries about the month were left out. The file has none."
    seq, at = it.numbers.last_entry
    is_open = " The month was not closed." if it.closing == "none" else ""
    return f"whether entries about the month that came after entry {seq} ({at}) were left out.{is_open}"


def rests_on(it):
    of = "on the signature of the service"
    if it.kept is not None and not it.is_in_file:
        return f"All entries of the file are newer than the head that you kept (entry {it.kept}), and rest {of}."
    if it.kept is not None:
        after = f", after that {of}" if it.kept < it.header["tree"]["size"] else ""
        return f"Up to entry {it.kept} it rests on the head that you kept{after}."
    if it.named:
        return f"It rests {of}, under the key that you named."
    return f"It rests {of}, under the key that the file itself names. Pass a head that you kept."


def conclusion(it):
    month, is_whole = it.header["month"], it.header["userId"] is None
    of = f"the hours of {month} at {it.header['site']['name']}" if is_whole else f"the hours of this person in {month}"
    if it.findings.count > 0:
        wrong = several(it.findings.count, "thing is", "things are")
        return f"This file does not hold: {wrong} wrong with {of}. The first: {it.findings.listed[0][1]}"
    return " ".join([verdict(it, of, is_whole), *exceptions(it)])


def verdict(it, of, is_whole):
    """What nobody has done, and until when."""
    known = it.numbers.last_entry if it.kept is None else it.numbers.last_kept
    if it.numbers.last_entry is None:
        return f"Of {of}, the file has no entry."
    if known is None:
        rest = "what was recorded rests on the signature of the service"
        return f"Of {of}, nothing is older than the head that was kept (entry {it.kept}): {rest}."
    is_closed = it.closing == "sound" and it.sheets.closing["seq"] == known[0]
    recorded = f"was recorded by {known[1]}{', when the month was closed' if is_closed else ''}"
    since = f"up to the head that was kept (entry {it.kept})"
    if it.kept is None:
        since = "by the signature of the service, as no head was kept"
    if is_whole:
        return f"Of {of}, nobody has changed, added or removed one that {recorded}: checked {since}."
    rest = "Whether one was left out, only the receipts of the phone show."
    return f"Of {of}, nobody has changed or added one that {recorded}: checked {since}. {rest}"


def exceptions(it):
    """What a reader should know besides."""
    words = (("asserted", "asserted by the account alone"), ("contested", "contested by the person"))
    counts = it.sheets.counts
    named = counted(*((counts[name], f"event was {word}", f"events were {word}") for name, word in words))
    if named:
        yield f"{named}."
    by_pin = 0 if it.kept is None else it.corrections.agreed_by_pin(it.kept)
    unproved = counted((it.sheets.unproved_after_kept, "event"), (by_pin, "correction"))
    if unproved:
        yield f"There is no proof of a phone of {unproved} from after that head."
    if it.erased > 0:
        yield f"{several(it.erased, 'proof')} of erased people could not be checked."
