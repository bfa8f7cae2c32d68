import type { Statement } from '@svc/zk/approvals/statement';
import { inboxBind } from '@svc/zk/field';
import type { Static } from 'typebox';
import { fail } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { BaseContext } from '../../http/route.js';
import type { Scope } from '../../ledger/audit-store.js';
import { type Read, reader } from '../../ledger/write.js';
import { findActivePerson } from '../identities/identities.js';
import { phoneOf, prove } from '../proofs/proofs.js';
import type { InboxBody } from './approvals.schema.js';
import * as store from './approvals.store.js';

const MOST = 20;
const TOKEN_SECONDS = 600;

async function waitingFor(read: Read, userId: string, now: Date) {
  const rows = await store.listInbox(read, userId, MOST, now);
  return rows.map(({ statement }) => ({ statement: JSON.parse(statement) as Statement }));
}

/** What waits for the person of this phone. It reads only, so it does not spend the nonce. The token reads again for ten minutes. */
export async function openInbox(
  context: Pick<BaseContext, 'deps' | 'address'>,
  input: Static<typeof InboxBody>,
) {
  const { deps } = context;
  const caller = await phoneOf(context, input);
  const { prover, at } = await prove(caller, {
    purpose: 'inbox',
    action: 'identity.verify',
    input,
    bindOf: inboxBind,
  });
  const { tenantId, environment } = caller.scope;
  const claims = { sub: prover.id, acc: tenantId, env: environment };
  return {
    approvals: await waitingFor(caller.read, prover.user_id, at),
    inboxToken: deps.tokens.sign('inbox', claims, TOKEN_SECONDS),
  };
}

/** The same by the token, while the identity is in force and its person active. */
export async function readInbox({
  deps,
  header,
}: {
  readonly deps: Deps;
  header(name: string): string | undefined;
}) {
  const claims = await deps.tokens.verify('inbox', header('x-inbox-token') ?? '');
  if (claims === undefined) return fail('verification_failed', { because: 'no valid token' });
  const scope: Scope = { tenantId: claims.acc as string, environment: claims.env as Scope['environment'] };
  const read = reader(deps.db, scope);
  const now = new Date(deps.clock.now());
  const userId = await findActivePerson(read, claims.sub as string, now);
  if (userId === undefined) return fail('verification_failed', { because: 'not in force' });
  return { approvals: await waitingFor(read, userId, now) };
}
