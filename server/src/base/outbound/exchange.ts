import { request } from 'node:http';
import type { Socket } from 'node:net';
import type { PatientTimers } from '../clock.js';
import type { Attempt } from './attempt.js';
import { codeOf, messageOf, OutboundFailure } from './failure.js';
import type { Target } from './target.js';

/** Head and body together. */
const MAX_RESPONSE_BYTES = 4_096;
/** After its head, a response has this long for its body, so that a receiver can finish and is not cut off. */
const BODY_MS = 1_000;

/** Sends a request over an open connection and reads the response until enough of it has arrived. */
export function exchange(
  socket: Socket,
  message: {
    readonly target: Target;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  },
  { attempt, timers }: { readonly attempt: Attempt; readonly timers: PatientTimers },
): void {
  const { target, headers, body } = message;
  const call = request({
    // Without an agent, the connection is neither shared nor sent through a proxy of the environment.
    createConnection: () => socket,
    method: 'POST',
    path: target.path,
    headers: {
      ...headers,
      host: target.authority,
      connection: 'close',
      'content-length': Buffer.byteLength(body),
    },
    maxHeaderSize: MAX_RESPONSE_BYTES,
    insecureHTTPParser: false,
  });
  call.on('error', (error) => attempt.end(failureOf(error)));
  call.on('close', () => attempt.end(new OutboundFailure('connect', 'closed without a response')));
  call.on('response', (response) => {
    if (headLength(response.rawHeaders) > MAX_RESPONSE_BYTES) return attempt.end(TOO_LARGE);
    attempt.answered({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] });
    attempt.hold(timers.patiently(BODY_MS, () => attempt.end(TOO_LARGE)));
    response.on('error', () => {});
    response.on('end', () => attempt.finish());
    response.resume();
  });
  // The parser has read these bytes before they are counted: its listener is older. It limits only one head at a time,
  // and a response may have any number of informational ones.
  let received = 0;
  call.on('socket', () =>
    socket.on('data', (chunk) => {
      received += chunk.length;
      if (received > MAX_RESPONSE_BYTES) attempt.end(TOO_LARGE);
    }),
  );
  call.end(body);
}

/** The parser counts names and values only, so many short lines would pass its limit. */
const headLength = (rawHeaders: readonly string[]) =>
  rawHeaders.reduce((length, text) => length + text.length + ': '.length, 0);

const TOO_LARGE = new OutboundFailure('too_large', 'the head of the response is too large');

function failureOf(error: unknown): OutboundFailure {
  const code = codeOf(error);
  if (code === 'HPE_HEADER_OVERFLOW') return TOO_LARGE;
  // With TLS 1.3, a server can reject a client after the handshake.
  const isTls = code === 'EPROTO' || /^ERR_(SSL|TLS)_/.test(code);
  return new OutboundFailure(isTls ? 'tls' : 'connect', messageOf(error));
}
