import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createLog } from '../../base/telemetry/log.js';
import { isAsyncIterable, streamOf } from './stream.js';

const logged: string[] = [];
const log = createLog('trace', { write: (line) => void logged.push(line) });

/** An endless iterable, with a record of what became of its producer. */
function endless() {
  const state = { made: 0, stopped: false };
  async function* pieces() {
    try {
      for (;;) {
        state.made += 1;
        yield `${'x'.repeat(1_000)}\n`;
      }
    } finally {
      state.stopped = true;
    }
  }
  return { state, pieces: pieces() };
}

describe('a streamed response', () => {
  it('is produced no faster than the client reads it, and only while the client is connected', async () => {
    const { state, pieces } = endless();
    const stream = await streamOf(pieces, log, 'r1');
    let resume = () => {};
    const slow = new Writable({
      highWaterMark: 1,
      write(_chunk, _encoding, done) {
        resume = done;
      },
    });
    const piping = pipeline(stream, slow).catch(() => 'left');
    for (let turn = 0; turn < 50; turn += 1) await setImmediate();
    const ahead = state.made;
    expect(ahead).toBeLessThan(6);
    for (let taken = 0; taken < 10; taken += 1) {
      resume();
      await setImmediate();
    }
    expect(state.made).toBeLessThanOrEqual(ahead + 12);
    slow.destroy();
    expect(await piping).toBe('left');
    for (let turn = 0; turn < 5; turn += 1) await setImmediate();
    expect(state.stopped).toBe(true);
  });

  it('is complete and in order, also when it is empty', async () => {
    async function* three() {
      yield 'a';
      yield 'b';
      yield 'c';
    }
    const read = async (pieces: AsyncIterable<string>) => {
      let text = '';
      for await (const piece of await streamOf(pieces, log, 'r2')) text += piece;
      return text;
    };
    expect(await read(three())).toBe('abc');
    expect(await read((async function* () {})())).toBe('');
  });

  it('that fails immediately has an error status; one that fails later aborts the connection and is logged', async () => {
    const failing = async function* (after: number) {
      for (let made = 0; made < after; made += 1) yield 'x';
      throw new Error('lost');
    };
    await expect(streamOf(failing(0), log, 'r3')).rejects.toThrow('lost');
    const stream = await streamOf(failing(1), log, 'r4');
    await expect(
      (async () => {
        for await (const _ of stream);
      })(),
    ).rejects.toThrow('lost');
    expect(logged.join('')).toContain('"requestId":"r4"');
  });

  it('is distinguished from other kinds of responses', () => {
    expect(isAsyncIterable(endless().pieces)).toBe(true);
    for (const other of ['text', Buffer.from('x'), { a: 1 }, ['x'], null, undefined]) {
      expect(isAsyncIterable(other)).toBe(false);
    }
  });
});
