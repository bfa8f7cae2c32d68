import { expect, test } from 'vitest';
import { eventOf, namesOf, readPattern, selectEvents } from './feed-event';

const entry = {
  id: '019df778-11c0-7b52-b0a4-5e1c7f3a9d28',
  seq: 7,
  environment: 'live',
  actorType: 'api_key',
  actorId: null,
  action: 'user.created',
  entityType: 'user',
  entityId: '019df778-11c0-7b52-b0a4-5e1c7f3a9d29',
  status: 'success',
  summary: 'A user was created',
  createdAt: '2026-05-12T09:30:00.000Z',
  metadata: {},
  prevHash: 'a',
  hash: 'b',
  actorName: 'First live key',
  entityName: 'Ada Lovelace',
  personId: '019df778-11c0-7b52-b0a4-5e1c7f3a9d29',
  personName: 'Ada Lovelace',
  userName: 'Ada Lovelace',
  deviceName: null,
} as const;

test('shows an entry of the audit log as the feed does, without names', () => {
  const { actorName, entityName, personId, personName, userName, deviceName, ...rest } = entry;
  expect(namesOf(entry)).toEqual({ actorName, entityName, personId, personName, userName, deviceName });
  expect(eventOf(entry)).toEqual({ ...rest, type: 'user.created', timestamp: entry.createdAt });
});

test('selects events by a type or a noun', () => {
  const events = ['user.created', 'user.updated', 'users.x', 'device.created'].map((action) =>
    eventOf({ ...entry, action }),
  );
  const types = (pattern: string) => selectEvents(events, pattern).map(({ type }) => type);
  expect(types('*')).toHaveLength(4);
  expect(types('user.*')).toEqual(['user.created', 'user.updated']);
  expect(types('device.created')).toEqual(['device.created']);
});

test.each([
  ['types=user.*', 'user.*'],
  ['types=api_key.revoked', 'api_key.revoked'],
  ['types=nothing.*', '*'],
  ['types=*', '*'],
  ['', '*'],
])('reads the filter of the address %o', (search, pattern) => {
  expect(readPattern(new URLSearchParams(search))).toBe(pattern);
});
