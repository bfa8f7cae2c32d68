import { afterEach, expect, test } from 'vitest';
import { noteServerTime, serverNow } from './server-time';

const NOW = Date.parse('2026-05-12T06:30:00.000Z');
const offset = () => Math.round((serverNow() - Date.now()) / 1000);
afterEach(() => noteServerTime(new Date(NOW).toUTCString(), NOW));

test('follows a service whose clock differs from this device’s', () => {
  noteServerTime('Tue, 12 May 2026 06:27:00 GMT', NOW);
  expect(offset()).toBe(-180);
});

test.each(['Tue, 12 May 2026 06:30:01 GMT', 'Tue, 12 May 2026 06:29:59 GMT'])(
  'ignores rounding: %s',
  (date) => {
    noteServerTime(date, NOW);
    expect(offset()).toBe(0);
  },
);

test.each([null, '', 'soon'])('keeps the time without a date: %j', (date) => {
  noteServerTime('Tue, 12 May 2026 06:31:00 GMT', NOW);
  noteServerTime(date, NOW);
  expect(offset()).toBe(60);
});
