import { describe, expect, it } from 'vitest';
import { readEvents, type StreamEvent, type StreamState } from './sse.js';

/** A response that arrives in these pieces. */
function streamOf(pieces: readonly (string | Uint8Array)[]): Response {
  const bytes = pieces.map((piece) => (typeof piece === 'string' ? new TextEncoder().encode(piece) : piece));
  return new Response(
    new ReadableStream({
      pull(controller) {
        const next = bytes.shift();
        if (next === undefined) controller.close();
        else controller.enqueue(next);
      },
    }),
  );
}

async function eventsOf(
  pieces: readonly (string | Uint8Array)[],
  state?: StreamState,
): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of readEvents(streamOf(pieces), state)) events.push(event);
  return events;
}

const TWO = 'id: 1\nevent: a\ndata: {"x":"é"}\n\nid: 2\nevent: b\ndata: y\n\n';
const PARSED = [
  { id: '1', event: 'a', data: '{"x":"é"}' },
  { id: '2', event: 'b', data: 'y' },
];

describe('an event stream', () => {
  it('is parsed the same in pieces of any size', async () => {
    const bytes = new TextEncoder().encode(TWO);
    for (let at = 0; at <= bytes.length; at++)
      expect(await eventsOf([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(PARSED);
    expect(await eventsOf(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(PARSED);
  });

  it.each([
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])('is parsed a byte at a time if its lines end with %s', async (_, end) => {
    const bytes = new TextEncoder().encode(`${TWO.replaceAll('\n', end)}: completes the last line end`);
    expect(await eventsOf(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(PARSED);
  });

  it('is parsed as in the standard: comments, joined data, one space, unknown fields, a byte order mark', async () => {
    const state: StreamState = {};
    const text =
      '\uFEFF: hello\nretry: 1000\nretry: x\ndata:  a\ndata\ndata:b\nother: c\nid: 1\0\n\nevent: none\n\ndata: last\n\n';
    expect(await eventsOf([text], state)).toEqual([
      { id: '', event: 'message', data: ' a\n\nb' },
      { id: '', event: 'message', data: 'last' },
    ]);
    expect(state).toEqual({ retryMs: 1000 });
  });

  it('drops an incomplete event', async () => {
    expect(await eventsOf(['data: a\n\ndata: b\n'])).toEqual([{ id: '', event: 'message', data: 'a' }]);
    expect(await eventsOf(['data: a'])).toEqual([]);
  });

  it('fails on an endless line before it fills the memory', async () => {
    const endless = new Response(
      new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(97)) }),
    );
    await expect(readEvents(endless).next()).rejects.toThrow('a line of the stream is too long');
  });
});
