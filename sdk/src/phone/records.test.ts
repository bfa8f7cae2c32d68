import { expect, test } from 'vitest';
import {
  applyChanges,
  createdAfter,
  type Identity,
  NOTHING_STORED,
  replacingOlder,
  type Secret,
  type Stored,
} from './records.js';

const PLACE = {
  tenantId: 't',
  environment: 'live',
  baseUrl: 'https://svc.example',
  fingerprint: 'f',
} as const;
const identity = (id: string, createdAt: string, confirmed: boolean): Identity<Secret> => ({
  ...{ id, did: id, commitment: id, createdAt, confirmed },
  ...PLACE,
});
const NOW = Date.parse('2026-05-12T09:30:00.000Z');
const stored = (...identities: Identity<Secret>[]): Stored<Secret> => ({
  identities,
  ceremonies: [],
  joinings: [],
});

test('a new identity is created after each that the phone has, whatever the clock says', () => {
  const iso = (ms: number) => new Date(ms).toISOString();
  expect(createdAfter(stored(), NOW)).toBe(iso(NOW));
  expect(createdAfter(stored(identity('a', iso(NOW + 500), false)), NOW)).toBe(iso(NOW + 501));
  expect(createdAfter(stored(identity('a', '', true)), NOW)).toBe(iso(NOW));
});

test('an identity that the service knows replaces the confirmed and the older ones of its account', () => {
  const [old, working, newer] = [
    identity('old', '2026-01-01T00:00:00.000Z', false),
    identity('working', '2026-03-01T00:00:00.000Z', true),
    identity('newer', '2026-04-01T00:00:00.000Z', false),
  ];
  const elsewhere = { ...old, id: 'elsewhere', environment: 'test' } as const;
  const known = identity('known', '2026-02-01T00:00:00.000Z', true);
  const changes = replacingOlder(stored(old, working, newer, elsewhere), known);
  expect(changes).toEqual([
    { remove: 'identities', id: 'old' },
    { remove: 'identities', id: 'working' },
    { put: 'identities', record: known },
  ]);
});

test('changes put a record in place of the one with its id, and delete one, without altering what was stored', () => {
  const [one, two] = [identity('one', '', true), identity('two', '', true)];
  const before = applyChanges(NOTHING_STORED, [
    { put: 'identities', record: one },
    { put: 'identities', record: two },
  ]);
  const renamed = { ...one, companyName: 'Example' };
  const after = applyChanges(before, [
    { put: 'identities', record: renamed },
    { remove: 'identities', id: 'two' },
    { remove: 'joinings', id: 'one' },
  ]);
  expect(after).toEqual(stored(renamed));
  expect(before).toEqual(stored(one, two));
  expect(NOTHING_STORED).toEqual(stored());
});
