import type { SecurityPolicy } from '@svc/sdk';

export const POLICY = ['security-policy'] as const;

/** The integrity that a phone must report, weakest first. */
export type Integrity = 'none' | 'basic' | 'device' | 'strong';
type Chain = 'offchain' | 'onchain';

/** The policy as the form shows it. Every field has a value, and only the strictest integrity requirement is kept. */
export interface Choices {
  readonly integrity: Integrity;
  readonly absent: boolean;
  readonly unbound: boolean;
  readonly deprecatedVerify: 'on' | 'off';
  readonly did: Chain;
  readonly verification: Chain;
  readonly auditAnchor: 'none' | 'onchain';
}

export const choicesOf = (policy: SecurityPolicy): Choices => ({
  integrity: policy.require_strong_integrity
    ? 'strong'
    : policy.require_device_integrity
      ? 'device'
      : policy.require_basic_integrity
        ? 'basic'
        : 'none',
  absent: policy.allow_device_attestation_absent ?? false,
  unbound: policy.allow_unbound_proofs ?? false,
  deprecatedVerify: policy.deprecated_verify ?? 'on',
  did: policy.providers?.did ?? 'offchain',
  verification: policy.providers?.verification ?? 'offchain',
  auditAnchor: policy.providers?.auditAnchor ?? 'none',
});

export const policyOf = ({
  integrity,
  absent,
  unbound,
  deprecatedVerify,
  ...providers
}: Choices): SecurityPolicy => ({
  require_basic_integrity: integrity === 'basic',
  require_device_integrity: integrity === 'device',
  require_strong_integrity: integrity === 'strong',
  allow_device_attestation_absent: absent,
  allow_unbound_proofs: unbound,
  deprecated_verify: deprecatedVerify,
  providers,
});
