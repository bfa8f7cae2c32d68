import type { Punch } from '@svc/sdk';

/** What somebody does at a clock. */
type Act = 'came' | 'went' | 'break' | 'back';

type What = Pick<Punch, 'type' | 'reason'>;

export const actOf = ({ type, reason }: What): Act => {
  if (reason === 'break') return type === 'check_in' ? 'back' : 'break';
  return type === 'check_in' ? 'came' : 'went';
};
