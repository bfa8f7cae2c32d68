import type { PersonSheet, Site } from '@svc/sdk';
import { localOf, momentOf } from '../../../../ui/dates/local-time';
import { useOperation } from '../../../operations/operation';
import { type Act, actOf } from '../../parts/acts';

const LIMIT = 100;
const TWO_DAYS_MS = 2 * 24 * 60 * 60_000;

/** An event that a correction can change. */
export interface DayEvent {
  readonly id: string;
  readonly act: Act;
  readonly local: string;
  readonly evidence: string | null;
}

/** The accepted events of a day, and those of the next one that belong to a shift of it. */
export function useEvents({ userId, sheet }: PersonSheet, { id: siteId, timeZone }: Site, date: string) {
  const from = momentOf(`${date}T00:00`, timeZone);
  const shifts = sheet.shifts.filter((shift) => shift.date === date);
  const ofShifts = new Set(
    shifts.flatMap(({ toId, breaks }) => [toId, ...breaks.flatMap(({ fromId, toId: end }) => [fromId, end])]),
  );
  return useOperation(
    'listAttendance',
    {
      query: {
        ...{ userId, siteId, voided: 'false', result: 'accepted', sort: 'oldest', limit: LIMIT },
        from: new Date(from).toISOString(),
        to: new Date(from + TWO_DAYS_MS).toISOString(),
      },
    },
    {
      select: ({ attendance }): readonly DayEvent[] =>
        attendance
          .map(({ id, type, reason, occurredAt, evidence }) => ({
            ...{ id, act: actOf({ type, reason }), evidence },
            local: localOf(Date.parse(occurredAt), timeZone),
          }))
          .filter(({ id, local }) => local.startsWith(date) || ofShifts.has(id)),
    },
  );
}
