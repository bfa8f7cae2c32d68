import { expect, it } from 'vitest';
import type { Timing } from '../transport/timing.js';
import type { Message, PageWindow } from './browser.js';
import { waitForReturn } from './popup.js';

const ORIGIN = 'https://app.example';
const RETURNED = {
  type: 'svc-signed-in',
  code: 'c',
  state: 's',
  iss: 'i',
  error: null,
  errorDescription: null,
};

/** A page with a popup, and timers that run when the test says so. */
function open({ signal }: { signal?: AbortSignal } = {}) {
  const listeners = new Set<(message: Message) => void>();
  const timers = new Map<number, () => void>();
  const popup = {
    closed: false,
    location: { href: '' },
    close() {
      popup.closed = true;
    },
  };
  const page = {
    location: { origin: ORIGIN },
    addEventListener: (_: string, listener: (message: Message) => void) => listeners.add(listener),
    removeEventListener: (_: string, listener: (message: Message) => void) => listeners.delete(listener),
  } as unknown as PageWindow;
  const timing = {
    after(ms: number, run: () => void) {
      timers.set(ms, run);
      return () => void (timers.get(ms) === run && timers.delete(ms));
    },
  } as Timing;
  const returning = waitForReturn({ page, popup, timing, timeoutMs: 60_000, signal });
  const post = (message: Partial<Message>) => {
    for (const listener of [...listeners])
      listener({ origin: ORIGIN, source: popup, data: RETURNED, ...message });
  };
  const pass = (ms: number) => timers.get(ms)?.();
  return { popup, returning, post, pass, isOver: () => listeners.size === 0 && timers.size === 0 };
}

it('hears the popup only, and only while it shows a page of this origin', async () => {
  const { popup, returning, post, isOver } = open();
  post({ origin: 'https://evil.example', data: { ...RETURNED, code: 'origin' } });
  post({ source: {}, data: { ...RETURNED, code: 'source' } });
  post({ data: 'something else' });
  post({ data: null });
  post({});
  expect(await returning).toEqual(RETURNED);
  expect([popup.closed, isOver()]).toEqual([true, true]);
});

it('rejects when the popup was closed, but hears what it posted before', async () => {
  const closed = open();
  closed.popup.closed = true;
  closed.pass(500);
  closed.pass(500);
  await expect(closed.returning).rejects.toMatchObject({ code: 'sign_in_closed' });
  expect(closed.isOver()).toBe(true);

  const done = open();
  done.popup.closed = true;
  done.pass(500);
  done.post({});
  expect(await done.returning).toEqual(RETURNED);
});

it('rejects and closes the popup after the time, and when the caller aborts', async () => {
  const late = open();
  late.pass(60_000);
  await expect(late.returning).rejects.toMatchObject({ code: 'timed_out' });
  expect([late.popup.closed, late.isOver()]).toEqual([true, true]);

  const controller = new AbortController();
  const aborted = open({ signal: controller.signal });
  const reason = new Error('left the page');
  controller.abort(reason);
  await expect(aborted.returning).rejects.toBe(reason);
  expect([aborted.popup.closed, aborted.isOver()]).toEqual([true, true]);
});
