import { SvcError } from '@svc/sdk';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isRetryable } from './messages';

test.each([
  'pair_failed',
  'enroll_failed',
  'verify_failed',
  'verification_failed',
  'addition_not_found',
  'recovery_closed',
  'approval_closed',
  'attendance_code_invalid',
  'name_not_confirmed',
  'identity_limit_reached',
  'not_in_force',
  'pairing_session_expired',
  'foreign_code',
  'malformed_payload',
  'invalid_api_key',
  'monthly_quota_exceeded',
])('offers no retry with the same code after %s', (code) => {
  expect(isRetryable(new SvcError(code, ''))).toBe(false);
});

test.each(['unreachable', 'rate_limit_exceeded', 'timed_out'] as const)('offers a retry after %s', (code) =>
  expect(isRetryable(new SvcError(code, ''))).toBe(true),
);

test('offers a retry when the phone was not unlocked', () => {
  expect(isRetryable(new Error('not unlocked'))).toBe(true);
});

let messageOf: (error: unknown) => string;
let ServiceError: typeof SvcError;
const speak = async (...languages: string[]) => {
  vi.stubGlobal('navigator', { languages });
  vi.resetModules();
  const { language, speak: speakIn } = await import('./strings');
  speakIn(await (await import('./load')).loadTexts[language]());
  ({ messageOf } = await import('./messages'));
  ({ SvcError: ServiceError } = await import('@svc/sdk'));
};
beforeEach(() => speak('en'));
afterEach(() => void vi.unstubAllGlobals());

test('has a message in each language for the codes that it knows', async () => {
  expect(messageOf(new ServiceError('unreachable', 'fetch failed'))).toMatch(/^The service did not respond/);
  await speak('de-AT');
  expect(messageOf(new ServiceError('unreachable', 'fetch failed'))).toMatch(/^Der Dienst antwortet nicht/);
  await speak('es-MX');
  expect(messageOf(new ServiceError('unreachable', 'fetch failed'))).toMatch(/^El servicio no ha respondido/);
});

test('shows the service’s own message for other codes only in English', async () => {
  const error = () => new ServiceError('user_not_found', '', { serverMessage: 'No such user.' });
  expect(messageOf(error())).toBe('No such user.');
  await speak('de');
  expect(messageOf(error())).toBe(
    'Der Dienst meldet einen Fehler (user_not_found). Versuchen Sie es später erneut.',
  );
  await speak('es');
  expect(messageOf(error())).toBe('El servicio ha devuelto un error (user_not_found). Inténtalo más tarde.');
});

test('shows errors of the browser with their own message', () => {
  expect(messageOf(new Error('disk full'))).toMatch(/Reload the page and try again. \(disk full\)$/);
});

test('keeps the message of an error of this page', async () => {
  const { PhoneError: Known } = await import('./messages');
  expect(messageOf(new Known('malformed_payload', 'Scan the first code.'))).toBe('Scan the first code.');
});
