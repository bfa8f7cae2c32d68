import { catchError, fail } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { Scope } from '../../ledger/audit-store.js';
import { reader, type TenantWrite, type Write } from '../../ledger/write.js';
import type { AuditAction } from '../../model/audit-actions.js';
import { lowerWithin, removePasskeyWithin, removeWithin } from '../accounts/accounts.js';
import { revokeAgain as revokeAttestationKey } from '../attestation/attestation.js';
import { revokeDevice } from '../devices/devices.js';
import { endIdentity } from '../identities/identities.js';
import { revokeKey } from '../keys/keys.js';
import type { Later } from './exports.js';

/** How many revocations of a chain share a transaction. */
const AT_ONCE = 100;

type RevokingDeps = Pick<Deps, 'clock' | 'db' | 'effects' | 'write'> & {
  readonly bus: Pick<Deps['bus'], 'publish'>;
};

const SYSTEM = { type: 'system', id: null } as const;

async function inChunks(ids: readonly string[], revoke: (id: string) => Promise<unknown>): Promise<void> {
  const all = [...new Set(ids)];
  for (let at = 0; at < all.length; at += AT_ONCE) await Promise.all(all.slice(at, at + AT_ONCE).map(revoke));
}

/** As the account would, but the event says why. Fails for one that is not there, or is revoked. */
const revokeIdentity = (
  deps: Pick<Deps, 'clock' | 'effects'>,
  write: <T>(action: AuditAction, work: (w: Write) => Promise<T>) => Promise<T>,
  id: string,
) =>
  write('identity.revoked', async (w) => {
    w.audit({ entityType: 'identity', entityId: id, metadata: { by: 'restore' } });
    const now = new Date(deps.clock.now());
    return (
      (await endIdentity(w, deps, id, { now })) ?? fail('identity_not_found', { because: 'revoked before' })
    );
  });

/**
 * Revokes again what was revoked after the backup, and the identities that got another commitment: the new one is in no export, and
 * the old one may be in wrong hands. What the backup does not have, or has revoked, stays as it is.
 */
export async function revokeAgain(deps: RevokingDeps, scope: Scope, later: Later): Promise<void> {
  const read = reader(deps.db, scope);
  const write = <T>(action: AuditAction, work: (w: Write) => Promise<T>): Promise<T> =>
    deps.write({ scope, actor: SYSTEM, action }, work);

  await inChunks(later.devices, (id) =>
    catchError('device_not_found', revokeDevice({ deps, read, write }, id)),
  );
  await inChunks(later.identities, (id) => catchError('identity_not_found', revokeIdentity(deps, write, id)));
  await inChunks(later.keys, (id) =>
    catchError(
      'api_key_not_found',
      revokeKey(deps, { tenantId: scope.tenantId }, id, (_, work) => write('api_key.revoked', work)),
    ),
  );
  await inChunks(later.attestationKeys, (id) =>
    catchError(
      'attestation_key_not_found',
      write('attestation.revoked', (w) => revokeAttestationKey(w, id, new Date(deps.clock.now()))),
    ),
  );
  await revokeMembers(deps, scope, later);
}

/** The last owner of the backup stays: who owned the account later is not in it. */
async function revokeMembers(deps: RevokingDeps, scope: Scope, later: Later): Promise<void> {
  const attempt = (action: AuditAction, work: (w: TenantWrite) => Promise<unknown>) =>
    catchError(
      'last_owner',
      catchError('member_not_found', deps.write({ scope, actor: SYSTEM, action, locks: 'tenant' }, work)),
    );
  for (const [id, role] of later.roles) await attempt('member.role_changed', (w) => lowerWithin(w, id, role));
  for (const id of later.members) await attempt('member.removed', (w) => removeWithin(w, id));
  for (const id of later.passkeys)
    await catchError(
      'last_owner',
      catchError(
        'passkey_not_found',
        deps.write({ scope, actor: SYSTEM, action: 'passkey.removed', locks: 'tenant' }, (w) =>
          removePasskeyWithin(w, id),
        ),
      ),
    );
}
