import { expect, test } from 'vitest';
import { SCOPES } from '../../../../server/src/model/scopes';
import { DEFAULT_SCOPES } from '../../generated/scopes';
import { firstRequestOf, nameOfScopes, PRESETS, SCOPE_GROUPS } from './scopes';

test('lists every scope of the service once', () => {
  const listed = SCOPE_GROUPS.flatMap(([, scopes]) => scopes.map(([scope]) => scope));
  expect(listed.toSorted()).toEqual([...SCOPES].sort());
});

test('selects all scopes for a new key except those of claims, recoveries, erasures, approvals, events, webhooks, codes, sites and simulated sign-on', () => {
  const explicit = [
    'users:claims',
    'users:recover',
    'users:erase',
    'approvals:read',
    'approvals:write',
    'approvals:consume',
    'events:read',
    'webhooks:write',
    'attendance:codes',
    'sites:read',
    'sites:write',
    'saml:login',
    'saml:callback',
    'oidc:authorize',
    'oidc:callback',
  ];
  const all = SCOPE_GROUPS.flatMap(([, scopes]) => scopes.map(([scope]) => scope));
  expect(DEFAULT_SCOPES.toSorted()).toEqual(all.filter((scope) => !explicit.includes(scope)).sort());
});

test('offers presets that allow no more than their names say', () => {
  expect(PRESETS.phone.scopes).toEqual(['proof_pairing:claim']);
  expect(PRESETS.events.scopes).toEqual(['events:read', 'webhooks:write']);
  expect(PRESETS.read.scopes).toEqual([
    'devices:read',
    'users:read',
    'verifications:read',
    'attendance:read',
    'audit:read',
  ]);
});

test('names the scopes of a key by its preset, in any order, or counts them', () => {
  expect(nameOfScopes(DEFAULT_SCOPES.toReversed())).toBe('Server');
  expect(nameOfScopes(['proof_pairing:claim'])).toBe('Phone');
  expect(nameOfScopes(['webhooks:write', 'events:read'])).toBe('Events');
  expect(nameOfScopes(['users:read'])).toBe('1 scope');
  expect(nameOfScopes(DEFAULT_SCOPES.slice(1))).toBe('14 scopes');
});

test('offers a first request that the key may send', () => {
  expect(firstRequestOf(DEFAULT_SCOPES)).toBe('/v1/users');
  expect(firstRequestOf(['audit:read'])).toBe('/v1/audit');
  expect(firstRequestOf(['webhooks:write', 'events:read'])).toBe('/v1/events');
  expect(firstRequestOf(['approvals:consume', 'approvals:read'])).toBe('/v1/approvals');
  expect(firstRequestOf(['proof_pairing:claim'])).toBeUndefined();
});
