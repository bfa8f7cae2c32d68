import { RESULTS } from './verification-result';

/** The results of verifications as the parts of a bar, from the top down. */
export const PARTS = [
  { name: RESULTS.pass, of: 'pass' },
  { name: RESULTS.challenge, of: 'challenge', tone: 'warn' },
  { name: RESULTS.fail, of: 'fail', tone: 'bad' },
] as const;
