import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import {
  respondWith,
  socketsCreated,
  startReceiver,
  stopReceivers,
} from '../../../test/support/outbound/receivers.js';
import { deferred, namedTimers } from '../../../test/support/outbound/timers.js';
import { createOutbound } from './outbound.js';

afterEach(stopReceivers);

const BODY_MS = 1_000;
const CONNECT_MS = 3_000;
const SETTINGS = { allowHttp: true, allowCidrs: ['127.0.0.1'], denyCidrs: [], proxy: undefined };
const REQUEST = { headers: { 'content-type': 'application/json' }, body: '{}' };
const OK = 'HTTP/1.1 200 OK\r\n';

/** A receiver, and requests to it with timers of their own. */
async function start(...parameters: Parameters<typeof startReceiver>) {
  const receiver = await startReceiver(...parameters);
  const clock = namedTimers();
  const outbound = createOutbound({ settings: SETTINGS, timers: clock.timers });
  const url = `http://127.0.0.1:${receiver.port}/hook`;
  return { ...receiver, clock, outbound, url };
}

describe('an aborted request', () => {
  const aborted = { error: 'timeout', reason: 'aborted' };

  it('opens no connection if it was aborted before', async () => {
    const { outbound, url, sockets } = await start(respondWith('HTTP/1.1 200 OK'));
    expect(await outbound.post(url, { ...REQUEST, signal: AbortSignal.abort() })).toEqual(aborted);
    let lookUps = 0;
    const byName = createOutbound({
      settings: SETTINGS,
      timers: namedTimers().timers,
      resolve: async () => {
        lookUps += 1;
        return ['127.0.0.1'];
      },
    });
    expect(await byName.post('https://a.example/', { ...REQUEST, signal: AbortSignal.abort() })).toEqual(
      aborted,
    );
    expect(lookUps).toBe(0);
    expect(sockets).toHaveLength(0);
  });

  it('frees everything while it waits for the response', async () => {
    const controller = new AbortController();
    const { outbound, url, closed, clock } = await start(() => controller.abort());
    expect(await outbound.post(url, { ...REQUEST, signal: controller.signal })).toEqual(aborted);
    await closed();
    expect(clock.pending.size).toBe(0);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  it('frees everything during the look-up, and opens no connection', async () => {
    const controller = new AbortController();
    const { port, sockets } = await start(respondWith('HTTP/1.1 200 OK'));
    const { timers, pending } = namedTimers();
    const answer = deferred<string[]>();
    let lookUp: AbortSignal | undefined;
    const outbound = createOutbound({
      settings: SETTINGS,
      timers,
      resolve: (_, signal) => {
        lookUp = signal;
        return answer.promise;
      },
    });
    const result = outbound.post(`http://a.example:${port}/`, { ...REQUEST, signal: controller.signal });
    controller.abort();
    expect(await result).toEqual(aborted);
    expect(lookUp?.aborted).toBe(true);
    expect(pending.size).toBe(0);
    answer.resolve(['127.0.0.1']);
    const created = await socketsCreated(() => new Promise(setImmediate));
    expect(created).toBe(0);
    expect(sockets).toHaveLength(0);
  });

  it('returns the status if it arrived before', async () => {
    const controller = new AbortController();
    const { outbound, url, clock } = await start((socket) => socket.write(`${OK}Content-Length: 9\r\n\r\n`));
    const result = outbound.post(url, { ...REQUEST, signal: controller.signal });
    await clock.started(BODY_MS);
    controller.abort();
    expect(await result).toMatchObject({ status: 200 });
  });

  it('shares its signal with many others without a warning or a leak', async () => {
    const { signal } = new AbortController();
    const warnings: Error[] = [];
    const warn = (warning: Error) => void warnings.push(warning);
    process.on('warning', warn);
    const { outbound, url } = await start(respondWith('HTTP/1.1 200 OK'));
    const results = await Promise.all(
      Array.from({ length: 50 }, () => outbound.post(url, { ...REQUEST, signal })),
    );
    await new Promise(setImmediate);
    process.off('warning', warn);
    expect(results).toEqual(results.map(() => ({ status: 200, retryAfter: undefined })));
    expect(warnings).toEqual([]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('a connection', () => {
  it('has three seconds, of which the look-up is a part', async () => {
    const clock = namedTimers();
    const outbound = createOutbound({
      settings: SETTINGS,
      timers: clock.timers,
      resolve: () => new Promise(() => {}),
    });
    const result = outbound.post('https://a.example/', REQUEST);
    clock.expire(CONNECT_MS);
    expect(await result).toEqual({ error: 'timeout', reason: 'no connection within 3000 ms' });
    expect(clock.pending.size).toBe(0);
  });
});
