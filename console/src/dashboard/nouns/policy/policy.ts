import type { SecurityPolicy, SecurityPolicyUpdateParams } from '@svc/sdk';

/** The integrity that a phone must report, weakest first. */
export type Integrity = 'none' | 'basic' | 'device' | 'strong';
/** As the service accepts them. */
export const MIN_RETENTION_DAYS = 30;
export const MAX_RETENTION_DAYS = 3_650;

/** What a sign-in needs in a browser that is new to the person, weakest first. */
export type NewBrowser = NonNullable<SecurityPolicy['new_browser']>;

type Chain = 'offchain' | 'onchain';

/** The policy as the form shows it. Every field has a value, and only the strictest integrity requirement is kept. */
export interface Choices {
  readonly integrity: Integrity;
  readonly absent: boolean;
  /** Every proof comes with an assertion by the phone's passkey. */
  readonly attested: boolean;
  readonly unbound: boolean;
  readonly deprecatedVerify: 'on' | 'off';
  /** Pages that may ask for a sign-in in their own name. */
  readonly origins: readonly string[];
  readonly match: boolean;
  readonly desktopTokensOnly: boolean;
  readonly sameDeviceOnly: boolean;
  readonly newBrowser: NewBrowser;
  /** A person who had an identity gets another one only from their own phone or by a recovery. */
  readonly protect: boolean;
  readonly recoveryHours: number;
  /** An owner who did not open a recovery confirms it. */
  readonly twoPerson: boolean;
  readonly maxIdentities: number;
  readonly additionHours: number;
  /** 0: old records are kept. */
  readonly retentionDays: number;
  readonly did: Chain;
  readonly verification: Chain;
  readonly auditAnchor: 'none' | 'onchain';
  /** Witnesses may get the size and root of the audit tree. */
  readonly checkpoints: boolean;
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
  attested: policy.require_verified_attestation ?? false,
  unbound: policy.allow_unbound_proofs ?? false,
  deprecatedVerify: policy.deprecated_verify ?? 'on',
  origins: policy.origins ?? [],
  match: policy.pairing_match === 'type',
  desktopTokensOnly: policy.desktop_tokens_only ?? false,
  sameDeviceOnly: policy.same_device_only ?? false,
  newBrowser: policy.new_browser ?? 'allow',
  protect: policy.protect_identities ?? false,
  recoveryHours: policy.recovery_cooldown_hours ?? 24,
  twoPerson: policy.recovery_two_person ?? false,
  maxIdentities: policy.max_identities ?? 5,
  additionHours: policy.addition_cooldown_hours ?? 0,
  retentionDays: policy.retention_days ?? 0,
  did: policy.providers?.did ?? 'offchain',
  verification: policy.providers?.verification ?? 'offchain',
  auditAnchor: policy.providers?.auditAnchor ?? 'none',
  checkpoints: policy.audit_checkpoint ?? false,
});

const policyOf = ({
  integrity,
  absent,
  attested,
  unbound,
  deprecatedVerify,
  origins,
  match,
  desktopTokensOnly,
  sameDeviceOnly,
  newBrowser,
  protect,
  recoveryHours,
  twoPerson,
  maxIdentities,
  additionHours,
  retentionDays,
  checkpoints,
  ...providers
}: Choices): SecurityPolicy => ({
  require_basic_integrity: integrity === 'basic',
  require_device_integrity: integrity === 'device',
  require_strong_integrity: integrity === 'strong',
  allow_device_attestation_absent: absent,
  require_verified_attestation: attested,
  allow_unbound_proofs: unbound,
  deprecated_verify: deprecatedVerify,
  origins,
  pairing_match: match ? 'type' : 'off',
  desktop_tokens_only: desktopTokensOnly,
  same_device_only: sameDeviceOnly,
  new_browser: newBrowser,
  protect_identities: protect,
  recovery_cooldown_hours: recoveryHours,
  recovery_two_person: twoPerson,
  max_identities: maxIdentities,
  addition_cooldown_hours: additionHours,
  ...(retentionDays > 0 && { retention_days: retentionDays }),
  audit_checkpoint: checkpoints,
  providers,
});

export type PolicyPatch = SecurityPolicyUpdateParams['security_policy'];

/** What a change of the form changes. Fields that it does not show stay as they are. */
export function patchOf(before: Choices, after: Choices): PolicyPatch {
  const [old, next] = [policyOf(before), policyOf(after)];
  const fields = (Object.keys({ ...old, ...next }) as (keyof SecurityPolicy)[]).filter(
    (field) => JSON.stringify(old[field]) !== JSON.stringify(next[field]),
  );
  return Object.fromEntries(fields.map((field) => [field, next[field] ?? null]));
}
