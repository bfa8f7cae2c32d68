import { SvcError } from '@svc/sdk';
import { describe, expect, it } from 'vitest';
import type { ImportedPerson, Line } from './read-people';
import { type Imported, type Sending, sendPeople } from './send-people';

const linesOf = (count: number): Line[] =>
  Array.from({ length: count }, (_none, at) => ({ number: at + 2, person: { fullName: `Person ${at}` } }));
const never = new AbortController().signal;
const sending = (send: Sending['send'], rest: Partial<Sending> = {}): Sending => ({
  send,
  wait: () => Promise.reject(new Error('Nothing to wait for.')),
  onProgress: () => {},
  signal: never,
  ...rest,
});
const invalid = (...details: { path: string; message: string }[]) =>
  new SvcError('invalid_request', 'Invalid.', { details });

describe('sending people of a file', () => {
  it('sends a hundred at a time, in order, and tells how far it is', async () => {
    const sent: ImportedPerson[][] = [];
    const left: number[] = [];
    const done = await sendPeople(
      linesOf(250),
      sending(
        async (people) => {
          sent.push([...people]);
          return people.map(() => true);
        },
        { onProgress: (soFar) => left.push(soFar.left.length) },
      ),
    );
    expect(sent.map(({ length }) => length)).toEqual([100, 100, 50]);
    expect(sent.flat().map(({ fullName }) => fullName)).toEqual(
      linesOf(250).map(({ person }) => person.fullName),
    );
    expect(left).toEqual([150, 50, 0]);
    expect(done).toEqual({ added: 250, known: [], wrong: [], left: [] });
  });

  it('leaves out the lines that the service finds wrong, says why, and sends the others', async () => {
    const lines = linesOf(3);
    let calls = 0;
    const done = await sendPeople(
      lines,
      sending(async (people) => {
        calls += 1;
        if (calls === 1)
          throw invalid({ path: 'body.users.1.email', message: 'must be at most 320 characters' });
        return people.map((_person, at) => at === 0);
      }),
    );
    expect(done).toEqual({
      added: 1,
      known: [lines[2]],
      wrong: [{ line: lines[1], why: 'E-mail must be at most 320 characters' }],
      left: [],
    });
  });

  it('waits where the service limits how fast, as long as it says, and then goes on', async () => {
    const waited: number[] = [];
    const seen: (boolean | undefined)[] = [];
    let calls = 0;
    const done = await sendPeople(
      linesOf(150),
      sending(
        async (people) => {
          calls += 1;
          if (calls === 2) throw new SvcError('rate_limit_exceeded', 'Wait.', { retryAfterSeconds: 21 });
          return people.map(() => true);
        },
        {
          wait: async (seconds) => void waited.push(seconds),
          onProgress: ({ isWaiting }) => seen.push(isWaiting),
        },
      ),
    );
    expect(waited).toEqual([21]);
    expect(seen).toEqual([undefined, true, undefined]);
    expect(done).toEqual({ added: 150, known: [], wrong: [], left: [] });
  });

  it('sends half as many where a hundred are too long for a request', async () => {
    const sizes: number[] = [];
    const done = await sendPeople(
      linesOf(130),
      sending(async (people) => {
        sizes.push(people.length);
        if (people.length > 50) throw new SvcError('payload_too_large', 'Too large.');
        return people.map(() => true);
      }),
    );
    expect(sizes).toEqual([100, 50, 50, 30]);
    expect(done).toEqual({ added: 130, known: [], wrong: [], left: [] });
  });

  it('ends at another error, and keeps the lines that were not answered', async () => {
    const lines = linesOf(150);
    const cut = new SvcError('connection_cut', 'Cut.');
    let calls = 0;
    const done = await sendPeople(
      lines,
      sending(async (people) => {
        calls += 1;
        if (calls === 2) throw cut;
        return people.map(() => true);
      }),
    );
    expect(done).toMatchObject({ added: 100, error: cut });
    expect(done.left).toEqual(lines.slice(100));
  });

  it('ends when it is stopped, and never asks again about an error without lines', async () => {
    const stop = new AbortController();
    const seen: Imported[] = [];
    const done = await sendPeople(
      linesOf(300),
      sending(
        async (people) => {
          stop.abort();
          return people.map(() => true);
        },
        { onProgress: (soFar) => seen.push(soFar), signal: stop.signal },
      ),
    );
    expect(done.left).toHaveLength(200);
    expect(seen).toHaveLength(1);
    const refused = await sendPeople(
      linesOf(1),
      sending(() => Promise.reject(invalid({ path: 'body', message: 'is too large' }))),
    );
    expect(refused.left).toHaveLength(1);
  });
});
