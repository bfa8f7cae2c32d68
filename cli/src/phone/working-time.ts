import type { Attendance } from '@svc/sdk';
import type { Correction, OwnMonth, OwnRow, SheetReading } from '@svc/sdk/time';
import { plain, table } from '../terminal.js';

const ACTS = {
  work: { check_in: 'Came', check_out: 'Went' },
  break: { check_in: 'Ended a break', check_out: 'Began a break' },
} as const;

/** What a row says that the person did. */
export const actOf = ({ type, reason }: Pick<Attendance, 'type' | 'reason'>): string =>
  ACTS[reason ?? 'work'][type];

const MADE_BY: Readonly<Record<NonNullable<Attendance['evidence']>, string>> = {
  proved: 'this person’s phone',
  declared: 'this person, without a phone',
  agreed: 'a correction that both agreed to',
  asserted: 'the company',
};

const CHECKS: Readonly<Record<OwnRow['check'], string>> = {
  included: 'in the signed tree',
  too_new: 'too new for the signed tree',
  unsealed: 'from before there were seals',
  unchecked: 'not checked: no Ed25519 here',
  wrong: 'WRONG',
};

/** A month for the person to read. */
export function describeMonth({
  month,
  timeZone,
  rows,
  readings,
  corrections,
  unreadable,
  missing,
}: OwnMonth): string {
  const shown = rows.map(({ attendance, check, fault }) => [
    attendance.occurredAt,
    actOf(attendance),
    MADE_BY[attendance.evidence ?? 'asserted'],
    stateOf(attendance),
    fault === undefined ? CHECKS[check] : `${CHECKS[check]}: ${plain(fault)}`,
    attendance.id,
  ]);
  const lines = [
    shown.length === 0
      ? `No rows in ${month}.`
      : table([['TIME', 'WHAT', 'MADE BY', 'STATE', 'CHECKED', 'ID'], ...shown]),
    `The month is that of ${plain(timeZone)}.`,
    ...missing.map(
      ({ attendance, receipt }) =>
        `MISSING: ${actOf(attendance)} at ${attendance.occurredAt}. The phone has its receipt (entry ${receipt.entry.seq}), and the service does not show it as it was.`,
    ),
    ...corrections.filter(({ state }) => state === 'proposed').map(describeCorrection),
    ...(unreadable > 0
      ? [`WRONG: the service sent ${unreadable} corrections that no service may send.`]
      : []),
    ...readings.map(describeReading),
  ];
  return lines.join('\n');
}

const stateOf = ({ voidedBy, contestedAt, result }: Attendance): string =>
  [voidedBy !== null && 'replaced', contestedAt !== null && 'contested', result === 'rejected' && 'rejected']
    .filter(Boolean)
    .join(', ') || 'counts';

export function describeCorrection({ id, proposedBy, cause, changes }: Correction): string {
  const who = proposedBy === 'person' ? 'You proposed' : 'The company proposes';
  const what = changes.map(({ old, new: next }) => `${timeOf(old)} → ${timeOf(next)}`).join('; ');
  return `${who} a correction (${cause}, ${id}): ${what}`;
}

const timeOf = (time: Pick<Attendance, 'type' | 'reason' | 'occurredAt'> | null): string =>
  time === null ? 'nothing' : `${actOf(time)} at ${time.occurredAt}`;

const describeReading = ({ at, by, name, isOfSite }: SheetReading): string =>
  `${at}: ${readerOf(by, name)} read ${isOfSite ? 'the sheets of the site' : 'your sheet'}.`;

function readerOf(by: SheetReading['by'], name: string | null): string {
  if (by === 'api_key') return 'a program';
  return by === 'inspector' ? 'somebody with a link for an inspection' : plain(name ?? 'a former member');
}
