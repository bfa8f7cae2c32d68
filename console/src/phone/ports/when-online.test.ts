import { afterEach, expect, test, vi } from 'vitest';
import { whenOnline } from './when-online';

const browser = (onLine: boolean) => {
  const events = new EventTarget();
  vi.stubGlobal('navigator', { onLine });
  vi.stubGlobal('addEventListener', events.addEventListener.bind(events));
  return events;
};
const { signal } = new AbortController();

afterEach(() => void vi.unstubAllGlobals());

test('does not wait if there is a network', async () => {
  browser(true);
  const onWait = vi.fn();
  await whenOnline(signal, onWait);
  expect(onWait).not.toHaveBeenCalled();
});

test('waits until there is a network', async () => {
  const events = browser(false);
  const order: string[] = [];
  const waiting = whenOnline(signal, () => order.push('waiting')).then(() => order.push('online'));
  await Promise.resolve();
  order.push('still waiting');
  events.dispatchEvent(new Event('online'));
  await waiting;
  expect(order).toEqual(['waiting', 'still waiting', 'online']);
});

test('throws when the wait is aborted', async () => {
  browser(false);
  const controller = new AbortController();
  const waiting = whenOnline(controller.signal, () => {});
  controller.abort(new Error('aborted'));
  await expect(waiting).rejects.toThrow('aborted');
});
