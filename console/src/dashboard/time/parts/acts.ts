import type { CorrectedTime, Correction } from '@svc/sdk';

/** What an event of attendance does, as people say it. */
export type Act = 'come' | 'go' | 'beginBreak' | 'endBreak';

export const ACTS: Readonly<Record<Act, string>> = {
  come: 'Came',
  go: 'Went',
  beginBreak: 'Began a break',
  endBreak: 'Ended a break',
};

type Kind = Pick<CorrectedTime, 'type' | 'reason'>;

const KINDS: Readonly<Record<Act, Kind>> = {
  come: { type: 'check_in', reason: 'work' },
  go: { type: 'check_out', reason: 'work' },
  beginBreak: { type: 'check_out', reason: 'break' },
  endBreak: { type: 'check_in', reason: 'break' },
};

export const kindOf = (act: Act): Kind => KINDS[act];

/** Events from before there were reasons are work. */
export function actOf({
  type,
  reason,
}: {
  readonly type: Kind['type'];
  readonly reason: Kind['reason'] | null;
}): Act {
  if (reason === 'break') return type === 'check_out' ? 'beginBreak' : 'endBreak';
  return type === 'check_in' ? 'come' : 'go';
}

export const CAUSES: Readonly<Record<Correction['cause'], string>> = {
  forgotten: 'Forgotten',
  wrong_time: 'Wrong time',
  wrong_type: 'Wrong kind of event',
  double: 'Recorded twice',
  not_present: 'Was not there',
  device_failed: 'A phone or desk failed',
  other: 'Something else',
};
