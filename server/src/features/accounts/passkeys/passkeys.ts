import type { Static } from 'typebox';
import { fail } from '../../../base/errors.js';
import type { ConsolePrincipal } from '../../../http/principal.js';
import type { BaseContext, ScopedContext } from '../../../http/route.js';
import type { TenantWrite } from '../../../ledger/write.js';
import { iso, isoOrNull } from '../../../records/schema.js';
import { registrationOptions } from './options.js';
import type { AddPasskeyBody } from './passkeys.schema.js';
import * as store from './passkeys.store.js';
import { addPasskey as insertPasskey, refuseTaken, requireNewPasskey } from './registering.js';

type PasskeysContext = Pick<BaseContext, 'deps'> &
  Pick<ScopedContext, 'scope' | 'read' | 'write'> & { readonly principal: ConsolePrincipal };

const serializePasskey = (row: store.PasskeyRow) => ({
  id: row.id,
  name: row.name,
  createdAt: iso(row.created_at),
  lastUsedAt: isoOrNull(row.last_used_at),
  isSynced: row.is_synced,
});

/** The member who asks, as a challenge is bound to them. */
export const subjectOf = ({ tenant, member }: ConsolePrincipal) => ({
  tenantId: tenant.id,
  memberId: member.id,
});

/** What a browser needs to make a passkey of the member who asks. */
export async function newPasskeyOptions({ deps, read, principal }: PasskeysContext) {
  const { email, name, id } = principal.member;
  const has = await store.listPasskeys(read, id);
  return registrationOptions(deps, 'register', subjectOf(principal), { email, name, has });
}

/** The member's own passkeys. */
export const listPasskeys = async ({ read, principal }: PasskeysContext) =>
  (await store.listPasskeys(read, principal.member.id)).map(serializePasskey);

export async function addPasskey(
  { deps, write, principal }: PasskeysContext,
  input: Static<typeof AddPasskeyBody>,
) {
  const of = { purpose: 'register', subject: subjectOf(principal) } as const;
  const passkey = await requireNewPasskey(deps, of, input);
  const row = await refuseTaken(write('passkey.added', (w) => insertPasskey(w, passkey)));
  return serializePasskey(row);
}

/** Removes one of the member's own passkeys, unless no owner could log in any more. */
export async function removePasskey({ write, principal }: PasskeysContext, id: string) {
  const { member } = principal;
  const remove = (w: TenantWrite) => removePasskeyWithin(w, id, member.id);
  return serializePasskey(await write('passkey.removed', remove, 'tenant'));
}

/** Removes a passkey of this member, or of any member of the account, within the write of another rule. */
export async function removePasskeyWithin(
  w: TenantWrite,
  id: string,
  memberId?: string,
): Promise<store.PasskeyRow> {
  const found = await store.findPasskey(w, id);
  if (found === undefined || found.member_id !== (memberId ?? found.member_id)) fail('passkey_not_found');
  w.audit({ entityType: 'passkey', entityId: id });
  return (await store.deletePasskey(w, found.member_id, id)) ?? fail('last_owner');
}
