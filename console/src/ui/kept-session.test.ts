import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { keepSession, signInPageOf, takeSession } from './kept-session';

beforeEach(() => {
  // As in browsers, each entry is a property, too.
  const stored: Record<string, unknown> = {};
  const hidden = (value: unknown) => ({ value, enumerable: false });
  Object.defineProperties(stored, {
    getItem: hidden((key: string) => stored[key] ?? null),
    setItem: hidden((key: string, value: string) => {
      stored[key] = value;
    }),
    removeItem: hidden((key: string) => Reflect.deleteProperty(stored, key)),
  });
  vi.stubGlobal('sessionStorage', stored);
});
afterAll(() => void vi.unstubAllGlobals());

test('finds the sign-in page of a session until that page takes the session back', () => {
  sessionStorage.setItem('playground', 'session');
  keepSession('other', 'another session');
  expect(signInPageOf('session')).toBeUndefined();
  keepSession('uid', 'session');
  expect(signInPageOf('session')).toBe('/sign-in/uid');
  expect(takeSession('uid')).toBe('session');
  expect([signInPageOf('session'), takeSession('uid')]).toEqual([undefined, undefined]);
});

test('leads to no other path, whatever is stored', () => {
  keepSession('../phone/#code=x', 'session');
  expect(signInPageOf('session')).toBe('/sign-in/..%2Fphone%2F%23code%3Dx');
});

test('works in a browser that stores nothing', () => {
  vi.stubGlobal('sessionStorage', undefined);
  keepSession('uid', 'session');
  expect([takeSession('uid'), signInPageOf('session')]).toEqual([undefined, undefined]);
});
