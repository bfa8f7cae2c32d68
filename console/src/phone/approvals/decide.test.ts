import type { SvcError } from '@svc/sdk';
import { afterAll, expect, test, vi } from 'vitest';

vi.stubGlobal('location', new URL('https://svc.example/phone'));
vi.resetModules();
const { outcomeOf } = await import('./decide');
const { SvcError: LoadedError } = (await import('@svc/sdk')) as { SvcError: typeof SvcError };
afterAll(() => void vi.unstubAllGlobals());

const error = (code: string) => new LoadedError(code, '');

test.each([
  ['a wrong number', error('pairing_match_failed'), 'sending', false, 'wrongNumber'],
  ['a rejection', error('verification_failed'), 'sending', false, 'failed'],
  ['no response', error('timed_out'), 'sending', false, 'unconfirmed'],
  ['leaving while sending', new Error('aborted'), 'sending', true, 'unconfirmed'],
  ['no response before sending', error('unreachable'), 'unlocking', false, undefined],
  ['leaving before sending', new Error('aborted'), 'proving', true, undefined],
  ['a phone that was not unlocked', error('not_unlocked'), 'unlocking', false, undefined],
  // The earlier outcome stays in the history.
  ['an approval that has ended', error('approval_closed'), 'sending', false, undefined],
] as const)('the history has the outcome of %s', (_, cause, stage, aborted, outcome) => {
  expect(outcomeOf(cause, stage, aborted)).toBe(outcome);
});
