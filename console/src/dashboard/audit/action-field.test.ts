import { afterAll, expect, test, vi } from 'vitest';

vi.stubGlobal('location', new URL('https://svc.example/audit'));
vi.resetModules();
const { readFilter } = await import('./action-field');
afterAll(() => void vi.unstubAllGlobals());

const read = (query: string) => readFilter(new URLSearchParams(query));

test('reads the audit filter from the address', () => {
  const entityId = '019dbed3-1dc0-70e0-a4d6-a40aa11c95bf';
  expect(read(`action=api_key.revoked&entityId=${entityId}`)).toEqual({
    action: 'api_key.revoked',
    entityId,
  });
  expect(read(`entityId=${entityId},${entityId}`)).toEqual({ entityId: `${entityId},${entityId}` });
  for (const other of ['', 'entityId=a,,b', 'entityId=a,b,c,d,e', `entityId=${'a'.repeat(151)}`])
    expect(read(other)).toEqual({});
});

test.each(['revoked', 'API.KEY', 'a.b;c', '.a', `a.${'b'.repeat(63)}`])(
  'ignores an action that the service would reject: %s',
  (action) => expect(read(`action=${action}&entityId=a b`)).toEqual({}),
);
