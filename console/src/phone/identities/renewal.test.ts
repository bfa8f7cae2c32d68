import { expect, test } from 'vitest';
import type { Identity } from './identity';
import { afterUse, renewed, sentAgain, versionsOf } from './renewal';

const STARTED = '2026-05-12T09:30:00.000Z';
const at = (minutes: number) => Date.parse(STARTED) + minutes * 60_000;
const sealed = (name: string) => ({ iv: new Uint8Array(12), bytes: new TextEncoder().encode(name).buffer });

const identity = {
  id: 'did:svc:one',
  did: 'did:svc:one',
  commitment: 'old',
  secret: sealed('old'),
  protection: { kind: 'screen-lock', credentialId: new ArrayBuffer(1), salt: new Uint8Array(1) },
  confirmed: true,
} as unknown as Identity;
const renewing: Identity = {
  ...identity,
  renewal: { commitment: 'new', secret: sealed('new'), startedAt: STARTED },
};

test('an identity has one secret, or the new one before the old one while it is unknown which is in force', () => {
  expect(versionsOf(identity)).toEqual([identity]);
  expect(versionsOf(renewing).map(({ commitment }) => commitment)).toEqual(['new', 'old']);
});

test('a new secret keeps the DID, and the protection unless it has its own', () => {
  expect(renewed(renewing)).toEqual({ ...identity, commitment: 'new', secret: sealed('new') });
  const protection = { kind: 'browser', key: {} as CryptoKey } as const;
  const own = { ...renewing, renewal: { ...renewing.renewal, protection } } as Identity;
  expect(renewed(own)).toMatchObject({ did: 'did:svc:one', protection });
});

test('the old secret is deleted once the service accepted the new one', () => {
  expect(afterUse(renewing, 'new', at(0))).toEqual(renewed(renewing));
  expect(afterUse(identity, 'old', at(0))).toBe(identity);
});

test('the new secret is kept after a use of the old one until no request can be on its way', () => {
  expect(afterUse(renewing, 'old', at(10))).toBe(renewing);
  expect(afterUse(renewing, 'old', at(10) + 1)).toEqual(identity);
});

test('both secrets are kept until no request can be on its way, counted from the last one that was sent [D12.312]', () => {
  const again = sentAgain(renewing, at(9));
  expect(afterUse(again, 'old', at(19))).toBe(again);
  expect(afterUse(again, 'old', at(19) + 1)).toEqual(identity);
  expect(afterUse(again, 'new', at(9))).toEqual(renewed(renewing));
  expect(sentAgain(identity, at(0))).toBe(identity);
});
