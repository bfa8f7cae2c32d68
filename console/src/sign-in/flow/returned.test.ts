import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { keepSession } from '../../ui/kept-session';
import { returnCodeOf, takeReturned } from './returned';

const CODE = 'C2kfJIUQgTcfvxIHLhl1svPIASYJrT2zUQ669JyK4zg';
const stored = new Map<string, string>();
const shown: string[] = [];
const visit = (address: string) => vi.stubGlobal('location', new URL(address, 'https://id.example'));

beforeEach(() => {
  stored.clear();
  shown.length = 0;
  vi.stubGlobal('history', { replaceState: (_: unknown, __: string, url: string) => shown.push(url) });
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
});
afterAll(() => void vi.unstubAllGlobals());

test('takes the code from the address once, with the session that this tab opened', () => {
  keepSession('uid', 'session');
  visit(`/sign-in/uid#${CODE}`);
  expect(takeReturned('uid')).toEqual({ sessionId: 'session', returnCode: CODE });
  expect([shown, stored.size]).toEqual([['/sign-in/uid'], 0]);
  expect(takeReturned('uid')).toBe('other_tab');
});

test('knows no session of another sign-in', () => {
  keepSession('other', 'session');
  visit(`/sign-in/uid#${CODE}`);
  expect(takeReturned('uid')).toBe('other_tab');
});

test('works in a browser that stores nothing', () => {
  const forbidden = () => {
    throw new Error('SecurityError');
  };
  vi.stubGlobal('sessionStorage', { getItem: forbidden, setItem: forbidden, removeItem: forbidden });
  keepSession('uid', 'session');
  visit(`/sign-in/uid#${CODE}`);
  expect(takeReturned('uid')).toBe('other_tab');
});

test('has nothing to take without a code', () => {
  visit('/sign-in/uid');
  expect([takeReturned('uid'), shown]).toEqual([undefined, []]);
  visit('/sign-in/uid#main');
  expect([takeReturned('uid'), shown]).toEqual([undefined, ['/sign-in/uid']]);
});

test.each(['', '#', '#short', `#${CODE}=`, `#${CODE}/..`, `#code=${CODE}`])('%j has no code', (hash) =>
  expect(returnCodeOf(hash)).toBeUndefined(),
);
