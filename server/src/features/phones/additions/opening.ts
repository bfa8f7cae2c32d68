import { rendezvousBind } from '@svc/zk/field';
import type { Static } from 'typebox';
import { fail } from '../../../base/errors.js';
import type { BaseContext } from '../../../http/route.js';
import { additionDeeplink, codeUrl } from '../../../model/deeplink.js';
import { iso } from '../../../records/schema.js';
import { mintCode } from '../../codes/codes.js';
import { type Claim, decide, phoneOf, prove } from '../../proofs/proofs.js';
import { afterStep, requireOwnAddition } from './additions.js';
import type { OpenBody, RejectBody } from './additions.schema.js';
import * as store from './additions.store.js';

const TTL_MS = 5 * 60_000;
/** Additions that an identity can have within these five minutes. Each has one of the account's live codes. */
const MAX_OPEN = 5;

type OpeningContext = Pick<BaseContext, 'deps' | 'address' | 'writeIn'>;

const ACTOR = { type: 'phone', id: null } as const;

/**
 * Opens the rendezvous of two phones. The proof is the credential: every failure is the same 401 after the same work, and writes nothing,
 * because anybody can send such a request.
 */
export async function openAddition(context: OpeningContext, input: Static<typeof OpenBody>) {
  const { deps } = context;
  const caller = await phoneOf(context, input);
  const { aHash } = input;
  const claim: Claim = {
    purpose: 'rendezvous',
    action: 'identity.addition_opened',
    input,
    bindOf: (use) => rendezvousBind({ ...use, aHash }),
  };
  const proved = await prove(caller, claim);
  const { at } = proved;
  const id = deps.ids();
  const expiresAt = new Date(at.getTime() + TTL_MS);
  const code = await decide(
    caller,
    proved,
    async (w, { id: entityId, user_id: userId, did }) => {
      w.audit({ entityType: 'identity', entityId, metadata: { additionId: id, userId } });
      if (!(await store.insertAddition(w, { id, did, aHash, expiresAt }, MAX_OPEN, at)))
        fail('rate_limit_exceeded', {
          message: 'This phone has opened five additions in five minutes. Let some expire.',
          retryAfterSeconds: TTL_MS / 1000,
        });
      return (await mintCode(w, deps, 'addition', id, TTL_MS)).code;
    },
    'tenant',
  );
  const deeplink = additionDeeplink(code);
  const url = codeUrl(deps.config.baseUrl, deeplink);
  return { addition: { id, code, expiresAt: iso(expiresAt), deeplink, url } };
}

/** Ends an addition whose digits were wrong. Only the phone that opened it can. */
export async function rejectAddition(context: OpeningContext, id: string, { a }: Static<typeof RejectBody>) {
  const { deps, writeIn } = context;
  const row = await requireOwnAddition(context, id, a);
  const { tenant_id: tenantId, environment } = row;
  await writeIn({ tenantId, environment }, ACTOR, 'identity.addition_rejected', async (w) => {
    const ended = await store.rejectAddition(w, id, new Date(deps.clock.now()));
    if (ended === undefined) return fail('addition_closed', { because: 'ended before' });
    const { identity_id: entityId, user_id: userId } = ended;
    w.audit({ entityType: 'identity', entityId, metadata: { additionId: id, userId } });
  });
  return afterStep(context, { ...row, state: 'rejected' });
}
