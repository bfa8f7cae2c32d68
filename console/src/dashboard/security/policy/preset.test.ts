import { expect, test } from 'vitest';
import { choicesOf } from '../../nouns/policy/policy';
import { PRESETS, presetOf, SIGNED_UP_TODAY } from './preset';

const before = choicesOf({ retention_days: 365, max_identities: 2, providers: { auditAnchor: 'onchain' } });

test('recognizes each preset, and anything else as custom', () => {
  expect(presetOf({ ...before, ...PRESETS.recommended })).toBe('recommended');
  expect(presetOf({ ...before, ...PRESETS.strict })).toBe('strict');
  expect(presetOf({ ...before, ...PRESETS.strict, attested: false })).toBe('custom');
  expect(presetOf(choicesOf({}))).toBe('custom');
  expect(presetOf({ ...before, ...PRESETS.recommended, attested: true })).toBe('custom');
});

test('an account that signs up today follows the recommendation [console/first-policy]', () => {
  const policy = { pairing_match: 'type', deprecated_verify: 'off', protect_identities: true } as const;
  expect(choicesOf(policy)).toMatchObject(SIGNED_UP_TODAY);
  expect(presetOf(choicesOf(policy))).toBe('recommended');
  for (const field of Object.keys(policy))
    expect(presetOf(choicesOf({ ...policy, [field]: undefined }))).toBe('custom');
});

test('leaves what no preset is about', () => {
  for (const preset of Object.values(PRESETS))
    expect({ ...before, ...preset }).toMatchObject({
      retentionDays: 365,
      maxIdentities: 2,
      auditAnchor: 'onchain',
    });
});
