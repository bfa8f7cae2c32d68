import { expect, test } from 'vitest';
import { readPageData, uidOf } from './page-data';

test('reads the data of a view', () => {
  const data = { view: 'device', action: '/oidc/a/live/device', xsrf: 'x', problem: 'unknown' };
  expect(readPageData(` ${JSON.stringify(data)}\n`)).toEqual(data);
});

test.each(['{}', '', 'null', '[]', '{"view":"other"}', '{"view":', '"device"', null, undefined])(
  'finds no data in %j',
  (text) => expect(readPageData(text)).toBeUndefined(),
);

test.each([
  ['/sign-in/Ab_3-x.Ys-_0', 'Ab_3-x.Ys-_0'],
  ['/sign-in/Ab_3-x.Ys-_0/', 'Ab_3-x.Ys-_0'],
  ['/sign-in/Ab_3-x', undefined],
  ['/sign-in/Ab_3-x.', undefined],
  ['/sign-in/', undefined],
  ['/sign-in', undefined],
  ['/sign-in/a/b', undefined],
  ['/oidc/t/live/device', undefined],
])('the sign-in of %s is %s', (path, uid) => expect(uidOf(path)).toBe(uid));
