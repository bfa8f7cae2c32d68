import { afterEach, expect, test, vi } from 'vitest';
import { whenOnline } from './online';

const browser = (onLine: boolean) => {
  const events = new EventTarget();
  vi.stubGlobal('navigator', { onLine });
  vi.stubGlobal('addEventListener', events.addEventListener.bind(events));
  return events;
};
const { signal } = new AbortController();

afterEach(() => void vi.unstubAllGlobals());

test('with a network nothing is waited for', async () => {
  browser(true);
  const onWait = vi.fn();
  await whenOnline(signal, onWait);
  expect(onWait).not.toHaveBeenCalled();
});

test('without a network it waits until there is one', async () => {
  const events = browser(false);
  const order: string[] = [];
  const waiting = whenOnline(signal, () => order.push('waiting')).then(() => order.push('online'));
  await Promise.resolve();
  order.push('still waiting');
  events.dispatchEvent(new Event('online'));
  await waiting;
  expect(order).toEqual(['waiting', 'still waiting', 'online']);
});

test('waiting ends with an error when it is given up', async () => {
  browser(false);
  const controller = new AbortController();
  const waiting = whenOnline(controller.signal, () => {});
  controller.abort(new Error('given up'));
  await expect(waiting).rejects.toThrow('given up');
});
