import { expect, test } from 'vitest';
import { afterUse, renewed, versionsOf } from './in-force.js';
import type { Identity as IdentityOf, Secret } from './records.js';

/** A secret whose key may be another one after a rotation. */
interface Sealed extends Secret {
  readonly secret: string;
  readonly key: string;
}
type Identity = IdentityOf<Sealed>;

const STARTED = '2026-05-12T09:30:00.000Z';
const at = (minutes: number) => Date.parse(STARTED) + minutes * 60_000;

const identity = {
  id: 'did:svc:one',
  did: 'did:svc:one',
  commitment: 'old',
  secret: 'sealed old',
  key: 'one',
  confirmed: true,
} as unknown as Identity;
const renewing: Identity = {
  ...identity,
  renewal: { commitment: 'new', secret: 'sealed new', startedAt: STARTED },
};

test('an identity has one secret, or the new one before and after the old one while it is unknown which is in force [phones/which-secret-works]', () => {
  expect(versionsOf(identity)).toEqual([identity]);
  expect(versionsOf(renewing).map(({ commitment }) => commitment)).toEqual(['new', 'old', 'new']);
});

test('a new secret keeps the DID, and what protects it unless it has its own', () => {
  expect(renewed(renewing)).toEqual({ ...identity, commitment: 'new', secret: 'sealed new' });
  const own = { ...renewing, renewal: { ...renewing.renewal, key: 'two' } } as Identity;
  expect(renewed(own)).toMatchObject({ did: 'did:svc:one', key: 'two' });
});

test('the old secret is deleted once the service accepted the new one', () => {
  expect(afterUse(renewing, 'new', at(0))).toEqual(renewed(renewing));
  expect(afterUse(identity, 'old', at(0))).toBe(identity);
});

test('the new secret is kept after a use of the old one until no request can be on its way', () => {
  expect(afterUse(renewing, 'old', at(10))).toBe(renewing);
  expect(afterUse(renewing, 'old', at(10) + 1)).toEqual(identity);
});
