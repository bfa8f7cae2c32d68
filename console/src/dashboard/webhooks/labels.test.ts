import { describe, expect, it } from 'vitest';
import { partsOf } from '../nouns/webhook-host';
import { nextStepOf, responseOf, resultOf, textOfDuration, textOfLag, textOfStatus } from './labels';

const attempt = { status: 'failed', httpStatus: null, errorCode: null, seq: 7 } as const;

describe('the words of a webhook', () => {
  it('say why deliveries are turned off', () => {
    expect(textOfStatus({ status: 'active', disabledReason: null })).toBe('Active');
    expect(textOfStatus({ status: 'disabled', disabledReason: 'gone' })).toBe(
      'Turned off: responded with 410 Gone',
    );
  });

  it('count the events that a webhook is behind', () => {
    expect([0, 1, 1234].map(textOfLag)).toEqual([undefined, '1 event behind', '1,234 events behind']);
  });

  it('round durations of a second and more', () => {
    expect([0, 999, 1_000, 15_004].map(textOfDuration)).toEqual(['0 ms', '999 ms', '1.0 s', '15.0 s']);
  });

  it('name the status or the error of an attempt', () => {
    expect(responseOf({ ...attempt, errorCode: 'status', httpStatus: 404 })).toBe('404');
    expect(responseOf({ ...attempt, errorCode: 'dns' })).toBe('The name was not found');
  });

  it.each([
    [{ errorCode: 'status', httpStatus: 308 }, /Redirects/],
    [{ errorCode: 'status', httpStatus: 401 }, /signature/],
    [{ errorCode: 'status', httpStatus: 404 }, /path/],
    [{ errorCode: 'status', httpStatus: 418 }, /2xx/],
    [{ errorCode: 'status', httpStatus: 503 }, /log/],
    [{ errorCode: 'status', httpStatus: 999 }, /2xx/],
    [{ errorCode: 'timeout' }, /immediately/],
  ] as const)('say what to do about %o', (failed, next) => {
    expect(nextStepOf({ ...attempt, ...failed })).toMatch(next);
  });

  it('never say that a test event was given up, because it is sent once', () => {
    expect(resultOf({ ...attempt, status: 'abandoned' })[0]).toBe('Given up');
    expect(resultOf({ ...attempt, status: 'abandoned', seq: null })[0]).toBe('Failed');
  });
});

describe('the URL of a webhook', () => {
  it.each([
    ['https://example.com/hooks?a=1', { before: '', host: 'example.com', after: '/hooks?a=1' }],
    ['https://example.com/', { before: '', host: 'example.com', after: '' }],
    ['http://localhost:8080/x', { before: 'http://', host: 'localhost:8080', after: '/x' }],
    ['https://ex\u0430mple.com/', { before: '', host: 'xn--exmple-4nf.com', after: '' }],
  ])('%s shows its host in ASCII', (url, parts) => {
    expect(partsOf(url)).toEqual(parts);
  });
});
