import type { PunchChoice } from '@svc/sdk/time';

/** What a person can do, as the buttons name it. */
export const ACTS = {
  come: { type: 'check_in', reason: 'work' },
  go: { type: 'check_out', reason: 'work' },
  beginBreak: { type: 'check_out', reason: 'break' },
  endBreak: { type: 'check_in', reason: 'break' },
} as const satisfies Readonly<Record<string, PunchChoice>>;

export type ActName = keyof typeof ACTS;

/** A row, as far as it says what was done. Rows from before there were reasons have none. */
export interface Done {
  readonly type: 'check_in' | 'check_out';
  readonly reason: 'work' | 'break' | null;
  readonly occurredAt: string;
}

const NAMES = Object.keys(ACTS) as readonly ActName[];

export const actOf = ({ type, reason }: Pick<Done, 'type' | 'reason'>): ActName =>
  NAMES.find((name) => ACTS[name].type === type && ACTS[name].reason === (reason ?? 'work')) ?? 'come';

/** Nobody works longer, so a later punch begins another shift. */
const MAX_SHIFT_MS = 16 * 3_600_000;

/** Whether the person is still there after what the phone recorded last: they came, or began or ended a break. */
const isThere = (last: Done): boolean => actOf(last) !== 'go';

/** A shift that the person forgot to end, by what this phone recorded last. */
export const isForgotten = (last: Done | undefined, now: number): boolean =>
  last !== undefined && isThere(last) && now - Date.parse(last.occurredAt) > MAX_SHIFT_MS;

/** Whether a flag only says that a shift or a break has no end yet, and it may still go on. `times` has the events by their ids. */
export const isGoingOn = (
  { code, eventIds }: { readonly code: string; readonly eventIds: readonly string[] },
  times: ReadonlyMap<string, string>,
  now: number,
): boolean =>
  ['open_shift', 'open_break'].includes(code) &&
  eventIds.some((id) => now - Date.parse(times.get(id) ?? '') <= MAX_SHIFT_MS);

/** What to offer: first what the person probably wants, by what this phone recorded last. */
export function offered(last: Done | undefined, breaks: boolean, now: number): readonly ActName[] {
  if (last === undefined || !isThere(last) || isForgotten(last, now)) return ['come', 'go'];
  if (actOf(last) === 'beginBreak') return ['endBreak', 'go'];
  return breaks ? ['go', 'beginBreak', 'come'] : ['go', 'come'];
}
