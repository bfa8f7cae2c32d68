import type { SecurityPolicy } from '@svc/sdk';
import { expect, test } from 'vitest';
import { type Choices, choicesOf, patchOf } from './policy';

/** What the form saves of these choices, with the defaults of the service for everything that it does not change. */
const policyOf = (choices: Choices): SecurityPolicy => patchOf(choicesOf({}), choices) as SecurityPolicy;

test('shows the strongest of several integrity requirements', () => {
  const all = {
    require_basic_integrity: true,
    require_device_integrity: true,
    require_strong_integrity: true,
  };
  expect(choicesOf(all).integrity).toBe('strong');
  expect(choicesOf({ ...all, require_strong_integrity: false }).integrity).toBe('device');
  expect(choicesOf({ require_basic_integrity: true }).integrity).toBe('basic');
  expect(choicesOf({}).integrity).toBe('none');
});

test('reads a saved policy back unchanged', () => {
  const choices = choicesOf({});
  for (const integrity of ['none', 'basic', 'device', 'strong'] as const)
    for (const unbound of [true, false])
      expect(choicesOf(policyOf({ ...choices, integrity, unbound }))).toEqual({
        ...choices,
        integrity,
        unbound,
      });
});

test('reads the settings of pairing back unchanged, and none of them from an older policy', () => {
  const pairing = {
    origins: ['https://app.example.com'],
    pairing_match: 'type',
    desktop_tokens_only: true,
    same_device_only: true,
  } as const;
  expect(policyOf(choicesOf(pairing))).toMatchObject(pairing);
  expect(choicesOf({})).toMatchObject({
    origins: [],
    match: false,
    desktopTokensOnly: false,
    sameDeviceOnly: false,
  });
});

test('keeps the retention time, and sets none that was not there', () => {
  expect(policyOf(choicesOf({ retention_days: 365 }))).toMatchObject({ retention_days: 365 });
  expect(policyOf(choicesOf({}))).not.toHaveProperty('retention_days');
});

test('reads the settings of lost phones back unchanged, with the defaults of the service', () => {
  const lost = {
    protect_identities: true,
    recovery_cooldown_hours: 36,
    recovery_two_person: true,
    max_identities: 3,
    addition_cooldown_hours: 4,
  };
  expect(policyOf(choicesOf(lost))).toMatchObject(lost);
  expect(choicesOf({})).toMatchObject({
    protect: false,
    recoveryHours: 24,
    twoPerson: false,
    maxIdentities: 5,
    additionHours: 0,
  });
});

test('saves only what was changed, and null for a retention time that was removed', () => {
  const before = choicesOf({ retention_days: 365, pairing_match: 'type', origins: ['https://a.example'] });
  expect(patchOf(before, before)).toEqual({});
  expect(patchOf(before, { ...before, retentionDays: 0 })).toEqual({ retention_days: null });
  expect(patchOf(before, { ...before, match: false })).toEqual({ pairing_match: 'off' });
  expect(patchOf(before, { ...before, did: 'onchain' })).toEqual({
    providers: { did: 'onchain', verification: 'offchain', auditAnchor: 'none' },
  });
});
