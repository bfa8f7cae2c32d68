import { setTimeout as delay } from 'node:timers/promises';
import { readLines } from './checks/lines.js';
import type { Client } from './client.js';
import { Failure } from './failure.js';
import { plain } from './terminal.js';

export interface Bound {
  readonly userId: string;
  readonly did: string;
  readonly tokens: { readonly accessToken: string; readonly refreshToken: string };
}

/** A session lasts 300 s; the stream ends by itself then. */
const STREAM_MS = 310_000;
const AGAIN_MS = 1_000;
const LONGEST_LINE_BYTES = 64 * 1024;

/**
 * Waits on the session's stream until a phone has bound it. A stream that breaks off is opened again where it was, as
 * any proxy may cut one.
 * @throws Failure when the session expires, or the service refuses
 */
export async function watchPairing(
  client: Client,
  as: string,
  { streamUrl, cookie }: { streamUrl: string; cookie: string },
  say: (text: string) => void,
): Promise<Bound> {
  const startedAt = performance.now();
  let lastId: string | undefined;
  while (true) {
    try {
      const headers = { cookie, ...(lastId !== undefined && { 'last-event-id': lastId }) };
      const stream = await client.download(streamUrl, { as, headers, timeoutMs: STREAM_MS });
      for await (const { id, event, data } of readEvents(stream)) {
        lastId = id;
        if (event === 'session_bound') return data as Bound;
        if (event === 'session_expired') throw expired();
        if (event === 'session_error')
          say(`Refused: ${plain(String(data.error))}. The session stays open for another try.`);
      }
    } catch (error) {
      // What the service itself said holds; a connection that broke off is tried again.
      if (error instanceof Failure && error.kind !== 'unreachable') throw error;
      if (error instanceof Failure && lastId === undefined) throw error;
    }
    // The service says when it is over; this is for one that cannot be reached again. Our own clock may be off.
    if (performance.now() - startedAt > STREAM_MS) throw expired();
    say('The connection was cut; connecting again.');
    await delay(AGAIN_MS);
  }
}

const expired = () =>
  new Failure(
    'refused',
    'No phone has proved within five minutes: the session has expired. Open another one.',
  );

/** Server-sent events, as far as this service uses them: one line a field. */
async function* readEvents(stream: AsyncIterable<Uint8Array>) {
  let fields: Record<string, string> = {};
  for await (const { text } of readLines(buffers(stream), LONGEST_LINE_BYTES)) {
    if (text === '') {
      if (fields.event && fields.data)
        yield { id: fields.id, event: fields.event, data: JSON.parse(fields.data) };
      fields = {};
      continue;
    }
    const [, name, value] = /^([a-z]+): (.*)$/.exec(text) ?? [];
    if (name !== undefined) fields[name] = value as string;
  }
}

async function* buffers(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const piece of stream) yield Buffer.from(piece);
}
