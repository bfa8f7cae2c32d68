import type { Punch } from '@svc/sdk';

/** What somebody does at a clock. */
export const ACTS = ['came', 'went', 'break', 'back'] as const;
export type Act = (typeof ACTS)[number];

type What = Pick<Punch, 'type' | 'reason'>;

const WHATS = {
  came: { type: 'check_in', reason: 'work' },
  went: { type: 'check_out', reason: 'work' },
  break: { type: 'check_out', reason: 'break' },
  back: { type: 'check_in', reason: 'break' },
} as const satisfies Record<Act, What>;

export const whatOf = (act: Act) => WHATS[act];

export const actOf = ({ type, reason }: What): Act => {
  if (reason === 'break') return type === 'check_in' ? 'back' : 'break';
  return type === 'check_in' ? 'came' : 'went';
};
