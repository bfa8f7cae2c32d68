import type { SvcError } from '@svc/sdk';
import { afterAll, expect, test, vi } from 'vitest';

vi.stubGlobal('location', new URL('https://svc.example/phone'));
vi.resetModules();
const { outcomeOf } = await import('./recorded');
const { SvcError: LoadedError } = (await import('@svc/sdk')) as { SvcError: typeof SvcError };
afterAll(() => void vi.unstubAllGlobals());

const lost = new LoadedError('timed_out', '');
const wrong = new LoadedError('pairing_match_failed', '');
const rejected = new LoadedError('verification_failed', '');

test.each([
  ['a wrong number', wrong, 'sending', false, 'wrongNumber'],
  ['a rejection', rejected, 'sending', false, 'failed'],
  ['an error before sending', lost, 'loading', false, 'failed'],
  ['leaving before sending', new Error('aborted'), 'proving', true, undefined],
  ['leaving while sending', new Error('aborted'), 'sending', true, 'unconfirmed'],
  ['no response', lost, 'sending', false, 'unconfirmed'],
] as const)('%s is recorded', (_, error, stage, aborted, outcome) => {
  expect(outcomeOf(error, stage, aborted)).toBe(outcome);
});
