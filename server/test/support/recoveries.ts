import { createIdentity, type PhoneIdentity } from '@svc/zk/phone';
import { sql } from '../../src/db/sql.js';
import { completeRecoveries } from '../../src/features/registrations/recoveries/recoveries.js';
import {
  type Ceremony,
  commit,
  completeBody,
  completeOn,
  freshFingerprint,
  pair,
  phone,
} from './ceremony.js';
import type { Account, Reply, Service } from './service.js';

export const HOUR_MS = 60 * 60_000;

/** What the recovery tests know of an account: its keys with and without `users:recover`. */
export interface Desk extends Account {
  /** `users:write` without `users:recover`, as a default key. */
  readonly clerk: string;
  readonly recoverer: string;
  readonly byClerk: Opener;
  readonly byRecoverer: Opener;
}

export async function openDesk(service: Service): Promise<Desk> {
  const account = await service.signUp({ plan: 'enterprise' });
  const recoverer = await service.createKey(account, 'live', ['users:write', 'users:read', 'users:recover']);
  return {
    ...account,
    clerk: account.key,
    recoverer,
    byClerk: { as: account.key },
    byRecoverer: { as: recoverer },
  };
}

/** Replaces the account's policy. Default: as of a new account. */
export const setPolicy = (service: Service, { token }: Account, security_policy: object) =>
  service.call('PUT', '/api/console/security-policy', { as: token, body: { security_policy } });

/** Who opens a ceremony: an API key, or a session of the dashboard. */
export type Opener = { readonly as: string } | { readonly session: string };

export const openFor = (service: Service, userId: string, by: Opener, body: object = {}): Promise<Reply> =>
  service.call('POST', '/v1/registrations', { ...by, body: { userId, ...body } });

/** The ceremony of an opened registration. */
const ceremonyOf = (desk: Account, opened: Reply, identity: PhoneIdentity): Ceremony => ({
  id: opened.body.session.id,
  tenantId: desk.tenantId,
  environment: opened.body.session.environment,
  identity,
  fingerprint: freshFingerprint(),
  pairCode: opened.body.pair.code,
});

/** A ceremony for an existing person that waits for its proof. */
export async function beforeProof(
  service: Service,
  desk: Account,
  userId: string,
  by: Opener,
): Promise<Ceremony> {
  const opened = await openFor(service, userId, by);
  if (opened.status !== 201) throw new Error(`opening returned ${opened.status} ${opened.text}`);
  const c = ceremonyOf(desk, opened, createIdentity());
  await pair(service, c);
  await commit(service, c);
  return c;
}

export const complete = async (service: Service, c: Ceremony): Promise<Reply> =>
  phone(service, 'complete', await completeBody(c));

/** A pending recovery: its id is that of its ceremony. */
export async function openRecovery(service: Service, _desk: Account, userId: string, by: Opener) {
  const opened = await openFor(service, userId, by);
  if (opened.status !== 201) throw new Error(`opening returned ${opened.status} ${opened.text}`);
  return completeOn(service, opened);
}

export const runJob = (service: Service) => completeRecoveries(service.app.deps);

/** The actions of a chain since an event, with their entity and metadata. */
export const eventsSince = (service: Service, { tenantId }: Account, seq: number) =>
  service.db.query<{
    action: string;
    actor_type: string;
    entity_type: string;
    entity_id: string;
    metadata: Record<string, unknown>;
  }>(sql`select action, actor_type, entity_type, entity_id, metadata from audit_events
    where tenant_id = ${tenantId} and environment = 'live' and seq > ${seq} order by seq`);

export const headOf = async (service: Service, { tenantId }: Account): Promise<number> =>
  (
    await service.db.query<{ seq: number }>(
      sql`select seq from audit_heads where tenant_id = ${tenantId} and environment = 'live'`,
    )
  )[0]!.seq;
