import { sha256 } from '../../base/crypto/keyring.js';
import { Failure, fail, invalid } from '../../base/errors.js';
import type { TenantWrite } from '../../ledger/write.js';
import { PLAN_LIMITS } from '../../model/plans.js';
import { isPairingOrigin, type SecurityPolicy } from '../../model/security-policy.js';
import { weakerFields } from '../../model/weaker-policy.js';
import * as store from './accounts.store.js';
import type { TenantRow } from './tenant.js';

/** Fields to change. Null removes one, which gives it its default. */
export type PolicyChanges = { readonly [F in keyof SecurityPolicy]?: SecurityPolicy[F] | null };

/** With the fields of objects in their alphabetical order. */
const sorted = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
    : value;

/** The strong ETag of a stored policy. */
export const policyTag = (policy: SecurityPolicy): string =>
  `"${sha256(JSON.stringify(policy, sorted)).slice(0, 32)}"`;

/** Replaces the whole policy. */
export async function replaceSecurityPolicy(
  w: TenantWrite,
  plan: TenantRow['plan'],
  policy: SecurityPolicy,
): Promise<void> {
  requireAllowed(plan, policy);
  const before = await store.replaceSecurityPolicy(w, policy);
  auditPolicy(w, before, policy);
}

/** Changes fields of the policy that the caller has seen. Returns the new one. @throws Failure `policy_changed` */
export async function changeSecurityPolicy(
  w: TenantWrite,
  plan: TenantRow['plan'],
  seen: SecurityPolicy,
  changes: PolicyChanges,
): Promise<SecurityPolicy> {
  const policy = Object.fromEntries(
    Object.entries({ ...seen, ...changes }).filter(([, value]) => value !== null),
  ) as SecurityPolicy;
  requireAllowed(plan, policy);
  if (!(await store.changeSecurityPolicy(w, seen, policy)))
    fail('policy_changed', { because: 'during the request' });
  auditPolicy(w, seen, policy);
  return policy;
}

/** On-chain verification depends on the plan. */
function requireAllowed(plan: TenantRow['plan'], policy: SecurityPolicy): void {
  if (policy.providers?.verification === 'onchain' && !PLAN_LIMITS[plan].onChainVerification) {
    throw new Failure('plan_upgrade_required', {
      message: 'On-chain verification needs the growth or enterprise plan.',
    });
  }
  for (const [at, origin] of (policy.origins ?? []).entries())
    if (!isPairingOrigin(origin))
      invalid(
        `body.security_policy.origins[${at}]`,
        'must be an origin such as https://app.example.com: https, or http on a loopback address',
      );
}

function auditPolicy(w: TenantWrite, before: SecurityPolicy, after: SecurityPolicy): void {
  const metadata = Object.fromEntries(
    weakerFields(before, after).map((field) => [`weakened_${field}`, true]),
  );
  w.audit({ entityType: 'tenant', entityId: w.scope.tenantId, metadata });
}
