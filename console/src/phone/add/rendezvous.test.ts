import type { PhoneAddition } from '@svc/sdk';
import { additionDigits, commitToOpening } from '@svc/zk/rendezvous';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';

let asked: string[];
let replies: (() => Response | Promise<Response>)[];
vi.stubGlobal('location', new URL('https://svc.example/phone'));
vi.resetModules();
const { createRandom, digitsToExpect, grouped, whenChanged } = await import('./rendezvous');

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  replies = [];
  vi.stubGlobal('fetch', async (url: string | URL) => {
    asked.push(String(url));
    return (replies.shift() ?? offline)();
  });
  return () => void vi.useRealTimers();
});
afterAll(() => void vi.unstubAllGlobals());

const offline = () => Promise.reject(new TypeError('offline'));
const inState = (state: string) => () => Response.json({ addition: { id: 'one', state } });
const failure = (error: string, status: number) => () =>
  Response.json({ error, message: 'No.', requestId: 'r' }, { status });

test('digits are shown in two groups', () => expect(grouped('004217')).toBe('004 217'));

test('continues when the service can be reached again', async () => {
  replies = [offline, offline, inState('joined')];
  const changed = whenChanged('one', 'open', new AbortController().signal);
  await vi.runAllTimersAsync();
  await expect(changed).resolves.toMatchObject({ state: 'joined' });
  expect(asked.at(-1)).toContain('/v1/phone/additions/one?');
});

test('ends when the addition has expired, and when the screen is left', async () => {
  replies = [failure('addition_not_found', 404)];
  await expect(whenChanged('one', 'open', new AbortController().signal)).rejects.toThrow(
    expect.objectContaining({ code: 'addition_not_found' }),
  );
  const left = new AbortController();
  const waiting = expect(whenChanged('one', 'open', left.signal)).rejects.toThrow('left');
  await vi.advanceTimersByTimeAsync(500);
  left.abort(new Error('left'));
  await waiting;
});

test('random bytes are 64 lower-case hex digits, and differ', () => {
  expect(createRandom()).toMatch(/^[0-9a-f]{64}$/);
  expect(createRandom()).not.toBe(createRandom());
});

test('the old phone expects digits only of what the new phone committed to', () => {
  const [did, newDid] = [`did:svc:${'1'.repeat(64)}`, `did:svc:${'2'.repeat(64)}`];
  const opening = { newDid, newCommitment: '3'.repeat(64), b: '4'.repeat(64) };
  const opened = { id: '01890a5d-ac96-774b-bcce-b302099a8058', ...opening } as PhoneAddition;
  const own = { did, a: '5'.repeat(64), c: commitToOpening(opening) };
  const digits = additionDigits({ rendezvousId: opened.id, did, a: own.a, ...opening });
  expect(digitsToExpect(opened, own)).toBe(digits);
  expect(digitsToExpect({ ...opened, newDid: did }, own)).toBeUndefined();
  expect(digitsToExpect({ ...opened, b: '6'.repeat(64) }, own)).toBeUndefined();
  expect(digitsToExpect({ ...opened, newDid: null }, own)).toBeUndefined();
});
