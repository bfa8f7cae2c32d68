import { getEventListeners } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startNameServer } from '../../../test/support/outbound/name-server.js';
import { namedTimers } from '../../../test/support/outbound/timers.js';
import { systemTimers } from '../clock.js';
import { createResolve } from './resolve.js';

const many = Array.from({ length: 25 }, (_, index) => `192.0.2.${index}`);

let server: Awaited<ReturnType<typeof startNameServer>>;
beforeAll(async () => {
  server = await startNameServer({
    'both.example': { a: ['192.0.2.1', '192.0.2.2'], aaaa: ['2001:db8::1'] },
    'four.example': { a: ['192.0.2.1'] },
    'six.example': { aaaa: ['2001:db8::1'] },
    'many.example': { a: many },
    'half.example': { a: ['192.0.2.1'], aaaa: 'SERVFAIL' },
    'slow.example': { a: ['192.0.2.1'], aaaa: 'silence' },
    'silent.example': { a: 'silence', aaaa: 'silence' },
    'empty.example': {},
    localhost: { a: ['192.0.2.66'] },
  });
});
afterAll(() => server.stop());

const { signal } = new AbortController();
const resolve = (host: string, timers = systemTimers, until = signal) =>
  createResolve({ timers, servers: [server.address] })(host, until);

describe('a look-up', () => {
  it.each([
    ['both.example', ['192.0.2.1', '192.0.2.2', '2001:db8::1']],
    ['four.example', ['192.0.2.1']],
    ['six.example', ['2001:db8::1']],
    ['half.example', ['192.0.2.1']],
    ['many.example', many],
  ])('returns all addresses of %s from the name server', async (host, addresses) => {
    expect((await resolve(host)).toSorted()).toEqual(addresses.toSorted());
    expect(server.questions).toEqual(expect.arrayContaining([`${host} a`, `${host} aaaa`]));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('does not wait longer than half a second for the second family', async () => {
    const { timers, started, expire } = namedTimers();
    const found = resolve('slow.example', timers);
    await started(500);
    expire(500);
    expect(await found).toEqual(['192.0.2.1']);
  });

  it.each([
    ['unknown.example', 'ENOTFOUND'],
    ['empty.example', 'ENODATA'],
    [`${'a'.repeat(64)}.example`, 'EBADNAME'],
  ])('of %s fails with %s', async (host, code) => {
    await expect(resolve(host)).rejects.toMatchObject({ code });
  });

  it('ends when it is aborted', async () => {
    const controller = new AbortController();
    const found = resolve('silent.example', systemTimers, controller.signal);
    controller.abort();
    await expect(found).rejects.toMatchObject({ code: 'ECANCELLED' });
  });
});
