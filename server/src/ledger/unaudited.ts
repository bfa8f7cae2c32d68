import type { Database, RawDatabase, Row, Transaction } from '../db/db.js';
import type { Mutation, Query } from '../db/sql.js';

interface Entry {
  /** The one file that may do these writes. */
  readonly by: string;
  /** Why these writes are in no audit chain. */
  readonly because: string;
}

/** Every kind of write outside an audit chain. `server/src/db/statements.test.ts` compares this list with the callers of `unaudited`. */
export const UNAUDITED = {
  leads: {
    by: 'features/leads/leads.ts',
    because:
      'Leads are personal data of people without an account. They belong to no tenant, so no chain may name them.',
  },
  usage: {
    by: 'features/usage/meter.ts',
    because: 'Every call is counted, and an audit event for each would double the work of a read.',
  },
  'record counts': {
    by: 'records/counts.ts',
    because: 'The job adds up the changes that triggers have recorded. The records themselves are audited.',
  },
  'expired rows': {
    by: 'jobs.ts',
    because: 'An expired row has no effect any more, so its deletion changes nothing for the tenant.',
  },
  'closed accounts': {
    by: 'features/accounts/deletion.ts',
    because:
      'The chain has `tenant.closed` with the time at which everything goes, and gets `tenant.deleted` when nothing is left. An event for each of millions of rows would tell nothing more.',
  },
  'login failures': {
    by: 'features/accounts/logins/login-failures.ts',
    because:
      'Their number in an hour has no limit, so the audit log has the first and a count of the others.',
  },
  challenges: {
    by: 'features/accounts/passkeys/challenges.ts',
    because:
      'Anybody can ask for a challenge, and one must stay spent when its answer is rejected. What an accepted answer does is audited.',
  },
  'registration attempts': {
    by: 'features/registrations/complete.ts',
    because:
      'An attempt must stay counted when the request fails, and a failed request leaves no audit event. The last failure ends the session in an audited write.',
  },
  'codes of inspections': {
    by: 'features/sheets/inspections/opening.ts',
    because:
      'A wrong code must stay counted when the request fails, and a failed request leaves no audit event. Each fifth one is audited, and so is the opening.',
  },
  additions: {
    by: 'features/phones/additions/additions.ts',
    because:
      'Two phones exchange what they show each other. No record of a person changes before `identity.added`, and the opening and a rejection are audited.',
  },
  'connected phones': {
    by: 'features/pairing/phone.ts',
    because:
      'Anybody who sees a code can open it. It signs nobody in and changes only what the screen says. What the phone does next is audited.',
  },
  'staff at desks': {
    by: 'features/staff/staff.ts',
    because:
      'Each request of a member at a desk moves the time at which they count as gone. Their beginning and end, and all that they change, are audited.',
  },
  'opened registrations': {
    by: 'features/registrations/following/context.ts',
    because:
      'Anybody who sees a code can open it. It registers nobody and changes only what the screen says. What the phone does next is audited.',
  },
  'sign-on requests': {
    by: 'features/sso/sso.ts',
    because: 'A state must stay spent when the sign-on fails. Its outcome is audited right after.',
  },
  'demo provider': {
    by: 'features/sso/demo/demo-idp.store.ts',
    because: 'The simulated identity provider belongs to no tenant, so it has no chain.',
  },
  anchoring: {
    by: 'features/anchors/worker.ts',
    because: 'A batch holds leaves of many tenants. The blockchain is the record of what was anchored.',
  },
  'leaf chains': {
    by: 'features/identities/commitments/leaf-chains.ts',
    because: 'The chain already has the event of the row that is put back.',
  },
  'head signatures': {
    by: 'features/audit/heads.ts',
    because:
      'After a rotation of the server secret the same heads are signed again. No event and no hash changes.',
  },
  'audit trees': {
    by: 'features/audit/tree/signing.ts',
    because:
      'A tree says nothing that its chain does not say, and an event of it would be a row for the next one.',
  },
  'sealing keys': {
    by: 'features/sealing/sealing.ts',
    because: 'The keys that encrypt secrets of all tenants belong to none of them.',
  },
  'sealed values': {
    by: 'features/sealing/reseal.ts',
    because: 'The same secrets are encrypted with another key. Nothing changes for the tenant.',
  },
  'oidc keys': {
    by: 'features/openid-provider/keys/rotation.ts',
    because:
      'A key that does not sign yet, or no longer, has no effect. The change of the key that signs is audited.',
  },
  'webhook deliveries': {
    by: 'features/webhooks/worker/worker.ts',
    because:
      'How far deliveries have come is the state of the service. An audit event for it would be another event to deliver.',
  },
  'openid logouts': {
    by: 'features/openid-provider/logouts.ts',
    because: 'Which node tells a client is the state of the service. The delivery is audited.',
  },
  restores: {
    by: 'features/restore/restore.ts',
    because:
      'How often the database was restored belongs to no tenant. Each chain gets `chain.restored` before the restore is finished.',
  },
  'restored rows': {
    by: 'features/restore/ending.ts',
    because:
      'A restore ends every session, sign-in and code, in batches. `chain.restored`, which is written before them, says so in each chain.',
  },
  'openid provider': {
    by: 'features/openid-provider/provider/adapter.ts',
    because:
      'What the OpenID Provider remembers between requests. That a person signed in, that tokens were issued and that a sign-in ended is audited.',
  },
} as const satisfies Record<string, Entry>;

declare const reason: unique symbol;

/** Writes outside an audit chain, for one entry of the list. */
export interface UnauditedWrite<Name extends keyof typeof UNAUDITED> {
  readonly kind: Database['kind'];
  readonly isSpread: boolean;
  query<R extends object = Row>(statement: Query): Promise<R[]>;
  mutate<R extends object = Row>(statement: Mutation): Promise<R[]>;
  begin(): Promise<Transaction>;
  readonly [reason]: Name;
}

export function unaudited<Name extends keyof typeof UNAUDITED>(
  db: Database,
  _name: Name,
): UnauditedWrite<Name> {
  const raw = db as RawDatabase;
  return {
    kind: raw.kind,
    isSpread: raw.isSpread,
    query: (statement: Query) => raw.query(statement),
    mutate: (statement: Mutation) => raw.query(statement),
    begin: () => raw.begin(),
  } as UnauditedWrite<Name>;
}
