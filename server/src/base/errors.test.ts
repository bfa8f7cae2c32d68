import { describe, expect, it } from 'vitest';
import { DatabaseUnavailableError, translateError, violates } from '../db/db.js';
import { toFailure } from '../http/transport/errors.js';
import { ERRORS } from '../model/errors.js';
import { envelope, Failure, fail, invalid } from './errors.js';
import { createLog } from './telemetry/log.js';

const log = createLog('silent');

describe('an error code', () => {
  it.each(Object.entries(ERRORS))(
    '%s has a name of words, a status and a sentence',
    (code, { status, ...texts }) => {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)+$/);
      expect([400, 401, 403, 404, 405, 409, 410, 412, 413, 415, 429, 500, 503]).toContain(status);
      for (const text of Object.values(texts)) expect(text).toMatch(/^([A-Z]|`\w).*[.]$/);
    },
  );
});

describe('a failure', () => {
  it('gives the caller its code, message and details, but never the logged reason', () => {
    const failure = new Failure('invalid_api_key', { because: 'needle' });
    expect(envelope(failure, 'r')).toEqual({
      error: 'invalid_api_key',
      message: ERRORS.invalid_api_key.message,
      docs: '/docs/errors#invalid_api_key',
      requestId: 'r',
    });
    expect(JSON.stringify(envelope(failure, 'r'))).not.toContain('needle');
    expect(() => fail('not_found')).toThrow(Failure);
    expect(() => invalid('body.x', 'is wrong')).toThrow(
      expect.objectContaining({ options: { details: [{ path: 'body.x', message: 'is wrong' }] } }),
    );
  });

  it('puts its first problem into the message, and counts the others', () => {
    const details = [
      { path: 'body.name', message: 'is required' },
      { path: 'body.age', message: 'is not a known field' },
      { path: 'query.limit', message: 'must be an integer from 1 to 100' },
    ];
    const of = (count: number) =>
      new Failure('invalid_request', { details: details.slice(0, count) }).message;
    expect(of(0)).toBe('The request is not valid.');
    expect(of(1)).toBe('body.name is required.');
    expect(of(2)).toBe('body.name is required. See details for 1 more problem.');
    expect(of(3)).toBe('body.name is required. See details for 2 more problems.');
    const issue = { path: 'body.metadata.faceImage', message: 'names biometric data' };
    expect(new Failure('biometric_data_rejected', { details: [issue] }).message).toBe(
      `body.metadata.faceImage names biometric data. ${ERRORS.biometric_data_rejected.message}`,
    );
  });

  it('links to its page by a path, or by a URL if the origin is configured', () => {
    const failure = new Failure('not_found');
    expect(envelope(failure, 'r').docs).toBe('/docs/errors#not_found');
    expect(envelope(failure, 'r', 'https://id.example').docs).toBe(
      'https://id.example/docs/errors#not_found',
    );
  });

  it('is 500 only for unexpected errors, and then reveals nothing about them', () => {
    for (const thrown of [new TypeError('x is undefined'), 'text', undefined, null, { code: 'EACCES' }]) {
      const failure = toFailure(thrown, log, 'r');
      expect(failure.code).toBe('internal_error');
      expect(failure.message).toBe(ERRORS.internal_error.message);
    }
    expect(toFailure(new DatabaseUnavailableError('down'), log, 'r')).toMatchObject({
      code: 'service_unavailable',
      options: { retryAfterSeconds: 2 },
    });
    const known = new Failure('not_found');
    expect(toFailure(known, log, 'r')).toBe(known);
  });
});

describe('a database error', () => {
  const of = (code: string, extra = {}) => Object.assign(new Error('x'), { code, ...extra });
  it('becomes unavailable on connection loss, timeouts and exhausted resources', () => {
    for (const code of [
      '08006',
      '57P01',
      '57P03',
      '53300',
      '40001',
      '40P01',
      '55P03',
      '25P02',
      '58030',
      'XX000',
      'ECONNREFUSED',
      'ETIMEDOUT',
    ])
      expect(translateError(of(code)), code).toBeInstanceOf(DatabaseUnavailableError);
    expect(translateError(new Error('Connection terminated'))).toBeInstanceOf(DatabaseUnavailableError);
    const gone = new DatabaseUnavailableError('x');
    expect(translateError(gone)).toBe(gone);
  });
  it('is passed on unchanged when the statement was wrong', () => {
    for (const code of ['23505', '23503', '23514', '22003', '42601', '22P02', '23000']) {
      const error = of(code);
      expect(translateError(error), code).toBe(error);
    }
    expect(violates(of('23505', { constraint: 'k' }), 'k')).toBe(true);
    expect(violates(of('23505', { constraint: 'other' }), 'k')).toBe(false);
    expect(violates(of('23514', { constraint: 'k' }), 'k')).toBe(false);
    expect(violates(undefined, 'k')).toBe(false);
  });
});
