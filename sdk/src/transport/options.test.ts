import { describe, expect, it } from 'vitest';
import { Svc, type SvcOptions } from '../sdk.js';
import type { SvcError } from './errors.js';

const HEX = '0123456789abcdef'.repeat(3);
const LIVE = `svc_live_${HEX}`;

const refusalOf = (options: Partial<Record<keyof SvcOptions, unknown>>): string => {
  try {
    new Svc({ baseUrl: 'https://a.test', apiKey: LIVE, ...options } as SvcOptions);
  } catch (error) {
    expect(error).toMatchObject({ name: 'SvcError', code: 'invalid_options' });
    return (error as SvcError).message;
  }
  throw new Error('it was taken');
};

describe('the options of a client', () => {
  it('are needed', () => {
    expect(() => new Svc(undefined as unknown as SvcOptions)).toThrow('new Svc needs its options');
  });

  it.each<[string, Partial<Record<keyof SvcOptions, unknown>>, string]>([
    ['no base URL', { baseUrl: undefined }, 'baseUrl is missing'],
    ['an empty one', { baseUrl: '' }, 'baseUrl is missing'],
    ['one without a scheme', { baseUrl: 'identity.example.com' }, 'is not an http or https address'],
    ['another scheme', { baseUrl: 'ftp://a.test' }, 'is not an http or https address'],
    ['a password in it', { baseUrl: 'https://me:secret@a.test' }, 'leave out user, password'],
    ['a query', { baseUrl: 'https://a.test?x=1' }, 'leave out user, password, query'],
    ['/v1 at its end', { baseUrl: 'https://a.test/v1/' }, 'baseUrl ends in /v1'],
    ['/api at its end', { baseUrl: 'https://a.test/x/api' }, 'baseUrl ends in /api'],
    ['an empty key', { apiKey: '' }, 'Check the environment variable'],
    ['a key with a line end', { apiKey: `${LIVE}\n` }, 'white space around it'],
    ['a console token for a key', { apiKey: 'eyJhbGciOiJIUzI1NiJ9.e30.x' }, 'Give that as consoleToken'],
    ['a key cut short', { apiKey: LIVE.slice(0, -1) }, 'is not an API key of this service'],
    ['an admin key', { apiKey: 'admin-key-0123456789abcdef0123456789' }, 'is not an API key of this service'],
    [
      'a key of the other environment',
      { environment: 'test' },
      "environment 'live', and environment asks for 'test'",
    ],
    ['an environment of another name', { environment: 'prod' }, "'live' or 'test', and not 'prod'"],
    ['a console token with a line end', { consoleToken: 'eyJ\n' }, 'Sign up or log in'],
    ['no time at all', { timeoutMs: 0 }, 'timeoutMs is a number of at least 1'],
    ['endless time', { timeoutMs: Number.POSITIVE_INFINITY }, 'timeoutMs'],
    ['fewer than no retries', { maxRetries: -1 }, 'maxRetries is a number of at least 0'],
  ])('with %s are refused before anything is sent, by name and without a secret', (_, options, text) => {
    const message = refusalOf(options);
    expect(message).toContain(text);
    for (const secret of [HEX, 'secret', 'eyJhb', 'admin-key']) expect(message).not.toContain(secret);
  });

  it('tell the environment by the key', () => {
    expect(new Svc({ baseUrl: 'https://a.test/', apiKey: LIVE, environment: 'live' })).toMatchObject({
      environment: 'live',
      baseUrl: 'https://a.test',
    });
    expect(new Svc({ baseUrl: 'https://a.test' }).environment).toBeUndefined();
  });

  it('are not shown by printing the client', async () => {
    const { inspect } = await import('node:util');
    const svc = new Svc({ baseUrl: 'https://a.test', apiKey: LIVE });
    expect(inspect(svc, { depth: 9, showHidden: true })).not.toContain(HEX);
    expect(JSON.stringify(svc)).not.toContain(HEX);
  });
});
