import { describe, expect, it } from 'vitest';
import { readEvents, type StreamEvent, type StreamState } from './sse.js';

/** A stream that comes in just these pieces. */
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
  mood?: StreamState,
): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of readEvents(streamOf(pieces), mood)) events.push(event);
  return events;
}

const TWO = 'id: 1\nevent: a\ndata: {"x":"é"}\n\nid: 2\nevent: b\ndata: y\n\n';
const READ = [
  { id: '1', event: 'a', data: '{"x":"é"}' },
  { id: '2', event: 'b', data: 'y' },
];

describe('an event stream', () => {
  it('reads the same however it is cut to pieces', async () => {
    const bytes = new TextEncoder().encode(TWO);
    for (let at = 0; at <= bytes.length; at++)
      expect(await eventsOf([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(READ);
    expect(await eventsOf(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(READ);
  });

  it.each([
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])('reads lines that end with %s, a byte at a time', async (_, end) => {
    const bytes = new TextEncoder().encode(`${TWO.replaceAll('\n', end)}: so that the last end is whole`);
    expect(await eventsOf(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(READ);
  });

  it('keeps to the standard: comments, joined data, one space, unknown fields, a mark at its start', async () => {
    const mood: StreamState = {};
    const text =
      '\uFEFF: hello\nretry: 1000\nretry: x\ndata:  a\ndata\ndata:b\nother: c\nid: 1\0\n\nevent: none\n\ndata: last\n\n';
    expect(await eventsOf([text], mood)).toEqual([
      { id: '', event: 'message', data: ' a\n\nb' },
      { id: '', event: 'message', data: 'last' },
    ]);
    expect(mood).toEqual({ retryMs: 1000 });
  });

  it('drops an event that was cut off', async () => {
    expect(await eventsOf(['data: a\n\ndata: b\n'])).toEqual([{ id: '', event: 'message', data: 'a' }]);
    expect(await eventsOf(['data: a'])).toEqual([]);
  });

  it('ends with an error before a line without end fills the memory', async () => {
    const endless = new Response(
      new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(97)) }),
    );
    await expect(readEvents(endless).next()).rejects.toThrow('a line of the stream is too long');
  });
});
