/**
 * One punch. `check_in` and `work` begin a shift, `check_out` and `work` end it. `check_out` and `break` begin a break, `check_in`
 * and `break` end it.
 */
export interface TimeEvent {
  readonly id: string;
  readonly type: 'check_in' | 'check_out';
  readonly reason: 'work' | 'break';
  /** ISO 8601 in UTC, such as `2026-03-02T07:58:31.204Z`. */
  readonly occurredAt: string;
  /** An API key or a member wrote `asserted` rows. All others are the person's own. */
  readonly evidence: 'proved' | 'declared' | 'agreed' | 'asserted';
  readonly result?: 'accepted' | 'rejected';
  readonly voided?: boolean;
}

export type Act = 'begin' | 'end' | 'begin break' | 'end break';

/** An accepted event, which was not voided. */
export interface Row {
  readonly id: string;
  readonly act: Act;
  readonly isAsserted: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Minutes since 1970. The seconds are dropped, as the sheet shows the time. */
  readonly minute: number;
}

/**
 * Leaves out rejected and voided events and sorts the others by time. Within a millisecond, ends come before beginnings, then the id
 * decides, so the result doesn't depend on the order of the input.
 * @throws TypeError if a time is not in UTC
 */
export function rowsOf(events: readonly TimeEvent[]): Row[] {
  return events
    .filter(({ result, voided }) => result !== 'rejected' && voided !== true)
    .map(rowOf)
    .sort(compareRows);
}

export const compareRows = (a: Row, b: Row): number =>
  a.at - b.at || ORDER.indexOf(a.act) - ORDER.indexOf(b.act) || (a.id < b.id ? -1 : 1);

const ORDER: readonly Act[] = ['end break', 'end', 'begin', 'begin break'];

function rowOf({ id, type, reason, occurredAt, evidence }: TimeEvent): Row {
  const at = UTC.test(occurredAt) ? Date.parse(occurredAt) : Number.NaN;
  if (Number.isNaN(at)) throw new TypeError(`event ${id}: its time is not in UTC: ${occurredAt}`);
  return {
    id,
    act: ACTS[reason][type],
    isAsserted: evidence === 'asserted',
    at,
    minute: Math.floor(at / 60_000),
  };
}

const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/;

const ACTS = {
  work: { check_in: 'begin', check_out: 'end' },
  break: { check_in: 'end break', check_out: 'begin break' },
} as const;
