import type { Static } from 'typebox';
import { fail, invalid } from '../../base/errors.js';
import type { Tenant } from '../../http/principal.js';
import type { BaseContext, ScopedContext } from '../../http/route.js';
import { unaudited } from '../../ledger/unaudited.js';
import { onlyVisible } from '../../model/visible.js';
import { iso } from '../../records/schema.js';
import { findAccount } from '../accounts/accounts.js';
import { readBrand } from '../profile/profile.js';
import { actAsPhone } from '../proofs/proofs.js';
import { isSameNetwork, userCodeOf } from './asked-from.js';
import { isOwnSlot, issueTicket } from './code/moving-code.js';
import { isOutdated } from './least.js';
import { matchOf, qrPayload } from './pairing.js';
import type { PhoneContextQuery } from './pairing.schema.js';
import * as store from './pairing.store.js';
import { type PhoneContext, requireFresh, requireOpen } from './submit.js';

/** An app with an API key. Its proofs count for the tenant. */
export const phoneWithKey = (
  context: ScopedContext &
    Pick<BaseContext, 'deps' | 'address'> & { readonly principal: { readonly tenant: Tenant } },
): PhoneContext => {
  const { tenant } = context.principal;
  return { ...context, tenant, source: { name: tenant.id }, isKeyless: false };
};

/**
 * A phone without an API key: the proof is its credential, and the session tells whose it is. 404 for every session that is
 * unknown or whose account is not active.
 */
export async function phoneWithoutKey(
  { deps, address }: Pick<BaseContext, 'deps' | 'address'>,
  id: string,
): Promise<PhoneContext> {
  const scope = await store.findScope(deps.db, id);
  const tenant = scope && (await findAccount(deps, scope.tenantId));
  if (scope === undefined || tenant?.status !== 'active') return fail('pairing_session_not_found');
  const phone = actAsPhone({ deps, address }, scope, () => fail('pairing_session_not_found'));
  return { ...phone, tenant, isKeyless: true };
}

/** Shows the desktop that a phone has opened its code. */
async function notePhone({ deps, scope }: PhoneContext, id: string, now: number): Promise<void> {
  const isNew = await store.notePhone(unaudited(deps.db, 'connected phones'), scope, id, new Date(now));
  if (isNew) deps.bus.publish('pairing_session', id);
}

interface Reading {
  readonly id: string;
  readonly query: Static<typeof PhoneContextQuery>;
  readonly isHead: boolean;
}

/**
 * The whole code, for a phone that scanned its address, which says neither account nor nonce. The phone asks for each account where it is
 * registered: 404 for every other, and for a code that nobody has shown [pairing/short-address].
 */
function wholeCode(
  context: PhoneContext,
  session: store.PairingRow,
  { tenantId, environment, slot, slotMac }: Reading['query'],
): string | undefined {
  if (tenantId === undefined && environment === undefined) return undefined;
  if (tenantId === undefined || environment === undefined || slot === undefined || slotMac === undefined)
    return invalid('query.tenantId', 'must come with environment, slot and slotMac');
  const { scope, deps } = context;
  const isHere = scope.tenantId === tenantId && scope.environment === environment;
  if (!isHere || !isOwnSlot(deps, { scope, id: session.id }, { slot, slotMac }))
    return fail('pairing_session_not_found');
  return qrPayload(context, session, `${slot}:${slotMac}`);
}

/** What the person reads before approving, and a ticket that keeps the scan fresh while they do. */
export async function readContext(context: PhoneContext, { id, query: scan, isHead }: Reading) {
  const { deps, scope, read, tenant, address } = context;
  const session = (await store.findPairing(read, id)) ?? fail('pairing_session_not_found');
  const code = wholeCode(context, session, scan);
  const now = deps.clock.now();
  requireOpen(session, now);
  if (isOutdated(tenant.securityPolicy, session)) fail('pairing_session_expired');
  requireFresh(context, session, scan);
  const from = session.context;
  const userCode = from && userCodeOf(deps, from);
  if (!isHead) await notePhone(context, id, now);
  return {
    context: {
      company: onlyVisible(tenant.companyName),
      ...(await readBrand(read)),
      application: from?.application ?? null,
      origin: from?.origin ?? null,
      browser: from?.browser ?? null,
      system: from?.system ?? null,
      openedAt: iso(session.created_at),
      sameNetwork: from && isSameNetwork(deps, id, from, address),
      match: matchOf(session),
      requiresAttestation: tenant.securityPolicy.require_verified_attestation === true,
      device: userCode === null ? null : { userCode },
    },
    scanTicket: issueTicket(deps, { scope, id }, now),
    ...(code !== undefined && { qrPayload: code }),
  };
}
