import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { Event } from '../src/sdk.js';
import { errorBody, type HostileServer, hostileServer, respond } from './hostile-server.js';

const lines = readFileSync(new URL('../../docs/vectors/audit-export.jsonl', import.meta.url), 'utf8');

/** The events of the published chain, as the feed shows them. */
export const EVENTS: readonly Event[] = lines
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))
  .filter((row) => 'seq' in row)
  .map((row) => ({ ...row, type: row.action, timestamp: row.createdAt }));

/** A page of the feed, or what else the server does. */
export type Answer = readonly Event[] | ((socket: Socket) => void);

export const page = (events: readonly Event[], next: number) => (socket: Socket) =>
  respond(socket, 200, { events, next, environment: 'live' });

export const diverged = (socket: Socket) => respond(socket, 409, errorBody('chain_diverged'));

/** Sends these answers in order, and afterwards only empty pages at the position that was asked for. */
export const feedServer = (answers: readonly Answer[]): Promise<HostileServer> =>
  hostileServer((socket, { line }, count) => {
    const answer = answers[count - 1] ?? [];
    if (typeof answer === 'function') return answer(socket);
    const after = Number.parseInt(
      new URL(line.slice(4), 'http://a.test').searchParams.get('after') ?? '0',
      10,
    );
    page(answer, answer.at(-1)?.seq ?? after)(socket);
  });
