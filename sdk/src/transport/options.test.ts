import { describe, expect, it } from 'vitest';
import { Svc, type SvcOptions } from '../sdk.js';
import type { SvcError } from './errors.js';

const HEX = '0123456789abcdef'.repeat(3);
const LIVE = `svc_live_${HEX}`;

const messageOf = (options: Partial<Record<keyof SvcOptions, unknown>>): string => {
  try {
    new Svc({ baseUrl: 'https://a.test', apiKey: LIVE, ...options } as SvcOptions);
  } catch (error) {
    expect(error).toMatchObject({ name: 'SvcError', code: 'invalid_options' });
    return (error as SvcError).message;
  }
  throw new Error('the options were accepted');
};

describe('the options of a client', () => {
  it('are required', () => {
    expect(() => new Svc(undefined as unknown as SvcOptions)).toThrow('new Svc needs options');
  });

  it.each<[string, Partial<Record<keyof SvcOptions, unknown>>, string]>([
    ['no base URL', { baseUrl: undefined }, 'baseUrl is missing'],
    ['an empty base URL', { baseUrl: '' }, 'baseUrl is missing'],
    ['a base URL without a scheme', { baseUrl: 'identity.example.com' }, 'is not an http or https address'],
    ['another scheme', { baseUrl: 'ftp://a.test' }, 'is not an http or https address'],
    ['a base URL with a password', { baseUrl: 'https://me:secret@a.test' }, 'Remove the user, password'],
    ['a base URL with a query', { baseUrl: 'https://a.test?x=1' }, 'Remove the user, password, query'],
    ['a base URL that ends in /v1', { baseUrl: 'https://a.test/v1/' }, 'baseUrl ends in /v1'],
    ['a base URL that ends in /api', { baseUrl: 'https://a.test/x/api' }, 'baseUrl ends in /api'],
    ['an empty key', { apiKey: '' }, 'Check the environment variable'],
    ['a key with a line end', { apiKey: `${LIVE}\n` }, 'ends with white space'],
    [
      'a console token as the key',
      { apiKey: 'eyJhbGciOiJIUzI1NiJ9.e30.x' },
      'Pass the token as consoleToken',
    ],
    ['a truncated key', { apiKey: LIVE.slice(0, -1) }, 'is not an API key of this service'],
    ['an admin key', { apiKey: 'admin-key-0123456789abcdef0123456789' }, 'is not an API key of this service'],
    [
      'a key of the other environment',
      { environment: 'test' },
      "environment 'live', but the option environment is 'test'",
    ],
    ['an unknown environment', { environment: 'prod' }, "environment is 'prod'. It must be 'live' or 'test'"],
    ['a console token with a line end', { consoleToken: 'eyJ\n' }, 'svc.console.logIn'],
    ['a timeout of 0', { timeoutMs: 0 }, 'timeoutMs must be a number of at least 1'],
    ['an infinite timeout', { timeoutMs: Number.POSITIVE_INFINITY }, 'timeoutMs'],
    ['a negative number of retries', { maxRetries: -1 }, 'maxRetries must be a number of at least 0'],
  ])(
    'with %s are rejected by name, before anything is sent and without a secret in the message',
    (_, options, text) => {
      const message = messageOf(options);
      expect(message).toContain(text);
      for (const secret of [HEX, 'secret', 'eyJhb', 'admin-key']) expect(message).not.toContain(secret);
    },
  );

  it('take the environment from the key', () => {
    expect(new Svc({ baseUrl: 'https://a.test/', apiKey: LIVE, environment: 'live' })).toMatchObject({
      environment: 'live',
      baseUrl: 'https://a.test',
    });
    expect(new Svc({ baseUrl: 'https://a.test' }).environment).toBeUndefined();
  });

  it('never show the key when the client is printed', async () => {
    const { inspect } = await import('node:util');
    const svc = new Svc({ baseUrl: 'https://a.test', apiKey: LIVE });
    expect(inspect(svc, { depth: 9, showHidden: true })).not.toContain(HEX);
    expect(JSON.stringify(svc)).not.toContain(HEX);
  });
});
