import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { patiently } from './patiently.js';

/** Blocks the event loop, as much work does. */
const stall = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

const lateAfter = (ms: number) => {
  const started = performance.now();
  return new Promise<number>((resolve) => {
    // The timers of `patiently` don't keep the process alive.
    const alive = setInterval(() => {}, 1_000);
    patiently(ms, () => {
      clearInterval(alive);
      resolve(performance.now() - started);
    });
  });
};

describe('a time-out of the other side [service/time-outs]', () => {
  it('ends after its time if the event loop is free', async () => {
    const took = await lateAfter(60);
    expect(took).toBeGreaterThan(55);
  });

  it('does not count time in which the event loop was stalled', async () => {
    const late = lateAfter(60);
    stall(100);
    expect(await late).toBeGreaterThan(150);
  });

  it('also ends if the event loop is never free', async () => {
    let isOver = false;
    const stalls = (async () => {
      for (; !isOver; ) {
        stall(25);
        await new Promise(setImmediate);
      }
    })();
    const took = await lateAfter(50);
    isOver = true;
    await stalls;
    expect(took).toBeGreaterThan(150);
    expect(took).toBeLessThan(2_000);
  });

  it('is cancelled by a response that arrived during the stall', async () => {
    const echo = new Worker(
      `const { parentPort } = require('node:worker_threads');
       require('node:net').createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1', function () {
         parentPort.postMessage(this.address().port);
       });`,
      { eval: true },
    );
    const [port] = await once(echo, 'message');
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    for (let round = 0; round < 5; round += 1) {
      let isLate = false;
      const cancel = patiently(40, () => {
        isLate = true;
      });
      const echoed = once(socket, 'data').then(cancel);
      socket.write('ping');
      for (let at = 0; at < 8; at += 1) stall(40);
      await echoed;
      await delay(20);
      expect(isLate).toBe(false);
    }
    socket.destroy();
    await echo.terminate();
  });

  it('is not called after it was cancelled, even while the last responses are read', async () => {
    let calls = 0;
    const cancel = patiently(1, () => {
      calls += 1;
    });
    await delay(5);
    cancel();
    const before = calls;
    await delay(20);
    expect(calls).toBe(before);
  });
});
