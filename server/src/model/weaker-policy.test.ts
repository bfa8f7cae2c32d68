import { expect, it } from 'vitest';
import type { SecurityPolicy } from './security-policy.js';
import { weakerFields } from './weaker-policy.js';

/** Each change makes these fields weaker, and the way back none. */
const TABLE: readonly (readonly [before: SecurityPolicy, after: SecurityPolicy, ...weaker: string[]])[] = [
  [{}, { attendance: { confirmed_only: false } }, 'attendance'],
  [{ attendance: { networks: ['192.0.2.0/24'] } }, {}, 'attendance'],
  [{ require_basic_integrity: true }, {}, 'require_basic_integrity'],
  [{ require_device_integrity: true }, { require_device_integrity: false }, 'require_device_integrity'],
  [{ require_strong_integrity: true }, { require_device_integrity: true }, 'require_strong_integrity'],
  [{}, { allow_device_attestation_absent: true }, 'allow_device_attestation_absent'],
  [{ require_verified_attestation: true }, {}, 'require_verified_attestation'],
  [{}, { allow_unbound_proofs: true }, 'allow_unbound_proofs'],
  [{ deprecated_verify: 'off' }, { deprecated_verify: 'on' }, 'deprecated_verify'],
  [{ deprecated_verify: 'off' }, {}, 'deprecated_verify'],
  [{ pairing_match: 'type' }, {}, 'pairing_match'],
  [{ desktop_tokens_only: true }, {}, 'desktop_tokens_only'],
  [{ same_device_only: true }, { same_device_only: false }, 'same_device_only'],
  [{ new_browser: 'number' }, {}, 'new_browser'],
  [{ new_browser: 'nearby_or_same_device' }, { new_browser: 'number' }, 'new_browser'],
  [{ protect_identities: true }, {}, 'protect_identities'],
  [{}, { recovery_cooldown_hours: 23 }, 'recovery_cooldown_hours'],
  [{ recovery_cooldown_hours: 168 }, {}, 'recovery_cooldown_hours'],
  [{}, { max_identities: 6 }, 'max_identities'],
  [{ max_identities: 1 }, {}, 'max_identities'],
  [{ addition_cooldown_hours: 1 }, {}, 'addition_cooldown_hours'],
  [{ console_step_up: 'always' }, { console_step_up: 'sessions' }, 'console_step_up'],
  [{ origins: ['https://a.example'] }, { origins: ['https://a.example', 'https://b.example'] }, 'origins'],
  [{ providers: { auditAnchor: 'onchain' } }, { providers: { auditAnchor: 'none' } }, 'providers'],
  [{ providers: { verification: 'onchain' } }, {}, 'providers'],
  [
    { protect_identities: true, pairing_match: 'type' },
    { max_identities: 20 },
    ...['pairing_match', 'protect_identities', 'max_identities'],
  ],
];

it.each(TABLE.map(([before, after, ...weaker]) => ({ before, after, weaker })))(
  '$before to $after makes $weaker weaker [console/changing-the-policy]',
  ({ before, after, weaker }) => {
    expect(weakerFields(before, after)).toEqual(weaker);
    expect(weakerFields(after, before)).toEqual([]);
  },
);

it.each<[SecurityPolicy, SecurityPolicy]>([
  [{ retention_days: 365 }, { retention_days: 30 }],
  [{}, { retention_days: 30 }],
  [{ require_basic_integrity: true }, { require_strong_integrity: true }],
  [{ max_identities: 5 }, {}],
  [{}, { recovery_cooldown_hours: 24, addition_cooldown_hours: 0, deprecated_verify: 'on', origins: [] }],
  [{ origins: ['https://a.example', 'https://b.example'] }, { origins: ['https://b.example'] }],
])('%j to %j makes nothing weaker [console/changing-the-policy]', (before, after) => {
  expect(weakerFields(before, after)).toEqual([]);
});
