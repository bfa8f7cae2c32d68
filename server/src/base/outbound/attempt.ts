import type { Socket } from 'node:net';
import type { Timers } from '../clock.js';
import type { OutboundError, OutboundFailure } from './failure.js';

export type OutboundResult =
  /** Any status, also a redirection, which is never followed. */
  | Answer
  /** `reason` is for the operator's log only. */
  | { readonly error: OutboundError; readonly reason: string };

/** All that is kept of a response. */
interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

/** One request, with all that it holds. */
export interface Attempt {
  /** The response's head has arrived. From then on, nothing that happens to the connection matters. */
  answered(answer: Answer): void;
  /** Returns the answer if there is one, otherwise this failure. Frees everything. */
  end(failure: OutboundFailure): void;
  /** The response is complete. Returns it, and closes the connection in an orderly way. */
  finish(): void;
  hasEnded(): boolean;
  /** Destroys this socket at the end. */
  keep(socket: Socket): void;
  /** Calls `release` at the end. */
  hold(release: () => void): void;
}

/** For the last bytes to a receiver, after its response is complete. */
const CLOSE_MS = 1_000;
/** Messages may hold names of a certificate, which the receiver chooses. */
const MAX_REASON_LENGTH = 300;

export function createAttempt(timers: Timers, settle: (result: OutboundResult) => void): Attempt {
  const held: (() => void)[] = [];
  const sockets: Socket[] = [];
  let answer: Answer | undefined;
  let hasEnded = false;
  const destroy = () => {
    for (const socket of sockets) socket.destroy();
  };
  const end = (close: () => void, result: OutboundResult) => {
    if (hasEnded) return;
    hasEnded = true;
    for (const release of held) release();
    close();
    settle(result);
  };
  return {
    hasEnded: () => hasEnded,
    keep(socket) {
      sockets.push(socket);
      socket.on('error', () => {});
      if (hasEnded) socket.destroy();
    },
    answered(value) {
      answer = value;
    },
    end: ({ kind, message }) =>
      end(destroy, answer ?? { error: kind, reason: message.slice(0, MAX_REASON_LENGTH) }),
    finish() {
      const socket = sockets.at(-1);
      if (!answer || !socket) return;
      end(() => {
        const stop = timers.after(CLOSE_MS, destroy);
        socket.once('close', () => {
          stop();
          destroy();
        });
        socket.destroySoon();
      }, answer);
    },
    hold(release) {
      if (hasEnded) release();
      else held.push(release);
    },
  };
}
